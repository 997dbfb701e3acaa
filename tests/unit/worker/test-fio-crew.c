/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client whose I/O is fio's: held until the instant, started, stopped, refused, and
 * nothing left of it. Most tests have a fio of their own, a script that goes through
 * the gates and then says or does what a test is about; some have the real one, where
 * it is installed. The gates are this program.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/worker/fio-gate.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "tests/unit/worker/support.h"

#define JOB "runner=fio\nioengine=null\nrw=randread\nbs=4k\nsize=1m\n"

static struct trial trial;
static char *path_before;

static void
setup(void)
{
	scratch_make();
	ck_assert_int_eq(mkdir(scratch_path("tmp"), 0700), 0);
	ck_assert_int_eq(mkdir(scratch_path("bin"), 0700), 0);
	setenv("TMPDIR", scratch_path("tmp"), 1);
	path_before = mem_strdup(getenv("PATH"));
}

static void
teardown(void)
{
	setenv("PATH", path_before, 1);
	free(path_before);
	scratch_remove();
}

/* A fio that comes through its gates and then does what `body` says; "$1" is the job
 * file. */
static void
fake(const char *version, const char *body)
{
	char *path =
	    mem_printf("%s:%s", scratch_path("bin"), path_before ? path_before : "");
	FILE *file = fopen(scratch_path("bin/fio"), "w");

	ck_assert_ptr_nonnull(file);
	fprintf(file,
	    "#!/bin/sh\n"
	    "[ \"$1\" = --version ] && { echo %s; exit; }\n"
	    "shift $(($# - 1))\n"
	    "gate() {\n"
	    "	sed -n \"s/^exec_$1=//p\" \"$2\" >gates\n"
	    "	while read -r line; do\n"
	    "		sh -c \"$line >gate.txt 2>&1\" & pids=\"$pids $!\"\n"
	    "	done <gates\n"
	    "	for pid in $pids; do wait $pid || return 1; done\n"
	    "	pids=\n"
	    "}\n"
	    "%s\n",
	    version, body);
	fclose(file);
	chmod(scratch_path("bin/fio"), 0700);
	setenv("PATH", path, 1);
	free(path);
}

static bool
has_real_fio(void)
{
	return system("fio --version >/dev/null 2>&1") == 0;
}

/* A scratch folder for fio in TMPDIR is removed when it ends. */
static void
nothing_left(void)
{
	DIR *dir = opendir(scratch_path("tmp"));
	const struct dirent *entry;

	while ((entry = readdir(dir)) != NULL)
		ck_assert_msg(entry->d_name[0] == '.', "%s is left", entry->d_name);
	closedir(dir);
}

static void
refused(const char *job, enum err_code code, const char *text)
{
	trial_prepare(&trial, spec_for(job));
	ck_assert_int_eq(trial.state, CLIENT_FAILED);
	ck_assert_int_eq(trial.err.code, code);
	ck_assert_msg(
	    strstr(trial.err.msg, text) != NULL, "%s, not %s", trial.err.msg, text);
	nothing_left();
	trial_end(&trial);
}

static enum client_state
ran(const char *job)
{
	enum client_state state;

	trial_prepare(&trial, spec_for(job));
	ck_assert_msg(trial.state == CLIENT_READY, "%s", trial.err.msg);
	client_go(trial.client);
	client_arm(trial.client, clock_ns());
	state = trial_wait(&trial);
	nothing_left();
	return state;
}

START_TEST(no_fio)
{
	setenv("PATH", scratch_path("bin"), 1);
	refused(JOB, ERR_UNSUPPORTED,
	    "fio is not installed here: it is in no folder of PATH (/");
}
END_TEST

START_TEST(not_a_fio)
{
	fake("fio-2.21", "");
	refused(JOB, ERR_UNSUPPORTED,
	    "fio 2.21 cannot be used: volley knows fio 3.1 and later 3.x");
	fake("", "");
	refused(JOB, ERR_UNSUPPORTED, "\"\" is not the version of a fio");
}
END_TEST

START_TEST(it_refuses_the_job)
{
	fake("fio-3.33",
	    "echo 'fio: no such thing' >&2; echo 'fio: bad job' >&2; exit 3");
	refused(JOB, ERR_UNSUPPORTED,
	    "fio-3.33 ended with status 3: fio: no such thing; fio: bad job");
	fake("fio-3.33", "echo 'only here'; exit 1");
	refused(JOB, ERR_UNSUPPORTED, "fio-3.33 ended with status 1: only here");
	fake("fio-3.33", "exit 0"); /* and came to no gate */
	refused(JOB, ERR_UNSUPPORTED, "fio-3.33 ended with status 0");
}
END_TEST

