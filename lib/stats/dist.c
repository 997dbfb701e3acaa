/* SPDX-License-Identifier: Apache-2.0 */
/* Distribution functions: series, continued fractions, and bisection for inverses. */
#include "lib/stats/dist.h"

#include <math.h>
#include <stdbool.h>

#define TINY 1e-300
#define EPSILON 1e-15
#define MAX_TERMS 500
#define BISECTIONS 200

static double
not_tiny(double x)
{
	return fabs(x) < TINY ? TINY : x;
}

static double
beta_fraction(double x, double a, double b)
{
	double c = 1, d = 1 / not_tiny(1 - (a + b) * x / (a + 1)), h = d;

	for (int m = 1; m <= MAX_TERMS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd =
		    -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 / not_tiny(1 + even * d);
		c = not_tiny(1 + even / c);
		h *= d * c;
		d = 1 / not_tiny(1 + odd * d);
		c = not_tiny(1 + odd / c);
		step = d * c;
		h *= step;
		if (fabs(step - 1) < EPSILON)
			break;
	}
	return h;
}

double
dist_beta(double x, double a, double b)
{
	double front;

	if (!(x >= 0 && x <= 1 && a > 0 && b > 0))
		return NAN;
	if (x == 0 || x == 1)
		return x;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	/* the fraction converges fast on this side of the mean */
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(1 - x, b, a) / b;
}

double
dist_normal_cdf(double z)
{
	return 0.5 * erfc(-z / sqrt(2));
}

double
dist_t_p(double t, double df)
{
	if (!(df > 0) || isnan(t))
		return NAN;
	if (isinf(t))
		return 0;
	return dist_beta(df / (df + t * t), df / 2, 0.5);
}

double
dist_t_cdf(double t, double df)
{
	double tail = dist_t_p(t, df) / 2;

	return t > 0 ? 1 - tail : tail;
}

double
dist_t_quantile(double p, double df)
{
	double low = 0, high = 1, tail;
	bool negative = p < 0.5;

	if (!(p > 0 && p < 1 && df > 0))
		return NAN;
	tail = 2 * (negative ? p : 1 - p); /* two-sided, of the positive quantile */
	while (dist_t_p(high, df) > tail && high < 1e300)
		high *= 2;
	for (int i = 0; i < BISECTIONS && high - low > EPSILON * high; i++) {
		double middle = (low + high) / 2;

		if (dist_t_p(middle, df) > tail)
			low = middle;
		else
			high = middle;
	}
	return (negative ? -1 : 1) * (low + high) / 2;
}

/* Density of S / sigma, the square root of a chi-squared over its df. */
static double
deviation_density(double s, double df)
{
	if (s <= 0)
		return df == 1 ? sqrt(2 / M_PI) : 0;
	return exp(log(2) + df / 2 * log(df / 2) - lgamma(df / 2) + (df - 1) * log(s) -
		   df * s * s / 2);
}

double
dist_t_power(double shift, double df, double alpha)
{
	const int steps = 600; /* Simpson's rule wants an even number */
	double critical = dist_t_quantile(1 - alpha / 2, df);
	double from = fmax(0, 1 - 12 / sqrt(2 * df)), to = 1 + 12 / sqrt(2 * df);
	double width = (to - from) / steps, sum = 0;

	if (isnan(critical) || isnan(shift))
		return NAN;
	for (int i = 0; i <= steps; i++) {
		double s = from + i * width;
		double found = dist_normal_cdf(shift - critical * s) +
			       dist_normal_cdf(-shift - critical * s);

		sum += (i == 0 || i == steps ? 1
			   : i % 2           ? 4
					     : 2) *
		       deviation_density(s, df) * found;
	}
	return sum * width / 3;
}

double
dist_t_shift(double power, double df, double alpha)
{
	double low = 0, high = 1;

	if (!(power > alpha && power < 1 && df > 0 && alpha > 0))
		return NAN;
	while (dist_t_power(high, df, alpha) < power && high < 1e6)
		high *= 2;
	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (dist_t_power(middle, df, alpha) < power)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}
