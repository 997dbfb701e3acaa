/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The histogram: bounds of every bucket, exact sums in 128 bits, deviations
 * without cancellation, percentiles against sorted samples, merge and subtract.
 */
#include "lib/stats/hist.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "tests/unit/suite.h"

START_TEST(every_bucket_round_trips)
{
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		uint64_t lower = hist_lower(i), mid = hist_midpoint(i);
		uint64_t upper =
		    i + 1 < HIST_BUCKETS ? hist_lower(i + 1) - 1 : UINT64_MAX;

		ck_assert(lower <= mid && mid <= upper);
		ck_assert_uint_eq(hist_index(lower), i);
		ck_assert_uint_eq(hist_index(mid), i);
		ck_assert_uint_eq(hist_index(upper), i);
		if (i > 0)
			ck_assert_uint_eq(hist_index(lower - 1), i - 1);
		/* What the header promises of a midpoint, at both ends. */
		if (lower > 0) {
			ck_assert((double)(mid - lower) / (double)lower < 0.008);
			ck_assert((double)(upper - mid) / (double)upper < 0.008);
		}
	}
}
END_TEST

START_TEST(known_bounds)
{
	static const struct {
		unsigned index;
		uint64_t lower, mid;
	} cases[] = {
	    {0, 0, 0},
	    {63, 63, 63},
	    {64, 64, 64},
	    {127, 127, 127},
	    {128, 128, 129}, /* width 2 */
	    {129, 130, 131},
	    {191, 254, 255},
	    {192, 256, 258}, /* width 4 */
	    {64 * 29, UINT64_C(17179869184),
		UINT64_C(17314086912)}, /* 2^34, 2^28 wide */
	    {HIST_BUCKETS - 1, UINT64_C(127) << 57, (UINT64_C(255) << 56)},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ck_assert_uint_eq(hist_lower(cases[i].index), cases[i].lower);
		ck_assert_uint_eq(hist_midpoint(cases[i].index), cases[i].mid);
	}
	ck_assert_uint_eq(HIST_BUCKETS, 3776);
	ck_assert_uint_eq(hist_index(UINT64_MAX), HIST_BUCKETS - 1);
	ck_assert_uint_eq(hist_index(UINT64_C(1) << 63), HIST_BUCKETS - 64);
}
END_TEST

START_TEST(empty_knows_nothing)
{
	struct hist *hist = mem_alloc(sizeof *hist);

	ck_assert_double_nan(hist_mean(hist));
	ck_assert_double_nan(hist_stddev(hist));
	ck_assert_double_nan(hist_percentile(hist, 50));
	ck_assert_double_nan(hist_percentile_any(hist, 50));
	hist_add(hist, 5, 0);
	ck_assert_uint_eq(hist->count, 0);
	free(hist);
}
END_TEST

START_TEST(small_figures)
{
	struct hist *hist = mem_alloc(sizeof *hist);

	hist_add(hist, 7, 1);
	ck_assert_double_eq(hist_mean(hist), 7);
	ck_assert_double_nan(hist_stddev(hist));
	ck_assert_double_eq(hist_percentile(hist, 50), 7);
	hist_add(hist, 7, 4);
	ck_assert_double_eq(hist_stddev(hist), 0);
	/* 2 4 4 4 5 5 7 9: mean 5, squares around it 32, sample variance 32/7. */
	hist_reset(hist);
	hist_add(hist, 2, 1);
	hist_add(hist, 4, 3);
	hist_add(hist, 5, 2);
	hist_add(hist, 7, 1);
	hist_add(hist, 9, 1);
	ck_assert_uint_eq(hist->count, 8);
	ck_assert_uint_eq(hist->sum, 40);
	ck_assert_uint_eq(hist->sumsq_lo, 232);
	ck_assert_uint_eq(hist->min, 2);
	ck_assert_uint_eq(hist->max, 9);
	ck_assert_double_eq(hist_mean(hist), 5);
	ck_assert_double_eq_tol(hist_stddev(hist), sqrt(32.0 / 7), 1e-15);
	ck_assert_double_eq(hist_percentile_any(hist, 0), 2);
	ck_assert_double_eq(hist_percentile_any(hist, 50), 4);
	ck_assert_double_eq(hist_percentile_any(hist, 50.1), 5);
	ck_assert_double_eq(hist_percentile_any(hist, 100), 9);
	free(hist);
}
END_TEST

