/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One client from its job to its counts: every engine, exact numbers of I/Os,
 * the window, the barrier's last step, pacing, and faults.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/engine/engine.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "tests/unit/worker/support.h"

#define MS UINT64_C(1000000)
#define INSIDE(tally, d) ((tally)->dir[d].phase[METER_INSIDE])

static struct trial trial;
static struct tally *tally;

static void
setup(void)
{
	scratch_make();
}

static void
teardown(void)
{
	tally_free(tally);
	trial_end(&trial);
	scratch_remove();
}

static const struct {
	const char *engine, *depth;
} engines[] = {{"null", "1"}, {"null", "16"}, {"psync", "1"}, {"pvsync2", "1"},
    {"pvsync", "1"}, {"sync", "1"}, {"vsync", "1"}, {"mmap", "1"}, {"libaio", "1"}, {"libaio", "16"}, {"io_uring", "1"}, {"io_uring", "16"}};
#define ENGINES (sizeof engines / sizeof engines[0])

static bool
not_built(const char *name)
{
	struct err err = ERR_INIT;

	return !engine_find(name, &err) && err.code == ERR_UNSUPPORTED;
}

/* 2 threads × 1 MiB in 4 KiB: 512 I/Os, whatever engine and depth. */
START_TEST(size_bound_counts_are_exact)
{
	char *job;
	bool slat;

	if (not_built(engines[_i].engine)) {
		printf("%s is not built\n", engines[_i].engine);
		return;
	}
	job = mem_printf("ioengine=%s\niodepth=%s\nrw=randread\nbs=4096\nsize=1m\n"
			 "numjobs=2\nchecked=1\n",
	    engines[_i].engine, engines[_i].depth);
	tally = trial_run(&trial, job);
	free(job);
	ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios, 512);
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).bytes, 2097152);
	ck_assert_uint_eq(tally->dir[DIR_READ].lat.count, 512);
	ck_assert_uint_eq(tally->dir[DIR_READ].clat.count, 512);
	slat = strcmp(engines[_i].engine, "null") == 0
		   ? strcmp(engines[_i].depth, "1") != 0
		   : strcmp(engines[_i].engine, "libaio") == 0 ||
			 strcmp(engines[_i].engine, "io_uring") == 0;
	ck_assert_uint_eq(tally->dir[DIR_READ].slat.count, slat ? 512 : 0);
	ck_assert(!tally_has(tally, DIR_WRITE));
	ck_assert_uint_eq(tally->outstanding, 0);
	ck_assert_uint_eq(tally->window_to, UINT64_MAX);
	ck_assert_uint_eq(board_phase(&trial.board), BOARD_DONE);
}
END_TEST

START_TEST(slat_and_clat_make_lat)
{
	tally =
	    trial_run(&trial, "ioengine=null\niodepth=8\nrw=read\nbs=4k\nsize=4m\n");
	ck_assert_uint_eq(tally->dir[0].lat.count, 1024);
	ck_assert_uint_eq(
	    tally->dir[0].slat.sum + tally->dir[0].clat.sum, tally->dir[0].lat.sum);
	/* The clock was read at each of the three moments: none of the spans is empty. */
	ck_assert_uint_gt(tally->dir[0].slat.sum, 0);
	ck_assert_uint_gt(tally->dir[0].clat.sum, 0);
}
END_TEST

START_TEST(batches_and_odd_sizes)
{
	/* 1 MiB + 4 KiB in batches of 5 at depth 7, reaped at least 3 at a time */
	tally = trial_run(&trial,
	    "ioengine=null\niodepth=7\niodepth_batch=5\niodepth_batch_complete_min=3\n"
	    "rw=randread\nbs=4k\nsize=1028k\nchecked=1\n");
	ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios, 257);
}
END_TEST

START_TEST(io_size_moves_less_or_more_than_size)
{
	tally = trial_run(&trial, "rw=read\nbs=4k\nsize=64k\nio_size=256k\n");
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios, 64);
}
END_TEST

START_TEST(the_first_submit_is_after_t)
{
	uint64_t t;

	trial_prepare(
	    &trial, spec_for("ioengine=null\nrw=read\nbs=4k\nsize=1m\nnumjobs=4\n"));
	t = clock_ns() + 20 * MS;
	client_arm(trial.client, clock_ns() + 3600000 * MS);
	client_arm(trial.client, t); /* the latest T holds */
	client_go(trial.client);
	ck_assert_int_eq(trial_wait(&trial), CLIENT_DONE);
	tally = board_tally(&trial.board, clock_ns());
	ck_assert_uint_eq(tally->start_ns, t);
	ck_assert(tally->has_first_io);
	ck_assert_int_ge(tally->first_io_ns, 0);
	ck_assert_int_ge(tally->last_first_io_ns, tally->first_io_ns);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_uint_ge(board_thread(&trial.board, i)->first_submit_ns, t);
}
END_TEST

