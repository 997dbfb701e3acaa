/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker process as its agent sees it: words over the link, numbers on the
 * board, also when it is killed or its agent goes away.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/worker/worker.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "tests/unit/worker/support.h"

#define MS UINT64_C(1000000)
/* From ARM to T: the worker arms nobody for a T that is past when it reads the order. */
#define LEAD (500 * MS)

static struct board board;
static struct err err;
static int link_fd;
static pid_t pid;

static void
setup(void)
{
	err = ERR_INIT;
	scratch_make();
}

static void
teardown(void)
{
	board_close(&board);
	scratch_remove();
}

static void
start(unsigned threads)
{
	struct job job;
	int pair[2];

	job_init(&job);
	job.numjobs = threads;
	ck_assert_int_eq(board_create(&board, &job, 10000 * MS, &err), 0);
	job_free(&job);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
	pid = fork();
	if (pid == 0) {
		close(pair[0]);
		_exit(worker_serve(pair[1], board.fd, &err) == 0 ? 0 : 1);
	}
	close(pair[1]);
	link_fd = pair[0];
}

static void
tell(enum link_kind kind, uint64_t value)
{
	struct link_msg msg = {.kind = kind, .value = value};

	ck_assert_msg(link_send(link_fd, &msg, NULL, &err) == 0, "%s", err.msg);
}

static void
prepare(const char *job)
{
	struct link_spec spec = spec_for(job);
	struct link_msg msg = {.kind = LINK_PREPARE};
	char *text = link_spec_encode(&spec);

	ck_assert_int_eq(link_send(link_fd, &msg, text, &err), 0);
	free(text);
	link_spec_free(&spec);
}

/* The next word has to be this one; its text, to be freed. */
static char *
hear(enum link_kind kind, struct link_msg *msg)
{
	char *text;

	ck_assert_int_eq(link_recv(link_fd, false, msg, &text, &err), 1);
	ck_assert_msg(msg->kind == kind, "heard %u, not %u: %s", msg->kind, kind,
	    text ? text : "");
	return text;
}

static void
expect(enum link_kind kind)
{
	struct link_msg msg;

	free(hear(kind, &msg));
}

static int
wait_exit(void)
{
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return status;
}

START_TEST(a_whole_run)
{
	struct link_msg msg;
	struct tally *tally;
	uint64_t t;

	start(2);
	prepare("rw=read\nbs=4k\nsize=1m\nnumjobs=2\nname=w\n");
	expect(LINK_READY);
	ck_assert_uint_eq(board_phase(&board), BOARD_PARKED);
	t = clock_ns() + 1000 * MS;
	tell(LINK_ARM, t);
	free(hear(LINK_ARMED, &msg));
	ck_assert_uint_eq(msg.value, t);
	tell(LINK_GO, 0);
	expect(LINK_DONE);
	tally = board_tally(&board, clock_ns());
	ck_assert_uint_eq(tally->dir[DIR_READ].phase[METER_INSIDE].ios, 512);
	ck_assert_uint_eq(tally->start_ns, t);
	ck_assert_uint_gt(tally->cpu_wall_ns, 0);
	tally_free(tally);
	tell(LINK_CLEAN, 0);
	ck_assert_int_eq(wait_exit(), 0);
	ck_assert_int_eq(access(scratch_path("volley-data/c1/w.1.0"), F_OK), 0);
}
END_TEST

START_TEST(clean_with_1_removes_its_files)
{
	start(1);
	prepare("rw=read\nbs=4k\nsize=64k\n");
	expect(LINK_READY);
	tell(LINK_CLEAN, 1);
	ck_assert_int_eq(wait_exit(), 0);
	ck_assert_int_eq(access(scratch_path("volley-data"), F_OK), -1);
}
END_TEST

START_TEST(no_go_is_told)
{
	start(1);
	prepare("ioengine=null\nrw=read\nbs=4k\nsize=1m\n");
	expect(LINK_READY);
	tell(LINK_ARM, clock_ns() + LEAD);
	expect(LINK_ARMED);
	expect(LINK_NOT_STARTED);
	tell(LINK_GO, 0); /* too late changes nothing */
	tell(LINK_CLEAN, 0);
	ck_assert_int_eq(wait_exit(), 0);
	ck_assert_uint_eq(board_thread(&board, 0)->submitted, 0);
}
END_TEST

START_TEST(a_bad_job_is_told)
{
	struct link_msg msg;
	char *text;

	start(1);
	prepare("rw=read\nbs=4k\nsize=1m\ntime_based=1\n");
	text = hear(LINK_FAILED, &msg);
	ck_assert_uint_eq(msg.code, ERR_USAGE);
	ck_assert_ptr_nonnull(text);
	free(text);
	tell(LINK_CLEAN, 0);
	ck_assert_int_eq(wait_exit(), 0);
}
END_TEST

