/* SPDX-License-Identifier: Apache-2.0 */
/* Intervals, rank tests and their company for small samples. */
#include "lib/stats/difference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "lib/stats/dist.h"
#include "lib/stats/sample.h"

#define BOOTSTRAPS 2000
#define ALPHA 0.05
#define POWER 0.80

static void
fill(struct interval *ret, double estimate, double se, double df, double level)
{
	double half = se * dist_t_quantile(0.5 + level / 2, df);

	*ret =
	    (struct interval){estimate, estimate - half, estimate + half, se, df, NAN};
	if (se > 0)
		ret->p = dist_t_p(estimate / se, df);
	else if (se == 0)
		ret->p = estimate == 0;
}

void
difference_paired(
    const double *x, const double *y, size_t n, double level, struct interval *ret)
{
	double *by = mem_array(n + 1, sizeof *by);

	for (size_t i = 0; i < n; i++)
		by[i] = y[i] - x[i];
	fill(ret, sample_mean(by, n), sample_sd(by, n) / sqrt((double)n),
	    n > 1 ? (double)(n - 1) : NAN, level);
	free(by);
}

void
difference_welch(const double *x, size_t nx, const double *y, size_t ny, double level,
    struct interval *ret)
{
	double vx = pow(sample_sd(x, nx), 2) / (double)nx;
	double vy = pow(sample_sd(y, ny), 2) / (double)ny;
	double df = (vx + vy) * (vx + vy) /
		    (vx * vx / ((double)nx - 1) + vy * vy / ((double)ny - 1));

	if (vx + vy == 0)
		df = (double)(nx + ny - 2); /* no spread: any will do */
	fill(ret, sample_mean(y, ny) - sample_mean(x, nx), sqrt(vx + vy), df, level);
}

static double *
logs_of(const double *x, size_t n)
{
	double *ret = mem_array(n + 1, sizeof *ret);

	for (size_t i = 0; i < n; i++)
		ret[i] = log(x[i]);
	return ret;
}

void
difference_ratio(const double *x, size_t nx, const double *y, size_t ny, bool paired,
    double level, struct interval *ret)
{
	double *lx = logs_of(x, nx), *ly = logs_of(y, ny);

	if (paired)
		difference_paired(lx, ly, nx < ny ? nx : ny, level, ret);
	else
		difference_welch(lx, nx, ly, ny, level, ret);
	free(lx);
	free(ly);
}

/* ---- Hodges–Lehmann ---- */

double
difference_hl(const double *x, size_t nx, const double *y, size_t ny)
{
	double *all = mem_array(nx * ny + 1, sizeof *all), ret;

	for (size_t i = 0; i < nx; i++)
		for (size_t j = 0; j < ny; j++)
			all[i * ny + j] = y[j] - x[i];
	ret = sample_median(all, nx * ny);
	free(all);
	return ret;
}

double
difference_hl_paired(const double *x, const double *y, size_t n)
{
	double *all = mem_array(n * (n + 1) / 2 + 1, sizeof *all), ret;
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			all[k++] = (y[i] - x[i] + y[j] - x[j]) / 2;
	ret = sample_median(all, k);
	free(all);
	return ret;
}

