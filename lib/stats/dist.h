/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The distributions behind intervals and tests: normal, Student's t, and the power
 * of a t test.  NAN for arguments outside of their range.
 */
#ifndef VOLLEY_STATS_DIST_H
#define VOLLEY_STATS_DIST_H

/* Regularised incomplete beta function I_x(a, b), by its continued fraction
 * (Lentz's method; Numerical Recipes, 3rd ed., 6.4). */
double dist_beta(double x, double a, double b);
double dist_normal_cdf(double z);
/* Student's t with df > 0 degrees of freedom, which need not be whole. */
double dist_t_cdf(double t, double df);
double dist_t_quantile(double p, double df);
/* Two-sided p value of a t statistic. */
double dist_t_p(double t, double df);
/*
 * Chance that a two-sided t test at level `alpha` finds an effect which lies `shift`
 * standard errors from zero (noncentral t, integrated over the distribution of the
 * sample deviation; R's power.t.test(strict = TRUE)).
 */
double dist_t_power(double shift, double df, double alpha);
/* The `shift` that is found with chance `power`. */
double dist_t_shift(double power, double df, double alpha);

#endif
