/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract of engine.h, over every engine of this build: bare, under the
 * checker, and under the checker with a fault wrapper that only delays.
 */
#include "tests/contract/rig.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/base/clock.h"

#define SHORT_NS UINT64_C(5000000)
#define MIB (UINT64_C(1) << 20)
#define VARIANTS_MAX 64

static struct variant {
	const char *name;
	enum rig_wrap wrap;
	struct job_engine_opts opts;
} variants[VARIANTS_MAX];
static int nvariants;

static void
open_variant(struct rig *rig, int i, unsigned depth)
{
	rig->job.engine = variants[i].opts;
	rig_open(rig, variants[i].name, variants[i].wrap, depth, 1, MIB, 2 * RIG_BLOCK);
}

static unsigned
prepare_reads(struct rig *rig, struct io **ret, unsigned n)
{
	if (n > rig->env.iodepth)
		n = rig->env.iodepth;
	for (unsigned i = 0; i < n; i++)
		ret[i] = rig_io(rig, i, DIR_READ, 0,
		    (i * UINT64_C(37) % (MIB / RIG_BLOCK)) * RIG_BLOCK, RIG_BLOCK);
	return n;
}

static void
assert_read(const struct rig *rig, const struct io *io)
{
	ck_assert_int_eq(io->result, io->bytes);
	if (rig_moves(rig))
		ck_assert(rig_holds(io->buf, io->bytes, io->file->index, io->offset));
}

START_TEST(half_open_instances_close)
{
	struct engine_env env = {.iodepth = 4, .nfiles = 1};
	struct io_file file = {.fd = STDIN_FILENO, .name = "stdin"};
	struct job job = {.ioengine = (char *)variants[_i].name,
	    .iodepth = 4,
	    .engine = variants[_i].opts,
	    .checked = variants[_i].wrap != RIG_BARE,
	    .fault.delay_ns = variants[_i].wrap == RIG_FAULTY ? 1000 : 0};
	struct rig_peer peer = {0};
	struct engine *engine;
	struct err err = ERR_INIT;
	void *pool;

	env.job = &job;
	if (rig_has_peer(job.ioengine)) {
		rig_peer_start(&peer, job.ioengine, -1, MIB);
		rig_peer_aim(&peer, &job, &env);
	}
	ck_assert_int_eq(posix_memalign(&pool, RIG_BLOCK, 4 * RIG_BLOCK), 0);
	for (int step = 0; step < 3; step++) {
		ck_assert_msg(engine_open(&engine, &env, &err) == 0, "%s", err.msg);
		ck_assert_str_eq(engine->ops->name, variants[_i].name);
		if (step >= 1 && engine->ops->map)
			ck_assert_int_eq(engine->ops->map(engine, pool, 4 * RIG_BLOCK,
					     MEM_HOST, &err),
			    0);
		if (step >= 2)
			ck_assert_int_eq(
			    engine->ops->file_open(engine, &file, &err), 0);
		engine->ops->close(engine);
	}
	rig_peer_stop(&peer);
	free(pool);
}
END_TEST

START_TEST(each_comes_back_once_at_any_depth)
{
	static const unsigned depths[] = {1, 3, 32, 128};

	for (size_t d = 0; d < sizeof depths / sizeof depths[0]; d++) {
		struct rig rig = {0};
		struct io *ios[128];
		unsigned n;

		open_variant(&rig, _i, depths[d]);
		n = prepare_reads(&rig, ios, depths[d]);
		for (int round = 0; round < 3; round++) {
			for (unsigned i = 0; i < n; i++)
				rig_submit(&rig, &ios[i], 1);
			rig_reap(&rig, n);
			for (unsigned i = 0; i < n; i++)
				assert_read(&rig, ios[i]);
			ck_assert_int_eq(rig_call_reap(&rig, 0, 1, 0), 0);
		}
		rig_close(&rig);
	}
}
END_TEST

