/* SPDX-License-Identifier: Apache-2.0 */
/* Rule scale-inversion: more clients, and all of them together get less. */
#include <math.h>
#include <string.h>

#include "controller/analyze/drop.h"

/* The best scale below the i-th. */
static const struct cell *
peak_before(const struct line *line, size_t i, enum metric metric)
{
	const struct cell *ret = NULL;

	for (size_t j = 0; j < i; j++)
		if (!ret ||
		    cell_middle(line->cells.v[j], metric) > cell_middle(ret, metric))
			ret = line->cells.v[j];
	return ret;
}

struct fall {
	const struct cell *peak, *cell;
	struct contrast contrast;
	struct drop drop;
};

struct falls {
	VEC(struct fall) list;
};

/* The peak was chosen among several: the level is divided among all comparisons. */
static void
find_falls(const struct analysis *analysis, const struct line *line, struct falls *ret)
{
	size_t n = line->cells.n;
	double level = n > 1 ? 1 - 0.05 / ((double)n * (double)(n - 1) / 2) : 0.95;

	for (size_t i = 1; i < n; i++) {
		enum metric metric = cell_rate_metric(line->cells.v[i]);
		struct fall fall = {
		    peak_before(line, i, metric), line->cells.v[i], {0}, {0}};

		contrast_cells(analysis->model, fall.peak, fall.cell, metric, level,
		    analysis->thresholds->margin, &fall.contrast);
		fall.drop =
		    drop_judge(&fall.contrast, analysis->thresholds->scale_drop);
		if (fall.drop.found && !fall.cell->paced)
			vec_push(&ret->list, fall);
	}
}

static void
add_evidence(struct finding *finding, const struct fall *fall)
{
	const struct metric_info *info = &metrics[fall->contrast.metric];
	char from[UNITS_BUF], to[UNITS_BUF], by[PERCENT_BUF];
	const struct contrast *c = &fall->contrast;

	finding_evidence(finding, "%s: %s with %u client%s, %s with %u (%s, n = %u)",
	    fall->cell->transport, info->text(from, c->base),
	    CLIENTS(fall->peak->clients), info->text(to, c->value), fall->cell->clients,
	    effect_text(by, c->effect, c->low, c->high),
	    c->n < c->n_base ? c->n : c->n_base);
}

static void
report(
    const struct rule *rule, const struct analysis *analysis, const struct falls *falls)
{
	const struct fall *deepest = falls->list.v;
	struct finding *finding;
	struct drop worst = {0};
	char buf[PERCENT_BUF];

	for (vec_each(const struct fall *, it, &falls->list))
		drop_merge(&worst, &it->drop);
	finding = finding_add(analysis->findings, rule, worst.severity, worst.verdict);
	for (vec_each(const struct fall *, it, &falls->list)) {
		finding_contrast(finding, it->cell, &it->contrast);
		add_evidence(finding, it);
		if (finding->onset == 0 || it->cell->clients < finding->onset)
			finding->onset = it->cell->clients;
		if (it->contrast.effect < deepest->contrast.effect)
			deepest = it;
	}
	finding_title(finding,
	    "%s %s%s%s over %s: the total falls by %.1f %% from %u to %u clients",
	    deepest->cell->storage, deepest->cell->workload,
	    deepest->cell->axis[0] ? " " : "", deepest->cell->axis,
	    deepest->cell->transport, -100 * deepest->contrast.effect,
	    deepest->peak->clients, deepest->cell->clients);
	finding_scope(finding, "from %u clients on, depth %s", finding->onset,
	    percent_text(buf, deepest->contrast.effect));
	if (worst.verdict == VERDICT_SUSPECT || worst.verdict == VERDICT_INCONCLUSIVE)
		finding_check(finding, "repeat both scales at least 5 times");
}

static void
run(const struct rule *rule, const struct analysis *analysis)
{
	for (vec_each(const struct family *, it, &analysis->model->families)) {
		struct falls falls = {0};
		struct lines lines;

		lines_find(it, &lines);
		for (vec_each(const struct line *, line, &lines.list))
			find_falls(analysis, line, &falls);
		if (falls.list.n)
			report(rule, analysis, &falls);
		vec_free(&falls.list);
		lines_free(&lines);
	}
}

static const char *const thresholds[] = {"scale_drop", "margin", NULL};
static const char *const hypotheses[] = {"locks or tokens that clients take from each "
					 "other (metadata, byte ranges, one shared "
					 "directory)",
    "congestion: loss and retransmission grow with the number of senders",
    "a cache that fits fewer clients' data, or collection of garbage under more "
    "writers",
    NULL};
static const char *const next_checks[] = {
    "the scales between, to find the turning point",
    "latency and its tail at both scales; retransmissions and pause counters",
    "the same load with one directory or file per client", NULL};

const struct rule rule_scale_inversion = {
    .id = "scale-inversion",
    .question = "Does the total fall when clients are added?",
    .formula =
	"each scale against the best smaller one: log ratio with an interval whose "
	"error is divided among all pairs of scales (Bonferroni); a finding from "
	"scale_drop on",
    .source = "Gunther, Guerrilla Capacity Planning: retrograde scaling",
    .thresholds = thresholds,
    .hypotheses = hypotheses,
    .next_checks = next_checks,
    .run = run,
};
