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

/* Reads at 200 and writes at 100 per second: the one that is ahead gives way. */
START_TEST(directions_of_their_own)
{
	job.rw = JOB_RW;
	job.rate_iops[DIR_READ] = 200;
	job.rate_iops[DIR_WRITE] = 100;
	pace_init(&pace, &job, T0);
	ck_assert_int_eq(pace_choose(&pace, DIR_READ, T0), DIR_READ);
	ck_assert_int_eq(pace_choose(&pace, DIR_WRITE, T0), DIR_WRITE);
	pace_issued(&pace, DIR_WRITE, 4096); /* the next is due after 10 ms */
	ck_assert_int_eq(pace_choose(&pace, DIR_WRITE, T0), DIR_READ);
	pace_issued(&pace, DIR_READ, 4096); /* after 5 ms */
	ck_assert_int_eq(pace_choose(&pace, DIR_WRITE, T0 + 1), DIR_READ);
	ck_assert_int_eq(pace_choose(&pace, DIR_READ, T0 + 1), DIR_READ);
	ck_assert_int_eq(pace_choose(&pace, DIR_WRITE, T0 + 10000000), DIR_WRITE);
	job.rate_iops[DIR_WRITE] = 0; /* not held back at all */
	pace_init(&pace, &job, T0);
	pace_issued(&pace, DIR_READ, 4096);
	ck_assert_int_eq(pace_choose(&pace, DIR_READ, T0 + 1), DIR_WRITE);
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

/* What is in flight comes home first; the pause counts from the last of it. */
START_TEST(thinktime_waits_for_the_queue)
{
	job.thinktime_ns = 1000;
	job.thinktime_blocks = 2;
	pace_init(&pace, &job, T0);
	for (int i = 0; i < 4; i++)
		pace_issued(&pace, DIR_READ, 4096);
	pace_completed(&pace, T0 + 10);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), 0);
	pace_completed(&pace, T0 + 20);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), UINT64_MAX);
	pace_completed(&pace, T0 + 30);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), UINT64_MAX);
	pace_completed(&pace, T0 + 40);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), T0 + 1040);
	pace_issued(&pace, DIR_READ, 4096);
	pace_completed(&pace, T0 + 1100);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), T0 + 1040);
}
END_TEST

START_TEST(thinktime_of_what_is_issued)
{
	job.thinktime_ns = 1000;
	job.thinktime_blocks = 2;
	job.pacing.thinktime_on_issue = true;
	pace_init(&pace, &job, T0);
	pace_issued(&pace, DIR_READ, 4096);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), 0);
	pace_issued(&pace, DIR_READ, 4096);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), UINT64_MAX);
	pace_completed(&pace, T0 + 5);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), UINT64_MAX);
	pace_completed(&pace, T0 + 9);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), T0 + 1009);
}
END_TEST

START_TEST(thinktime_by_the_clock)
{
	job.thinktime_ns = 500;
	job.pacing.thinktime_iotime_ns = 2000;
	pace_init(&pace, &job, T0);
	for (uint64_t t = 100; t < 2000; t += 100) {
		pace_issued(&pace, DIR_READ, 4096);
		pace_completed(&pace, T0 + t);
		ck_assert_uint_eq(pace_intended(&pace, DIR_READ), 0);
	}
	pace_issued(&pace, DIR_READ, 4096);
	pace_completed(&pace, T0 + 2000);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), T0 + 2500);
	/* The next 2000 count from the end of the pause. */
	pace_issued(&pace, DIR_READ, 4096);
	pace_completed(&pace, T0 + 4499);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), T0 + 2500);
	pace_issued(&pace, DIR_READ, 4096);
	pace_completed(&pace, T0 + 4500);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), T0 + 5000);
}
END_TEST

/* With blocks named too, the earlier of the two. */
START_TEST(thinktime_by_clock_or_count)
{
	job.thinktime_ns = 500;
	job.thinktime_blocks = 3;
	job.pacing.thinktime_iotime_ns = 2000;
	pace_init(&pace, &job, T0);
	for (uint64_t t = 1; t <= 3; t++)
		pace_completed(&pace, T0 + t);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), T0 + 503);
}
END_TEST

