/* SPDX-License-Identifier: Apache-2.0 */
/* What a handful of values has in common: place, spread, fairness, trend. */
#ifndef VOLLEY_STATS_SAMPLE_H
#define VOLLEY_STATS_SAMPLE_H

#include <stddef.h>

double sample_mean(const double *x, size_t n);   /* NAN of none */
double sample_sd(const double *x, size_t n);     /* n − 1; NAN below two */
double sample_rsd(const double *x, size_t n);    /* sd / mean; NAN when that is 0 */
double sample_median(const double *x, size_t n); /* NAN of none */
/* Median absolute deviation × 1.4826: of normal values, their deviation. */
double sample_mad(const double *x, size_t n);
/* Jain's fairness index (Jain, Chiu, Hawe 1984): 1 all equal, 1/n one has all. */
double sample_jain(const double *x, size_t n);
/* Deviation of several samples together: Σ (n−1) s² / Σ (n−1), added step by step. */
struct sample_pool {
	double squares, df;
};
void sample_pool_add(struct sample_pool *pool, const double *x, size_t n);
double sample_pool_sd(const struct sample_pool *pool); /* NAN without any df */
/* Least-squares slope of x over its index, and its two-sided p (t test); p NAN below
 * three values. */
double sample_slope(const double *x, size_t n, double *ret_p);

#endif