START_TEST(a_batch_and_all_of_it)
{
	struct rig rig = {0};
	struct io *ios[32];
	unsigned n;

	open_variant(&rig, _i, 32);
	n = prepare_reads(&rig, ios, 32);
	rig_submit(&rig, ios, n);
	ck_assert_int_eq(rig_call_reap(&rig, n, n, UINT64_MAX), (int)n);
	for (unsigned i = 0; i < n; i++)
		assert_read(&rig, rig.got[i]);
	rig_close(&rig);
}
END_TEST

START_TEST(never_more_than_max)
{
	struct rig rig = {0};
	struct io *ios[16];
	unsigned n, have = 0, max;

	open_variant(&rig, _i, 16);
	n = prepare_reads(&rig, ios, 16);
	rig_submit(&rig, ios, n);
	while (have < n) {
		int r;

		max = n - have < 3 ? n - have : 3;
		r = rig_call_reap(&rig, 1, max, UINT64_MAX);
		ck_assert_int_ge(r, 1);
		ck_assert_int_le(r, (int)max);
		have += (unsigned)r;
	}
	rig_close(&rig);
}
END_TEST

START_TEST(at_least_min)
{
	struct rig rig = {0};
	struct io *ios[16];
	unsigned n, half;

	open_variant(&rig, _i, 16);
	n = prepare_reads(&rig, ios, 16);
	half = (n + 1) / 2;
	for (int round = 0; round < 10; round++) {
		int r;

		rig_submit(&rig, ios, n);
		r = rig_call_reap(&rig, half, n, UINT64_MAX);
		ck_assert_int_ge(r, (int)half);
		rig_reap(&rig, n - (unsigned)r);
	}
	rig_close(&rig);
}
END_TEST

/* Polling with min 0 must see completions, though nothing else enters the kernel. */
START_TEST(min_zero_does_not_wait_and_gets_there)
{
	struct rig rig = {0};
	struct io *io;
	uint64_t limit;
	int r = 0;

	open_variant(&rig, _i, 4);
	ck_assert_int_eq(rig_call_reap(&rig, 0, 1, UINT64_MAX), 0);
	prepare_reads(&rig, &io, 1);
	for (int round = 0; round < 20; round++) {
		rig_submit(&rig, &io, 1);
		limit = clock_ns() + RIG_FAR;
		do
			r = rig_call_reap(&rig, 0, 1, UINT64_MAX);
		while (r == 0 && clock_ns() < limit);
		ck_assert_int_eq(r, 1);
		assert_read(&rig, io);
	}
	rig_close(&rig);
}
END_TEST

START_TEST(time_limits)
{
	struct rig rig = {0};
	struct io *io;
	uint64_t until;
	int r;

	open_variant(&rig, _i, 4);
	until = clock_ns() + SHORT_NS;
	ck_assert_int_eq(rig_call_reap(&rig, 1, 1, until), 0);
	ck_assert_uint_ge(clock_ns(), until);
	ck_assert_int_eq(rig_call_reap(&rig, 1, 1, 0), 0);
	ck_assert_int_eq(rig_call_reap(&rig, 1, 1, clock_ns()), 0);

	/* Two are wanted where only one can come: it is delivered at the limit. */
	prepare_reads(&rig, &io, 1);
	rig_submit(&rig, &io, 1);
	until = clock_ns() + SHORT_NS;
	r = rig_call_reap(&rig, 2, 2, until);
	ck_assert_uint_ge(clock_ns(), until);
	ck_assert(r == 0 || r == 1);
	if (r == 0)
		rig_reap(&rig, 1); /* a slow device */
	assert_read(&rig, io);
	rig_close(&rig);
}
END_TEST

START_TEST(a_wake_before_the_wait_is_kept)
{
	struct rig rig = {0};
	struct io *io;
	uint64_t limit;

	open_variant(&rig, _i, 4);
	prepare_reads(&rig, &io, 1);
	rig.engine->ops->wake(rig.engine);
	limit = clock_ns() + RIG_FAR;
	ck_assert_int_eq(rig_call_reap(&rig, 1, 1, limit), -EINTR);
	/* It is used up: the next one waits. */
	ck_assert_int_eq(rig_call_reap(&rig, 1, 1, clock_ns() + SHORT_NS), 0);
	ck_assert_int_eq(rig_do(&rig, io), RIG_BLOCK);
	rig_close(&rig);
}
END_TEST