START_TEST(a_file_that_is_too_short)
{
	scratch_file("short", 4096);
	fake("fio-3.33", "exit 0");
	refused("runner=fio\nfilename=short\nlayout=none\nrw=read\nbs=4k\nsize=64k\n",
	    ERR_USAGE, "has 4096");
}
END_TEST

/* Counts that a whole run of the fake prints, after its gates. */
START_TEST(its_counts_are_the_clients)
{
	struct tally *tally;

	fake("fio-3.40-1-gabc",
	    "gate prerun \"$1\" || exit 1\n"
	    "gate postrun \"$1\"\n"
	    "echo 'note: a note'\n"
	    "cat <<END\n"
	    "{\"jobs\": [{\"read\": {\"io_bytes\": 8192, \"runtime\": 1, "
	    "\"total_ios\": 2,\n"
	    "\"clat_ns\": {\"min\": 5, \"max\": 7, \"mean\": 6.0, \"stddev\": 1.4, "
	    "\"N\": 2,"
	    " \"bins\": {\"5\": 1, \"7\": 1}}}, \"job_runtime\": 1, \"usr_cpu\": 50.0,"
	    " \"sys_cpu\": 25.0},\n"
	    "{\"read\": {\"io_bytes\": 4096, \"runtime\": 1, \"total_ios\": 1,"
	    "\"clat_ns\": {\"min\": 9, \"max\": 9, \"mean\": 9.0, \"stddev\": 0.0, "
	    "\"N\": 1,"
	    " \"bins\": {\"9\": 1}}}}]}\n"
	    "END");
	ck_assert_int_eq(
	    ran(JOB "numjobs=2\ntime_based=1\nruntime=1ms\n"), CLIENT_DONE);
	tally = board_tally(&trial.board, clock_ns());
	ck_assert_str_eq(tally->runner, "fio-3.40-1-gabc");
	ck_assert_uint_eq(tally->dir[DIR_READ].phase[METER_INSIDE].ios, 3);
	ck_assert_uint_eq(tally->dir[DIR_READ].phase[METER_INSIDE].bytes, 12288);
	ck_assert_uint_eq(tally->dir[DIR_READ].clat.sum, 21);
	ck_assert_uint_eq(tally->dir[DIR_READ].clat.bucket[7], 1);
	ck_assert(tally->window_own);
	ck_assert_uint_eq(tally->window_to, 1000000);
	ck_assert_uint_eq(tally->threads, 2);
	ck_assert(tally->has_first_io);
	ck_assert_int_ge(tally->first_io_ns, 0);
	ck_assert_int_ge(tally->last_first_io_ns, tally->first_io_ns);
	ck_assert_uint_gt(tally->first_io_bound_ns, 0);
	ck_assert_uint_ge(tally->end_ns, (uint64_t)tally->first_io_ns + 1000000);
	ck_assert_uint_eq(tally->cpu_wall_ns, 0); /* of one of the two it is unknown */
	ck_assert_uint_eq(tally->dir[DIR_READ].slots.n, 0);
	tally_free(tally);
	trial_end(&trial);
}
END_TEST

START_TEST(an_error_in_its_words)
{
	struct tally *tally;

	fake("fio-3.33",
	    "gate prerun \"$1\" || exit 1\n"
	    "fd=$(sed -n 's/^filename=//p' \"$1\")\n"
	    "echo \"fio: io_u error on file $fd: No space left on device\" >&2\n"
	    "echo '{\"jobs\": [{\"error\": 28, \"total_err\": 1, \"read\": "
	    "{\"io_bytes\": "
	    "4096, \"runtime\": 5, \"total_ios\": 1, \"clat_ns\": {\"N\": 1, \"mean\": "
	    "3.0, "
	    "\"min\": 3, \"max\": 3}}}]}'\n"
	    "exit 1");
	char *file = mem_strdup(scratch_file("data", 65536));
	static const char job[] =
	    "runner=fio\nfilename=data\nlayout=none\nrw=read\nbs=4k\nsize=64k\n";
	char *text = mem_printf("fio-3.33 ended with status 1: fio: io_u error on file "
				"%s: No space left on device",
	    file);
	ck_assert_int_eq(ran(job), CLIENT_FAILED);
	ck_assert_int_eq(trial.err.code, ERR_IO);
	ck_assert_int_eq(trial.err.errnum, 28);
	ck_assert_str_eq(trial.err.msg, text);
	tally = board_tally(&trial.board, clock_ns());
	ck_assert_uint_eq(tally->io_errors, 1);
	ck_assert_uint_eq(tally->dir[DIR_READ].phase[METER_INSIDE].ios, 1);
	tally_free(tally);
	trial_end(&trial);
	free(text);
	free(file);
}
END_TEST

