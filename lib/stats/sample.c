/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptive statistics of small samples. */
#include "lib/stats/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/stats/dist.h"

double
sample_mean(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return n ? sum / (double)n : NAN;
}

static double
squares(const double *x, size_t n)
{
	double mean = sample_mean(x, n), sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sum;
}

double
sample_sd(const double *x, size_t n)
{
	return n < 2 ? NAN : sqrt(squares(x, n) / (double)(n - 1));
}

double
sample_rsd(const double *x, size_t n)
{
	double mean = sample_mean(x, n);

	return mean != 0 ? sample_sd(x, n) / fabs(mean) : NAN;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts in place. */
static double
median_of(double *x, size_t n)
{
	if (n == 0)
		return NAN;
	qsort(x, n, sizeof *x, by_value);
	return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

double
sample_median(const double *x, size_t n)
{
	double *copy = mem_copy(x, n * sizeof *x), ret = median_of(copy, n);

	free(copy);
	return ret;
}

double
sample_mad(const double *x, size_t n)
{
	double *away = mem_array(n, sizeof *away), median = sample_median(x, n), ret;

	for (size_t i = 0; i < n; i++)
		away[i] = fabs(x[i] - median);
	ret = 1.4826 * median_of(away, n);
	free(away);
	return ret;
}

double
sample_jain(const double *x, size_t n)
{
	double sum = 0, square = 0;

	for (size_t i = 0; i < n; i++) {
		sum += x[i];
		square += x[i] * x[i];
	}
	return square > 0 ? sum * sum / ((double)n * square) : NAN;
}

void
sample_pool_add(struct sample_pool *pool, const double *x, size_t n)
{
	if (n < 2)
		return;
	pool->squares += squares(x, n);
	pool->df += (double)(n - 1);
}

double
sample_pool_sd(const struct sample_pool *pool)
{
	return pool->df > 0 ? sqrt(pool->squares / pool->df) : NAN;
}

double
sample_slope(const double *x, size_t n, double *ret_p)
{
	double mean = sample_mean(x, n), middle = ((double)n - 1) / 2;
	double across = 0, along = 0, rest = 0, slope;

	*ret_p = NAN;
	if (n < 2)
		return NAN;
	for (size_t i = 0; i < n; i++) {
		double at = (double)i - middle;

		across += at * (x[i] - mean);
		along += at * at;
	}
	slope = across / along;
	if (n < 3)
		return slope;
	for (size_t i = 0; i < n; i++) {
		double off = x[i] - mean - slope * ((double)i - middle);

		rest += off * off;
	}
	*ret_p =
	    dist_t_p(slope / sqrt(rest / (double)(n - 2) / along), (double)(n - 2));
	return slope;
}