static struct engine *to_wake;

static void
wake_it(int signum)
{
	(void)signum;
	to_wake->ops->wake(to_wake);
}

START_TEST(a_signal_handler_may_wake)
{
	struct sigaction action = {.sa_handler = wake_it};
	struct rig rig = {0};

	open_variant(&rig, _i, 4);
	to_wake = rig.engine;
	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	raise(SIGUSR1);
	ck_assert_int_eq(rig_call_reap(&rig, 1, 1, clock_ns() + RIG_FAR), -EINTR);
	rig_close(&rig);
}
END_TEST

/* Is the thread blocked in the kernel? */
static bool
sleeps(pid_t tid)
{
	char path[64], line[512], *after;
	FILE *stat;

	snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)tid);
	stat = fopen(path, "r");
	ck_assert_ptr_nonnull(stat);
	if (!fgets(line, sizeof line, stat))
		line[0] = '\0';
	fclose(stat);
	after = strrchr(line, ')');
	return after && after[1] == ' ' && after[2] == 'S';
}

struct waker {
	struct engine *engine;
	pid_t tid;
};

static void *
wake_when_asleep(void *arg)
{
	const struct waker *waker = arg;

	while (!sleeps(waker->tid))
		sched_yield();
	waker->engine->ops->wake(waker->engine);
	return NULL;
}

START_TEST(another_thread_wakes_a_wait)
{
	for (unsigned inflight = 0; inflight < 2; inflight++) {
		struct rig rig = {0};
		struct waker waker;
		struct io *io;
		pthread_t thread;
		uint64_t limit;
		int r;

		open_variant(&rig, _i, 4);
		prepare_reads(&rig, &io, 1);
		if (inflight)
			rig_submit(&rig, &io, 1);
		waker = (struct waker){rig.engine, gettid()};
		ck_assert_int_eq(
		    pthread_create(&thread, NULL, wake_when_asleep, &waker), 0);
		limit = clock_ns() + RIG_FAR;
		r = rig_call_reap(&rig, 2, 2, limit);
		ck_assert_uint_lt(clock_ns(), limit);
		ck_assert(r == -EINTR || (inflight && r == 1));
		if (inflight && r != 1)
			rig_reap(&rig, 1);
		pthread_join(thread, NULL);
		rig_close(&rig);
	}
}
END_TEST

/* What the kernel says to one pread or pwrite is what every engine must report. */
static int64_t
oracle(const struct io *io)
{
	ssize_t r = io->dir == DIR_READ
			? pread(io->file->fd, io->buf, io->bytes, (off_t)io->offset)
			: pwrite(io->file->fd, io->buf, io->bytes, (off_t)io->offset);

	return r < 0 ? -errno : r;
}

START_TEST(an_error_is_the_result_of_its_io)
{
	struct rig rig = {0};
	struct io_file *bad;
	struct io *ios[4];
	unsigned n;
	int gone;

	rig.job.engine = variants[_i].opts;
	rig_open(&rig, variants[_i].name, variants[_i].wrap, 4, 2, MIB, 2 * RIG_BLOCK);
	if (!rig_calls(&rig)) {
		rig_close(&rig);
		return;
	}
	bad = &rig.files[1];
	close(bad->fd);
	bad->fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	n = prepare_reads(&rig, ios, 4);
	ios[n - 1]->file = bad; /* last of one, or of four */
	for (int round = 0; round < 2; round++) {
		rig_submit(&rig, ios, n);
		rig_reap(&rig, n);
		ck_assert_int_eq(ios[n - 1]->result, -EBADF);
		for (unsigned i = 0; i + 1 < n; i++)
			assert_read(&rig, ios[i]);
	}
	ios[0]->file = bad; /* and first */
	rig_submit(&rig, ios, n);
	rig_reap(&rig, n);
	ck_assert_int_eq(ios[0]->result, -EBADF);

	gone = bad->fd;
	close(bad->fd);
	ck_assert_int_eq(rig_do(&rig, ios[0]), -EBADF);
	bad->fd = -1;
	ck_assert_int_ge(gone, 0);
	ck_assert_int_eq(rig_do(&rig, ios[0]), -EBADF);
	rig_close(&rig);
}
END_TEST