START_TEST(it_says_nothing)
{
	fake("fio-3.33", "gate prerun \"$1\" || exit 1; echo hello; exit 0");
	ck_assert_int_eq(ran(JOB), CLIENT_FAILED);
	ck_assert_str_eq(
	    trial.err.msg, "fio-3.33 ended without its result: 0 of 1 threads");
	trial_end(&trial);
}
END_TEST

START_TEST(it_is_killed)
{
	fake("fio-3.33", "gate prerun \"$1\" || exit 1; kill -9 $$");
	ck_assert_int_eq(ran(JOB), CLIENT_FAILED);
	ck_assert_str_eq(trial.err.msg, "fio-3.33 was killed by signal 9 (Killed)");
	trial_end(&trial);
}
END_TEST

/* Its gates hold it, and after T nobody lets it go. */
START_TEST(no_go)
{
	char *body = mem_printf(
	    "gate prerun \"$1\" || exit 1; echo ran >%s", scratch_path("ran"));

	fake("fio-3.33", body);
	trial_prepare(&trial, spec_for(JOB "numjobs=3\n"));
	ck_assert_msg(trial.state == CLIENT_READY, "%s", trial.err.msg);
	client_arm(trial.client, clock_ns());
	ck_assert_int_eq(trial_wait(&trial), CLIENT_NOT_STARTED);
	nothing_left();
	trial_end(&trial);
	ck_assert_int_ne(access(scratch_path("ran"), F_OK), 0);
	free(body);
}
END_TEST

START_TEST(stopped_while_it_waits)
{
	char *body = mem_printf(
	    "gate prerun \"$1\" || exit 1; echo ran >%s", scratch_path("ran"));

	fake("fio-3.33", body);
	trial_prepare(&trial, spec_for(JOB));
	ck_assert_msg(trial.state == CLIENT_READY, "%s", trial.err.msg);
	client_stop(trial.client);
	ck_assert_int_eq(trial_wait(&trial), CLIENT_DONE);
	nothing_left();
	trial_end(&trial);
	ck_assert_int_ne(access(scratch_path("ran"), F_OK), 0);
	free(body);
}
END_TEST

/* The real one. */

START_TEST(a_real_run)
{
	struct tally *tally;

	if (!has_real_fio())
		return;
	ck_assert_int_eq(ran(JOB "iodepth=4\nnumjobs=2\nio_size=1m\n"), CLIENT_DONE);
	tally = board_tally(&trial.board, clock_ns());
	ck_assert_uint_eq(tally->dir[DIR_READ].phase[METER_INSIDE].ios, 512);
	ck_assert_uint_eq(tally->dir[DIR_READ].lat.count, 512);
	ck_assert_uint_eq(tally->dir[DIR_READ].slat.count, 512);
	ck_assert(hist_has_buckets(&tally->dir[DIR_READ].lat));
	ck_assert(!tally->window_own);
	tally_free(tally);
	trial_end(&trial);
}
END_TEST

/* SIGTERM ends it, and it still tells what it did. */
START_TEST(a_real_run_is_stopped)
{
	struct tally *tally;
	struct sample sample;

	if (!has_real_fio())
		return;
	trial_prepare(
	    &trial, spec_for(JOB "time_based=1\nruntime=1000s\nrate_iops=1000\n"));
	ck_assert_msg(trial.state == CLIENT_READY, "%s", trial.err.msg);
	client_go(trial.client);
	client_arm(trial.client, clock_ns());
	do {
		board_sample(&trial.board, clock_ns(), &sample);
		(void)client_poll(trial.client, &trial.err);
	} while (sample.dir[DIR_READ].ios == 0); /* the live view works */
	client_stop(trial.client);
	ck_assert_int_eq(trial_wait(&trial), CLIENT_DONE);
	nothing_left();
	tally = board_tally(&trial.board, clock_ns());
	ck_assert_uint_ge(
	    tally->dir[DIR_READ].phase[METER_INSIDE].ios, sample.dir[DIR_READ].ios);
	ck_assert_uint_lt(tally->window_to, UINT64_C(900000000000));
	tally_free(tally);
	trial_end(&trial);
}
END_TEST

static int
run_all(void)
{
	const TTest *const tests[] = {no_fio, not_a_fio, it_refuses_the_job,
	    a_file_that_is_too_short, its_counts_are_the_clients, an_error_in_its_words,
	    it_says_nothing, it_is_killed, no_go, stopped_while_it_waits, a_real_run,
	    a_real_run_is_stopped};
	Suite *suite = suite_create("worker/fio-crew");
	TCase *tc = tcase_create("fio-crew");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
		tcase_add_test(tc, tests[i]);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}

int
main(int argc, char **argv)
{
	bool gate = argc > 1 && strcmp(argv[1], "fio-gate") == 0;

	return gate ? fiogate_main(argc, argv) : run_all();
}
