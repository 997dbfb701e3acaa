/* SPDX-License-Identifier: Apache-2.0 */
/* Clock offsets: exact exchanges, the best of many, bounds that hold, drift. */
#include "lib/stats/offset.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/rng.h"
#include "tests/unit/suite.h"

#define S INT64_C(1000000000)

START_TEST(one_exchange)
{
	struct offset best = {0};

	/* Peer 1,000 ahead, 30 out, 10 there, 50 back. */
	offset_sample(&best, 100, 1130, 1140, 190);
	ck_assert(best.valid);
	ck_assert_int_eq(best.offset_ns, 990); /* off by (30 − 50) / 2 */
	ck_assert_uint_eq(best.rtt_ns, 80);
	ck_assert_uint_eq(best.bound_ns, 40);
	ck_assert_uint_eq(best.at_ns, 145);
}
END_TEST

START_TEST(odd_round_trips_are_rounded_up)
{
	struct offset best = {0};

	offset_sample(&best, 0, 0, 0, 7);
	ck_assert_uint_eq(best.rtt_ns, 7);
	ck_assert_uint_eq(best.bound_ns, 4);
	/* −3.5, rounded down, is inside of ± 4 around the truth. */
	ck_assert_int_eq(best.offset_ns, -4);
}
END_TEST

START_TEST(lowest_round_trip_wins)
{
	struct offset best = {0};

	offset_sample(&best, 0, 5000, 5000, 100);
	offset_sample(&best, 1000, 6010, 6010, 1020);
	ck_assert_uint_eq(best.rtt_ns, 20);
	offset_sample(&best, 2000, 7500, 7500, 2900);
	ck_assert_uint_eq(best.rtt_ns, 20);
	ck_assert_int_eq(best.offset_ns, 5000);
	/* Of equal ones the first stays. */
	offset_sample(&best, 3000, 9000, 9000, 3020);
	ck_assert_uint_eq(best.at_ns, 1010);
}
END_TEST

START_TEST(nonsense_is_dropped)
{
	struct offset best = {0};

	offset_sample(&best, 100, 0, 0, 99);   /* received before it was sent */
	offset_sample(&best, 0, 100, 99, 10);  /* answered before it came */
	offset_sample(&best, 0, 100, 111, 10); /* held for longer than it took */
	ck_assert(!best.valid);
	offset_sample(&best, 0, 100, 110, 10); /* all of the time at the peer */
	ck_assert(best.valid);
	ck_assert_uint_eq(best.bound_ns, 0);
	ck_assert_int_eq(best.offset_ns, 100);
}
END_TEST

START_TEST(far_clocks)
{
	struct offset best = {0};
	uint64_t now = UINT64_C(9000000000000000000);

	/* A host that runs for 285 years, and one that was started just now. */
	offset_sample(&best, now, 10, 20, now + 30);
	ck_assert_int_eq(best.offset_ns, -INT64_C(9000000000000000000));
	best.valid = false;
	offset_sample(&best, 10, now, now, 30);
	ck_assert_int_eq(best.offset_ns, INT64_C(8999999999999999980));
}
END_TEST

/* 200 pings with random delays, 1 in 8 quick: the truth is within the bound. */
START_TEST(truth_is_within_the_bound)
{
	struct rng rng;

	rng_seed(&rng, 21);
	for (int round = 0; round < 500; round++) {
		int64_t truth = (int64_t)rng_below(&rng, 20 * S) - 10 * S;
		uint64_t now = 100 * S;
		struct offset best = {0};

		for (int i = 0; i < 200; i++) {
			uint64_t most = rng_below(&rng, 8) ? 2000000 : 60000;
			uint64_t out = 20000 + rng_below(&rng, most);
			uint64_t back = 20000 + rng_below(&rng, most);
			uint64_t hold = rng_below(&rng, 5000);
			uint64_t t1 = now + out + (uint64_t)truth;

			offset_sample(
			    &best, now, t1, t1 + hold, now + out + hold + back);
			now += out + hold + back + 1000;
		}
		ck_assert_uint_le(
		    (uint64_t)llabs(best.offset_ns - truth), best.bound_ns);
		ck_assert_uint_lt(best.bound_ns, 100000);
	}
}
END_TEST

START_TEST(between_two_estimates)
{
	struct offset before = {true, 1000, 20, 10, 100 * S};
	struct offset after = {true, 4000, 60, 30, 200 * S};
	struct offset got = offset_between(&before, &after, 100 * S);

	ck_assert(got.valid);
	ck_assert_int_eq(got.offset_ns, 1000);
	ck_assert_uint_eq(got.bound_ns, 10);
	ck_assert_uint_eq(got.at_ns, 100 * S);
	got = offset_between(&before, &after, 150 * S);
	ck_assert_int_eq(got.offset_ns, 2500);
	ck_assert_uint_eq(got.bound_ns, 20);
	ck_assert_uint_eq(got.rtt_ns, 60);
	ck_assert_uint_eq(got.at_ns, 150 * S);
	got = offset_between(&before, &after, 200 * S);
	ck_assert_int_eq(got.offset_ns, 4000);
	/* Outside, the line goes on and the bound grows: 2×30 + 1×10. */
	got = offset_between(&before, &after, 300 * S);
	ck_assert_int_eq(got.offset_ns, 7000);
	ck_assert_uint_eq(got.bound_ns, 70);
	got = offset_between(&before, &after, 0);
	ck_assert_int_eq(got.offset_ns, -2000);
	ck_assert_uint_eq(got.bound_ns, 50);
}
END_TEST

START_TEST(between_less_than_two)
{
	struct offset none = {0}, a = {true, -500, 20, 10, 5}, b = {true, 7, 8, 4, 5};
	struct offset got = offset_between(&a, &none, 99);

	ck_assert(got.valid);
	ck_assert_int_eq(got.offset_ns, -500);
	ck_assert_uint_eq(got.at_ns, 99);
	got = offset_between(&none, &a, 99);
	ck_assert_int_eq(got.offset_ns, -500);
	ck_assert(!offset_between(&none, &none, 99).valid);
	/* No line through two of one time: the better one. */
	ck_assert_int_eq(offset_between(&a, &b, 99).offset_ns, 7);
	ck_assert_int_eq(offset_between(&b, &a, 99).offset_ns, 7);
}
END_TEST

/* 40 ppm of drift over three minutes: 7.2 ms, found to the bound in between. */
START_TEST(drift_is_interpolated)
{
	struct offset before = {true, -3 * S, 100, 50, 10 * S};
	struct offset after = {true, -3 * S + 7200000, 100, 50, 190 * S};
	struct offset got = offset_between(&before, &after, 55 * S);

	ck_assert_int_eq(got.offset_ns, -3 * S + 1800000);
	ck_assert_uint_eq(got.bound_ns, 50);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("offset", one_exchange, odd_round_trips_are_rounded_up,
	    lowest_round_trip_wins, nonsense_is_dropped, far_clocks,
	    truth_is_within_the_bound, between_two_estimates, between_less_than_two,
	    drift_is_interpolated);
}
