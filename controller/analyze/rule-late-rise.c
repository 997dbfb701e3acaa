/* SPDX-License-Identifier: Apache-2.0 */
/* Rule late-rise: a plateau, and then growth again. */
#include <math.h>

#include "controller/analyze/drop.h"

static bool
is_plateau(const struct cell *from, const struct cell *to, double most)
{
	enum metric metric = cell_rate_metric(to);
	double growth = cell_middle(to, metric) / cell_middle(from, metric) - 1;

	return fabs(growth) <= most;
}

static void
report(const struct rule *rule, const struct analysis *analysis,
    const struct cell *const *three, const struct contrast *c)
{
	const struct metric_info *info = &metrics[c->metric];
	const struct cell *cell = three[2];
	bool sure = c->verdict == VERDICT_BETTER && !contrast_is_few(c);
	enum verdict verdict = sure ? VERDICT_BETTER : VERDICT_SUSPECT;
	struct finding *finding =
	    finding_add(analysis->findings, rule, SEVERITY_WARNING, verdict);
	char from[UNITS_BUF], to[UNITS_BUF], by[PERCENT_BUF];

	finding_contrast(finding, cell, c);
	finding->onset = cell->clients;
	finding->depth = c->effect;
	finding_title(finding,
	    "%s %s%s%s over %s: flat from %u to %u clients, then %s at %u",
	    cell->storage, cell->workload, cell->axis[0] ? " " : "", cell->axis,
	    cell->transport, three[0]->clients, three[1]->clients,
	    percent_text(by, c->effect), cell->clients);
	finding_evidence(finding, "%s with %u client%s, %s with %u (%s, n = %u)",
	    info->text(from, c->base), CLIENTS(three[1]->clients),
	    info->text(to, c->value), cell->clients,
	    effect_text(by, c->effect, c->low, c->high),
	    c->n < c->n_base ? c->n : c->n_base);
}

static void
check_line(
    const struct rule *rule, const struct analysis *analysis, const struct line *line)
{
	const struct thresholds *t = analysis->thresholds;

	for (size_t i = 2; i < line->cells.n; i++) {
		const struct cell *const *three = &line->cells.v[i - 2];
		struct contrast c;

		if (!is_plateau(three[0], three[1], t->plateau))
			continue;
		contrast_cells(analysis->model, three[1], three[2],
		    cell_rate_metric(three[2]), 0.95, t->margin, &c);
		if (!c.known || !(c.effect >= t->late_rise) || c.low <= 0)
			continue;
		/* few repeats: no more than a drop that noise explains, turned round */
		if (contrast_is_few(&c) && c.effect < 1 / (1 + c.least) - 1)
			continue;
		report(rule, analysis, three, &c);
	}
}

static void
run(const struct rule *rule, const struct analysis *analysis)
{
	for (vec_each(const struct family *, it, &analysis->model->families)) {
		struct lines lines;

		lines_find(it, &lines);
		for (vec_each(const struct line *, line, &lines.list))
			check_line(rule, analysis, line);
		lines_free(&lines);
	}
}

static const char *const thresholds[] = {"plateau", "late_rise", NULL};
static const char *const hypotheses[] = {
    "a cache: more clients read what others have fetched",
    "more connections, ports or nodes of the storage came into play at this scale",
    "the plateau was caused by something else and is gone: another tenant, a rebuild",
    NULL};
static const char *const next_checks[] = {
    "the scales between, and the smaller ones once more",
    "which ports of the storage carry the traffic at both scales",
    "size of the data set against the storage's cache", NULL};

const struct rule rule_late_rise = {
    .id = "late-rise",
    .question = "Does the total rise again after it had stopped growing?",
    .formula =
	"two scales in a row differ by no more than plateau, and the next is late_rise "
	"or more above; with repeats its interval must be above 0",
    .source =
	"a saturated resource does not recover by more load; the exception wants a "
	"reason",
    .thresholds = thresholds,
    .hypotheses = hypotheses,
    .next_checks = next_checks,
    .run = run,
};
