/* SPDX-License-Identifier: Apache-2.0 */
/* Rule scale-efficiency: how much of n times one client is left. */
#include <math.h>
#include <stdio.h>

#include "controller/analyze/drop.h"
#include "lib/stats/fit.h"

#define SCALES_MAX 256

static void
add_efficiency(struct finding *finding, const struct line *line)
{
	const struct cell *base = line->cells.v[0];
	enum metric metric = cell_rate_metric(base);
	struct str text = {0};

	for (size_t i = 1; i < line->cells.n; i++) {
		const struct cell *cell = line->cells.v[i];
		double share = cell_middle(cell, metric) * base->clients /
			       (cell->clients * cell_middle(base, metric));

		if (!isnan(share))
			str_addf(&text, "%s%.0f %% at %u", text.len ? ", " : "",
			    100 * share, cell->clients);
	}
	if (text.len)
		finding_evidence(finding, "%s: efficiency against %u client%s: %s",
		    line->transport, base->clients, base->clients == 1 ? "" : "s",
		    text.s);
	str_free(&text);
}

static size_t
points_of(const struct line *line, double *ret_n, double *ret_t)
{
	enum metric metric = cell_rate_metric(line->cells.v[0]);
	size_t n = 0;

	for (size_t i = 0; i < line->cells.n && n < SCALES_MAX; i++) {
		double t = cell_middle(line->cells.v[i], metric);

		if (isnan(t))
			continue;
		ret_n[n] = line->cells.v[i]->clients;
		ret_t[n++] = t;
	}
	return n;
}

#define AT_ONCE 0.05 /* so close to the smallest scale, the knee is not in the data */

static void
add_saturation(struct finding *finding, const struct line *line, const double *n,
    const double *t, size_t points)
{
	const struct metric_info *info = &metrics[cell_rate_metric(line->cells.v[0])];
	struct saturation knee;
	char buf[UNITS_BUF];

	if (!fit_saturation(n, t, points, &knee))
		finding_evidence(finding,
		    "%s: %zu scales: too few to see where it saturates",
		    line->transport, points);
	else if (!knee.found)
		finding_evidence(finding,
		    "%s: grows up to the largest scale measured (%g)", line->transport,
		    n[points - 1]);
	else if (knee.clients <= n[0] * (1 + AT_ONCE))
		finding_evidence(finding,
		    "%s: saturated at the smallest scale measured already (%g), at %s",
		    line->transport, n[0], info->text(buf, knee.plateau));
	else
		finding_evidence(finding, "%s: saturates at about %.1f clients, at %s",
		    line->transport, knee.clients, info->text(buf, knee.plateau));
}

/* A peak outside of what was measured is a guess, and none is made. */
static void
add_law(struct finding *finding, const struct line *line, const double *n,
    const double *t, size_t points)
{
	const struct metric_info *info = &metrics[cell_rate_metric(line->cells.v[0])];
	struct usl usl;
	char buf[UNITS_BUF];

	if (!fit_usl(n, t, points, &usl)) {
		finding_evidence(finding,
		    "%s: scalability law: not fitted, %zu scales (it needs %d)",
		    line->transport, points, FIT_USL_MIN);
		return;
	}
	finding_evidence(finding,
	    "%s: scalability law: sigma %.4f, kappa %.6f, points off by up to %.0f %%",
	    line->transport, usl.sigma, usl.kappa, 100 * usl.worst);
	if (usl.peak_clients <= n[points - 1])
		finding_evidence(finding, "%s: its peak is %s at %.0f clients",
		    line->transport, info->text(buf, usl.peak), usl.peak_clients);
	else
		finding_evidence(finding,
		    "%s: its peak is beyond the %g clients measured: not stated",
		    line->transport, n[points - 1]);
}

static void
add_line(struct finding *finding, const struct line *line)
{
	double n[SCALES_MAX], t[SCALES_MAX];
	size_t points = points_of(line, n, t);

	for (size_t i = 0; i < line->cells.n; i++)
		finding_cell(finding, line->cells.v[i]);
	add_efficiency(finding, line);
	add_saturation(finding, line, n, t, points);
	add_law(finding, line, n, t, points);
}

static void
run(const struct rule *rule, const struct analysis *analysis)
{
	for (vec_each(const struct family *, it, &analysis->model->families)) {
		struct finding *finding = NULL;
		struct lines lines;

		lines_find(it, &lines);
		for (vec_each(const struct line *, line, &lines.list)) {
			if (line->cells.n < 2 || it->cells->paced)
				continue;
			if (!finding) {
				finding = finding_add(analysis->findings, rule,
				    SEVERITY_INFO, VERDICT_OBSERVED);
				finding_title(finding, "%s %s%s%s: how it scales",
				    it->cells->storage, it->cells->workload,
				    it->cells->axis[0] ? " " : "", it->cells->axis);
			}
			add_line(finding, line);
		}
		lines_free(&lines);
	}
}

const struct rule rule_scale_efficiency = {
    .id = "scale-efficiency",
    .question = "How much of n times one client is left, and where does it saturate?",
    .formula =
	"T(n) / (n T(1)), against the smallest scale where 1 is missing; saturation: "
	"the best ray and plateau on logarithms, from 3 scales; T(n) = lambda n / (1 "
	"+ sigma (n - 1) + kappa n (n - 1)), by least squares of relative errors, "
	"from 4 scales; a peak only within the scales measured",
    .source = "Gunther, Guerrilla Capacity Planning (Universal Scalability Law)",
    .run = run,
};