START_TEST(without_go_nothing_starts)
{
	trial_prepare(
	    &trial, spec_for("ioengine=null\nrw=read\nbs=4k\nsize=1m\nnumjobs=4\n"));
	client_arm(trial.client, clock_ns() + MS);
	ck_assert_int_eq(trial_wait(&trial), CLIENT_NOT_STARTED);
	tally = board_tally(&trial.board, clock_ns());
	ck_assert(!tally->has_first_io);
	ck_assert(!tally_has(tally, DIR_READ));
	ck_assert_uint_eq(board_phase(&trial.board), BOARD_NOT_STARTED);
}
END_TEST

START_TEST(a_stop_before_t_ends_it)
{
	trial_prepare(
	    &trial, spec_for("ioengine=null\nrw=read\nbs=4k\nsize=1m\nnumjobs=2\n"));
	client_go(trial.client);
	client_arm(trial.client, clock_ns() + 3600000 * MS);
	client_stop(trial.client);
	ck_assert_int_eq(trial_wait(&trial), CLIENT_DONE);
	tally = board_tally(&trial.board, clock_ns());
	ck_assert(!tally->has_first_io);
}
END_TEST

START_TEST(a_stop_ends_an_endless_job)
{
	struct sample sample;

	trial_prepare(&trial,
	    spec_for("ioengine=null\niodepth=4\nrw=read\nbs=4k\nsize=1m\ntime_based=1\n"
		     "runtime=1h\n"));
	client_go(trial.client);
	client_arm(trial.client, clock_ns());
	do {
		board_sample(&trial.board, clock_ns(), &sample);
	} while (sample.dir[DIR_READ].ios < 1000);
	client_stop(trial.client);
	ck_assert_int_eq(trial_wait(&trial), CLIENT_DONE);
	tally = board_tally(&trial.board, clock_ns());
	ck_assert_uint_ge(INSIDE(tally, DIR_READ).ios, 1000);
	ck_assert_uint_eq(tally->outstanding, 0);
	ck_assert_uint_eq(tally->window_to, 3600000 * MS);
}
END_TEST

/* A rate of one I/O in 1000 s: the thread sleeps, and a stop wakes it. */
START_TEST(a_stop_wakes_a_paced_thread)
{
	struct sample sample;

	trial_prepare(&trial,
	    spec_for(
		"ioengine=null\nrw=read\nbs=4k\nsize=1m\ntime_based=1\nruntime=1h\n"
		"thinktime=1000s\n"));
	client_go(trial.client);
	client_arm(trial.client, clock_ns());
	do {
		board_sample(&trial.board, clock_ns(), &sample);
	} while (sample.dir[DIR_READ].ios < 1);
	client_stop(trial.client);
	ck_assert_int_eq(trial_wait(&trial), CLIENT_DONE);
	tally = board_tally(&trial.board, clock_ns());
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios, 1);
}
END_TEST

/* Time-based: everything is classed, rates are over the window, the sums agree. */
START_TEST(the_window_is_fixed)
{
	const struct dir_tally *read;
	uint64_t all = 0, before_slots = 0;

	tally = trial_run(&trial,
	    "ioengine=null\niodepth=8\nrw=randread\nbs=4k\nsize=1m\ntime_based=1\n"
	    "ramp_time=200ms\nruntime=300ms\n");
	read = &tally->dir[DIR_READ];
	ck_assert_uint_eq(tally->window_from, 200 * MS);
	ck_assert_uint_eq(tally->window_to, 500 * MS);
	ck_assert_uint_gt(read->phase[METER_BEFORE].ios, 0);
	ck_assert_uint_gt(read->phase[METER_INSIDE].ios, 0);
	ck_assert_uint_eq(read->lat.count, read->phase[METER_INSIDE].ios);
	ck_assert_uint_eq(read->clat.count, read->phase[METER_INSIDE].ios);
	ck_assert_uint_eq(read->drain.count, read->phase[METER_AFTER].ios);
	ck_assert_uint_le(read->phase[METER_AFTER].ios, 8); /* no submits behind it */
	for (size_t i = 0; i < read->slots.n; i++) {
		all += read->slots.v[i].ios;
		before_slots += i < 2 ? read->slots.v[i].ios : 0;
	}
	ck_assert_uint_eq(before_slots, read->phase[METER_BEFORE].ios);
	ck_assert_uint_eq(all, read->phase[METER_BEFORE].ios +
				   read->phase[METER_INSIDE].ios +
				   read->phase[METER_AFTER].ios);
	ck_assert_uint_ge(tally->end_ns, 500 * MS);
}
END_TEST

