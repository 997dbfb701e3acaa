/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The board: what a reader makes of it, also after its writer was killed.
 */
#include <check.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/worker/board.h"
#include "tests/unit/worker/support.h"

#define MS UINT64_C(1000000)
#define SECOND (1000 * MS)
#define T0 (100 * SECOND)

static struct board board;
static struct job job;
static struct err err;

static void
setup(void)
{
	err = ERR_INIT;
	job_init(&job);
	job.numjobs = 3;
	job.iodepth = 4;
	ck_assert_int_eq(board_create(&board, &job, 10 * SECOND, &err), 0);
}

static void
teardown(void)
{
	board_close(&board);
	job_free(&job);
}

static void
record(unsigned thread, enum dir dir, uint64_t start, uint64_t done, uint32_t bytes)
{
	struct meter_io io = {.dir = dir,
	    .bytes = bytes,
	    .has_slat = true,
	    .start = T0 + start,
	    .accepted = T0 + start + 10,
	    .done = T0 + done};

	meter_record(board_meter(&board, thread), &io);
}

/* Three threads, window [1 s, 2 s): one before, two inside, one after. */
static void
write_example(void)
{
	board.head->start_ns = T0;
	board.head->cpu_wall_ns = 3 * SECOND;
	board.head->cpu_user_ns = SECOND;
	for (unsigned i = 0; i < 3; i++) {
		meter_init(board_meter(&board, i), 10 * SECOND);
		meter_window(board_meter(&board, i), T0, SECOND, 2 * SECOND);
		board_thread(&board, i)->first_submit_ns = T0 + 100 * (i + 1);
		board_thread(&board, i)->end_ns = T0 + 2 * SECOND + 100 * (i + 1);
		board_thread(&board, i)->fifo = 1;
	}
	record(0, DIR_READ, 0, 999 * MS, 4096);
	record(0, DIR_READ, 1500 * MS - 100, 1500 * MS, 4096);
	record(1, DIR_READ, 1500 * MS - 300, 1500 * MS, 8192);
	record(2, DIR_READ, 1500 * MS, 2000 * MS, 4096);
	record(2, DIR_WRITE, 1600 * MS - 50, 1600 * MS, 512);
	board_flight(&board, 1)[2].since_ns = T0 + SECOND;
	board_flight(&board, 2)[0].since_ns = T0 + 2 * SECOND;
	board_thread(&board, 1)->errors = 2;
}

static void
check_example(struct board *seen)
{
	struct tally *tally = board_tally(seen, T0 + 5 * SECOND);
	const struct dir_tally *read = &tally->dir[DIR_READ];

	ck_assert_uint_eq(tally->start_ns, T0);
	ck_assert_uint_eq(tally->window_from, SECOND);
	ck_assert_uint_eq(tally->window_to, 2 * SECOND);
	ck_assert_uint_eq(tally->threads, 3);
	ck_assert(tally->has_first_io);
	ck_assert_int_eq(tally->first_io_ns, 100);
	ck_assert_int_eq(tally->last_first_io_ns, 300);
	ck_assert_uint_eq(tally->first_end_ns, 2 * SECOND + 100);
	ck_assert_uint_eq(tally->end_ns, 2 * SECOND + 300);
	ck_assert_uint_eq(tally->outstanding, 2);
	ck_assert_uint_eq(tally->oldest_outstanding_ns, 4 * SECOND);
	ck_assert_uint_eq(tally->io_errors, 2);
	ck_assert(tally->fifo);
	ck_assert(!tally->direct);
	ck_assert_uint_eq(tally->cpu_wall_ns, 3 * SECOND);
	ck_assert_uint_eq(read->phase[METER_BEFORE].ios, 1);
	ck_assert_uint_eq(read->phase[METER_INSIDE].ios, 2);
	ck_assert_uint_eq(read->phase[METER_INSIDE].bytes, 12288);
	ck_assert_uint_eq(read->phase[METER_AFTER].ios, 1);
	ck_assert_uint_eq(read->lat.count, 2);
	ck_assert_uint_eq(read->lat.sum, 400);
	ck_assert_uint_eq(read->slat.sum, 20);
	ck_assert_uint_eq(read->clat.sum, 380);
	ck_assert_uint_eq(read->drain.count, 1);
	ck_assert_uint_eq(read->slots.v[15].ios, 2);
	ck_assert_uint_eq(tally->dir[DIR_WRITE].phase[METER_INSIDE].bytes, 512);
	tally_free(tally);
}

START_TEST(threads_are_added_up)
{
	write_example();
	check_example(&board);
}
END_TEST