START_TEST(the_end_of_a_file)
{
	struct rig rig = {0};
	struct io *io;

	open_variant(&rig, _i, 2);
	if (rig_moves(&rig)) {
		io = rig_io(&rig, 0, DIR_READ, 0, MIB - RIG_BLOCK, 2 * RIG_BLOCK);
		ck_assert_int_eq(rig_do(&rig, io), RIG_BLOCK);
		ck_assert(rig_holds(io->buf, RIG_BLOCK, 0, io->offset));
		io = rig_io(&rig, 0, DIR_READ, 0, MIB, RIG_BLOCK);
		ck_assert_int_eq(rig_do(&rig, io), 0);
		io = rig_io(&rig, 0, DIR_READ, 0, 64 * MIB, RIG_BLOCK);
		ck_assert_int_eq(rig_do(&rig, io), 0);
	}
	rig_close(&rig);
}
END_TEST

START_TEST(what_direct_io_refuses)
{
	static const struct {
		unsigned offset, bytes, shift;
	} odd[] = {{1, RIG_BLOCK, 0}, {0, 100, 0}, {0, RIG_BLOCK, 1}, {3, 5, 7}};
	struct rig rig = {0};
	unsigned refused = 0;

	open_variant(&rig, _i, 2);
	for (size_t i = 0; rig_calls(&rig) && i < sizeof odd / sizeof odd[0]; i++) {
		struct io *io =
		    rig_io(&rig, 0, DIR_READ, 0, odd[i].offset, odd[i].bytes);
		int64_t want;

		io->buf = (char *)io->buf + odd[i].shift;
		want = oracle(io);
		refused += want == -EINVAL;
		ck_assert_int_eq(rig_do(&rig, io), want);
	}
	if (rig_calls(&rig) && rig.direct)
		ck_assert_uint_ge(refused, 1);
	rig_close(&rig);
}
END_TEST

/* A write that the file size limit cuts, and one that it forbids. */
START_TEST(short_and_refused_writes)
{
	struct rlimit limit = {.rlim_cur = MIB + RIG_BLOCK, .rlim_max = RLIM_INFINITY};
	struct rig rig = {0};
	struct io *io;

	open_variant(&rig, _i, 2);
	if (rig_calls(&rig)) {
		signal(SIGXFSZ, SIG_IGN);
		ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
		io = rig_io(&rig, 0, DIR_WRITE, 0, MIB, 2 * RIG_BLOCK);
		memset(io->buf, 1, 2 * RIG_BLOCK);
		ck_assert_int_eq(rig_do(&rig, io), RIG_BLOCK);
		io = rig_io(&rig, 0, DIR_WRITE, 0, MIB + RIG_BLOCK, RIG_BLOCK);
		ck_assert_int_eq(rig_do(&rig, io), -EFBIG);
	}
	rig_close(&rig);
}
END_TEST

/* Writes the whole file anew in a scattered order, reads it back in another. */
static void
rewrite(struct rig *rig, unsigned content)
{
	const unsigned blocks = (unsigned)(rig->file_size / RIG_BLOCK);
	unsigned depth = rig->env.iodepth;
	struct io *ios[32];

	for (int dir = DIR_WRITE; dir >= DIR_READ; dir--) {
		unsigned step = dir == DIR_WRITE ? 37 : 101;

		for (unsigned at = 0; at < blocks; at += depth) {
			unsigned n = blocks - at < depth ? blocks - at : depth;

			for (unsigned i = 0; i < n; i++) {
				uint64_t offset =
				    (uint64_t)((at + i) * step % blocks) * RIG_BLOCK;
				uint64_t *words;

				ios[i] =
				    rig_io(rig, i, (enum dir)dir, 0, offset, RIG_BLOCK);
				words = ios[i]->buf;
				for (unsigned w = 0; w < RIG_BLOCK / 8; w++)
					words[w] = dir == DIR_WRITE
						       ? rig_word(content,
							     offset + w * UINT64_C(8))
						       : 0;
			}
			rig_submit(rig, ios, n);
			rig_reap(rig, n);
			for (unsigned i = 0; i < n; i++) {
				ck_assert_int_eq(ios[i]->result, RIG_BLOCK);
				ck_assert(rig_holds(
				    ios[i]->buf, RIG_BLOCK, content, ios[i]->offset));
			}
		}
	}
}

