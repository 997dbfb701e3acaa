/* SPDX-License-Identifier: Apache-2.0 */
/* Reducing cases to what a report shows. */
#include "controller/document/dossier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a case ---- */

/* Each nine takes a tenth of the width of a chart of the tail. */
static const double curve_percents[] = {1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95,
    98, 99, 99.5, 99.8, 99.9, 99.95, 99.98, 99.99, 99.995, 99.999, 99.9999};

static void
add_curve(struct dossier_case *ret, enum dir dir, struct hist *hist)
{
	struct dossier_curve *curve = NULL;

	hist_reset(hist);
	for (size_t i = 0; i < ret->c.attempts.n; i++) {
		const struct attempt *attempt = &ret->c.attempts.v[i]->attempt;

		if (attempt->state == ATTEMPT_VALID && attempt->has_total &&
		    attempt->total.dir[dir].present && results_is_latest(&ret->c, i))
			hist_merge(hist, attempt->total.dir[dir].lat);
	}
	for (size_t i = 0; i < sizeof curve_percents / sizeof *curve_percents; i++) {
		double ns = hist_percentile(hist, curve_percents[i]);

		if (isnan(ns))
			continue;
		if (!curve) {
			curve = vec_add(&ret->curves);
			curve->dir = dir;
		}
		vec_push(
		    &curve->points, ((struct dossier_point){curve_percents[i], ns}));
	}
}

static void
slim_total(struct total *total)
{
	tally_free(total->merged);
	total->merged = NULL;
	for (int dir = 0; dir < DIR_COUNT; dir++)
		total->dir[dir].slat = total->dir[dir].clat = total->dir[dir].lat = NULL;
}

/* Histograms and series of thousands of cells do not fit into memory. */
static void
slim(struct attempt *attempt)
{
	for (vec_each(struct attempt_client *, it, &attempt->clients)) {
		tally_free(it->tally);
		it->tally = NULL;
	}
	if (attempt->has_total)
		slim_total(&attempt->total);
	for (vec_each(struct attempt_job *, it, &attempt->jobs))
		if (it->has_total)
			slim_total(&it->total);
}

void
dossier_add_case(struct dossier *dossier, unsigned source, struct results_case *c)
{
	struct dossier_case *ret = vec_add(&dossier->cases);
	struct hist *hist = mem_alloc(sizeof *hist);

	ret->source = source;
	ret->c = *c;
	*c = (struct results_case){0};
	ret->axis = results_case_axis(&ret->c);
	summary_make(&ret->c, &ret->lines);
	for (int dir = 0; dir < DIR_COUNT; dir++)
		add_curve(ret, (enum dir)dir, hist);
	for (vec_each(struct results_attempt **, it, &ret->c.attempts))
		slim(&(*it)->attempt);
	free(hist);
}

/* ---- the analysis ---- */

void
dossier_analyze(struct dossier *dossier)
{
	static const double equal[USES] = {1, 1, 1, 1};

	model_close(&dossier->model);
	analyze(&dossier->model, &dossier->thresholds, &dossier->findings);
	changes_find(&dossier->model, dossier->thresholds.margin, &dossier->changes);
	rank_models(
	    &dossier->model, equal, dossier->thresholds.tie, &dossier->ranking);
}

/* The model's order. */
static int
compare_names(const struct dossier_case *c, const struct cell *cell)
{
	int order = strcmp(c->c.storage, cell->storage);

	if (order == 0)
		order = strcmp(c->c.workload, cell->workload);
	if (order == 0)
		order = strcmp(c->axis, cell->axis);
	if (order == 0)
		order =
		    (c->c.clients > cell->clients) - (c->c.clients < cell->clients);
	return order ? order : strcmp(c->c.transport, cell->transport);
}

const struct cell *
dossier_cell(const struct dossier *dossier, const struct dossier_case *c)
{
	size_t low = 0, high = dossier->model.cells.n;

	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = compare_names(c, &dossier->model.cells.v[middle]);

		if (order == 0)
			return &dossier->model.cells.v[middle];
		if (order > 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

void
dossier_free(struct dossier *dossier)
{
	for (vec_each(struct dossier_source *, it, &dossier->sources)) {
		free(it->path);
		results_free(&it->head);
	}
	vec_free(&dossier->sources);
	for (vec_each(struct dossier_case *, it, &dossier->cases)) {
		results_case_free(&it->c);
		free(it->axis);
		vec_free(&it->lines.lines);
		for (vec_each(struct dossier_curve *, curve, &it->curves))
			vec_free(&curve->points);
		vec_free(&it->curves);
	}
	vec_free(&dossier->cases);
	for (vec_each(struct exhibit *, it, &dossier->exhibits)) {
		for (vec_each(struct exhibit_client *, client, &it->clients)) {
			free(client->name);
			vec_free(&client->rates);
		}
		vec_free(&it->clients);
		heats_free(&it->heats);
	}
	vec_free(&dossier->exhibits);
	findings_free(&dossier->findings);
	changes_free(&dossier->changes);
	ranking_free(&dossier->ranking);
	model_free(&dossier->model);
}