START_TEST(a_thread_by_itself)
{
	struct tally *tally;

	write_example();
	tally = board_tally(&board, T0);
	ck_assert(!tally->usage.known);
	tally_free(tally);
	for (unsigned i = 0; i < 3; i++) {
		board_thread(&board, i)->cpu_wall_ns = SECOND;
		board_thread(&board, i)->cpu_user_ns = 7 * (i + 1);
		board_thread(&board, i)->switches = 10 * (i + 1);
		board_thread(&board, i)->minor_faults = i;
	}
	tally = board_thread_tally(&board, 2, T0 + 5 * SECOND);
	ck_assert_uint_eq(tally->threads, 1);
	ck_assert_uint_eq(tally->cpu_user_ns, 21);
	ck_assert_uint_eq(tally->usage.switches, 30);
	ck_assert_int_eq(tally->first_io_ns, 300);
	ck_assert_uint_eq(tally->outstanding, 1);
	ck_assert_uint_eq(tally->io_errors, 0);
	ck_assert_uint_eq(tally->dir[DIR_READ].phase[METER_INSIDE].ios, 0);
	ck_assert_uint_eq(tally->dir[DIR_WRITE].phase[METER_INSIDE].bytes, 512);
	tally_free(tally);
	tally = board_tally(&board, T0);
	ck_assert(tally->usage.known);
	ck_assert_uint_eq(tally->usage.switches, 60);
	ck_assert_uint_eq(tally->usage.minor_faults, 3);
	tally_free(tally);
}
END_TEST

START_TEST(one_thread_without_fifo_is_enough_to_say_so)
{
	struct tally *tally;

	write_example();
	board_thread(&board, 2)->fifo = 0;
	tally = board_tally(&board, T0);
	ck_assert(!tally->fifo);
	tally_free(tally);
}
END_TEST

START_TEST(a_killed_writer_leaves_its_numbers)
{
	struct board theirs;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		write_example();
		kill(getpid(), SIGKILL);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(board_attach(&theirs, dup(board.fd), &err), 0);
	check_example(&theirs);
	board_close(&theirs);
}
END_TEST

START_TEST(nothing_has_happened_yet)
{
	struct tally *tally = board_tally(&board, T0);
	struct sample sample;

	ck_assert(!tally->has_first_io);
	ck_assert(!tally_has(tally, DIR_READ));
	ck_assert_uint_eq(tally->outstanding, 0);
	ck_assert_uint_eq(tally->cpu_wall_ns, 0);
	tally_free(tally);
	board_sample(&board, T0, &sample);
	ck_assert_uint_eq(sample.at_ns, 0);
	ck_assert_uint_eq(sample.dir[DIR_READ].ios, 0);
}
END_TEST

START_TEST(a_sample_is_cumulative)
{
	struct sample sample;

	write_example();
	board_sample(&board, T0 + 3 * SECOND, &sample);
	ck_assert_uint_eq(sample.at_ns, 3 * SECOND);
	ck_assert_uint_eq(sample.dir[DIR_READ].ios, 4);
	ck_assert_uint_eq(sample.dir[DIR_READ].bytes, 3 * 4096 + 8192);
	ck_assert_uint_eq(sample.dir[DIR_READ].lat_count, 2);
	ck_assert_uint_eq(sample.dir[DIR_READ].lat_sum_ns, 400);
	ck_assert_uint_eq(sample.outstanding, 2);
}
END_TEST

START_TEST(what_is_no_board_is_refused)
{
	struct board other;
	int fd = memfd_create("x", 0);

	ck_assert_int_eq(board_attach(&other, fd, &err), -1);
	ck_assert_str_eq(err.msg, "board: too small to be one");
	ck_assert_int_eq(ftruncate(fd, 65536), 0);
	ck_assert_int_eq(board_attach(&other, fd, &err), -1);
	ck_assert_str_eq(err.msg, "board: not of this build's layout");
	close(fd);
}
END_TEST

START_TEST(a_changed_layout_is_not_followed)
{
	struct board other;

	board.head->threads = 1u << 20;
	ck_assert_int_eq(board_attach(&other, dup(board.fd), &err), -1);
	ck_assert_ptr_eq(
	    board_thread(&board, 1), (char *)board.head + 4096 + board.thread_stride);
	write_example(); /* the creator's copy still holds */
	check_example(&board);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/board");
	TCase *tc = tcase_create("board");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, threads_are_added_up);
	tcase_add_test(tc, a_thread_by_itself);
	tcase_add_test(tc, one_thread_without_fifo_is_enough_to_say_so);
	tcase_add_test(tc, a_killed_writer_leaves_its_numbers);
	tcase_add_test(tc, nothing_has_happened_yet);
	tcase_add_test(tc, a_sample_is_cumulative);
	tcase_add_test(tc, what_is_no_board_is_refused);
	tcase_add_test(tc, a_changed_layout_is_not_followed);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