/* 10 ms apart from T on: the 31st would be at the end of the window, 300 ms. */
START_TEST(a_rate_gives_its_count)
{
	const struct dir_tally *read;

	tally = trial_run(&trial,
	    "ioengine=null\nrw=read\nbs=4k\nsize=1m\ntime_based=1\nruntime=300ms\n"
	    "rate_iops=100\n");
	read = &tally->dir[DIR_READ];
	ck_assert_uint_eq(
	    read->phase[METER_INSIDE].ios + read->phase[METER_AFTER].ios, 30);
	ck_assert_uint_eq(read->response.count, read->phase[METER_INSIDE].ios);
	/* Response counts from the intended start, so it is never below lat. */
	ck_assert_uint_ge(read->response.sum, read->lat.sum);
}
END_TEST

START_TEST(writes_are_fresh_and_even)
{
	enum { BLOCKS = 1024 * 1024 / 512 };
	static uint64_t hashes[BLOCKS];
	char *path, *data = mem_alloc(1 << 20);
	bool twice = false, similar = false;
	int fd;

	tally = trial_run(&trial, "rw=write\nbs=4k\nsize=1m\nfilename=f\n");
	ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
	ck_assert_uint_eq(INSIDE(tally, DIR_WRITE).ios, 256);
	path = mem_strdup(scratch_path("f"));
	fd = open(path, O_RDONLY);
	ck_assert_int_eq(read(fd, data, 1 << 20), 1 << 20);
	for (size_t i = 0; i < BLOCKS; i++)
		hashes[i] = hash_fnv1a(data + i * 512, 512);
	for (size_t i = 0; i < BLOCKS; i++)
		for (size_t k = i + 1; k < BLOCKS; k++)
			twice = twice || hashes[i] == hashes[k];
	/* Similar blocks would share words at the same place. */
	for (size_t i = 4096; i < 1 << 20; i += 8)
		similar = similar || memcmp(data + i, data + i - 4096, 8) == 0;
	ck_assert(!twice);
	ck_assert(!similar);
	close(fd);
	free(path);
	free(data);
}
END_TEST

START_TEST(mixed_directions_add_up)
{
	tally = trial_run(&trial, "rw=randrw\nrwmixread=70\nbs=4k\nsize=1600k\n");
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios, 280);
	ck_assert_uint_eq(INSIDE(tally, DIR_WRITE).ios, 120);
}
END_TEST

START_TEST(fsync_comes_every_n_writes)
{
	tally = trial_run(&trial, "rw=write\nbs=4k\nsize=100k\nfsync=4\nend_fsync=1\n");
	ck_assert_uint_eq(INSIDE(tally, DIR_WRITE).ios, 25);
	ck_assert_uint_eq(tally->dir[DIR_WRITE].sync.count, 6);
}
END_TEST

/* A sync comes before the next I/O, so none is behind the last. */
START_TEST(the_last_write_has_no_fsync)
{
	tally = trial_run(&trial, "rw=write\nbs=4k\nsize=96k\nfsync=4\nend_fsync=1\n");
	ck_assert_uint_eq(INSIDE(tally, DIR_WRITE).ios, 24);
	ck_assert_uint_eq(tally->dir[DIR_WRITE].sync.count, 5);
}
END_TEST

START_TEST(fdatasync_with_a_queue)
{
	if (not_built("libaio"))
		return;
	tally = trial_run(&trial,
	    "ioengine=libaio\niodepth=8\nrw=write\nbs=4k\nsize=96k\nfdatasync=8\n");
	ck_assert_uint_eq(INSIDE(tally, DIR_WRITE).ios, 24);
	ck_assert_uint_eq(tally->dir[DIR_WRITE].sync.count, 2);
}
END_TEST

START_TEST(short_io_is_counted_once)
{
	tally = trial_run(
	    &trial, "rw=randread\nbs=8k\nsize=512k\nfault_short_every=3\nchecked=1\n");
	ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios, 64);
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).bytes, 512 * 1024);
	ck_assert_uint_eq(tally->outstanding, 0);
	/* each remainder is a submit of its own */
	ck_assert_uint_gt(board_thread(&trial.board, 0)->submitted, 64);
	ck_assert_uint_eq(board_thread(&trial.board, 0)->completed, 64);
}
END_TEST

