/* SPDX-License-Identifier: Apache-2.0 */
/* Names, errors and wrappers of engines; the wake signal. */
#include "agent/engine/engine.h"

#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "agent/engine/checked.h"
#include "agent/engine/fault.h"
#include "agent/engine/wake.h"
#include "lib/base/clock.h"

START_TEST(the_table)
{
	static const char *const names[] = {"psync", "sync", "vsync", "pvsync",
	    "pvsync2", "mmap", "libaio", "io_uring", "null", "net-tcp", "net-rdma"};
	const struct engine_entry *entry = engine_list();
	struct err err;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++, entry++) {
		ck_assert_str_eq(entry->name, names[i]);
		ck_assert_ptr_eq(engine_find(names[i], &err), entry->ops);
		if (!entry->ops) {
			ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
			ck_assert_ptr_nonnull(strstr(err.msg, "not built (--with-"));
			continue;
		}
		ck_assert_str_eq(entry->ops->name, names[i]);
		ck_assert_ptr_nonnull(entry->ops->doc);
	}
	ck_assert_ptr_null(entry->name);
	ck_assert_uint_eq(engine_find("psync", &err)->caps, ENGINE_SYNC);
	ck_assert_uint_eq(engine_find("pvsync2", &err)->caps, ENGINE_SYNC);
	ck_assert_uint_eq(engine_find("null", &err)->caps, ENGINE_NOFILE);
	ck_assert_uint_eq(
	    engine_find("mmap", &err)->caps, ENGINE_SYNC | ENGINE_MAPPED);
}
END_TEST

START_TEST(unknown_names)
{
	struct err err;

	ck_assert_ptr_null(engine_find("libaoi", &err));
	ck_assert_int_eq(err.code, ERR_USAGE);
	ck_assert_str_eq(
	    err.msg, "ioengine \"libaoi\" is unknown; did you mean libaio?");
	ck_assert_ptr_null(engine_find("windowsaio-of-old", &err));
	ck_assert_str_eq(err.msg, "ioengine \"windowsaio-of-old\" is unknown");
	ck_assert_ptr_null(engine_find("", &err));
	ck_assert_ptr_null(engine_find("nope-nope", NULL));
}
END_TEST

START_TEST(who_is_synchronous)
{
	static const struct engine_ops async = {.name = "async"};
	struct job job = {.iodepth = 1};
	struct err err;

	ck_assert(engine_is_sync(engine_find("psync", &err), &job));
	ck_assert(engine_is_sync(engine_find("null", &err), &job));
	ck_assert(!engine_is_sync(&async, &job));
	job.iodepth = 2;
	ck_assert(engine_is_sync(engine_find("psync", &err), &job));
	ck_assert(!engine_is_sync(engine_find("null", &err), &job));
	ck_assert(!engine_is_sync(&async, &job));
}
END_TEST

START_TEST(a_job_is_wrapped_as_it_asks)
{
	for (int checked = 0; checked < 2; checked++) {
		for (int faulty = 0; faulty < 6; faulty++) {
			struct job job = {.ioengine = (char *)"null",
			    .iodepth = 2,
			    .checked = checked};
			struct engine_env env = {
			    .job = &job, .iodepth = 2, .nfiles = 1};
			struct engine *engine;
			struct err err;

			job.fault.delay_ns = faulty == 1;
			job.fault.error_every = faulty == 2;
			job.fault.short_every = faulty == 3;
			job.fault.stall_after = faulty == 4;
			job.fault.enospc_after_set = faulty == 5;
			ck_assert_int_eq(engine_open(&engine, &env, &err), 0);
			ck_assert_int_eq(checked_inner(engine) != NULL, checked);
			ck_assert_int_eq(fault_log(engine) != NULL, faulty != 0);
			ck_assert_str_eq(engine->ops->name, "null");
			ck_assert_uint_eq(engine->ops->caps, ENGINE_NOFILE);
			ck_assert(engine->ops->map == NULL);
			engine->ops->close(engine);
		}
	}
}
END_TEST

START_TEST(opening_fails_with_the_name_in_front)
{
	struct job job = {.ioengine = (char *)"nul", .iodepth = 1};
	struct engine_env env = {.job = &job, .iodepth = 1, .nfiles = 1};
	struct engine *engine;
	struct err err;

	ck_assert_int_eq(engine_open(&engine, &env, &err), -1);
	ck_assert_str_eq(err.msg, "ioengine \"nul\" is unknown; did you mean null?");
	/* More than any system takes. */
	job.iodepth = env.iodepth = 1u << 30;
	if (engine_find("libaio", &err)) {
		job.ioengine = (char *)"libaio";
		ck_assert_int_eq(engine_open(&engine, &env, &err), -1);
		ck_assert_str_eq(err.msg, "ioengine libaio: io_setup for 1073741824 "
					  "I/Os: Invalid argument");
		ck_assert_int_eq(err.errnum, EINVAL);
	}
	if (engine_find("io_uring", &err)) {
		job.ioengine = (char *)"io_uring";
		ck_assert_int_eq(engine_open(&engine, &env, &err), -1);
		ck_assert_str_eq(
		    err.msg, "ioengine io_uring: iodepth 1073741824 is above 32768");
	}
}
END_TEST

START_TEST(time_that_is_left)
{
	struct timespec left = wake_left(0);
	uint64_t now;

	ck_assert_int_eq(left.tv_sec, 0);
	ck_assert_int_eq(left.tv_nsec, 0);
	left = wake_left(UINT64_MAX);
	ck_assert_int_gt(left.tv_sec, 1000000000);
	now = clock_ns();
	left = wake_left(now + UINT64_C(100000000000) + 999999999);
	ck_assert_int_ge(left.tv_sec, 1);
	ck_assert_int_le(left.tv_sec, 100);
	ck_assert_int_ge(left.tv_nsec, 0);
	ck_assert_int_lt(left.tv_nsec, 1000000000);
}
END_TEST

static bool
blocks_urg(void)
{
	sigset_t set;

	pthread_sigmask(SIG_SETMASK, NULL, &set);
	return sigismember(&set, SIGURG) == 1;
}

START_TEST(wakes_nest_and_are_kept)
{
	struct wake outer, inner;
	uint64_t until;

	ck_assert(!blocks_urg());
	wake_init(&inner);
	wake_init(&outer);
	wake_fini(&outer);
	ck_assert(blocks_urg());
	ck_assert(!sigismember(&outer.waiting, SIGURG));

	wake_send(&inner);
	wake_send(&inner); /* two that nobody waits for are one */
	ck_assert_int_eq(wake_sleep(clock_ns() + UINT64_C(60000000000)), -EINTR);
	until = clock_ns() + 2000000;
	ck_assert_int_eq(wake_sleep(until), 0);
	ck_assert_uint_ge(clock_ns(), until);
	wake_send(&inner);
	ck_assert_int_eq(wake_sleep(0), -EINTR);
	ck_assert_int_eq(wake_sleep(0), 0);
	wake_fini(&inner);
	ck_assert(!blocks_urg());
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("registry");
	TCase *tcase = tcase_create("registry");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, the_table);
	tcase_add_test(tcase, unknown_names);
	tcase_add_test(tcase, who_is_synchronous);
	tcase_add_test(tcase, a_job_is_wrapped_as_it_asks);
	tcase_add_test(tcase, opening_fails_with_the_name_in_front);
	tcase_add_test(tcase, time_that_is_left);
	tcase_add_test(tcase, wakes_nest_and_are_kept);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