START_TEST(thinktime_that_burns)
{
	job.thinktime_ns = 1000;
	job.pacing.thinktime_spin_ns = 300;
	pace_init(&pace, &job, T0);
	pace_completed(&pace, T0 + 1);
	ck_assert_uint_eq(pace.spin_until_ns, T0 + 301);
	ck_assert_uint_eq(pace.not_before_ns, T0 + 1001);
	job.pacing.thinktime_spin_ns = 5000; /* longer than the pause: it is the pause */
	pace_init(&pace, &job, T0);
	pace_completed(&pace, T0 + 1);
	ck_assert_uint_eq(pace.not_before_ns, T0 + 5001);
}
END_TEST

/* 1000 I/Os per second, and a pause of 10 ms after the fifth. */
START_TEST(a_rate_catches_up_or_not)
{
	for (int ignores = 0; ignores < 2; ignores++) {
		job.rate_iops[DIR_READ] = 1000;
		job.thinktime_ns = 10000000;
		job.thinktime_blocks = 5;
		job.pacing.rate_ignore_thinktime = ignores;
		pace_init(&pace, &job, T0);
		for (int i = 0; i < 5; i++) {
			pace_issued(&pace, DIR_READ, 4096);
			pace_completed(&pace, T0 + (uint64_t)i * 1000000 + 100);
		}
		ck_assert_uint_eq(
		    pace_intended(&pace, DIR_READ), T0 + (ignores ? 15000000 : 14000100));
		pace_issued(&pace, DIR_READ, 4096);
		ck_assert_uint_eq(
		    pace_intended(&pace, DIR_READ), T0 + (ignores ? 16000000 : 14000100));
	}
}
END_TEST

/* Of an exponential distribution mean and deviation are the same, and 1/e of the
 * intervals are longer than the mean. */
START_TEST(poisson)
{
	enum { N = 100000 };
	uint64_t last = T0;
	double sum = 0, squares = 0;
	unsigned longer = 0;

	job.rate_iops[DIR_READ] = 1000;
	job.pacing.process = JOB_POISSON;
	pace_init(&pace, &job, T0);
	pace_seed(&pace, 42);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), T0);
	for (int i = 0; i < N; i++) {
		uint64_t due;
		double interval;

		pace_issued(&pace, DIR_READ, 4096);
		due = pace_intended(&pace, DIR_READ);
		ck_assert_uint_ge(due, last);
		interval = (double)(due - last) / 1e6;
		last = due;
		sum += interval;
		squares += interval * interval;
		longer += interval > 1;
	}
	ck_assert_double_eq_tol(sum / N, 1, 0.02);
	ck_assert_double_eq_tol(squares / N - sum / N * sum / N, 1, 0.05);
	ck_assert_double_eq_tol((double)longer / N, 0.3679, 0.01);
}
END_TEST

/* 4 MiB/s in blocks of 4 KiB are 1024 of them per second. */
START_TEST(poisson_of_bytes)
{
	job.rate[DIR_READ] = 4 << 20;
	job.pacing.process = JOB_POISSON;
	pace_init(&pace, &job, 0);
	ck_assert(pace.open_loop);
	for (int i = 0; i < 100000; i++)
		pace_issued(&pace, DIR_READ, 4096);
	ck_assert_double_eq_tol(
	    (double)pace_intended(&pace, DIR_READ) / 1e9, 100000 / 1024.0, 2);
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

/* A pass after another has its rate from its own beginning on. */
START_TEST(another_pass)
{
	job.rate_iops[DIR_READ] = 200;
	pace_init(&pace, &job, T0);
	pace_issued(&pace, DIR_READ, 4096);
	pace_completed(&pace, T0 + 1000);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), T0 + 5000000);
	pace_restart(&pace, T0 + 70000000);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), T0 + 70000000);
	pace_issued(&pace, DIR_READ, 4096);
	ck_assert_uint_eq(pace_intended(&pace, DIR_READ), T0 + 75000000);
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
	tcase_add_test(tc, thinktime_waits_for_the_queue);
	tcase_add_test(tc, thinktime_of_what_is_issued);
	tcase_add_test(tc, thinktime_by_the_clock);
	tcase_add_test(tc, thinktime_by_clock_or_count);
	tcase_add_test(tc, thinktime_that_burns);
	tcase_add_test(tc, a_rate_catches_up_or_not);
	tcase_add_test(tc, directions_of_their_own);
	tcase_add_test(tc, another_pass);
	tcase_add_test(tc, poisson);
	tcase_add_test(tc, poisson_of_bytes);
	tcase_add_test(tc, never_overflows);
	tcase_add_test(tc, order_names);
	tcase_add_test(tc, report_names);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
