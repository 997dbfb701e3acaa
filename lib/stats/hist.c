/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bucket bounds, merging, and what is read off a histogram.  Mean and deviation
 * come from the exact sums, percentiles from the buckets.
 */
#include "lib/stats/hist.h"

#include <math.h>
#include <string.h>

typedef unsigned __int128 u128;

/* Percentiles are taken to a millionth of a percent, so that 99.9 is exact. */
#define PERCENT_SCALE 1000000

static unsigned
bucket_shift(unsigned index)
{
	unsigned group = index >> HIST_SUB_BITS;

	return group < 2 ? 0 : group - 1;
}

uint64_t
hist_lower(unsigned index)
{
	unsigned shift = bucket_shift(index);

	if (index < 2 * HIST_GROUP)
		return index;
	return (uint64_t)(HIST_GROUP + (index & (HIST_GROUP - 1))) << shift;
}

uint64_t
hist_midpoint(unsigned index)
{
	return hist_lower(index) + ((UINT64_C(1) << bucket_shift(index)) >> 1);
}

static uint64_t
hist_upper(unsigned index)
{
	return hist_lower(index) + ((UINT64_C(1) << bucket_shift(index)) - 1);
}

static u128
sumsq_of(const struct hist *hist)
{
	return (u128)hist->sumsq_hi << 64 | hist->sumsq_lo;
}

static void
set_sumsq(struct hist *hist, u128 sumsq)
{
	hist->sumsq_lo = (uint64_t)sumsq;
	hist->sumsq_hi = (uint64_t)(sumsq >> 64);
}

void
hist_reset(struct hist *hist)
{
	memset(hist, 0, sizeof *hist);
}

void
hist_add(struct hist *hist, uint64_t value, uint64_t times)
{
	if (times == 0)
		return;
	if (hist->count == 0 || value < hist->min)
		hist->min = value;
	if (hist->count == 0 || value > hist->max)
		hist->max = value;
	hist->count += times;
	hist->sum += value * times;
	set_sumsq(hist, sumsq_of(hist) + (u128)value * value * times);
	hist->bucket[hist_index(value)] += times;
}

bool
hist_has_buckets(const struct hist *hist)
{
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		if (hist->bucket[i])
			return true;
	return false;
}

void
hist_merge(struct hist *into, const struct hist *from)
{
	bool known = (into->count == 0 || hist_has_buckets(into)) &&
		     hist_has_buckets(from);

	if (from->count == 0)
		return;
	if (into->count == 0 || from->min < into->min)
		into->min = from->min;
	if (into->count == 0 || from->max > into->max)
		into->max = from->max;
	into->count += from->count;
	into->sum += from->sum;
	set_sumsq(into, sumsq_of(into) + sumsq_of(from));
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		into->bucket[i] = known ? into->bucket[i] + from->bucket[i] : 0;
}

void
hist_subtract(struct hist *ret, const struct hist *later, const struct hist *earlier)
{
	uint64_t min = later->min, max = later->max;
	unsigned first = HIST_BUCKETS, last = 0;

	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		ret->bucket[i] = later->bucket[i] - earlier->bucket[i];
		if (ret->bucket[i] == 0)
			continue;
		if (first == HIST_BUCKETS)
			first = i;
		last = i;
	}
	set_sumsq(ret, sumsq_of(later) - sumsq_of(earlier));
	ret->count = later->count - earlier->count;
	ret->sum = later->sum - earlier->sum;
	if (first < HIST_BUCKETS) {
		min = min > hist_lower(first) ? min : hist_lower(first);
		max = max < hist_upper(last) ? max : hist_upper(last);
	}
	ret->min = min;
	ret->max = max;
}

double
hist_mean(const struct hist *hist)
{
	if (hist->count == 0)
		return NAN;
	return (double)((long double)hist->sum / hist->count);
}

/*
 * Around q, the mean rounded down, the squares add up in integers:
 *
 *   Σ(x − q)² = Σx² − 2qΣx + nq²        (no more than Σx² needs, so 128 bits do)
 *   Σ(x − mean)² = Σ(x − q)² − r²/n     with r = Σx − nq < n
 *
 * Only the last line is floating point, and it subtracts small numbers: nothing
 * is lost to cancellation however far the values are from 0.
 */
double
hist_stddev(const struct hist *hist)
{
	uint64_t n = hist->count, q, r;
	long double about_q, about_mean;

	if (n < 2)
		return NAN;
	if (hist->min == hist->max)
		return 0;
	q = hist->sum / n;
	r = hist->sum % n;
	about_q =
	    (long double)(sumsq_of(hist) - (u128)2 * q * hist->sum + (u128)q * q * n);
	about_mean = about_q - (long double)r * r / n;
	return about_mean > 0 ? (double)sqrtl(about_mean / (n - 1)) : 0;
}

/* ceil(p/100 × count), at least 1; p within [0, 100]. */
static uint64_t
rank_of(uint64_t count, double p)
{
	u128 parts = (u128)llround(p * PERCENT_SCALE) * count;
	u128 whole = (u128)100 * PERCENT_SCALE;
	uint64_t rank = (uint64_t)((parts + whole - 1) / whole);

	return rank ? rank : 1;
}

static double
value_at(const struct hist *hist, uint64_t rank)
{
	uint64_t below = 0, value;
	unsigned i = 0, last = 0;

	for (; i < HIST_BUCKETS; i++) {
		if (hist->bucket[i] == 0)
			continue;
		last = i;
		below += hist->bucket[i];
		if (below >= rank)
			break;
	}
	if (below == 0)
		return NAN; /* no buckets */
	value = hist_midpoint(last);
	value = value < hist->min ? hist->min : value;
	return (double)(value > hist->max ? hist->max : value);
}

double
hist_percentile_any(const struct hist *hist, double p)
{
	if (hist->count == 0 || !(p >= 0 && p <= 100))
		return NAN;
	return value_at(hist, rank_of(hist->count, p));
}

double
hist_percentile(const struct hist *hist, double p)
{
	uint64_t rank, beyond, need = HIST_TAIL_MIN;

	if (hist->count == 0 || !(p >= 0 && p <= 100))
		return NAN;
	rank = rank_of(hist->count, p);
	beyond = p > 50 ? hist->count - rank : rank - 1;
	if (p == 50)
		need = 0;
	return beyond < need ? NAN : value_at(hist, rank);
}

uint64_t
hist_percentile_fio(const struct hist *hist, double p)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		sum += hist->bucket[i];
		if (sum && sum >= (long double)p * hist->count / 100)
			return hist_midpoint(i > HIST_FIO_LAST ? HIST_FIO_LAST : i);
	}
	return 0;
}
