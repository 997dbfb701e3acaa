/* SPDX-License-Identifier: Apache-2.0 */
/* Figures with fewer digits, so that they do not tell whose they are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "controller/document/dossier.h"

static double
rounded(double value, int digits)
{
	char text[40];

	if (!isfinite(value))
		return value;
	snprintf(text, sizeof text, "%.*e", digits - 1, value);
	return strtod(text, NULL);
}

static void
round_all(double *const *values, size_t n, int digits)
{
	for (size_t i = 0; i < n; i++)
		*values[i] = rounded(*values[i], digits);
}

#define ROUND(digits, ...) \
	round_all((double *const[]){__VA_ARGS__}, \
	    sizeof((double *const[]){__VA_ARGS__}) / sizeof(double *), digits)

static void
round_model(struct model *model, int digits)
{
	for (vec_each(struct cell *, cell, &model->cells)) {
		ROUND(digits, &cell->baseline);
		for (vec_each(struct sample *, sample, &cell->samples)) {
			for (int metric = 0; metric < METRIC_COUNT; metric++)
				ROUND(digits, &sample->value[metric]);
			ROUND(digits, &sample->first_done_s, &sample->last_done_s,
			    &sample->modes.low_ns, &sample->modes.high_ns);
			for (vec_each(struct sample_client *, it, &sample->clients))
				ROUND(digits, &it->rate, &it->iops);
		}
	}
}

static void
round_total(struct total *total, int digits)
{
	for (int i = 0; i < DIR_COUNT; i++) {
		struct total_dir *dir = &total->dir[i];

		ROUND(digits, &dir->bytes_per_s, &dir->iops, &dir->fio_bytes_per_s,
		    &dir->fio_iops, &dir->sum_bytes_per_s, &dir->sum_iops,
		    &dir->common_bytes_per_s, &dir->common_iops);
		dir->ios = (uint64_t)rounded((double)dir->ios, digits);
		dir->bytes = (uint64_t)rounded((double)dir->bytes, digits);
	}
}

static void
round_attempt(struct attempt *attempt, int digits)
{
	if (attempt->has_total)
		round_total(&attempt->total, digits);
	for (vec_each(struct attempt_job *, it, &attempt->jobs))
		if (it->has_total)
			round_total(&it->total, digits);
}

static void
round_case(struct dossier_case *c, int digits)
{
	for (vec_each(struct summary *, it, &c->lines.lines)) {
		struct summary_latency *const kinds[] = {
		    &it->slat, &it->clat, &it->lat};

		ROUND(digits, &it->bytes_per_s, &it->iops, &it->rsd, &it->bytes_low,
		    &it->bytes_high, &it->iops_low, &it->iops_high);
		for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
			ROUND(
			    digits, &kinds[i]->mean, &kinds[i]->p99, &kinds[i]->p99_9);
	}
	for (vec_each(struct dossier_curve *, curve, &c->curves))
		for (vec_each(struct dossier_point *, it, &curve->points))
			ROUND(digits, &it->ns);
	for (vec_each(struct results_attempt **, it, &c->c.attempts))
		round_attempt(&(*it)->attempt, digits);
}

void
dossier_round(struct dossier *dossier, int digits)
{
	round_model(&dossier->model, digits);
	for (vec_each(struct dossier_case *, it, &dossier->cases))
		round_case(it, digits);
	for (vec_each(struct exhibit *, it, &dossier->exhibits))
		for (vec_each(struct exhibit_client *, client, &it->clients))
			for (vec_each(double *, rate, &client->rates))
				ROUND(digits, rate);
}
