/* SPDX-License-Identifier: Apache-2.0 */
/* Steadiness, warm-up and periods of a run; humps of its latencies. */
#include "controller/analyze/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PERIOD_MIN_DEPTH 0.5 /* correlation */
#define PERIODS_MIN 3        /* how often it must have happened */
#define MODE_SHARE 0.10
#define MODE_VALLEY 0.25 /* of the smaller hump's height */

/* Correlation of the course with itself, `lag` seconds later; the trend is taken out. */
static double
correlation(const double *rest, size_t n, size_t lag)
{
	double sum = 0, square = 0;

	for (size_t i = 0; i < n; i++)
		square += rest[i] * rest[i];
	for (size_t i = 0; i + lag < n; i++)
		sum += rest[i] * rest[i + lag];
	/* fewer products than squares: on the same footing */
	return square > 0 ? sum / square * (double)n / (double)(n - lag) : 0;
}

static void
find_period(const double *rest, size_t n, struct sample_course *ret)
{
	size_t most = n / PERIODS_MIN;
	double before = correlation(rest, n, 1);

	for (size_t lag = 2; lag <= most; lag++) {
		double here = correlation(rest, n, lag);
		double next = correlation(rest, n, lag + 1);

		if (here >= PERIOD_MIN_DEPTH && here >= before && here > next) {
			ret->period_s = (double)lag;
			ret->period_depth = fmin(here, 1);
			return;
		}
		before = here;
	}
}

void
series_course_of(const double *seconds, size_t n, struct sample_course *ret)
{
	double mean, slope, p, *rest;

	*ret = (struct sample_course){NAN, NAN, NAN, NAN};
	if (n < SERIES_SECONDS_MIN)
		return;
	mean = sample_mean(seconds, n);
	if (!(mean > 0))
		return;
	ret->rsd = sample_rsd(seconds, n);
	ret->rise =
	    sample_mean(seconds + n - n / 3, n / 3) / sample_mean(seconds, n / 3) - 1;
	slope = sample_slope(seconds, n, &p);
	rest = mem_array(n, sizeof *rest);
	for (size_t i = 0; i < n; i++)
		rest[i] = seconds[i] - mean - slope * ((double)i - ((double)n - 1) / 2);
	find_period(rest, n, ret);
	free(rest);
}

void
series_course(const struct slots *slots, uint64_t from_ns, uint64_t to_ns, bool ios,
    struct sample_course *ret)
{
	VEC(double) seconds = {0};

	for (uint64_t at = from_ns; at + HEAT_NS <= to_ns && at + HEAT_NS > at;
	     at += HEAT_NS) {
		struct slot sum = slots_sum(slots, at, at + HEAT_NS);

		if (at >= slots->n * SLOT_NS)
			break;
		vec_push(&seconds, (double)(ios ? sum.ios : sum.bytes));
	}
	series_course_of(seconds.v, seconds.n, ret);
	vec_free(&seconds);
}

/* ---- humps ---- */

#define BINS HEAT_BUCKETS /* a quarter of an octave each */

static void
smooth(const double *from, double *ret)
{
	for (size_t i = 0; i < BINS; i++)
		ret[i] = (2 * from[i] + (i ? from[i - 1] : 0) +
			     (i + 1 < BINS ? from[i + 1] : 0)) /
			 4;
}

static size_t
highest(const double *bins, size_t from, size_t to)
{
	size_t ret = from;

	for (size_t i = from; i < to; i++)
		if (bins[i] > bins[ret])
			ret = i;
	return ret;
}

static size_t
lowest(const double *bins, size_t from, size_t to)
{
	size_t ret = from;

	for (size_t i = from; i < to; i++)
		if (bins[i] < bins[ret])
			ret = i;
	return ret;
}

static double
share(const double *bins, size_t from, size_t to)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += bins[i];
	return sum;
}

/* Is there a valley between bins a < b that divides two humps? */
static bool
divides(
    const double *raw, const double *bins, size_t a, size_t b, struct sample_modes *ret)
{
	size_t valley = lowest(bins, a, b);

	if (b - a < HEAT_PER_OCTAVE ||
	    bins[valley] > MODE_VALLEY * fmin(bins[a], bins[b]))
		return false;
	ret->high_share = share(raw, valley, BINS);
	ret->two = ret->high_share >= MODE_SHARE && share(raw, 0, valley) >= MODE_SHARE;
	ret->low_ns = (double)heat_lower((unsigned)a);
	ret->high_ns = (double)heat_lower((unsigned)b);
	return ret->two;
}

void
series_modes(const struct hist *hist, struct sample_modes *ret)
{
	double raw[BINS] = {0}, bins[BINS];
	size_t top;

	*ret = (struct sample_modes){0};
	if (!hist_has_buckets(hist) || hist->count < 1000)
		return;
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		raw[heat_index(hist_midpoint(i))] +=
		    (double)hist->bucket[i] / (double)hist->count;
	smooth(raw, bins);
	top = highest(bins, 0, BINS);
	for (size_t i = 0; i < BINS; i++) {
		struct sample_modes found = {0};
		bool peak = bins[i] > 0.01 && i == highest(bins, i ? i - 1 : 0,
						       i + 2 < BINS ? i + 2 : BINS);

		if (!peak || i == top)
			continue;
		if (divides(raw, bins, i < top ? i : top, i < top ? top : i, &found)) {
			*ret = found;
			return;
		}
	}
}
