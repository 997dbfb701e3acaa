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

struct sweep {
	const struct cell *best, *enough; /* enough: the least depth that is as good */
	enum metric metric;
};

static bool
find_peak(const struct analysis *analysis, const struct cell *const *cells, size_t n,
    struct sweep *ret)
{
	double most;

	*ret = (struct sweep){.metric = cell_rate_metric(cells[0])};
	for (size_t i = 0; i < n; i++)
		if (!ret->best || cell_middle(cells[i], ret->metric) >
				      cell_middle(ret->best, ret->metric))
			ret->best = cells[i];
	most = cell_middle(ret->best, ret->metric);
	for (size_t i = 0; i < n && !ret->enough; i++)
		if (cell_middle(cells[i], ret->metric) >=
		    (1 - analysis->thresholds->sweep_near) * most)
			ret->enough = cells[i];
	return ret->enough != NULL;
}

static void
add_point(struct str *text, const struct sweep *sweep, const struct cell *cell)
{
	char rate[UNITS_BUF], lat[UNITS_BUF];

	str_addf(text, "qd%.0f x %.0f (%s at %s)", cell->iodepth, cell->numjobs,
	    metrics[sweep->metric].text(rate, cell_middle(cell, sweep->metric)),
	    units_ns(lat, cell_middle(cell, METRIC_LAT)));
}

/* One line for a transport and a number of clients. */
static void
add_sweep(struct finding *finding, const struct sweep *sweep,
    const struct cell *const *cells, size_t n)
{
	const struct cell *enough = sweep->enough, *deepest = cells[n - 1];
	struct str text = {0};
	size_t wasted = 0;

	finding_cell(finding, sweep->best);
	str_addf(
	    &text, "%s, %u client%s: ", enough->transport, CLIENTS(enough->clients));
	if (in_flight(enough) >= in_flight(deepest)) {
		str_add(&text, "still grows at the deepest point, ");
		add_point(&text, sweep, enough);
	} else {
		str_add(&text, "saturates at ");
		add_point(&text, sweep, enough);
	}
	if (sweep->best != enough) {
		str_add(&text, "; best ");
		add_point(&text, sweep, sweep->best);
	}
	for (size_t i = 0; i < n; i++)
		if (in_flight(cells[i]) > in_flight(enough) &&
		    cell_middle(cells[i], METRIC_LAT) >
			ONLY_LATENCY * cell_middle(enough, METRIC_LAT)) {
			str_add(
			    &text, wasted++ ? ", " : "; only latency is bought by ");
			add_point(&text, sweep, cells[i]);
		}
	finding_evidence(finding, "%s", text.s);
	str_free(&text);
}

/* Sweeps of one storage and workload are next to each other: one finding. */
static void
report(const struct rule *rule, const struct analysis *analysis,
    const struct cell **last, const struct cell *const *cells, size_t n)
{
	struct finding *finding;
	struct sweep sweep;

	if (!find_peak(analysis, cells, n, &sweep))
		return;
	if (!*last || strcmp((*last)->storage, cells[0]->storage) != 0 ||
	    strcmp((*last)->workload, cells[0]->workload) != 0) {
		finding = finding_add(
		    analysis->findings, rule, SEVERITY_INFO, VERDICT_OBSERVED);
		finding_title(finding, "%s %s: which depth is enough",
		    cells[0]->storage, cells[0]->workload);
	}
	*last = cells[0];
	finding = &analysis->findings->list.v[analysis->findings->list.n - 1];
	add_sweep(finding, &sweep, cells, n);
}

static void
run(const struct rule *rule, const struct analysis *analysis)
{
	VEC(const struct cell *) cells = {0};
	const struct cell *last = NULL;
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
			report(rule, analysis, &last, &cells.v[from], i - from);
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
