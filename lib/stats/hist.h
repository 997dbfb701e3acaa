/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A latency histogram over all of uint64 nanoseconds: 64 linear sub-buckets per
 * power of two, so the relative error of a bucket's midpoint is below 0.8 % and
 * nothing is ever clamped.
 *
 *   value        0 .. 127   one bucket each (groups 0 and 1)
 *   value 2^k .. 2^(k+1)-1  64 buckets of width 2^(k-6), k = 7 .. 63
 *
 * The first 29 groups are the layout fio has used since 3.0 (stat.h there,
 * FIO_IO_U_PLAT_BITS 6), so fio's json+ bins merge in and ours export.
 *
 * Beside the buckets stand exact count, sum, sum of squares (128 bits), min and
 * max, so means and deviations of merged histograms are exact too.
 *
 * Where only those are known (results of another program that came without
 * buckets), count is not 0 and all buckets are: every percentile is unknown, and
 * what such a histogram is merged with loses its buckets.
 */
#ifndef VOLLEY_STATS_HIST_H
#define VOLLEY_STATS_HIST_H

#include <stdbool.h>
#include <stdint.h>

#define HIST_SUB_BITS 6
#define HIST_GROUP (1u << HIST_SUB_BITS)
#define HIST_BUCKETS (59u * HIST_GROUP) /* 3,776 */
#define HIST_TAIL_MIN 10 /* samples beyond a percentile for it to be stated */

struct hist {
	uint64_t count;
	uint64_t sum;	      /* ns; enough for 584 years of summed latency */
	uint64_t sumsq_lo, sumsq_hi;
	uint64_t min, max;    /* ns; meaningless while count is 0 */
	uint64_t bucket[HIST_BUCKETS];
};

static inline unsigned hist_index(uint64_t value)
{
	if (value < 2 * HIST_GROUP)
		return (unsigned)value;
	unsigned shift = 63u - (unsigned)__builtin_clzll(value) - HIST_SUB_BITS;
	return ((shift + 1) << HIST_SUB_BITS) +
	       (unsigned)((value >> shift) & (HIST_GROUP - 1));
}

uint64_t hist_lower(unsigned index);   /* smallest value of a bucket */
uint64_t hist_midpoint(unsigned index);

void hist_reset(struct hist *hist);
/* Plain (single-threaded) record; threads that are read live use meter.h. */
void hist_add(struct hist *hist, uint64_t value, uint64_t times);
void hist_merge(struct hist *into, const struct hist *from);
/* later − earlier of one cumulative histogram.  min and max are those of the
 * later one, clamped to the buckets that remain. */
void hist_subtract(struct hist *ret, const struct hist *later,
		   const struct hist *earlier);

bool hist_has_buckets(const struct hist *hist); /* false when count is 0, too */

double hist_mean(const struct hist *hist);   /* NAN when empty */
double hist_stddev(const struct hist *hist); /* sample (n−1); NAN below 2, 0 if flat */
/*
 * Nearest rank on the buckets: midpoint of the bucket that holds sample
 * ceil(p/100 × count), clamped to [min, max].  NAN when fewer than
 * HIST_TAIL_MIN samples lie beyond it on its tail side (above for p > 50, below
 * for p < 50; p = 50 needs one sample), and without buckets.
 */
double hist_percentile(const struct hist *hist, double p);
/* The same without the tail rule: fio's rule, for the fio-json export.  Both give
 * NAN for an empty histogram and for p outside of 0 to 100; p counts to a
 * millionth of a percent. */
double hist_percentile_any(const struct hist *hist, double p);
/* What fio prints: the midpoint, even where it lies outside of [min, max]; fio's last
 * bucket takes all from 2^34 ns on.  0: empty, or without buckets. */
#define HIST_FIO_LAST (29u * HIST_GROUP - 1)
uint64_t hist_percentile_fio(const struct hist *hist, double p);

#endif
