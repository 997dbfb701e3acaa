/* SPDX-License-Identifier: Apache-2.0 */
/* Ratios with intervals, and verdicts from them. */
#include "controller/analyze/contrast.h"

#include <math.h>
#include <stdlib.h>

#include "lib/stats/difference.h"
#include "lib/stats/dist.h"

const char *
verdict_name(enum verdict verdict)
{
	static const char *const names[] = {[VERDICT_BETTER] = "better",
	    [VERDICT_WORSE] = "worse",
	    [VERDICT_EQUIVALENT] = "equivalent",
	    [VERDICT_INCONCLUSIVE] = "inconclusive",
	    [VERDICT_SUSPECT] = "suspect",
	    [VERDICT_OBSERVED] = "observed"};

	return names[verdict];
}

/* Values side by side; pairs only where both ran next to each other. */
struct sides {
	double base[CELL_SAMPLES_MAX], value[CELL_SAMPLES_MAX];
	size_t nbase, nvalue;
	bool paired;
};

static const struct sample *
find_sample(const struct cell *cell, const struct sample *like)
{
	size_t low = 0, high = cell->samples.n;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct sample *it = &cell->samples.v[middle];

		if (it->source == like->source && it->repeat == like->repeat)
			return it;
		if (it->source < like->source ||
		    (it->source == like->source && it->repeat < like->repeat))
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

#define BLOCK_REACH 2 /* places in the order: the arms of one block */

static bool
is_pair(const struct sample *x, const struct sample *y, enum metric metric)
{
	long apart = (long)x->order - (long)y->order;

	return x->state == ATTEMPT_VALID && y->state == ATTEMPT_VALID && x->order &&
	       y->order && labs(apart) <= BLOCK_REACH && x->value[metric] > 0 &&
	       y->value[metric] > 0;
}

static void
pair_up(const struct cell *base, const struct cell *value, enum metric metric,
    struct sides *ret)
{
	size_t n = 0;

	for (vec_each(const struct sample *, it, &base->samples)) {
		const struct sample *other = find_sample(value, it);

		if (!other || !is_pair(it, other, metric) || n == CELL_SAMPLES_MAX)
			continue;
		ret->base[n] = it->value[metric];
		ret->value[n++] = other->value[metric];
	}
	ret->nbase = ret->nvalue = n;
	ret->paired = n >= 2;
}

static void
set_verdict(struct contrast *c, double margin)
{
	c->verdict = VERDICT_INCONCLUSIVE;
	if (isnan(c->low) || isnan(c->high))
		return;
	if (c->high < -margin)
		c->verdict = VERDICT_WORSE;
	else if (c->low > margin)
		c->verdict = VERDICT_BETTER;
	else if (c->low >= -margin && c->high <= margin)
		c->verdict = VERDICT_EQUIVALENT;
}

/* Too few repeats here: what do repeats of other cells of this storage say? */
static void
borrow_noise(const struct model *model, const struct cell *cell, struct contrast *c)
{
	double df, spread = sqrt(1.0 / c->n + 1.0 / c->n_base);

	c->noise = model_noise(model, cell->storage, &df);
	if (!isnan(c->noise))
		c->least = exp(-c->noise * spread * dist_t_quantile(0.975, df)) - 1;
}

static double
deviation(const double *x, size_t n)
{
	struct sample_pool pool = {0};
	double logs[CELL_SAMPLES_MAX];

	for (size_t i = 0; i < n; i++)
		logs[i] = log(x[i]);
	sample_pool_add(&pool, logs, n);
	return sample_pool_sd(&pool);
}

static void
set_deviation(const struct sides *s, struct contrast *ret)
{
	double ratio[CELL_SAMPLES_MAX], sx, sy, dx, dy;

	if (s->paired) {
		for (size_t i = 0; i < s->nbase; i++)
			ratio[i] = s->value[i] / s->base[i];
		ret->deviation = deviation(ratio, s->nbase);
		ret->df = (double)(s->nbase - 1);
		return;
	}
	sx = deviation(s->base, s->nbase);
	sy = deviation(s->value, s->nvalue);
	dx = (double)(s->nbase - 1);
	dy = (double)(s->nvalue - 1);
	ret->df = dx + dy;
	ret->deviation = sqrt((sx * sx * dx + sy * sy * dy) / ret->df);
}

double
contrast_detectable(const struct contrast *c)
{
	double least = NAN;

	if (isnan(c->low))
		return NAN;
	if (c->paired)
		least = difference_detectable_paired(c->deviation, c->n);
	else
		least = difference_detectable(c->deviation, c->n_base, c->n);
	return -expm1(-least);
}

static double
hodges_lehmann(const struct sides *s)
{
	double x[CELL_SAMPLES_MAX], y[CELL_SAMPLES_MAX];

	for (size_t i = 0; i < s->nbase; i++)
		x[i] = log(s->base[i]);
	for (size_t i = 0; i < s->nvalue; i++)
		y[i] = log(s->value[i]);
	return s->paired ? difference_hl_paired(x, y, s->nbase)
			 : difference_hl(x, s->nbase, y, s->nvalue);
}

static void
compare(const struct sides *s, enum metric metric, double level, struct contrast *ret)
{
	double sign = metrics[metric].less_is_better ? -1 : 1;
	struct interval log_ratio;

	difference_ratio(
	    s->base, s->nbase, s->value, s->nvalue, s->paired, level, &log_ratio);
	ret->effect = expm1(sign * log_ratio.estimate);
	ret->low = expm1(sign > 0 ? log_ratio.low : -log_ratio.high);
	ret->high = expm1(sign > 0 ? log_ratio.high : -log_ratio.low);
	ret->p = log_ratio.p;
	if (isnan(ret->low))
		return;
	ret->hl = expm1(sign * hodges_lehmann(s));
	ret->mann_whitney =
	    difference_mann_whitney(s->base, s->nbase, s->value, s->nvalue);
	set_deviation(s, ret);
}

static void
clear(struct contrast *ret, enum metric metric)
{
	*ret = (struct contrast){.metric = metric,
	    .base = NAN,
	    .value = NAN,
	    .effect = NAN,
	    .low = NAN,
	    .high = NAN,
	    .hl = NAN,
	    .p = NAN,
	    .mann_whitney = NAN,
	    .deviation = NAN,
	    .df = NAN,
	    .noise = NAN,
	    .least = NAN,
	    .verdict = VERDICT_INCONCLUSIVE};
}

void
contrast_cells(const struct model *model, const struct cell *base,
    const struct cell *value, enum metric metric, double level, double margin,
    struct contrast *ret)
{
	struct sides s;

	clear(ret, metric);
	pair_up(base, value, metric, &s);
	if (!s.paired) {
		s.nbase = cell_values(base, metric, s.base, CELL_SAMPLES_MAX);
		s.nvalue = cell_values(value, metric, s.value, CELL_SAMPLES_MAX);
	}
	if (s.nbase == 0 || s.nvalue == 0)
		return;
	ret->known = true;
	ret->paired = s.paired;
	ret->n = (unsigned)s.nvalue;
	ret->n_base = (unsigned)s.nbase;
	ret->base = cell_middle(base, metric);
	ret->value = cell_middle(value, metric);
	compare(&s, metric, level, ret);
	if (contrast_is_few(ret))
		borrow_noise(model, value, ret);
	set_verdict(ret, margin);
}

void
contrast_stated(const struct model *model, const struct cell *cell, double margin,
    struct contrast *ret)
{
	bool only_iops = cell_has(cell, METRIC_IOPS) && !cell_has(cell, METRIC_RATE);

	clear(ret, only_iops ? METRIC_IOPS : METRIC_RATE);
	if (isnan(cell->change))
		return;
	ret->known = ret->stated = true;
	ret->n = ret->n_base = 1;
	ret->value = cell_middle(cell, ret->metric);
	ret->effect = cell->change;
	borrow_noise(model, cell, ret);
	set_verdict(ret, margin);
}

#define BOOTSTRAP_SEED 1 /* the same data says the same every time */

void
contrast_bootstrap(const struct cell *base, const struct cell *value,
    const struct contrast *c, double *ret_low, double *ret_high)
{
	double x[CELL_SAMPLES_MAX], y[CELL_SAMPLES_MAX], low, high;
	size_t nx = cell_values(base, c->metric, x, CELL_SAMPLES_MAX);
	size_t ny = cell_values(value, c->metric, y, CELL_SAMPLES_MAX);
	bool less = metrics[c->metric].less_is_better;

	*ret_low = *ret_high = NAN;
	for (size_t i = 0; i < nx; i++)
		x[i] = log(x[i]);
	for (size_t i = 0; i < ny; i++)
		y[i] = log(y[i]);
	if (c->paired ||
	    !difference_hl_bootstrap(x, nx, y, ny, 0.95, BOOTSTRAP_SEED, &low, &high))
		return;
	*ret_low = expm1(less ? -high : low);
	*ret_high = expm1(less ? -low : high);
}

bool
contrast_is_few(const struct contrast *c)
{
	return c->n < CONTRAST_FEW || c->n_base < CONTRAST_FEW;
}

bool
contrast_is_noise(const struct contrast *c)
{
	return contrast_is_few(c) && !isnan(c->least) && c->effect > c->least;
}
