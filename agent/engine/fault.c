/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fault wrapper.  What the inner engine completed waits in a queue until its
 * delay is over; the delay is the same for all, so first in is first out.  An I/O
 * that is to fail or to stall never reaches the inner engine.  The inner engine is
 * asked at every submit and reap, so that a completion is dated when it happens.
 */
#include "agent/engine/fault.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "agent/engine/checked.h"
#include "agent/engine/wake.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"

struct held {
	struct io *io;
	uint64_t since; /* when the inner engine had completed it */
};

struct fault {
	struct engine engine;
	struct engine_ops ops; /* ours, under the inner engine's name and caps */
	struct engine *inner;
	struct wake wake;
	/* Woken, and not told yet.  The signal alone does not do: an inner engine may
	 * answer it with what it has, which is held here and tells nobody. */
	bool woken;
	struct job_fault want;
	struct fault_log log;
	bool sync;                /* the delay belongs into submit */
	uint64_t written;         /* bytes of writes let through */
	unsigned iodepth, inside; /* inside: in the inner engine */
	unsigned first, nheld;    /* the queue, a ring of iodepth places */
	struct held *held;
	struct io **pulled;
	bool *shorten; /* by io->index */
};

enum verdict { PASS, FAIL, NO_SPACE, STALL };

/* The fate of the I/O number `seq` (from 1), `written` bytes after the start. */
static enum verdict
judge(const struct fault *fault, const struct io *io, uint64_t seq, uint64_t written)
{
	const struct job_fault *want = &fault->want;

	if (want->stall_after && seq > want->stall_after)
		return STALL;
	if (want->enospc_after_set && io->dir == DIR_WRITE &&
	    written + io->bytes > want->enospc_after)
		return NO_SPACE;
	if (want->error_every && seq % want->error_every == 0)
		return FAIL;
	return PASS;
}

static void
hold(struct fault *fault, struct io *io, uint64_t since)
{
	unsigned at = (fault->first + fault->nheld++) % fault->iodepth;

	fault->held[at] = (struct held){.io = io, .since = since};
}

/* Half, but where that is possible still in whole sectors. */
static void
cut(struct fault *fault, struct io *io)
{
	uint32_t half = io->bytes / 2;

	if (half >= 512)
		half -= half % 512;
	if (half == 0 || io->result <= (int64_t)half)
		return;
	io->result = half;
	fault->log.shorts++;
}

/* Moves what the inner engine has completed into the queue: how many, or -errno. */
static int
pull(struct fault *fault, unsigned min, uint64_t until_ns)
{
	struct engine *inner = fault->inner;
	uint64_t now;
	int n;

	if (fault->inside == 0)
		return 0;
	n = inner->ops->reap(inner, fault->pulled, min, fault->inside, until_ns);
	if (n <= 0)
		return n;
	now = clock_ns();
	for (int i = 0; i < n; i++) {
		if (fault->shorten[fault->pulled[i]->index])
			cut(fault, fault->pulled[i]);
		hold(fault, fault->pulled[i], now);
	}
	fault->inside -= (unsigned)n;
	return n;
}

/* Ends one I/O that the inner engine shall not see. */
static void
inject(struct fault *fault, struct io *io, enum verdict verdict)
{
	fault->log.ios++;
	if (verdict == STALL) {
		fault->log.stalled++;
		return;
	}
	fault->log.errors++;
	io->result = verdict == NO_SPACE ? -ENOSPC : -fault->want.error_errno;
	hold(fault, io, clock_ns());
}

/* Gives the inner engine the first of `ios` that no fault is meant for. */
static int
pass(struct fault *fault, struct io *const *ios, unsigned n)
{
	struct engine *inner = fault->inner;
	uint64_t written = fault->written;
	unsigned run;
	int taken;

	for (run = 0; run < n; run++) {
		if (judge(fault, ios[run], fault->log.ios + run + 1, written) != PASS)
			break;
		written += ios[run]->dir == DIR_WRITE ? ios[run]->bytes : 0;
	}
	taken = inner->ops->submit(inner, ios, run);
	for (int i = 0; i < taken; i++) {
		uint64_t seq = ++fault->log.ios, every = fault->want.short_every;

		fault->shorten[ios[i]->index] = every && seq % every == 0;
		fault->written += ios[i]->dir == DIR_WRITE ? ios[i]->bytes : 0;
		fault->inside++;
	}
	return taken;
}

