/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits of latency and rate, and the search of a depth, against a device whose
 * latency grows with its queue.
 */
#include <check.h>
#include <errno.h>
#include <string.h>

#include "lib/work/limits.h"

#define T0 UINT64_C(1000000000000)
#define S UINT64_C(1000000000)
#define MS UINT64_C(1000000)

static struct job job;
static struct limits limits;
static struct err err;

static void
setup(void)
{
	job_init(&job);
	err = ERR_INIT;
}

static void
teardown(void)
{
	job_free(&job);
}

static enum limits_word
done(enum dir dir, uint64_t lat, uint64_t at)
{
	return limits_completed(&limits, dir, 4096, lat, T0 + at, &err);
}

START_TEST(none)
{
	limits_init(&limits, &job, 32, T0);
	ck_assert(!limits.any);
	ck_assert_uint_eq(limits_depth(&limits), 32);
}
END_TEST

START_TEST(max_latency)
{
	job.pacing.max_latency_ns[DIR_READ] = 5 * MS;
	limits_init(&limits, &job, 1, T0);
	ck_assert(limits.any);
	ck_assert_int_eq(done(DIR_READ, 5 * MS, 10 * MS), LIMITS_GO_ON);
	ck_assert_int_eq(done(DIR_WRITE, 9 * MS, 10 * MS), LIMITS_GO_ON);
	ck_assert_int_eq(done(DIR_READ, 5 * MS + 1, 10 * MS), LIMITS_FAIL);
	ck_assert_int_eq(err.errnum, ETIMEDOUT);
	ck_assert_ptr_nonnull(strstr(err.msg, "max_latency is 5"));
}
END_TEST

/* 100 per second asked; 2 s of grace, then one second at a time. */
START_TEST(rate_iops_min)
{
	uint64_t t;

	job.pacing.rate_iops_min[DIR_WRITE] = 100;
	limits_init(&limits, &job, 1, T0);
	for (t = 0; t < 2000; t += 100) /* 10 per second, unseen */
		ck_assert_int_eq(done(DIR_WRITE, 1, t * MS), LIMITS_GO_ON);
	for (; t < 5000; t += 10)
		ck_assert_int_eq(done(DIR_WRITE, 1, t * MS), LIMITS_GO_ON);
	for (; t < 5990; t += 20)
		ck_assert_int_eq(done(DIR_WRITE, 1, t * MS), LIMITS_GO_ON);
	ck_assert_int_eq(done(DIR_WRITE, 1, 6000 * MS), LIMITS_FAIL);
	ck_assert_int_eq(err.errnum, EIO);
	ck_assert_str_eq(err.msg,
	    "rate_iops_min of writes is 100, and it was 50 in the last cycle");
}
END_TEST

START_TEST(rate_min)
{
	job.pacing.rate_min[DIR_READ] = 4096 * 10;
	job.pacing.cycle_ns = S / 2;
	limits_init(&limits, &job, 1, T0);
	for (uint64_t t = 2000; t <= 4000; t += 100) /* exactly 10 blocks per second */
		ck_assert_int_eq(done(DIR_READ, 1, t * MS), LIMITS_GO_ON);
	ck_assert_int_eq(done(DIR_READ, 1, 4500 * MS), LIMITS_FAIL);
	ck_assert_ptr_nonnull(strstr(err.msg, "rate_min of reads is 40960"));
}
END_TEST

/*
 * A device with a latency of 100 us per I/O in its queue; the target allows `fits`
 * of them.  Returns the depth of the last window, 0 when the search does not end.
 */
static unsigned
search(unsigned fits, unsigned most, double percentile)
{
	uint64_t at = 0;

	job.pacing.target_ns = fits * UINT64_C(100000) + 1;
	job.pacing.window_ns = S;
	job.pacing.target_percentile = percentile;
	limits_init(&limits, &job, most, T0);
	ck_assert_uint_eq(limits_depth(&limits), 1);
	for (unsigned i = 0; i < 100000; i++) {
		unsigned depth = limits_depth(&limits);
		enum limits_word word;

		at += 10 * MS;
		word = done(DIR_READ, depth * UINT64_C(100000), at);
		ck_assert_uint_le(limits_depth(&limits), most);
		ck_assert_uint_ge(limits_depth(&limits), 1);
		if (word == LIMITS_END)
			return depth;
		if (word == LIMITS_FAIL)
			return 0;
		if (word == LIMITS_DRAIN)
			limits_drained(&limits, T0 + at);
	}
	return 0;
}

START_TEST(the_depth_that_fits)
{
	ck_assert_uint_eq(search(64, 32, 100), 32); /* all of it */
	ck_assert_uint_eq(search(10, 32, 100), 10);
	ck_assert_uint_eq(search(1, 32, 100), 1);
	ck_assert_uint_eq(search(10, 32, 99), 10);
	ck_assert_uint_eq(search(23, 32, 99), 23);
}
END_TEST

START_TEST(a_target_that_is_never_met)
{
	job.pacing.target_ns = 1000;
	job.pacing.window_ns = S;
	limits_init(&limits, &job, 8, T0);
	ck_assert_int_eq(done(DIR_READ, 1001, MS), LIMITS_FAIL);
	ck_assert_ptr_nonnull(strstr(err.msg, "latency_target is 1"));
	/* With a percentile below 100 it stays at the lowest depth. */
	job.pacing.target_percentile = 90;
	limits_init(&limits, &job, 8, T0);
	for (uint64_t t = 1; t < 5000; t++)
		ck_assert_int_eq(done(DIR_READ, 1001, t * MS), LIMITS_GO_ON);
	ck_assert_uint_eq(limits_depth(&limits), 1);
}
END_TEST

START_TEST(latency_run_goes_on)
{
	job.pacing.target_run = true;
	ck_assert_uint_eq(search(10, 32, 99), 0);
	ck_assert_uint_ge(limits_depth(&limits), 9);
	ck_assert_uint_le(limits_depth(&limits), 12);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("limits");
	TCase *tc = tcase_create("limits");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, none);
	tcase_add_test(tc, max_latency);
	tcase_add_test(tc, rate_iops_min);
	tcase_add_test(tc, rate_min);
	tcase_add_test(tc, the_depth_that_fits);
	tcase_add_test(tc, a_target_that_is_never_met);
	tcase_add_test(tc, latency_run_goes_on);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
