/* SPDX-License-Identifier: Apache-2.0 */
/* Least squares for the scalability law and for a ray that ends in a plateau. */
#include "lib/stats/fit.h"

#include <math.h>
#include <string.h>

#define TERMS 3 /* of n / T: 1, n − 1, n (n − 1) */

/* Solves the normal equations of the terms in `mask`; false when singular. */
static bool
solve(double a[TERMS][TERMS + 1], unsigned mask, double ret[TERMS])
{
	for (int i = 0; i < TERMS; i++) {
		ret[i] = 0;
		if (mask & 1u << i)
			continue;
		for (int j = 0; j <= TERMS; j++)
			a[i][j] = j == i;
		a[i][TERMS] = 0;
		for (int j = 0; j < TERMS; j++)
			if (j != i)
				a[j][i] = 0;
	}
	for (int i = 0; i < TERMS; i++) {
		int pivot = i;

		for (int j = i + 1; j < TERMS; j++)
			if (fabs(a[j][i]) > fabs(a[pivot][i]))
				pivot = j;
		if (fabs(a[pivot][i]) < 1e-12)
			return false;
		for (int k = 0; k <= TERMS; k++) {
			double swap = a[i][k];

			a[i][k] = a[pivot][k];
			a[pivot][k] = swap;
		}
		for (int j = 0; j < TERMS; j++) {
			double factor = a[j][i] / a[i][i];

			for (int k = i; j != i && k <= TERMS; k++)
				a[j][k] -= factor * a[i][k];
		}
	}
	for (int i = 0; i < TERMS; i++)
		ret[i] = a[i][TERMS] / a[i][i];
	return true;
}

/* Terms of one point, each divided by n / T: the fit is to 1. */
static void
terms_of(double n, double t, double ret[TERMS])
{
	ret[0] = t / n;
	ret[1] = t / n * (n - 1);
	ret[2] = t * (n - 1);
}

static double
fit_terms(const double *n, const double *t, size_t points, unsigned mask, double unit,
    double ret[TERMS])
{
	double a[TERMS][TERMS + 1] = {{0}}, sum = 0;

	for (size_t i = 0; i < points; i++) {
		double x[TERMS];

		terms_of(n[i], t[i] / unit, x);
		for (int j = 0; j < TERMS; j++) {
			for (int k = 0; k < TERMS; k++)
				a[j][k] += x[j] * x[k];
			a[j][TERMS] += x[j];
		}
	}
	if (!solve(a, mask, ret))
		return INFINITY;
	for (size_t i = 0; i < points; i++) {
		double x[TERMS], off = -1;

		terms_of(n[i], t[i] / unit, x);
		for (int j = 0; j < TERMS; j++)
			off += ret[j] * x[j];
		sum += off * off;
	}
	return sum;
}

double
fit_usl_at(const struct usl *usl, double n)
{
	return usl->lambda * n / (1 + usl->sigma * (n - 1) + usl->kappa * n * (n - 1));
}

static void
describe(const double *n, const double *t, size_t points, struct usl *ret)
{
	bool peaks = ret->kappa > 0 && ret->sigma < 1;

	ret->peak_clients = peaks ? sqrt((1 - ret->sigma) / ret->kappa) : INFINITY;
	ret->peak = peaks ? fit_usl_at(ret, ret->peak_clients) : NAN;
	ret->worst = 0;
	for (size_t i = 0; i < points; i++)
		ret->worst = fmax(ret->worst, fabs(fit_usl_at(ret, n[i]) / t[i] - 1));
}

bool
fit_usl(const double *n, const double *t, size_t points, struct usl *ret)
{
	double best = INFINITY, unit = points ? t[0] : 1;

	if (points < FIT_USL_MIN)
		return false;
	/* the constant term always; the others where they do not come out negative */
	for (unsigned mask = 1; mask < 1u << TERMS; mask += 2) {
		double c[TERMS], rest = fit_terms(n, t, points, mask, unit, c);

		if (!(rest < best - 1e-12) || !(c[0] > 0) || c[1] < 0 || c[2] < 0)
			continue;
		best = rest;
		*ret = (struct usl){
		    .lambda = unit / c[0], .sigma = c[1] / c[0], .kappa = c[2] / c[0]};
	}
	if (isinf(best))
		return false;
	describe(n, t, points, ret);
	return true;
}

/* Mean of the logarithms from..to, of T / n on the ray; and their squares about it. */
static double
level_of(const double *n, const double *t, size_t from, size_t to, bool ray,
    double *ret_squares)
{
	double sum = 0, mean;

	*ret_squares = 0;
	for (size_t i = from; i < to; i++)
		sum += log(ray ? t[i] / n[i] : t[i]);
	mean = sum / (double)(to - from);
	for (size_t i = from; i < to; i++)
		*ret_squares += pow(log(ray ? t[i] / n[i] : t[i]) - mean, 2);
	return exp(mean);
}

bool
fit_saturation(const double *n, const double *t, size_t points, struct saturation *ret)
{
	double best, flat;

	if (points < FIT_SATURATION_MIN)
		return false;
	*ret = (struct saturation){.plateau = NAN, .clients = NAN};
	ret->slope = level_of(n, t, 0, points, true, &best);
	for (size_t rising = 1; rising < points; rising++) {
		double squares, slope = level_of(n, t, 0, rising, true, &squares);
		double plateau = level_of(n, t, rising, points, false, &flat);

		if (!(squares + flat < best - 1e-12))
			continue;
		best = squares + flat;
		*ret = (struct saturation){true, slope, plateau, plateau / slope};
	}
	return true;
}