/* The 10th I/O fails: 9 are counted, the message names file, place and reason. */
START_TEST(an_error_ends_the_thread_and_is_named)
{
	tally = trial_run(
	    &trial, "rw=read\nbs=4k\nsize=256k\nfault_error_every=10\nname=e\n");
	ck_assert_int_eq(trial.state, CLIENT_FAILED);
	ck_assert_int_eq(trial.err.code, ERR_IO);
	ck_assert_int_eq(trial.err.errnum, EIO);
	ck_assert_ptr_nonnull(strstr(trial.err.msg, "read of 4096 bytes at 36864 of "));
	ck_assert_ptr_nonnull(
	    strstr(trial.err.msg, "/volley-data/c1/e.0.0: Input/output error"));
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios, 9);
	ck_assert_uint_eq(tally->io_errors, 1);
	ck_assert_uint_eq(tally->outstanding, 0);
	ck_assert_uint_eq(board_phase(&trial.board), BOARD_FAILED);
}
END_TEST

START_TEST(a_full_device_is_an_error)
{
	tally = trial_run(
	    &trial, "rw=write\nbs=4k\nsize=256k\nnumjobs=2\nfault_enospc_after=64k\n");
	ck_assert_int_eq(trial.state, CLIENT_FAILED);
	ck_assert_int_eq(trial.err.errnum, ENOSPC);
	ck_assert_uint_eq(INSIDE(tally, DIR_WRITE).bytes, 2 * 65536);
	ck_assert_uint_eq(tally->io_errors, 2);
}
END_TEST

START_TEST(errors_with_a_queue_leave_nothing_behind)
{
	tally = trial_run(&trial,
	    "ioengine=null\niodepth=16\nrw=read\nbs=4k\nsize=1m\nfault_error_every=20\n"
	    "checked=1\n");
	ck_assert_int_eq(trial.state, CLIENT_FAILED);
	ck_assert_uint_eq(tally->outstanding, 0);
	ck_assert_uint_ge(INSIDE(tally, DIR_READ).ios, 19);
}
END_TEST

/* What hangs stays visible from outside: how many, since when, where. */
START_TEST(a_stall_is_seen_on_the_board)
{
	struct sample sample;
	uint64_t now;

	trial_prepare(
	    &trial, spec_for("ioengine=null\niodepth=4\nrw=read\nbs=4k\nsize=1m\n"
			     "fault_stall_after=10\n"));
	client_go(trial.client);
	client_arm(trial.client, clock_ns());
	do {
		now = clock_ns();
		board_sample(&trial.board, now, &sample);
	} while (sample.dir[DIR_READ].ios < 10 || sample.outstanding < 4);
	tally = board_tally(&trial.board, clock_ns() + MS);
	ck_assert_uint_eq(tally->outstanding, 4);
	ck_assert_uint_ge(tally->oldest_outstanding_ns, MS);
	ck_assert_uint_eq(
	    __atomic_load_n(&board_flight(&trial.board, 0)[0].bytes, __ATOMIC_RELAXED),
	    4096);
	scratch_remove();
	raise(SIGKILL); /* its thread can never be joined */
}
END_TEST

START_TEST(the_delay_is_seen_in_clat)
{
	tally = trial_run(&trial,
	    "ioengine=null\nrw=read\nbs=4k\nsize=40k\nfault_delay=5ms\niodepth=2\n");
	ck_assert_uint_eq(tally->dir[0].clat.count, 10);
	ck_assert_uint_ge(tally->dir[0].clat.min, 5 * MS);
}
END_TEST

START_TEST(bad_jobs_are_refused_before_anything_is_made)
{
	trial_prepare(&trial, spec_for("rw=read\nbs=4k\nsize=1m\ntime_based=1\n"));
	ck_assert_int_eq(trial.state, CLIENT_FAILED);
	ck_assert_ptr_nonnull(strstr(trial.err.msg, "runtime"));
	ck_assert_int_eq(access(scratch_path("volley-data"), F_OK), -1);
	tally = NULL;
}
END_TEST

START_TEST(an_unknown_user_is_refused)
{
	trial_prepare(
	    &trial, spec_for("rw=read\nbs=4k\nsize=1m\nuser=nobody-of-that-name\n"));
	ck_assert_int_eq(trial.state, CLIENT_FAILED);
	ck_assert_str_eq(
	    trial.err.msg, "user nobody-of-that-name does not exist on this host");
	tally = NULL;
}
END_TEST