/* Not cut short by a wake: a system call that takes long is not, either. */
static void
serve_delay(const struct fault *fault)
{
	uint64_t due;
	struct timespec ts;

	if (fault->nheld == 0)
		return;
	due = fault->held[fault->first].since + fault->want.delay_ns;
	ts = (struct timespec){.tv_sec = (time_t)(due / UINT64_C(1000000000)),
	    .tv_nsec = (long)(due % UINT64_C(1000000000))};
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

static int
fault_submit(struct engine *engine, struct io *const *ios, unsigned n)
{
	struct fault *fault = (struct fault *)engine;
	unsigned done = 0;
	int r = 0;

	while (done < n) {
		enum verdict verdict =
		    judge(fault, ios[done], fault->log.ios + 1, fault->written);

		if (verdict != PASS) {
			inject(fault, ios[done++], verdict);
			continue;
		}
		r = pass(fault, ios + done, n - done);
		if (r <= 0)
			break;
		done += (unsigned)r;
	}
	if (r >= 0)
		r = pull(fault, 0, 0);
	if (r < 0 && r != -EINTR && done == 0)
		return r;
	if (fault->sync)
		serve_delay(fault);
	return (int)done;
}

/* Hands out what has been held for long enough. */
static unsigned
deliver(struct fault *fault, struct io **ret, unsigned max)
{
	uint64_t now = clock_ns();
	unsigned n = 0;

	while (n < max && fault->nheld > 0) {
		const struct held *held = &fault->held[fault->first];

		if (held->since + fault->want.delay_ns > now)
			break;
		fault->log.delay_sum_ns += now - held->since;
		ret[n++] = held->io;
		fault->first = (fault->first + 1) % fault->iodepth;
		fault->nheld--;
	}
	return n;
}

/* Until something may have changed, at the latest until_ns: 0, or -errno. */
static int
await(struct fault *fault, uint64_t until_ns)
{
	uint64_t due;
	int r;

	if (fault->nheld > 0) {
		due = fault->held[fault->first].since + fault->want.delay_ns;
		if (due < until_ns)
			until_ns = due;
	}
	if (fault->inside == 0)
		return wake_sleep(until_ns);
	r = pull(fault, 1, until_ns);
	return r < 0 ? r : 0;
}

static int
fault_reap(struct engine *engine, struct io **ret, unsigned min, unsigned max,
    uint64_t until_ns)
{
	struct fault *fault = (struct fault *)engine;
	unsigned n = 0;
	int r = pull(fault, 0, 0);

	for (;;) {
		if (r < 0) {
			__atomic_store_n(&fault->woken, false, __ATOMIC_RELAXED);
			return n > 0 ? (int)n : r;
		}
		n += deliver(fault, ret + n, max - n);
		if (n >= min || clock_ns() >= until_ns)
			return (int)n;
		if (__atomic_exchange_n(&fault->woken, false, __ATOMIC_RELAXED)) {
			(void)wake_sleep(0); /* its signal, when it is still pending */
			return n > 0 ? (int)n : -EINTR;
		}
		r = await(fault, until_ns);
	}
}

static int
fault_map(
    struct engine *engine, void *base, size_t len, enum mem_kind kind, struct err *err)
{
	struct engine *inner = ((struct fault *)engine)->inner;

	return inner->ops->map(inner, base, len, kind, err);
}

static int
fault_file_open(struct engine *engine, struct io_file *file, struct err *err)
{
	struct engine *inner = ((struct fault *)engine)->inner;

	return inner->ops->file_open(inner, file, err);
}

static void
fault_file_close(struct engine *engine, struct io_file *file)
{
	struct engine *inner = ((struct fault *)engine)->inner;

	inner->ops->file_close(inner, file);
}

static void
fault_wake(struct engine *engine)
{
	struct fault *fault = (struct fault *)engine;

	__atomic_store_n(&fault->woken, true, __ATOMIC_RELAXED);
	wake_send(&fault->wake); /* same thread, same signal */
}

static const char *
fault_why(const struct engine *engine)
{
	const struct engine *inner = ((const struct fault *)engine)->inner;

	return inner->ops->why(inner);
}

static void
fault_close(struct engine *engine)
{
	struct fault *fault = (struct fault *)engine;

	wake_fini(&fault->wake);
	fault->inner->ops->close(fault->inner);
	free(fault->held);
	free(fault->pulled);
	free(fault->shorten);
	free(fault);
}

int
fault_wrap(struct engine **ret, struct engine *inner, const struct engine_env *env,
    struct err *err)
{
	struct fault *fault = mem_alloc(sizeof *fault);

	(void)err;
	fault->ops = (struct engine_ops){
	    .name = inner->ops->name,
	    .doc = inner->ops->doc,
	    .caps = inner->ops->caps,
	    .check = inner->ops->check,
	    .open = inner->ops->open,
	    .map = inner->ops->map ? fault_map : NULL,
	    .file_open = fault_file_open,
	    .file_close = fault_file_close,
	    .submit = fault_submit,
	    .reap = fault_reap,
	    .wake = fault_wake,
	    .why = inner->ops->why ? fault_why : NULL,
	    .close = fault_close,
	};
	fault->engine.ops = &fault->ops;
	fault->inner = inner;
	fault->want = env->job->fault;
	if (fault->want.error_errno == 0)
		fault->want.error_errno = EIO;
	fault->sync = engine_is_sync(inner->ops, env->job);
	fault->iodepth = env->iodepth;
	fault->held = mem_array(env->iodepth, sizeof *fault->held);
	fault->pulled = mem_array(env->iodepth, sizeof(struct io *));
	fault->shorten = mem_array(env->iodepth, sizeof *fault->shorten);
	wake_init(&fault->wake);
	*ret = &fault->engine;
	return 0;
}

const struct fault_log *
fault_log(const struct engine *engine)
{
	const struct engine *inner = checked_inner(engine);

	if (inner)
		engine = inner;
	if (engine->ops->close != fault_close)
		return NULL;
	return &((const struct fault *)engine)->log;
}