/* Past the engine: what is in the file now? */
static void
assert_content(const struct rig *rig, unsigned content)
{
	for (uint64_t at = 0; at < rig->file_size; at += RIG_BLOCK) {
		ck_assert_int_eq(
		    pread(rig->files[0].fd, rig->pool, RIG_BLOCK, (off_t)at),
		    RIG_BLOCK);
		ck_assert(rig_holds(rig->pool, RIG_BLOCK, content, at));
	}
}

START_TEST(what_is_written_is_read)
{
	for (int mapped = 0; mapped < 2; mapped++) {
		struct rig rig = {0};
		struct err err;

		open_variant(&rig, _i, 32);
		if (mapped && rig.engine->ops->map)
			ck_assert_int_eq(rig.engine->ops->map(rig.engine, rig.pool,
					     (size_t)rig.bytes_max * rig.env.iodepth,
					     MEM_HOST, &err),
			    0);
		if (rig_moves(&rig)) {
			rewrite(&rig, 1000);
			assert_content(&rig, 1000);
		}
		rig_close(&rig);
	}
}
END_TEST

/* A pool is an offer: I/O across its end, and beside it, works as before. */
START_TEST(buffers_outside_the_pool)
{
	struct rig rig = {0};
	struct err err;
	struct io *io;

	open_variant(&rig, _i, 4);
	if (rig_moves(&rig) && rig.engine->ops->map) {
		ck_assert_int_eq(rig.engine->ops->map(
				     rig.engine, rig.pool, RIG_BLOCK, MEM_HOST, &err),
		    0);
		io = rig_io(&rig, 0, DIR_READ, 0, 2 * RIG_BLOCK, 2 * RIG_BLOCK);
		ck_assert_int_eq(rig_do(&rig, io), 2 * RIG_BLOCK);
		ck_assert(rig_holds(io->buf, 2 * RIG_BLOCK, 0, io->offset));
		io = rig_io(&rig, 1, DIR_READ, 0, 5 * RIG_BLOCK, RIG_BLOCK);
		ck_assert_int_eq(rig_do(&rig, io), RIG_BLOCK);
		ck_assert(rig_holds(io->buf, RIG_BLOCK, 0, io->offset));
	}
	rig_close(&rig);
}
END_TEST

START_TEST(many_files)
{
	enum { FILES = 50 };
	struct rig rig = {0};
	struct io *ios[16];
	unsigned n;

	if (rig_has_peer(variants[_i].name))
		return; /* a target is one region */
	rig.job.engine = variants[_i].opts;
	rig_open(&rig, variants[_i].name, variants[_i].wrap, 16, FILES, 2 * RIG_BLOCK,
	    RIG_BLOCK);
	n = rig.env.iodepth;
	for (unsigned at = 0; at < 2 * FILES; at += n) {
		for (unsigned i = 0; i < n; i++)
			ios[i] = rig_io(&rig, i, DIR_READ, (at + i) * 7 % FILES,
			    (at + i) % 2 * RIG_BLOCK, RIG_BLOCK);
		rig_submit(&rig, ios, n);
		rig_reap(&rig, n);
		for (unsigned i = 0; i < n; i++)
			assert_read(&rig, ios[i]);
	}
	rig_close(&rig);
}
END_TEST