START_TEST(squares_need_128_bits)
{
	struct hist *hist = mem_alloc(sizeof *hist), *both = mem_alloc(sizeof *both);

	/* 2^20 × (2^40)² = 2^100 */
	hist_add(hist, UINT64_C(1) << 40, UINT64_C(1) << 20);
	ck_assert_uint_eq(hist->sumsq_lo, 0);
	ck_assert_uint_eq(hist->sumsq_hi, UINT64_C(1) << 36);
	ck_assert_uint_eq(hist->sum, UINT64_C(1) << 60);
	/* A carry out of the low word: (2^32)² − 1 twice is 2^65 − ..., by parts. */
	hist_reset(both);
	hist_add(both, UINT64_C(0xffffffff), 1); /* 2^64 − 2^33 + 1 */
	hist_add(both, UINT64_C(0x1ffff), 1);    /* 2^34 − 2^18 + 1 */
	ck_assert_uint_eq(both->sumsq_hi, 1);
	ck_assert_uint_eq(both->sumsq_lo, (UINT64_C(1) << 33) - (1 << 18) + 2);
	hist_merge(both, both);
	ck_assert_uint_eq(both->sumsq_hi, 2);
	hist_merge(hist, both);
	ck_assert_uint_eq(hist->sumsq_hi, (UINT64_C(1) << 36) + 2);
	free(hist);
	free(both);
}
END_TEST

START_TEST(deviation_far_from_zero)
{
	struct hist *hist = mem_alloc(sizeof *hist);
	uint64_t far = UINT64_C(1) << 50;

	/* Σx² − n·mean² in doubles would be 0 or worse. */
	hist_add(hist, far, 1);
	hist_add(hist, far + 2, 1);
	ck_assert_double_eq_tol(hist_stddev(hist), sqrt(2), 1e-12);
	ck_assert_double_eq(hist_mean(hist), (double)far + 1);
	/* Five thousand pairs: n/(n−1) × 1. */
	hist_reset(hist);
	hist_add(hist, far, 5000);
	hist_add(hist, far + 2, 5000);
	ck_assert_double_eq_tol(hist_stddev(hist), sqrt(10000.0 / 9999), 1e-12);
	free(hist);
}
END_TEST

START_TEST(deviation_against_two_passes)
{
	struct hist *hist = mem_alloc(sizeof *hist);
	uint64_t *sample = mem_array(5000, sizeof *sample);
	struct rng rng;

	rng_seed(&rng, 11);
	for (int round = 0; round < 20; round++) {
		size_t n = 2 + rng_below(&rng, 4998);
		unsigned bits = 1 + (unsigned)rng_below(&rng, 48);
		long double sum = 0, about = 0, mean;

		hist_reset(hist);
		for (size_t i = 0; i < n; i++) {
			sample[i] = rng_u64(&rng) >> (64 - bits);
			hist_add(hist, sample[i], 1);
			sum += sample[i];
		}
		mean = sum / n;
		for (size_t i = 0; i < n; i++)
			about += (sample[i] - mean) * (sample[i] - mean);
		ck_assert_double_eq_tol(
		    hist_mean(hist), (double)mean, 1e-12 * (double)mean + 1e-12);
		ck_assert_double_eq_tol(hist_stddev(hist),
		    (double)sqrtl(about / (n - 1)), 1e-9 * (double)mean + 1e-12);
	}
	free(sample);
	free(hist);
}
END_TEST

static int
by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

