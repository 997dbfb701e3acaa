/* SPDX-License-Identifier: Apache-2.0 */
/* Rule sweep-peak: the best point of a sweep over depth, and where depth is wasted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "controller/analyze/rules.h"

#define POINTS_MIN 3
#define ONLY_LATENCY 1.2 /* times the latency for no more rate */

static bool
is_swept(const struct cell *cell)
{
	return strstr(cell->axis, "iodepth=") || strstr(cell->axis, "numjobs=");
}

static double
in_flight(const struct cell *cell)
{
	return cell->iodepth * cell->numjobs;
}

/* All but the depth is the same; depth last. */
static int
by_sweep(const void *a, const void *b)
{
	const struct cell *x = *(const struct cell *const *)a;
	const struct cell *y = *(const struct cell *const *)b;
	int order = strcmp(x->storage, y->storage);

	if (order == 0)
		order = strcmp(x->workload, y->workload);
	if (order == 0)
		order = strcmp(x->transport, y->transport);
	if (order == 0)
		order = (x->clients > y->clients) - (x->clients < y->clients);
	if (order == 0)
		order = (x->block_bytes > y->block_bytes) -
			(x->block_bytes < y->block_bytes);
	return order;
}

static int
by_depth(const void *a, const void *b)
{
	const struct cell *x = *(const struct cell *const *)a;
	const struct cell *y = *(const struct cell *const *)b;
	int order = by_sweep(a, b);

	if (order == 0)
		order = (in_flight(x) > in_flight(y)) - (in_flight(x) < in_flight(y));
	return order ? order : (x > y) - (x < y);
}

static void
report(const struct rule *rule, const struct analysis *analysis,
    const struct cell *const *cells, size_t n)
{
	enum metric metric = cell_rate_metric(cells[0]);
	const struct cell *best = NULL, *enough = NULL;
	struct finding *finding;
	double most;
	char rate[UNITS_BUF], lat[UNITS_BUF], *label;

	for (size_t i = 0; i < n; i++)
		if (!best || cell_middle(cells[i], metric) > cell_middle(best, metric))
			best = cells[i];
	most = cell_middle(best, metric);
	if (isnan(most))
		return;
	for (size_t i = 0; i < n && !enough; i++)
		if (cell_middle(cells[i], metric) >=
		    (1 - analysis->thresholds->sweep_near) * most)
			enough = cells[i];
	finding =
	    finding_add(analysis->findings, rule, SEVERITY_INFO, VERDICT_OBSERVED);
	finding_cell(finding, best);
	if (enough != best)
		finding_cell(finding, enough);
	label = cell_label(enough);
	finding_title(finding, "%s: saturates at qd%.0f x %.0f", label, enough->iodepth,
	    enough->numjobs);
	free(label);
	finding_evidence(finding, "best: qd%.0f x %.0f, %s at %s", best->iodepth,
	    best->numjobs, metrics[metric].text(rate, most),
	    units_ns(lat, cell_middle(best, METRIC_LAT)));
	finding_evidence(finding, "enough: qd%.0f x %.0f, %s at %s", enough->iodepth,
	    enough->numjobs, metrics[metric].text(rate, cell_middle(enough, metric)),
	    units_ns(lat, cell_middle(enough, METRIC_LAT)));
	for (size_t i = 0; i < n; i++)
		if (in_flight(cells[i]) > in_flight(enough) &&
		    cell_middle(cells[i], METRIC_LAT) >
			ONLY_LATENCY * cell_middle(enough, METRIC_LAT))
			finding_evidence(finding,
			    "qd%.0f x %.0f only buys latency: %s at %s",
			    cells[i]->iodepth, cells[i]->numjobs,
			    metrics[metric].text(rate, cell_middle(cells[i], metric)),
			    units_ns(lat, cell_middle(cells[i], METRIC_LAT)));
}

static void
run(const struct rule *rule, const struct analysis *analysis)
{
	VEC(const struct cell *) cells = {0};
	size_t from = 0;

	for (vec_each(const struct cell *, it, &analysis->model->cells))
		if (is_swept(it) && !isnan(in_flight(it)) && !it->paced)
			vec_push(&cells, it);
	if (cells.n)
		qsort(cells.v, cells.n, sizeof *cells.v, by_depth);
	for (size_t i = 1; i <= cells.n; i++) {
		if (i < cells.n && by_sweep(&cells.v[i], &cells.v[from]) == 0)
			continue;
		if (i - from >= POINTS_MIN)
			report(rule, analysis, &cells.v[from], i - from);
		from = i;
	}
	vec_free(&cells);
}

static const char *const thresholds[] = {"sweep_near", NULL};

const struct rule rule_sweep_peak = {
    .id = "sweep-peak",
    .question = "Which depth is enough?",
    .formula =
	"over a sweep of iodepth and numjobs: the best rate, and the least iodepth x "
	"numjobs within sweep_near of it; deeper points with 1.2 times its latency "
	"only buy latency",
    .source = "Little 1961: beyond saturation, depth is latency",
    .thresholds = thresholds,
    .run = run,
};