/* Submits and reaps that overlap, with all places used all the time. */
START_TEST(a_full_queue_for_a_while)
{
	enum { IOS = 2000 };
	struct rig rig = {0};
	struct io *ios[32];
	unsigned submitted, done = 0;

	open_variant(&rig, _i, 32);
	submitted = prepare_reads(&rig, ios, 32);
	rig_submit(&rig, ios, submitted);
	while (done < IOS) {
		int r = rig_call_reap(&rig, 1, rig.env.iodepth, UINT64_MAX);

		ck_assert_int_gt(r, 0);
		for (int i = 0; i < r; i++) {
			struct io *io = rig.got[i];

			assert_read(&rig, io);
			done++;
			if (submitted == IOS)
				continue;
			io->offset = (uint64_t)(submitted * 13u % 256) * RIG_BLOCK;
			memset(io->buf, 0, RIG_BLOCK);
			rig_submit(&rig, &io, 1);
			submitted++;
		}
	}
	ck_assert_uint_eq(done, IOS);
	ck_assert_uint_eq(submitted, IOS);
	ck_assert_int_eq(rig_call_reap(&rig, 0, 1, 0), 0);
	rig_close(&rig);
}
END_TEST

/* A wait that is not needed leaves the caller's signal mask alone, close too. */
START_TEST(the_signal_mask_is_restored)
{
	sigset_t before, after;
	struct rig rig = {0};

	pthread_sigmask(SIG_SETMASK, NULL, &before);
	open_variant(&rig, _i, 4);
	rig_call_reap(&rig, 1, 1, clock_ns());
	rig_close(&rig);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	for (int i = 1; i < 32; i++)
		ck_assert_int_eq(sigismember(&before, i), sigismember(&after, i));
}
END_TEST

/* Adds it three times, when this system lets us open it. */
static void
add_variant(const char *name, struct job_engine_opts opts)
{
	struct job job = {.ioengine = (char *)name, .iodepth = 128, .engine = opts};
	struct engine_env env = {.job = &job, .iodepth = 128, .nfiles = 1};
	struct rig_peer peer = {0};
	struct engine *engine;
	struct err err = ERR_INIT;
	int opened;

	if (strcmp(name, "net-rdma") == 0 && !getenv("VOLLEY_TEST_RDMA_ADDRESS")) {
		printf("left out: net-rdma: VOLLEY_TEST_RDMA_ADDRESS names no address of "
		       "an RDMA device\n");
		return;
	}
	if (rig_has_peer(name)) {
		rig_peer_start(&peer, name, -1, MIB);
		rig_peer_aim(&peer, &job, &env);
	}
	opened = engine_open(&engine, &env, &err);
	if (opened == 0)
		engine->ops->close(engine);
	rig_peer_stop(&peer);
	if (opened != 0) {
		printf("left out: %s\n", err.msg);
		return;
	}
	for (int wrap = 0; wrap < RIG_WRAPS; wrap++)
		variants[nvariants++] =
		    (struct variant){name, (enum rig_wrap)wrap, opts};
}

/* Every engine that this build has. */
static void
find_variants(void)
{
	const char *only = getenv("VOLLEY_TEST_ENGINES");

	for (const struct engine_entry *entry = engine_list(); entry->name; entry++)
		if (!only || strcmp(only, entry->name) == 0)
			add_variant(entry->name, (struct job_engine_opts){0});
	if (only)
		return;
	add_variant("io_uring", (struct job_engine_opts){.registerfiles = true});
	add_variant("io_uring", (struct job_engine_opts){.sqthread_poll = true});
	add_variant("io_uring",
	    (struct job_engine_opts){.registerfiles = true, .fixedbufs = true,
		.sqthread_poll = true, .has_sq_cpu = true});
}

int
main(void)
{
	const TTest *const tests[] = {
	    half_open_instances_close,
	    each_comes_back_once_at_any_depth,
	    a_batch_and_all_of_it,
	    never_more_than_max,
	    at_least_min,
	    min_zero_does_not_wait_and_gets_there,
	    time_limits,
	    a_wake_before_the_wait_is_kept,
	    a_signal_handler_may_wake,
	    another_thread_wakes_a_wait,
	    an_error_is_the_result_of_its_io,
	    the_end_of_a_file,
	    what_direct_io_refuses,
	    short_and_refused_writes,
	    what_is_written_is_read,
	    buffers_outside_the_pool,
	    many_files,
	    a_full_queue_for_a_while,
	    the_signal_mask_is_restored,
	};
	Suite *suite = suite_create("engines");
	SRunner *runner;
	TCase *tcase = tcase_create("contract");
	int failed;

	find_variants();
	for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
		tcase_add_loop_test(tcase, tests[i], 0, nvariants);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