/* As root: files belong to the user, and what he may not touch stays closed. */
START_TEST(it_becomes_the_user)
{
	struct stat st;

	tally = NULL;
	if (getuid() != 0) {
		trial_prepare(&trial, spec_for("rw=read\nbs=4k\nsize=1m\nuser=root\n"));
		ck_assert_int_eq(trial.state, CLIENT_FAILED);
		ck_assert_int_eq(trial.err.errnum, EPERM);
		return;
	}
	ck_assert_int_eq(chmod(scratch, 0777), 0);
	tally = trial_run(&trial, "rw=write\nbs=4k\nsize=64k\nuser=nobody\nname=u\n");
	ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
	ck_assert_int_eq(stat(scratch_path("volley-data/c1/u.0.0"), &st), 0);
	ck_assert_int_ne(st.st_uid, 0);
}
END_TEST

START_TEST(one_file_for_all_threads)
{
	scratch_file("one", 1 << 20);
	tally =
	    trial_run(&trial, "rw=randread\nbs=4k\nsize=1m\nfilename=one\nnumjobs=3\n");
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios, 3 * 256);
}
END_TEST

START_TEST(direct_is_reported)
{
	tally = trial_run(&trial, "rw=read\nbs=4k\nsize=64k\ndirect=auto\n");
	ck_assert_int_eq(trial.state, CLIENT_DONE);
	ck_assert_int_eq(tally->direct, trial.board.head->direct != 0);
}
END_TEST

START_TEST(buffered_is_reported)
{
	tally = trial_run(&trial, "rw=read\nbs=4k\nsize=64k\n");
	ck_assert(!tally->direct);
}
END_TEST

/* Every 4th of 64 fails: the others are counted, and the job ends well. */
START_TEST(errors_may_be_gone_on_from)
{
	tally = trial_run(&trial,
	    "rw=read\nbs=4k\nsize=256k\nfault_error_every=4\ncontinue_on_error=read\n");
	ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios, 48);
	ck_assert_uint_eq(tally->io_errors, 16);
}
END_TEST

static const char *const not_tolerated[] = {
    "rw=read\nbs=4k\nsize=256k\nfault_error_every=4\ncontinue_on_error=write\n",
    "rw=read\nbs=4k\nsize=256k\nfault_error_every=4\nfault_errno=EINVAL\n"
    "continue_on_error=all\n"};

START_TEST(other_errors_end_it)
{
	tally = trial_run(&trial, not_tolerated[_i]);
	ck_assert_int_eq(trial.state, CLIENT_FAILED);
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios, 3);
}
END_TEST

/* One thread finds its file cut off; the other would run for an hour. */
START_TEST(a_failure_ends_the_others)
{
	trial_prepare(&trial,
	    spec_for("rw=read\nbs=4k\nsize=64k\nnumjobs=2\ntime_based=1\n"
		     "runtime=1h\nexitall_on_error=1\n"));
	ck_assert_msg(trial.state == CLIENT_READY, "%s", trial.err.msg);
	ck_assert_int_eq(truncate(scratch_path("volley-data/c1/job.1.0"), 4096), 0);
	client_go(trial.client);
	client_arm(trial.client, clock_ns());
	ck_assert_int_eq(trial_wait(&trial), CLIENT_FAILED);
	ck_assert_ptr_nonnull(strstr(trial.err.msg, "job.1.0"));
	tally = board_tally(&trial.board, clock_ns());
	ck_assert_uint_eq(tally->outstanding, 0);
}
END_TEST

/* A CPU that this host has not is an error before anything starts. */
START_TEST(a_place_that_is_not_there)
{
	trial_prepare(&trial,
	    spec_for("rw=read\nbs=4k\nsize=64k\nnumjobs=2\ncpus_allowed=1023\n"));
	ck_assert_int_eq(trial.state, CLIENT_FAILED);
	ck_assert_ptr_nonnull(strstr(trial.err.msg, "cpus_allowed: none of these"));
}
END_TEST

/* The window begins when the delay is over, and the barrier's figures know of it. */
START_TEST(a_delay_moves_the_window)
{
	tally = trial_run(&trial,
	    "ioengine=null\nrw=read\nbs=4k\nsize=1m\ntime_based=1\nruntime=50ms\n"
	    "startdelay=30ms\nramp_time=20ms\nrate_iops=1000\n");
	ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
	ck_assert_uint_eq(tally->window_from, 50 * MS);
	ck_assert_uint_eq(tally->window_to, 100 * MS);
	ck_assert_uint_ge(
	    board_thread(&trial.board, 0)->first_submit_ns, tally->start_ns + 30 * MS);
	ck_assert_int_lt(tally->first_io_ns, (int64_t)(25 * MS));
	/* 20 + 50 of 1 ms are due, before and in the window. */
	ck_assert_uint_ge(tally->dir[0].phase[METER_BEFORE].ios, 1);
	ck_assert_uint_le(INSIDE(tally, DIR_READ).ios, 71);
	ck_assert_uint_ge(tally->end_ns, 95 * MS);
}
END_TEST

