/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steadystate, with figures worked out by hand and one run of fio 3.33.
 */
#include "lib/work/steady.h"
#include "tests/unit/suite.h"

static struct job job;
static struct steady steady;
static struct err err;

static void
set(const char *criterion, const char *duration)
{
	job_init(&job);
	err = ERR_INIT;
	if (criterion)
		ck_assert_msg(
		    job_set(&job, "steadystate", criterion, &err) == 0, "%s", err.msg);
	ck_assert_msg(
	    job_set(&job, "steadystate_duration", duration, &err) == 0, "%s", err.msg);
	ck_assert(steady_wanted(&job));
	steady_init(&steady, &job);
}

static void
teardown(void)
{
	steady_free(&steady);
	job_free(&job);
}

static bool
add(uint64_t ios, uint64_t bytes)
{
	return steady_add(&steady, (struct steady_second){ios, bytes});
}

/* What fio 3.33 printed for a run: iops, criterion and max_deviation. */
START_TEST(as_fio_printed)
{
	struct steady_second mean;
	struct str text = {0};

	set("iops:10%", "3s");
	ck_assert(!add(419225, 1717149494));
	ck_assert(!add(392423, 1607366342));
	ck_assert(!steady.judged);
	ck_assert(add(380141, 1557057536));
	ck_assert_double_eq_tol(steady.criterion, 5.528327, 1e-5);
	ck_assert_double_eq_tol(steady.deviation, 21962, 1);
	ck_assert_double_eq(steady.slope, 0);
	mean = steady_mean(&steady);
	ck_assert_uint_eq(mean.ios, 397263);
	ck_assert_uint_eq(mean.bytes, 1627191124);
	steady_describe(&steady, &text);
	ck_assert_str_eq(text.s, "iops:10.000000%");
	str_free(&text);
}
END_TEST

/* 10, 12, 14: slope 2; 12, 14, 13: slope 0.5; only the last three count. */
START_TEST(slope)
{
	set("bw_slope:0.6", "3");
	ck_assert(!add(0, 10));
	ck_assert(!add(0, 12));
	ck_assert(!add(0, 14));
	ck_assert_double_eq_tol(steady.slope, 2, 1e-12);
	ck_assert(add(0, 13));
	ck_assert_double_eq_tol(steady.criterion, 0.5, 1e-12);
	/* Attained is attained. */
	ck_assert(add(0, 1000));
	ck_assert_double_eq_tol(steady.criterion, 0.5, 1e-12);
}
END_TEST

/* A falling rate has not settled: -2 is not below 0.6. */
START_TEST(falling)
{
	set("iops_slope:10%", "3");
	ck_assert(!add(14, 0));
	ck_assert(!add(12, 0));
	ck_assert(!add(10, 0));
	ck_assert_double_eq_tol(steady.criterion, -100.0 * 2 / 12, 1e-9);
	ck_assert(steady.judged && !steady.attained);
}
END_TEST

/* Nothing at all is not steady in percent. */
START_TEST(stalled)
{
	set("bw:50%", "2");
	ck_assert(!add(0, 0));
	ck_assert(!add(0, 0));
	ck_assert(!add(0, 0));
}
END_TEST

/* Without a criterion it is fio's: iops_slope:0.01%. */
START_TEST(usual)
{
	struct str text = {0};

	set(NULL, "2");
	steady_describe(&steady, &text);
	ck_assert_str_eq(text.s, "iops_slope:0.010000%");
	str_free(&text);
	ck_assert(!add(10000, 0));
	ck_assert(!add(10002, 0));
	ck_assert(add(10002, 0));
}
END_TEST

START_TEST(not_wanted)
{
	set("iops:2%", "1");
	job.output.steady_ns = 0;
	ck_assert(!steady_wanted(&job));
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("steady");

	tcase_add_checked_fixture(tcase, NULL, teardown);
	tcase_add_test(tcase, as_fio_printed);
	tcase_add_test(tcase, slope);
	tcase_add_test(tcase, falling);
	tcase_add_test(tcase, stalled);
	tcase_add_test(tcase, usual);
	tcase_add_test(tcase, not_wanted);
	return suite_run("steady", tcase);
}