static void
resample(struct rng *rng, const double *from, size_t n, double *ret)
{
	for (size_t i = 0; i < n; i++)
		ret[i] = from[rng_below(rng, n)];
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

bool
difference_hl_bootstrap(const double *x, size_t nx, const double *y, size_t ny,
    double level, uint64_t seed, double *ret_low, double *ret_high)
{
	double *rx, *ry, *shift;
	double tail = (1 - level) / 2 * BOOTSTRAPS;
	struct rng rng;

	*ret_low = *ret_high = NAN;
	if (nx < DIFFERENCE_BOOTSTRAP_MIN || ny < DIFFERENCE_BOOTSTRAP_MIN)
		return false;
	rx = mem_array(nx, sizeof *rx);
	ry = mem_array(ny, sizeof *ry);
	shift = mem_array(BOOTSTRAPS, sizeof *shift);
	rng_seed(&rng, seed);
	for (size_t i = 0; i < BOOTSTRAPS; i++) {
		resample(&rng, x, nx, rx);
		resample(&rng, y, ny, ry);
		shift[i] = difference_hl(rx, nx, ry, ny);
	}
	qsort(shift, BOOTSTRAPS, sizeof *shift, by_value);
	*ret_low = shift[(size_t)tail];
	*ret_high = shift[BOOTSTRAPS - 1 - (size_t)tail];
	free(rx);
	free(ry);
	free(shift);
	return true;
}

/* ---- Mann–Whitney ---- */

/* Twice the rank of each value of x in both sets together; ties share theirs. */
static size_t
double_rank(double value, const double *x, size_t nx, const double *y, size_t ny)
{
	size_t below = 0, equal = 0;

	for (size_t i = 0; i < nx; i++) {
		below += x[i] < value;
		equal += x[i] == value;
	}
	for (size_t i = 0; i < ny; i++) {
		below += y[i] < value;
		equal += y[i] == value;
	}
	return 2 * below + equal + 1;
}

/*
 * ways[k][s]: choices of k of the values whose doubled ranks sum to s.  Filled value by
 * value, as for the knapsack problem.
 */
static double *
count_ways(const size_t *rank, size_t n, size_t k, size_t top)
{
	double *ways = mem_array((k + 1) * (top + 1), sizeof *ways);

	ways[0] = 1;
	for (size_t i = 0; i < n; i++)
		for (size_t have = k; have-- > 0;)
			for (size_t s = 0; s + rank[i] <= top; s++)
				ways[(have + 1) * (top + 1) + s + rank[i]] +=
				    ways[have * (top + 1) + s];
	return ways;
}

double
difference_mann_whitney(const double *x, size_t nx, const double *y, size_t ny)
{
	size_t n = nx + ny, sum = 0, top = n * (n + 1), *rank;
	double all = 0, low = 0, high = 0, *ways;

	if (nx == 0 || ny == 0 || n > DIFFERENCE_EXACT_MAX)
		return NAN;
	rank = mem_array(n, sizeof *rank);
	for (size_t i = 0; i < n; i++) {
		rank[i] = double_rank(i < nx ? x[i] : y[i - nx], x, nx, y, ny);
		sum += i < nx ? rank[i] : 0;
	}
	ways = count_ways(rank, n, nx, top);
	for (size_t s = 0; s <= top; s++) {
		double here = ways[nx * (top + 1) + s];

		all += here;
		low += s <= sum ? here : 0;
		high += s >= sum ? here : 0;
	}
	free(ways);
	free(rank);
	return fmin(1, 2 * fmin(low, high) / all);
}

/* ---- several tests at once; what could have been seen ---- */

struct ranked {
	double p;
	size_t at;
};

static int
by_p(const void *a, const void *b)
{
	return by_value(&((const struct ranked *)a)->p, &((const struct ranked *)b)->p);
}

void
difference_holm(double *p, size_t n)
{
	struct ranked *order = mem_array(n + 1, sizeof *order);
	double most = 0;
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(p[i]))
			order[known++] = (struct ranked){p[i], i};
	qsort(order, known, sizeof *order, by_p);
	for (size_t i = 0; i < known; i++) {
		most = fmax(most, fmin(1, (double)(known - i) * order[i].p));
		p[order[i].at] = most;
	}
	free(order);
}

double
difference_detectable_paired(double sd, size_t n)
{
	if (n < 2)
		return NAN;
	return sd / sqrt((double)n) * dist_t_shift(POWER, (double)(n - 1), ALPHA);
}

double
difference_detectable(double sd, size_t nx, size_t ny)
{
	if (nx < 2 || ny < 2)
		return NAN;
	return sd * sqrt(1 / (double)nx + 1 / (double)ny) *
	       dist_t_shift(POWER, (double)(nx + ny - 2), ALPHA);
}