/* Each of the threads draws its own; the first that is through ends the others. */
START_TEST(delays_of_a_range_and_exitall)
{
	unsigned last = 0;

	tally = trial_run(&trial,
	    "ioengine=null\nrw=read\nbs=4k\nsize=4k\nnumjobs=8\n"
	    "startdelay=1ms-10s\nexitall=1\nrandseed=5\n");
	ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
	for (unsigned i = 0; i < 8; i++) {
		const struct board_thread *thread = board_thread(&trial.board, i);

		ck_assert_uint_ge(thread->delay_ns, MS);
		ck_assert_uint_le(thread->delay_ns, 10000 * MS);
		if (thread->delay_ns > board_thread(&trial.board, last)->delay_ns)
			last = i;
	}
	ck_assert_uint_gt(board_thread(&trial.board, last)->delay_ns, 5000 * MS);
	ck_assert_uint_eq(board_thread(&trial.board, last)->first_submit_ns, 0);
	ck_assert(tally->has_first_io);
}
END_TEST

START_TEST(a_stop_ends_a_delay)
{
	trial_prepare(
	    &trial, spec_for("ioengine=null\nrw=read\nbs=4k\nsize=1m\nstartdelay=1h\n"));
	client_go(trial.client);
	client_arm(trial.client, clock_ns());
	client_stop(trial.client);
	ck_assert_int_eq(trial_wait(&trial), CLIENT_DONE);
	tally = board_tally(&trial.board, clock_ns());
	ck_assert(!tally->has_first_io);
}
END_TEST

START_TEST(too_slow_an_io_ends_the_job)
{
	tally = trial_run(&trial,
	    "ioengine=null\niodepth=2\nrw=read\nbs=4k\nsize=64k\nfault_delay=5ms\n"
	    "max_latency=1ms\n");
	ck_assert_int_eq(trial.state, CLIENT_FAILED);
	ck_assert_int_eq(trial.err.errnum, ETIMEDOUT);
	ck_assert_ptr_nonnull(strstr(trial.err.msg, "max_latency is 1"));
	ck_assert_uint_eq(tally->outstanding, 0);
	ck_assert_uint_le(INSIDE(tally, DIR_READ).ios, 3);
}
END_TEST

/* It doubles from 1 to 8, is confirmed, and that is the end, long before runtime. */
START_TEST(a_depth_is_sought)
{
	tally = trial_run(&trial,
	    "ioengine=null\niodepth=8\nrw=randread\nbs=4k\nsize=1m\ntime_based=1\n"
	    "runtime=1h\nfault_delay=100us\nlatency_target=10s\nlatency_window=10ms\n"
	    "checked=1\n");
	ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
	ck_assert_uint_gt(INSIDE(tally, DIR_READ).ios, 0);
	ck_assert_uint_ge(tally->end_ns, 50 * MS);
	ck_assert_uint_eq(tally->outstanding, 0);
}
END_TEST

/* 16 I/Os with a pause of 2 ms after each 4: three pauses lie between them. */
START_TEST(thinktime_with_a_queue)
{
	tally = trial_run(&trial,
	    "ioengine=null\niodepth=4\nrw=read\nbs=4k\nsize=64k\nthinktime=2ms\n"
	    "thinktime_blocks=4\nthinktime_spin=1ms\nchecked=1\n");
	ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios, 16);
	ck_assert_uint_ge(tally->end_ns, 6 * MS);
}
END_TEST

static unsigned
files_below(const char *name)
{
	DIR *d = opendir(scratch_path(name));
	struct dirent *entry;
	unsigned n = 0;

	while (d && (entry = readdir(d)))
		n += entry->d_name[0] != '.';
	if (d)
		closedir(d);
	return n;
}

/* Every file of the list gets its share, in turn. */
START_TEST(several_names)
{
	struct stat st;

	tally = trial_run(&trial,
	    "rw=write\nbs=4k\nsize=48k\nfilename=a\\:b:c\nchecked=1\nfsync_on_close=1\n");
	ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
	ck_assert_uint_eq(INSIDE(tally, DIR_WRITE).ios, 12);
	ck_assert_int_eq(stat(scratch_path("a:b"), &st), 0);
	ck_assert_int_eq(st.st_size, 24576);
	ck_assert_int_eq(stat(scratch_path("c"), &st), 0);
	ck_assert_int_eq(st.st_size, 24576);
}
END_TEST

