/* SPDX-License-Identifier: Apache-2.0 */
/* Models of how a total grows with the number of clients. */
#ifndef VOLLEY_STATS_FIT_H
#define VOLLEY_STATS_FIT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Gunther's Universal Scalability Law (Guerrilla Capacity Planning, 2007):
 *
 *     T(n) = lambda n / (1 + sigma (n − 1) + kappa n (n − 1))
 *
 * sigma is contention, kappa coherency; neither below 0.  Fitted as n / T, which is
 * linear in the three, by least squares of relative errors.
 */
struct usl {
	double lambda, sigma, kappa;
	double peak_clients; /* where T is largest; INFINITY with kappa 0 */
	double peak;         /* T there; NAN with kappa 0 */
	double worst;        /* largest relative error of a point */
};

#define FIT_USL_MIN 4 /* different n; three parameters from fewer say nothing */

/* False with fewer than FIT_USL_MIN points, or when no fit has lambda above 0. */
bool fit_usl(const double *n, const double *t, size_t points, struct usl *ret);
double fit_usl_at(const struct usl *usl, double n);

/* T(n) = min(slope n, plateau): where does it stop growing?  Least squares on
 * logarithms over every way to divide the points, which are in order of n. */
struct saturation {
	bool found;                     /* false: grows with n to the end */
	double slope, plateau, clients; /* clients = plateau / slope; else NAN */
};

#define FIT_SATURATION_MIN 3

bool fit_saturation(
    const double *n, const double *t, size_t points, struct saturation *ret);

#endif