START_TEST(percentiles_against_sorted_samples)
{
	static const double ps[] = {0.1, 1, 5, 25, 50, 75, 90, 95, 99, 99.9, 99.99};
	size_t n = 100000;
	struct hist *hist = mem_alloc(sizeof *hist);
	uint64_t *sample = mem_array(n, sizeof *sample);
	struct rng rng;

	rng_seed(&rng, 12);
	for (size_t i = 0; i < n; i++) {
		sample[i] =
		    (uint64_t)(50000 * exp(3 * rng_unit(&rng) * rng_unit(&rng)));
		hist_add(hist, sample[i], 1);
	}
	qsort(sample, n, sizeof *sample, by_value);
	for (size_t i = 0; i < sizeof ps / sizeof *ps; i++) {
		size_t rank = (size_t)(ps[i] * 1000 + 0.5); /* p/100 × 100,000, whole */
		double want = (double)sample[rank - 1],
		       got = hist_percentile(hist, ps[i]);

		if (ps[i] == 99.99)
			ck_assert_uint_eq(n - rank, 10);
		ck_assert_double_eq_tol(got, want, 0.008 * want);
		ck_assert_uint_eq(
		    hist_index((uint64_t)got), hist_index((uint64_t)want));
	}
	free(sample);
	free(hist);
}
END_TEST

/* 99.9 % of 10,000 is exactly the 9,990th, whatever 99.9 is in binary. */
START_TEST(rank_is_exact)
{
	struct hist *hist = mem_alloc(sizeof *hist);

	hist_add(hist, 10, 9990);
	hist_add(hist, 100, 10);
	ck_assert_double_eq(hist_percentile(hist, 99.9), 10);
	ck_assert_double_eq(hist_percentile_any(hist, 99.9), 10);
	ck_assert_double_eq(hist_percentile_any(hist, 99.901), 100);
	hist_reset(hist);
	hist_add(hist, 10, 9989);
	hist_add(hist, 100, 11);
	ck_assert_double_eq(hist_percentile(hist, 99.9), 100);
	free(hist);
}
END_TEST

START_TEST(tail_rule)
{
	struct hist *hist = mem_alloc(sizeof *hist);

	hist_add(hist, 100, 999);
	ck_assert_double_nan(hist_percentile(hist, 99)); /* rank 990: 9 beyond */
	ck_assert_double_nan(hist_percentile(hist, 1));  /* rank 10: 9 below */
	hist_add(hist, 100, 1);
	ck_assert_double_eq(hist_percentile(hist, 99), 100); /* rank 990: 10 beyond */
	ck_assert_double_nan(hist_percentile(hist, 1));      /* rank 10: still 9 */
	hist_add(hist, 100, 100);
	ck_assert_double_eq(hist_percentile(hist, 1), 100); /* rank 11 of 1,100 */
	ck_assert_double_nan(hist_percentile(hist, 99.9));
	ck_assert_double_eq(hist_percentile_any(hist, 99.9), 100);
	ck_assert_double_nan(hist_percentile(hist, 100));
	ck_assert_double_nan(hist_percentile(hist, 0));
	ck_assert_double_nan(hist_percentile(hist, -1));
	ck_assert_double_nan(hist_percentile(hist, 100.1));
	ck_assert_double_nan(hist_percentile(hist, NAN));
	ck_assert_double_nan(hist_percentile_any(hist, NAN));
	free(hist);
}
END_TEST

START_TEST(clamped_to_what_was_seen)
{
	struct hist *hist = mem_alloc(sizeof *hist);

	/* One bucket, [1048576, 1064960), midpoint 1056768. */
	hist_add(hist, 1048580, 100);
	ck_assert_double_eq(hist_percentile(hist, 50), 1048580);
	hist_add(hist, 1064000, 100);
	ck_assert_double_eq(hist_percentile(hist, 50), 1056768);
	hist_reset(hist);
	hist_add(hist, 1064000, 100);
	ck_assert_double_eq(hist_percentile(hist, 50), 1064000);
	free(hist);
}
END_TEST

/* A live copy may count one sample that its buckets do not hold yet. */
START_TEST(percentile_survives_a_count_ahead)
{
	struct hist *hist = mem_alloc(sizeof *hist);

	hist_add(hist, 100, 20);
	hist->count++;
	ck_assert_double_eq(hist_percentile_any(hist, 100), 100);
	free(hist);
}
END_TEST