START_TEST(laid_out_and_nothing_more)
{
	tally = trial_run(
	    &trial, "rw=read\nbs=4k\nsize=64k\nnumjobs=3\nnrfiles=2\ncreate_only=1\n");
	ck_assert_int_eq(trial.state, CLIENT_DONE);
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios, 0);
	ck_assert(!tally->has_first_io);
	ck_assert_uint_eq(files_below("volley-data/c1"), 6);
}
END_TEST

START_TEST(removed_at_the_end)
{
	scratch_file("theirs", 65536);
	tally = trial_run(&trial, "rw=read\nbs=4k\nsize=64k\nnumjobs=3\nunlink=1\n");
	ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios, 48);
	ck_assert_uint_eq(files_below("volley-data/c1"), 0);
}
END_TEST

START_TEST(what_is_not_ours_is_not_removed)
{
	scratch_file("theirs", 65536);
	tally = trial_run(
	    &trial, "rw=read\nbs=4k\nsize=64k\nfilename=theirs\nunlink=1\n");
	ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
	ck_assert_int_eq(access(scratch_path("theirs"), F_OK), 0);
}
END_TEST

/* 16 writes, one sync_file_range after each 4 but the last. */
START_TEST(ranges_are_synced)
{
	tally = trial_run(&trial,
	    "rw=randwrite\nbs=4k\nsize=64k\nnrfiles=2\n"
	    "sync_file_range=wait_before,write,wait_after:4\n");
	ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
	ck_assert_uint_eq(INSIDE(tally, DIR_WRITE).ios, 16);
	ck_assert_uint_eq(tally->dir[DIR_WRITE].sync.count, 3);
}
END_TEST

START_TEST(a_full_device_is_the_end)
{
	tally = trial_run(&trial,
	    "rw=write\nbs=4k\nsize=1m\nfill_device=1\nfault_enospc_after=64k\n");
	ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
	ck_assert_uint_eq(INSIDE(tally, DIR_WRITE).ios, 16);
	ck_assert_uint_eq(tally->io_errors, 0);
}
END_TEST

/* 40 files, 3 of them open: each block is moved once all the same. */
START_TEST(few_files_open_at_a_time)
{
	static const char *const engines_[] = {"psync\n", "io_uring\niodepth=4\nregisterfiles=1\n",
	    "libaio\niodepth=4\n", "mmap\n"};
	char *job = mem_printf("rw=randrw\nbs=4k\nsize=640k\nnrfiles=40\nopenfiles=3\n"
			       "checked=1\nfsync_on_close=1\nioengine=%s", engines_[_i]);

	tally = trial_run(&trial, job);
	free(job);
	ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios + INSIDE(tally, DIR_WRITE).ios, 160);
}
END_TEST

static const char *const odds[] = {"sync=dsync\nrw=write\n", "sync=1\nrw=randwrite\n",
    "pre_read=1\nrw=read\n", "invalidate=0\nrw=read\n", "fadvise_hint=random\nrw=read\n",
    "create_fsync=0\nrw=read\n", "mem=mmapshared\niomem_align=512\nrw=read\n",
    "mem=shm\nrw=write\n", "overwrite=1\nrw=write\n", "layout=fio\nrw=write\n",
    "layout=fio\nfallocate=none\nrw=randwrite\n", "create_on_open=1\nrw=write\n",
    "filesize=32k\nnrfiles=2\nrw=write\n", "filename_format=$filenum/$jobnum\nrw=read\n",
    "filename_format=one\nrw=read\n",
    "nrfiles=4\nfile_service_type=sequential\nrw=read\n",
    "nrfiles=4\nfile_service_type=roundrobin:2\nrw=randwrite\n",
    "nrfiles=4\nfile_service_type=random\nrw=randread\n",
    "filesize=16k-32k\nnrfiles=8\nrw=read\n"};

START_TEST(as_many_with_any_of_these)
{
	char *job = mem_printf("bs=4k\nsize=64k\nnumjobs=2\nchecked=1\n%s", odds[_i]);

	tally = trial_run(&trial, job);
	free(job);
	ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios + INSIDE(tally, DIR_WRITE).ios, 32);
}
END_TEST

static const char *const uring[] = {"fixedbufs=1\n", "registerfiles=1\nnrfiles=4\n",
    "sqthread_poll=1\n", "nonvectored=1\n",
    "fixedbufs=1\nregisterfiles=1\nsqthread_poll=1\nsqthread_poll_cpu=0\n"};

