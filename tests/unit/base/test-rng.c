/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random numbers: equal to the published reference, repeatable, unbiased enough
 * to notice a wrong step, and children that differ.
 */
#include "lib/base/rng.h"

#include <stdbool.h>
#include <string.h>

#include "tests/unit/suite.h"

/* First outputs of xoshiro256** from the state {1, 2, 3, 4}. */
START_TEST(equals_the_reference)
{
	static const uint64_t want[] = {
	    UINT64_C(11520),
	    UINT64_C(0),
	    UINT64_C(1509978240),
	    UINT64_C(1215971899390074240),
	    UINT64_C(1216172134540287360),
	    UINT64_C(607988272756665600),
	};
	struct rng rng = {{1, 2, 3, 4}};

	for (size_t i = 0; i < sizeof want / sizeof *want; i++)
		ck_assert_uint_eq(rng_u64(&rng), want[i]);
}
END_TEST

/* splitmix64 from 0: its published first outputs. */
START_TEST(seeds_through_splitmix)
{
	struct rng rng;

	rng_seed(&rng, 0);
	ck_assert_uint_eq(rng.s[0], UINT64_C(0xe220a8397b1dcdaf));
	ck_assert_uint_eq(rng.s[1], UINT64_C(0x6e789e6aa1b965f4));
	ck_assert_uint_eq(rng.s[2], UINT64_C(0x06c45d188009454f));
	ck_assert_uint_eq(rng.s[3], UINT64_C(0xf88bb8a8724c81ec));
}
END_TEST

START_TEST(repeats)
{
	struct rng a, b, c;

	rng_seed(&a, 42);
	rng_seed(&b, 42);
	rng_seed(&c, 43);
	for (int i = 0; i < 1000; i++) {
		uint64_t x = rng_u64(&a);

		ck_assert_uint_eq(x, rng_u64(&b));
		ck_assert_uint_ne(x, rng_u64(&c));
	}
}
END_TEST

START_TEST(below_stays_below_and_is_even)
{
	uint64_t hits[7] = {0};
	struct rng rng;

	rng_seed(&rng, 1);
	for (int i = 0; i < 70000; i++)
		hits[rng_below(&rng, 7)]++;
	/* 10,000 expected, standard deviation 93: six of them. */
	for (int i = 0; i < 7; i++)
		ck_assert(hits[i] > 9440 && hits[i] < 10560);
	for (int i = 0; i < 100; i++)
		ck_assert_uint_eq(rng_below(&rng, 1), 0);
}
END_TEST

/* For n = 3 × 2^62 a plain multiplication hits every third value twice as often. */
START_TEST(below_has_no_bias_for_large_n)
{
	uint64_t n = UINT64_C(3) << 62, low = 0;
	struct rng rng;

	rng_seed(&rng, 2);
	for (int i = 0; i < 30000; i++) {
		uint64_t x = rng_below(&rng, n);

		ck_assert(x < n);
		low += x % 3 == 0;
	}
	ck_assert(low > 9500 && low < 10500);
}
END_TEST

START_TEST(unit_is_half_open)
{
	struct rng rng;
	double sum = 0;

	rng_seed(&rng, 3);
	for (int i = 0; i < 100000; i++) {
		double x = rng_unit(&rng);

		ck_assert(x >= 0 && x < 1);
		sum += x;
	}
	ck_assert_double_eq_tol(sum / 100000, 0.5, 0.005);
}
END_TEST

START_TEST(fills_every_length)
{
	unsigned char buf[40], again[40];

	for (size_t len = 0; len <= 32; len++) {
		struct rng a, b;
		bool any = false;

		rng_seed(&a, len);
		rng_seed(&b, len);
		memset(buf, 0, sizeof buf);
		memset(again, 0, sizeof again);
		rng_fill(&a, buf, len);
		rng_fill(&b, again, len);
		ck_assert_int_eq(memcmp(buf, again, sizeof buf), 0);
		for (size_t i = 0; i < len; i++)
			any |= buf[i] != 0;
		ck_assert(any == (len > 0));
		for (size_t i = len; i < sizeof buf; i++)
			ck_assert_int_eq(buf[i], 0);
	}
}
END_TEST

START_TEST(children_differ)
{
	static const char *const labels[] = {"offsets", "data", "order"};
	uint64_t seen[300];
	size_t n = 0;

	for (size_t l = 0; l < 3; l++)
		for (uint64_t i = 0; i < 50; i++)
			for (uint64_t seed = 0; seed < 2; seed++)
				seen[n++] = rng_derive(seed, labels[l], i);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			ck_assert_uint_ne(seen[i], seen[j]);
	ck_assert_uint_eq(rng_derive(7, "data", 3), rng_derive(7, "data", 3));
}
END_TEST

/* Published test values of 64-bit FNV-1a. */
START_TEST(fnv1a)
{
	ck_assert_uint_eq(hash_fnv1a("", 0), UINT64_C(0xcbf29ce484222325));
	ck_assert_uint_eq(hash_fnv1a("a", 1), UINT64_C(0xaf63dc4c8601ec8c));
	ck_assert_uint_eq(hash_fnv1a("foobar", 6), UINT64_C(0x85944171f73967e8));
}
END_TEST

START_TEST(entropy_is_not_constant)
{
	ck_assert_uint_ne(rng_entropy(), rng_entropy());
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("rng", equals_the_reference, seeds_through_splitmix, repeats,
	    below_stays_below_and_is_even, below_has_no_bias_for_large_n,
	    unit_is_half_open, fills_every_length, children_differ, fnv1a,
	    entropy_is_not_constant);
}
