/* SPDX-License-Identifier: Apache-2.0 */
/* Five sentences, made of what the analysis found. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/document/compose.h"

/* 1: how far can the figures be trusted? */
static void
trust(const struct dossier *dossier, struct block *out)
{
	size_t n[ATTEMPT_INVALID + 1] = {0}, all = 0, single = 0, none = 0;

	for (vec_each(const struct cell *, cell, &dossier->model.cells)) {
		for (vec_each(const struct sample *, it, &cell->samples)) {
			n[it->state]++;
			all++;
		}
		single += cell->samples.n == 1;
		none += cell->samples.n == 0;
	}
	if (none) {
		block_item(out,
		    "Incomplete: %zu of %zu cells %s no run; of the %zu runs there "
		    "are, %zu are VALID.",
		    none, dossier->model.cells.n, none == 1 ? "has" : "have", all,
		    n[ATTEMPT_VALID]);
		return;
	}
	if (n[ATTEMPT_VALID] == all)
		block_item(out, "All %zu runs of %zu cells are VALID%s.", all,
		    dossier->model.cells.n,
		    single == dossier->model.cells.n
			? ", but each cell stands on a single run: differences are "
			  "suspicions, not proof"
		    : single ? ", though some cells stand on a single run"
			     : "");
	else
		block_item(out,
		    "Of %zu runs of %zu cells %zu are VALID, %zu PARTIAL and %zu "
		    "INVALID; only VALID ones are compared.",
		    all, dossier->model.cells.n, n[ATTEMPT_VALID], n[ATTEMPT_PARTIAL],
		    n[ATTEMPT_INVALID]);
}

/* 2: which one for what? */
static void
choice(const struct dossier *dossier, struct block *out)
{
	const struct ranking *ranking = &dossier->ranking;
	struct str text = {0};

	if (ranking->list.n < 2) {
		block_item(out, "Nothing was measured on two configurations alike, so "
				"none can be preferred.");
		return;
	}
	for (int use = 0; use < USES; use++) {
		const struct ranked *best = NULL;

		for (vec_each(const struct ranked *, it, &ranking->list))
			if (!isnan(it->score[use]) &&
			    (!best || it->score[use] > best->score[use]))
				best = it;
		if (best)
			str_addf(&text, "%s%s over %s for %s",
			    text.len ? ", " : "", best->storage,
			    transport_label(best->transport), use_label(use));
	}
	if (ranking->npareto == 1) {
		for (vec_each(const struct ranked *, it, &ranking->list))
			if (it->pareto)
				block_item(out,
				    "%s over %s is best, or as good as the best, at "
				    "everything measured.",
				    it->storage, transport_label(it->transport));
	} else {
		block_item(out, "No configuration is best at everything; ahead are %s.",
		    text.s ? text.s : "none");
	}
	str_free(&text);
}

/* 3: RDMA against TCP */
static void
transports(const struct dossier *dossier, struct block *out)
{
	size_t n[VERDICT_OBSERVED + 1] = {0};
	const struct change *worst = NULL;
	char buf[PERCENT_BUF];

	for (vec_each(const struct change *, it, &dossier->changes.list)) {
		n[change_verdict(it, dossier->thresholds.anomaly)]++;
		if (!worst || it->contrast.effect < worst->contrast.effect)
			worst = it;
	}
	if (!worst) {
		block_item(out, "RDMA and TCP were not measured in the same cells.");
		return;
	}
	block_item(out,
	    "Of %zu comparisons of RDMA with TCP in the same cell %zu are better, %zu "
	    "equivalent, %zu worse, %zu suspect and %zu inconclusive; the lowest is %s "
	    "(%s %s, %u client%s).",
	    dossier->changes.list.n, n[VERDICT_BETTER], n[VERDICT_EQUIVALENT],
	    n[VERDICT_WORSE], n[VERDICT_SUSPECT], n[VERDICT_INCONCLUSIVE],
	    percent_text(buf, worst->contrast.effect), worst->rdma->storage,
	    worst->rdma->workload, CLIENTS(worst->rdma->clients));
}

static const struct finding *
first_of(const struct dossier *dossier, const struct rule *rule, size_t *ret_n)
{
	const struct finding *ret = NULL;

	*ret_n = 0;
	for (vec_each(const struct finding *, it, &dossier->findings.list)) {
		if (it->rule != rule || it->severity == SEVERITY_INFO)
			continue;
		if (!ret)
			ret = it;
		*ret_n += 1;
	}
	return ret;
}

/* 4: more clients */
static void
scale(const struct dossier *dossier, struct block *out)
{
	size_t falls, above, rises;
	const struct finding *fall = first_of(dossier, &rule_scale_inversion, &falls);
	const struct finding *rise = first_of(dossier, &rule_late_rise, &rises);
	const struct finding *over = first_of(dossier, &rule_above_ceiling, &above);

	if (fall)
		block_item(out, "More clients did not always mean more: %s%s.",
		    fall->title, falls > 1 ? ", and others like it" : "");
	else if (over)
		block_item(out,
		    "No total fell as clients were added, but %zu %s more than the "
		    "declared links carry: %s.",
		    above, above == 1 ? "figure is" : "figures are", over->title);
	else if (rise)
		block_item(out, "No total fell as clients were added; unusual: %s.",
		    rise->title);
	else
		block_item(out, "No total fell as clients were added.");
}

/* 5: what to do */
static void
next(const struct dossier *dossier, struct block *out)
{
	const struct finding *worst = NULL;
	size_t n = 0;

	for (vec_each(const struct finding *, it, &dossier->findings.list))
		if (it->severity > SEVERITY_INFO) {
			n++;
			if (!worst && it->next_checks.n)
				worst = it;
		}
	if (!worst) {
		block_item(out,
		    "%s; the figures hold for the scale of this test and say nothing "
		    "about the limits of a product.",
		    n ? "The findings below ask for no check"
		      : "Nothing was found that asks for a check");
	} else {
		const char *check = worst->next_checks.v[0];

		block_item(out,
		    "%zu finding%s for action, first of all: %s. Check first: %s%s", n,
		    n == 1 ? " asks" : "s ask", worst->title, check,
		    check[strlen(check) - 1] == '?' ? "" : ".");
	}
}

void
compose_verdict(struct composer *composer)
{
	struct block *verdict;

	document_heading(composer->out, 2, "Verdict");
	verdict = document_add(composer->out, BLOCK_VERDICT, NULL);
	trust(composer->dossier, verdict);
	choice(composer->dossier, verdict);
	transports(composer->dossier, verdict);
	scale(composer->dossier, verdict);
	next(composer->dossier, verdict);
}