START_TEST(options_of_io_uring)
{
	char *job = mem_printf("ioengine=io_uring\niodepth=8\nrw=randrw\nbs=4k\nsize=1m\n"
			       "checked=1\n%s",
	    uring[_i]);

	if (not_built("io_uring")) {
		printf("io_uring is not built\n");
		free(job);
		return;
	}
	tally = trial_run(&trial, job);
	free(job);
	ck_assert_msg(trial.state == CLIENT_DONE, "%s", trial.err.msg);
	ck_assert_uint_eq(INSIDE(tally, DIR_READ).ios + INSIDE(tally, DIR_WRITE).ios, 256);
}
END_TEST

START_TEST(what_the_kernel_cannot_poll)
{
	if (not_built("io_uring")) {
		printf("io_uring is not built\n");
		return;
	}
	trial_prepare(&trial,
	    spec_for("ioengine=io_uring\nrw=read\nbs=4k\nsize=64k\nhipri=1\n"));
	ck_assert_int_eq(trial.state, CLIENT_FAILED);
	ck_assert_ptr_nonnull(strstr(trial.err.msg, "hipri polls devices"));
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/client");
	TCase *tc = tcase_create("client");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, size_bound_counts_are_exact, 0, (int)ENGINES);
	tcase_add_test(tc, slat_and_clat_make_lat);
	tcase_add_test(tc, batches_and_odd_sizes);
	tcase_add_test(tc, io_size_moves_less_or_more_than_size);
	tcase_add_test(tc, the_first_submit_is_after_t);
	tcase_add_test(tc, without_go_nothing_starts);
	tcase_add_test(tc, a_stop_before_t_ends_it);
	tcase_add_test(tc, a_stop_ends_an_endless_job);
	tcase_add_test(tc, a_stop_wakes_a_paced_thread);
	tcase_add_test(tc, the_window_is_fixed);
	tcase_add_test(tc, a_rate_gives_its_count);
	tcase_add_test(tc, writes_are_fresh_and_even);
	tcase_add_test(tc, mixed_directions_add_up);
	tcase_add_test(tc, fsync_comes_every_n_writes);
	tcase_add_test(tc, the_last_write_has_no_fsync);
	tcase_add_test(tc, fdatasync_with_a_queue);
	tcase_add_test(tc, short_io_is_counted_once);
	tcase_add_test(tc, an_error_ends_the_thread_and_is_named);
	tcase_add_test(tc, a_full_device_is_an_error);
	tcase_add_test(tc, errors_with_a_queue_leave_nothing_behind);
	tcase_add_test_raise_signal(tc, a_stall_is_seen_on_the_board, SIGKILL);
	tcase_add_test(tc, the_delay_is_seen_in_clat);
	tcase_add_test(tc, bad_jobs_are_refused_before_anything_is_made);
	tcase_add_test(tc, an_unknown_user_is_refused);
	tcase_add_test(tc, it_becomes_the_user);
	tcase_add_test(tc, one_file_for_all_threads);
	tcase_add_test(tc, direct_is_reported);
	tcase_add_test(tc, buffered_is_reported);
	tcase_add_test(tc, errors_may_be_gone_on_from);
	tcase_add_loop_test(tc, other_errors_end_it, 0, 2);
	tcase_add_test(tc, a_failure_ends_the_others);
	tcase_add_test(tc, a_place_that_is_not_there);
	tcase_add_test(tc, a_delay_moves_the_window);
	tcase_add_test(tc, delays_of_a_range_and_exitall);
	tcase_add_test(tc, a_stop_ends_a_delay);
	tcase_add_test(tc, too_slow_an_io_ends_the_job);
	tcase_add_test(tc, a_depth_is_sought);
	tcase_add_test(tc, thinktime_with_a_queue);
	tcase_add_test(tc, several_names);
	tcase_add_test(tc, laid_out_and_nothing_more);
	tcase_add_test(tc, removed_at_the_end);
	tcase_add_test(tc, what_is_not_ours_is_not_removed);
	tcase_add_test(tc, ranges_are_synced);
	tcase_add_test(tc, a_full_device_is_the_end);
	tcase_add_loop_test(tc, few_files_open_at_a_time, 0, 4);
	tcase_add_loop_test(tc, as_many_with_any_of_these, 0, sizeof odds / sizeof odds[0]);
	tcase_add_loop_test(tc, options_of_io_uring, 0, sizeof uring / sizeof uring[0]);
	tcase_add_test(tc, what_the_kernel_cannot_poll);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