START_TEST(merge_equals_pooling)
{
	struct hist *a = mem_alloc(sizeof *a), *b = mem_alloc(sizeof *b);
	struct hist *all = mem_alloc(sizeof *all);
	struct rng rng;

	rng_seed(&rng, 13);
	for (int i = 0; i < 20000; i++) {
		uint64_t value = 9 + (rng_u64(&rng) >> (16 + rng_below(&rng, 40)));

		hist_add(i % 3 ? a : b, value, 1);
		hist_add(all, value, 1);
	}
	/* The extremes are on the other side. */
	hist_add(b, 5, 1);
	hist_add(all, 5, 1);
	hist_add(b, UINT64_C(1) << 50, 1);
	hist_add(all, UINT64_C(1) << 50, 1);
	hist_merge(a, b);
	ck_assert_int_eq(memcmp(a, all, sizeof *all), 0);
	/* Into and from empty ones. */
	hist_reset(b);
	hist_merge(a, b);
	ck_assert_int_eq(memcmp(a, all, sizeof *all), 0);
	hist_merge(b, a);
	ck_assert_int_eq(memcmp(b, all, sizeof *all), 0);
	free(a);
	free(b);
	free(all);
}
END_TEST

START_TEST(unknown_buckets_stay_unknown)
{
	struct hist *bare = mem_alloc(sizeof *bare), *full = mem_alloc(sizeof *full);
	struct hist *all = mem_alloc(sizeof *all);

	ck_assert(!hist_has_buckets(bare));
	hist_add(bare, 3000, 100);
	bare->bucket[hist_index(3000)] = 0;
	hist_add(full, 1000, 300);
	ck_assert(hist_has_buckets(full) && !hist_has_buckets(bare));
	ck_assert(isnan(hist_percentile(bare, 50)));
	ck_assert(isnan(hist_percentile_any(bare, 100)));
	ck_assert_double_eq(hist_mean(bare), 3000);

	/* in either order: the mean is of all, and no percentile of some */
	hist_merge(all, full);
	ck_assert_double_eq(hist_percentile(all, 50), 1000);
	hist_merge(all, bare);
	hist_merge(all, full);
	ck_assert_uint_eq(all->count, 700);
	ck_assert_double_eq(hist_mean(all), 900000.0 / 700);
	ck_assert(isnan(hist_percentile(all, 50)) && !hist_has_buckets(all));
	free(bare);
	free(full);
	free(all);
}
END_TEST

START_TEST(subtract_is_the_difference)
{
	struct hist *early = mem_alloc(sizeof *early), *late = mem_alloc(sizeof *late);
	struct hist *more = mem_alloc(sizeof *more), *got = mem_alloc(sizeof *got);

	hist_add(early, 10, 5);
	hist_add(early, UINT64_C(1) << 40, 3);
	hist_add(more, 1001, 7);
	hist_add(more, 5000, 1);
	hist_merge(late, early);
	hist_merge(late, more);
	hist_subtract(got, late, early);
	ck_assert_uint_eq(got->count, 8);
	ck_assert_uint_eq(got->sum, 7 * 1001 + 5000);
	ck_assert_uint_eq(got->sumsq_lo, 7 * 1001 * 1001 + 5000 * 5000);
	ck_assert_uint_eq(got->sumsq_hi, 0);
	ck_assert_int_eq(memcmp(got->bucket, more->bucket, sizeof got->bucket), 0);
	/* The extremes are gone; the bounds of what is left stand for them:
	 * 1001 lies in [1000, 1008), 5000 in [4992, 5056). */
	ck_assert_uint_eq(got->min, 1000);
	ck_assert_uint_eq(got->max, 5055);
	hist_subtract(got, late, late);
	ck_assert_uint_eq(got->count, 0);
	ck_assert_double_nan(hist_mean(got));
	/* In place. */
	hist_subtract(late, late, early);
	ck_assert_uint_eq(late->count, 8);
	ck_assert_uint_eq(late->min, 1000);
	free(early);
	free(late);
	free(more);
	free(got);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("hist", every_bucket_round_trips, known_bounds,
	    empty_knows_nothing, small_figures, squares_need_128_bits,
	    deviation_far_from_zero, deviation_against_two_passes,
	    percentiles_against_sorted_samples, rank_is_exact, tail_rule,
	    clamped_to_what_was_seen, percentile_survives_a_count_ahead,
	    merge_equals_pooling, unknown_buckets_stay_unknown, subtract_is_the_difference);
}
