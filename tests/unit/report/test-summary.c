/* SPDX-License-Identifier: Apache-2.0 */
/* Repeats put together: pooled percentiles, spread, and who is kept apart. */
#include "controller/report/summary.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/store/fixture.h"
#include "tests/unit/suite.h"

static struct attempt *
add(struct results_case *c, unsigned repeat, uint64_t ios, uint64_t lat_us)
{
	struct results_attempt *one = mem_alloc(sizeof *one);

	fixture_attempt(&one->attempt, c->id, repeat, c->clients, DIR_READ, ios, 4096,
	    lat_us, true);
	vec_push(&c->attempts, one);
	return &one->attempt;
}

static void
make_case(struct results_case *c, unsigned clients)
{
	fixture_case(
	    c, "0123456789abcdef", "one", "tcp", "work", clients, "read", "4096");
}

/*
 * 1,000 I/Os between 500 and 1,500 us and 1,000 between 50 and 150 us: sample 1,980
 * of the 2,000 is the 980th of the slow ones, 1,480 us.  The mean of the two p99s
 * would be 819 us.
 */
START_TEST(percentiles_are_pooled)
{
	struct results_case c;
	struct summaries s;

	make_case(&c, 1);
	add(&c, 1, 1000, 1000);
	add(&c, 2, 1000, 100);
	summary_make(&c, &s);
	ck_assert_uint_eq(s.lines.n, 1);
	ck_assert_uint_eq(s.lines.v[0].repeats, 2);
	ck_assert_double_eq_tol(s.lines.v[0].lat.p99, 1480e3, 0.008 * 1480e3);
	ck_assert_double_eq_tol(s.lines.v[0].lat.mean, 549.5e3, 0.5e3);
	ck_assert(!s.lines.v[0].slat.counted);
	vec_free(&s.lines);
	results_case_free(&c);
}
END_TEST

/* 100, 200 and 300 I/Os per second: mean 200, deviation 100. */
START_TEST(rate_and_spread)
{
	struct results_case c;
	struct summaries s;

	make_case(&c, 1);
	add(&c, 1, 1000, 100);
	summary_make(&c, &s);
	ck_assert(isnan(s.lines.v[0].rsd));
	vec_free(&s.lines);
	add(&c, 2, 2000, 100);
	add(&c, 3, 3000, 100);
	c.attempts.v[1]->attempt.total.skew_ns = 777;
	summary_make(&c, &s);
	ck_assert_double_eq_tol(s.lines.v[0].iops, 200, 1e-9);
	ck_assert_double_eq_tol(s.lines.v[0].bytes_per_s, 200 * 4096.0, 1e-6);
	ck_assert_double_eq_tol(s.lines.v[0].rsd, 0.5, 1e-9);
	ck_assert_double_eq(s.lines.v[0].skew_ns, 777);
	vec_free(&s.lines);
	results_case_free(&c);
}
END_TEST

START_TEST(states_are_kept_apart)
{
	struct results_case c;
	struct summaries s;

	make_case(&c, 4);
	add(&c, 1, 1000, 100);
	fixture_lose(add(&c, 2, 9000, 900), 0);
	fixture_lose(add(&c, 3, 8000, 900), 1);
	fixture_skew(add(&c, 4, 7000, 900), 99000000);
	fixture_refuse(add(&c, 5, 7000, 900));
	summary_make(&c, &s);
	ck_assert_uint_eq(s.lines.n, 4);
	ck_assert_int_eq(s.lines.v[0].state, ATTEMPT_VALID);
	ck_assert_uint_eq(s.lines.v[0].repeats, 1);
	ck_assert_double_eq_tol(s.lines.v[0].iops, 400, 1e-9);
	ck_assert_uint_eq(s.lines.v[0].clients, 4);
	for (int i = 1; i <= 2; i++) {
		ck_assert_int_eq(s.lines.v[i].state, ATTEMPT_PARTIAL);
		ck_assert_uint_eq(s.lines.v[i].repeats, 1);
		ck_assert_uint_eq(s.lines.v[i].clients, 3);
		ck_assert_uint_eq(s.lines.v[i].of, 4);
		ck_assert_str_eq(s.lines.v[i].why, "client-lost");
	}
	ck_assert_double_eq_tol(s.lines.v[1].iops, 2700, 1e-9);
	ck_assert_int_eq(s.lines.v[3].state, ATTEMPT_INVALID);
	ck_assert_uint_eq(s.lines.v[3].repeats, 2);
	ck_assert_str_eq(s.lines.v[3].why, "skew");
	vec_free(&s.lines);
	results_case_free(&c);
}
END_TEST

/* Only the last attempt of a repeat counts. */
START_TEST(superseded_attempts)
{
	struct results_case c;
	struct summaries s;

	make_case(&c, 2);
	fixture_skew(add(&c, 1, 5000, 100), 99000000);
	add(&c, 1, 1000, 100)->attempt = 2;
	summary_make(&c, &s);
	ck_assert_uint_eq(s.lines.n, 1);
	ck_assert_int_eq(s.lines.v[0].state, ATTEMPT_VALID);
	ck_assert_double_eq_tol(s.lines.v[0].iops, 200, 1e-9);
	vec_free(&s.lines);
	results_case_free(&c);
}
END_TEST

START_TEST(without_figures)
{
	struct results_case c;
	struct summaries s;

	make_case(&c, 2);
	summary_make(&c, &s);
	ck_assert_uint_eq(s.lines.n, 1);
	ck_assert_uint_eq(s.lines.v[0].repeats, 0);
	ck_assert(isnan(s.lines.v[0].iops));
	vec_free(&s.lines);
	fixture_refuse(add(&c, 1, 100, 100));
	summary_make(&c, &s);
	ck_assert_uint_eq(s.lines.n, 1);
	ck_assert(!s.lines.v[0].has_figures);
	ck_assert(isnan(s.lines.v[0].iops));
	ck_assert(isnan(s.lines.v[0].lat.mean));
	ck_assert(isnan(s.lines.v[0].skew_ns));
	vec_free(&s.lines);
	results_case_free(&c);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("summary", percentiles_are_pooled, rate_and_spread,
	    states_are_kept_apart, superseded_attempts, without_figures);
}
