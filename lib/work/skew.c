/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Skewed draws.  Blocks beyond the zones are never drawn when zones end early.
 */
#include "lib/work/skew.h"

#include <math.h>

#define PERCENT 100
#define ZETA_TERMS UINT64_C(1000000) /* summed one by one; the rest by its integral */
#define BELL 12			     /* uniform draws whose sum is the bell */
/* 2^64 over the golden ratio squared; spreads neighbours (Knuth, vol. 3, 6.4). */
#define SCATTER UINT64_C(0x61c8864680b583eb)

/* 1 + 1/2^theta + … + 1/n^theta, the far terms by Euler and Maclaurin. */
static double
zeta(uint64_t n, double theta)
{
	uint64_t last = n < ZETA_TERMS ? n : ZETA_TERMS;
	double sum = 0;

	for (uint64_t i = last; i > 0; i--)
		sum += pow((double)i, -theta);
	if (n > last) {
		double a = (double)last, b = (double)n;

		sum += (pow(b, 1 - theta) - pow(a, 1 - theta)) / (1 - theta) +
		       (pow(b, -theta) - pow(a, -theta)) / 2;
	}
	return sum;
}

static void
init_zipf(struct skew *skew, double theta)
{
	double two = 1 + pow(0.5, theta);

	skew->theta = theta;
	skew->zeta = zeta(skew->n, theta);
	skew->eta = skew->n < 3 ? 1
				: (1 - pow(2.0 / (double)skew->n, 1 - theta)) /
				      (1 - two / skew->zeta);
}

static uint64_t
draw_zipf(const struct skew *skew, double u)
{
	double uz = u * skew->zeta, n = (double)skew->n;

	if (uz < 1 || skew->n < 2)
		return 0;
	if (uz < 1 + pow(0.5, skew->theta) || skew->n < 3)
		return 1;
	return (uint64_t)(n * pow(skew->eta * u - skew->eta + 1, 1 / (1 - skew->theta)));
}

static uint64_t
draw_normal(const struct skew *skew, struct rng *rng)
{
	double n = (double)skew->n, at = 0;

	for (int i = 0; i < BELL; i++)
		at += rng_unit(rng) * n / BELL;
	at += (rng_unit(rng) - 0.5) * skew->width;
	return at < 0 ? 0 : (uint64_t)at;
}

static void
init_zones(struct skew *skew, const struct job *job, enum dir dir, uint64_t align)
{
	const struct job_zones *zones = &job->access.zone[dir];
	unsigned access = 0;
	uint64_t span = 0, from = 0;

	for (unsigned i = 0; i < zones->n; i++) {
		uint64_t upto;

		access += zones->v[i].access;
		span += zones->v[i].span;
		upto = job->access.dist == JOB_DIST_ZONED_ABS
			   ? span / align
			   : (uint64_t)((unsigned __int128)skew->n * span / PERCENT);
		if (upto > skew->n)
			upto = skew->n;
		skew->zone[i].access = access;
		skew->zone[i].from = from < skew->n ? from : skew->n - 1;
		skew->zone[i].blocks = upto > from ? upto - from : 1;
		from = upto;
	}
	skew->nzones = zones->n;
}

static uint64_t
draw_zone(const struct skew *skew, struct rng *rng)
{
	unsigned at = (unsigned)rng_below(rng, PERCENT), i = 0;

	while (i + 1 < skew->nzones && at >= skew->zone[i].access)
		i++;
	return skew->zone[i].from + rng_below(rng, skew->zone[i].blocks);
}

void
skew_init(struct skew *skew, const struct job *job, enum dir dir, uint64_t n,
    uint64_t align, struct rng *rng)
{
	const struct job_access *access = &job->access;
	double center = access->center;

	*skew = (struct skew){.dist = access->dist, .n = n};
	switch (access->dist) {
	case JOB_DIST_ZIPF: init_zipf(skew, access->theta); break;
	case JOB_DIST_PARETO:
		skew->power = log(access->theta) / log(1 - access->theta);
		break;
	case JOB_DIST_NORMAL:
		skew->width = (double)n * access->theta / PERCENT;
		center = center < 0 ? 0 : center - 0.5;
		center += center < 0;
		break;
	case JOB_DIST_ZONED:
	case JOB_DIST_ZONED_ABS: init_zones(skew, job, dir, align); break;
	case JOB_DIST_RANDOM: break;
	}
	skew->shift = center < 0 ? rng_below(rng, n) : (uint64_t)((double)n * center);
}

uint64_t
skew_place(const struct skew *skew, uint64_t rank)
{
	return (rank * SCATTER % skew->n + skew->shift) % skew->n;
}

uint64_t
skew_draw(const struct skew *skew, struct rng *rng)
{
	uint64_t rank;

	switch (skew->dist) {
	case JOB_DIST_ZIPF: rank = draw_zipf(skew, rng_unit(rng)); break;
	case JOB_DIST_PARETO:
		rank = (uint64_t)((double)(skew->n - 1) *
				  pow(rng_unit(rng), skew->power));
		break;
	case JOB_DIST_NORMAL: rank = draw_normal(skew, rng); break;
	case JOB_DIST_ZONED:
	case JOB_DIST_ZONED_ABS: return draw_zone(skew, rng);
	default: return rng_below(rng, skew->n);
	}
	return skew_place(skew, rank < skew->n ? rank : skew->n - 1);
}
