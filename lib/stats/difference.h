/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much one set of repeats differs from another, and how sure that is.  One run is
 * one value: the seconds inside of a run are not independent.  Rates and latencies are
 * compared as ratios, on logarithms, so that units and scale do not matter.
 *
 * The interval is Student's (paired by block, else Welch's): it keeps its level from
 * n = 2 on.  Hodges and Lehmann's estimate stands beside it as a check; a bootstrap of
 * it only from DIFFERENCE_BOOTSTRAP_MIN on (at n = 3 a "95 %" bootstrap covers 80 %).
 */
#ifndef VOLLEY_STATS_DIFFERENCE_H
#define VOLLEY_STATS_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIFFERENCE_BOOTSTRAP_MIN 10
#define DIFFERENCE_EXACT_MAX 100 /* values of both sets, for the exact U test */

/* Of a shift, or of a logarithm of a ratio; NAN: unknown. */
struct interval {
	double estimate, low, high;
	double se, df;
	double p; /* two-sided, of no difference */
};

/* Paired: t of y[i] − x[i].  n = 1: the estimate alone. */
void difference_paired(
    const double *x, const double *y, size_t n, double level, struct interval *ret);
/* Unpaired, unequal variances: Welch's t of mean(y) − mean(x).  With one value on a
 * side: the estimate alone. */
void difference_welch(const double *x, size_t nx, const double *y, size_t ny,
    double level, struct interval *ret);
/* The same on logarithms; `ret` is of log(y / x).  All values must be above 0. */
void difference_ratio(const double *x, size_t nx, const double *y, size_t ny,
    bool paired, double level, struct interval *ret);

/* Hodges–Lehmann: median of all y[j] − x[i]; paired: of all means of two differences. */
double difference_hl(const double *x, size_t nx, const double *y, size_t ny);
double difference_hl_paired(const double *x, const double *y, size_t n);
/* Percentile bootstrap of difference_hl.  False (and NAN) below the least n. */
bool difference_hl_bootstrap(const double *x, size_t nx, const double *y, size_t ny,
    double level, uint64_t seed, double *ret_low, double *ret_high);

/* Two-sided exact Mann–Whitney p (Mann, Whitney 1947), exact with ties too: the share
 * of all ways to divide the ranks.  NAN when empty or above DIFFERENCE_EXACT_MAX. */
double difference_mann_whitney(const double *x, size_t nx, const double *y, size_t ny);

/* Holm's step-down adjustment (Holm 1979), in place; NAN entries take no part. */
void difference_holm(double *p, size_t n);

/* Least difference of two sets that a test at 5 % finds with chance 80 %: n pairs whose
 * differences deviate by sd, or two sets of nx and ny values that deviate by sd each.
 * On logarithms it is a ratio's. */
double difference_detectable_paired(double sd, size_t n);
double difference_detectable(double sd, size_t nx, size_t ny);

#endif