START_TEST(a_path_outside_is_told)
{
	struct link_msg msg;
	char *text;

	start(1);
	prepare("rw=read\nbs=4k\nsize=1m\nfilename=../../etc/passwd\n");
	text = hear(LINK_FAILED, &msg);
	ck_assert_msg(msg.code == ERR_POLICY, "%s", text);
	ck_assert_str_eq(text, "layout: \"..\" is not allowed in a path");
	free(text);
	tell(LINK_CLEAN, 0);
	ck_assert_int_eq(wait_exit(), 0);
}
END_TEST

START_TEST(an_error_is_told_and_what_was_counted_stays)
{
	struct link_msg msg;
	struct tally *tally;
	char *text;

	start(2);
	prepare("rw=read\nbs=4k\nsize=1m\nnumjobs=2\nfault_error_every=5\n");
	expect(LINK_READY);
	tell(LINK_GO, 0); /* first, so that a slow machine cannot miss T */
	tell(LINK_ARM, clock_ns() + LEAD);
	expect(LINK_ARMED);
	text = hear(LINK_FAILED, &msg);
	ck_assert_uint_eq(msg.code, ERR_IO);
	ck_assert_uint_eq(msg.errnum, EIO);
	ck_assert_ptr_nonnull(strstr(text, "read of 4096 bytes at 16384 of "));
	free(text);
	tally = board_tally(&board, clock_ns());
	ck_assert_uint_eq(tally->dir[DIR_READ].phase[METER_INSIDE].ios, 8);
	ck_assert_uint_eq(tally->io_errors, 2);
	tally_free(tally);
	tell(LINK_CLEAN, 0);
	ck_assert_int_eq(wait_exit(), 0);
}
END_TEST

/* Runs an endless job until it has moved something. */
static void
run_endless(void)
{
	struct sample sample;

	start(2);
	prepare("ioengine=null\nrw=read\nbs=4k\nsize=1m\nnumjobs=2\ntime_based=1\n"
		"runtime=1h\n");
	expect(LINK_READY);
	tell(LINK_GO, 0); /* first, so that a slow machine cannot miss T */
	tell(LINK_ARM, clock_ns() + LEAD);
	expect(LINK_ARMED);
	do {
		board_sample(&board, clock_ns(), &sample);
	} while (sample.dir[DIR_READ].ios < 1000);
}

START_TEST(killed_it_leaves_its_numbers)
{
	struct tally *tally;

	run_endless();
	kill(pid, SIGKILL);
	ck_assert(WIFSIGNALED(wait_exit()));
	tally = board_tally(&board, clock_ns());
	ck_assert_uint_ge(tally->dir[DIR_READ].phase[METER_INSIDE].ios, 1000);
	ck_assert(tally->has_first_io);
	ck_assert_uint_eq(tally->dir[DIR_READ].lat.count > 0, 1);
	tally_free(tally);
}
END_TEST

START_TEST(stopped_it_is_done)
{
	run_endless();
	tell(LINK_STOP, 0);
	expect(LINK_DONE);
	ck_assert_uint_eq(board_phase(&board), BOARD_DONE);
	tell(LINK_CLEAN, 0);
	ck_assert_int_eq(wait_exit(), 0);
}
END_TEST

/* A stalled engine never drains: CLEAN ends the process all the same. */
START_TEST(clean_does_not_wait_for_what_hangs)
{
	struct sample sample;

	start(1);
	prepare("ioengine=null\nrw=read\nbs=4k\nsize=1m\nfault_stall_after=3\n");
	expect(LINK_READY);
	tell(LINK_GO, 0);
	tell(LINK_ARM, clock_ns() + LEAD);
	expect(LINK_ARMED);
	do {
		board_sample(&board, clock_ns(), &sample);
	} while (sample.dir[DIR_READ].ios < 3 || sample.outstanding < 1);
	tell(LINK_STOP, 0);
	tell(LINK_CLEAN, 0);
	ck_assert_int_eq(wait_exit(), 0);
}
END_TEST

START_TEST(without_its_agent_it_ends)
{
	run_endless();
	close(link_fd);
	ck_assert_int_eq(WEXITSTATUS(wait_exit()), 1);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/worker");
	TCase *tc = tcase_create("worker");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_whole_run);
	tcase_add_test(tc, clean_with_1_removes_its_files);
	tcase_add_test(tc, no_go_is_told);
	tcase_add_test(tc, a_bad_job_is_told);
	tcase_add_test(tc, a_path_outside_is_told);
	tcase_add_test(tc, an_error_is_told_and_what_was_counted_stays);
	tcase_add_test(tc, killed_it_leaves_its_numbers);
	tcase_add_test(tc, stopped_it_is_done);
	tcase_add_test(tc, clean_does_not_wait_for_what_hangs);
	tcase_add_test(tc, without_its_agent_it_ends);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
