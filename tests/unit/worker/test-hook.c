/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands before and after a job: how they end, and who may have them.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/worker/hook.h"
#include "agent/worker/park.h"
#include "tests/unit/worker/support.h"

#define S UINT64_C(1000000000)

static struct err err;
static struct job job;
static struct board board;
static struct trial trial;

static void
setup(void)
{
	err = ERR_INIT;
	trial = (struct trial){.board.fd = -1};
	scratch_make();
	ck_assert_int_eq(chdir(scratch), 0);
	job_init(&job);
	ck_assert_int_eq(board_create(&board, &job, 1, &err), 0);
}

static void
teardown(void)
{
	board_close(&board);
	job_free(&job);
	scratch_remove();
}

static int
run(const char *command, uint64_t limit)
{
	return hook_run("exec_prerun", command, &board, limit, &err);
}

START_TEST(one_that_ends_well)
{
	ck_assert_msg(run("echo noise; touch made", 60 * S) == 0, "%s", err.msg);
	ck_assert_int_eq(access("made", F_OK), 0);
}
END_TEST

START_TEST(what_it_printed_is_in_the_message)
{
	ck_assert_int_eq(run("echo out; echo 'no such pool' >&2; exit 3", 60 * S), -1);
	ck_assert_str_eq(err.msg, "exec_prerun: exit status 3: out no such pool");
	ck_assert_int_eq(run("exit 1", 60 * S), -1);
	ck_assert_str_eq(err.msg, "exec_prerun: exit status 1: (no output)");
	ck_assert_int_eq(run("kill -9 $$", 60 * S), -1);
	ck_assert_str_eq(err.msg, "exec_prerun: ended by signal 9: (no output)");
}
END_TEST

START_TEST(the_end_of_much_output)
{
	ck_assert_int_eq(
	    run("i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done; exit 1",
		60 * S),
	    -1);
	ck_assert_uint_lt(strlen(err.msg), 600);
	ck_assert_ptr_nonnull(strstr(err.msg, "line 2998 line 2999"));
}
END_TEST

/* It and what it started: the child would write the file. */
START_TEST(too_long)
{
	ck_assert_int_eq(run("(sleep 3600; touch late) & echo waiting; wait", S / 100), -1);
	ck_assert_int_eq(err.code, ERR_TIMEOUT);
	ck_assert_str_eq(
	    err.msg, "exec_prerun: took too long and was killed: waiting");
}
END_TEST

START_TEST(a_stop)
{
	park_stop(&board);
	ck_assert_int_eq(run("sleep 3600", 3600 * S), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
}
END_TEST

static void
run_job(const char *text, bool allowed)
{
	struct link_spec spec = spec_for(text);

	spec.allow_exec = allowed;
	trial_prepare(&trial, spec);
}

START_TEST(before_and_after_a_job)
{
	run_job("rw=read\nbs=4k\nsize=4k\nnumjobs=2\nexec_prerun=echo x >>pre\n"
		"exec_postrun=ls volley-data/c1 >>post\nunlink=1\nexitall=1\n",
	    true);
	ck_assert_msg(trial.state == CLIENT_READY, "%s", trial.err.msg);
	ck_assert_int_eq(access("pre", F_OK), 0);
	ck_assert_int_eq(access("post", F_OK), -1);
	client_go(trial.client);
	client_arm(trial.client, 1);
	ck_assert_int_eq(trial_wait(&trial), CLIENT_DONE);
	ck_assert_int_eq(access("post", F_OK), 0);
	trial_end(&trial);
}
END_TEST

START_TEST(one_that_fails_is_the_jobs_error)
{
	run_job("rw=read\nbs=4k\nsize=4k\nexec_prerun=echo broken; false\n", true);
	ck_assert_int_eq(trial.state, CLIENT_FAILED);
	ck_assert_str_eq(trial.err.msg, "exec_prerun: exit status 1: broken");
	trial_end(&trial);
	run_job("rw=read\nbs=4k\nsize=4k\nexec_postrun=echo broken; false\n", true);
	client_go(trial.client);
	client_arm(trial.client, 1);
	ck_assert_int_eq(trial_wait(&trial), CLIENT_FAILED);
	ck_assert_str_eq(trial.err.msg, "exec_postrun: exit status 1: broken");
	trial_end(&trial);
}
END_TEST

START_TEST(not_without_a_word_of_the_agent)
{
	static const char *const jobs[] = {"rw=read\nbs=4k\nsize=4k\nexec_prerun=touch x\n",
	    "rw=read\nbs=4k\nsize=4k\nexec_postrun=touch x\n"};

	for (int i = 0; i < 2; i++) {
		run_job(jobs[i], false);
		ck_assert_int_eq(trial.state, CLIENT_FAILED);
		ck_assert_int_eq(trial.err.code, ERR_POLICY);
		ck_assert_ptr_nonnull(strstr(trial.err.msg, "--allow-exec"));
		ck_assert_int_eq(access("x", F_OK), -1);
		/* nor are there files */
		ck_assert_int_eq(access("volley-data", F_OK), -1);
		trial_end(&trial);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/hook");
	TCase *tcase = tcase_create("hook");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, one_that_ends_well);
	tcase_add_test(tcase, what_it_printed_is_in_the_message);
	tcase_add_test(tcase, the_end_of_much_output);
	tcase_add_test(tcase, too_long);
	tcase_add_test(tcase, a_stop);
	tcase_add_test(tcase, before_and_after_a_job);
	tcase_add_test(tcase, one_that_fails_is_the_jobs_error);
	tcase_add_test(tcase, not_without_a_word_of_the_agent);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
