/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pacing against times worked out by hand, and the names of orders and reports.
 */
#include <check.h>

#include "lib/work/orders.h"
#include "lib/work/pace.h"

#define T0 UINT64_C(5000000000)

static struct job job;
static struct pace pace;

static void
setup(void)
{
	job_init(&job);
}

static void
teardown(void)
{
	job_free(&job);
}

START_TEST(free_running)
{
	pace_init(&pace, &job, T0);
	ck_assert(!pace.open_loop);
	ck_assert(!pace.thinks);
	for (int i = 0; i < 5; i++) {
		ck_assert_uint_eq(pace_intended(&pace, DIR_READ), 0);
		pace_issued(&pace, DIR_READ, 4096);
		pace_completed(&pace, T0 + 1000);
	}
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), 0);
}
END_TEST

/* 200 I/Os per second: one every 5 ms, whatever the I/O did. */
START_TEST(iops)
{
	job.rate_iops[DIR_READ] = 200;
	pace_init(&pace, &job, T0);
	ck_assert(pace.open_loop);
	for (uint64_t i = 0; i < 1000; i++) {
		ck_assert_uint_eq(pace_intended(&pace, DIR_READ), T0 + i * 5000000);
		pace_issued(&pace, DIR_READ, 4096);
		pace_completed(&pace, T0 + 77 * i);
	}
	ck_assert_uint_eq(pace_intended(&pace, DIR_WRITE), 0); /* has no rate */
}
END_TEST

/* Three per second do not add up rounding errors: the 3,000,001st is at 10^6 s. */
START_TEST(no_drift)
{
	job.rate_iops[DIR_READ] = 3;
	pace_init(&pace, &job, T0);
	pace_issued(&pace, DIR_READ, 1);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), T0 + 333333333);
	for (int i = 1; i < 3000000; i++)
		pace_issued(&pace, DIR_READ, 1);
	ck_assert_uint_eq(
	    pace_intended(&pace, DIR_READ), T0 + UINT64_C(1000000) * 1000000000);
}
END_TEST

/* 1 MiB/s in blocks of 64 KiB and 192 KiB: the time of what went before. */
START_TEST(bytes)
{
	job.rw = JOB_RW;
	job.rate[DIR_WRITE] = 1 << 20;
	pace_init(&pace, &job, T0);
	ck_assert(pace.open_loop);
	ck_assert_uint_eq(pace_intended(&pace, DIR_WRITE), T0);
	pace_issued(&pace, DIR_WRITE, 65536);
	ck_assert_uint_eq(pace_intended(&pace, DIR_WRITE), T0 + 62500000);
	pace_issued(&pace, DIR_WRITE, 196608);
	ck_assert_uint_eq(pace_intended(&pace, DIR_WRITE), T0 + 250000000);
	pace_issued(&pace, DIR_READ, 1 << 30);
	ck_assert_uint_eq(pace_intended(&pace, DIR_WRITE), T0 + 250000000);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), 0);
}
END_TEST

/* With both kinds of limit the later one counts. */
START_TEST(both_limits)
{
	job.rate[DIR_READ] = 8192;
	job.rate_iops[DIR_READ] = 1;
	pace_init(&pace, &job, 0);
	pace_issued(&pace, DIR_READ, 4096);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), 1000000000);
	pace_issued(&pace, DIR_READ, 4096 + 16384);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), UINT64_C(3000000000));
}
END_TEST

/* A rate of a direction that the job does not have opens no loop. */
START_TEST(other_direction)
{
	job.rw = JOB_READ;
	job.rate[DIR_WRITE] = 1;
	pace_init(&pace, &job, T0);
	ck_assert(!pace.open_loop);
}
END_TEST

START_TEST(thinktime)
{
	job.thinktime_ns = 20000;
	job.thinktime_blocks = 2;
	pace_init(&pace, &job, T0);
	ck_assert(pace.thinks);
	ck_assert(!pace.open_loop);
	pace_completed(&pace, T0 + 100);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), 0);
	pace_completed(&pace, T0 + 300);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), T0 + 20300);
	ck_assert_uint_eq(pace_intended(&pace, DIR_WRITE), T0 + 20300);
	pace_completed(&pace, T0 + 20400);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), T0 + 20300);
	pace_completed(&pace, T0 + 20500);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), T0 + 40500);
}
END_TEST

START_TEST(never_overflows)
{
	job.rate[DIR_READ] = 1;
	job.thinktime_ns = 1000;
	pace_init(&pace, &job, UINT64_MAX - 5);
	pace_issued(&pace, DIR_READ, UINT32_MAX);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), UINT64_MAX);
	pace_completed(&pace, UINT64_MAX - 1);
	ck_assert_uint_eq(pace.not_before_ns, UINT64_MAX);
	pace.dir[DIR_READ].bytes = UINT64_MAX;
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), UINT64_MAX);
}
END_TEST

START_TEST(order_names)
{
	ck_assert_str_eq(order_kind_name(ORDER_PREPARE), "PREPARE");
	ck_assert_str_eq(order_kind_name(ORDER_RELEASE), "RELEASE");
	ck_assert_str_eq(order_kind_name(ORDER_KIND_COUNT), "UNKNOWN");
	for (int k = 0; k < ORDER_KIND_COUNT; k++)
		ck_assert_ptr_nonnull(order_kind_name((enum order_kind)k));
}
END_TEST

START_TEST(report_names)
{
	static const bool final[REPORT_STATE_COUNT] = {[REPORT_NONE] = true,
	    [REPORT_FINISHED] = true,
	    [REPORT_FAILED] = true,
	    [REPORT_STALLED] = true,
	    [REPORT_NOT_STARTED] = true,
	    [REPORT_ABORTED] = true,
	    [REPORT_BUSY] = true};

	ck_assert_str_eq(report_state_name(REPORT_READY), "READY");
	ck_assert_str_eq(report_state_name(REPORT_NOT_STARTED), "NOT_STARTED");
	ck_assert_str_eq(report_state_name(REPORT_STATE_COUNT), "UNKNOWN");
	for (int s = 0; s < REPORT_STATE_COUNT; s++) {
		ck_assert_ptr_nonnull(report_state_name((enum report_state)s));
		ck_assert_int_eq(report_is_final((enum report_state)s), final[s]);
	}
	ck_assert(!report_is_final(REPORT_STATE_COUNT));
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("pace");
	TCase *tc = tcase_create("pace");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, free_running);
	tcase_add_test(tc, iops);
	tcase_add_test(tc, no_drift);
	tcase_add_test(tc, bytes);
	tcase_add_test(tc, both_limits);
	tcase_add_test(tc, other_direction);
	tcase_add_test(tc, thinktime);
	tcase_add_test(tc, never_overflows);
	tcase_add_test(tc, order_names);
	tcase_add_test(tc, report_names);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
