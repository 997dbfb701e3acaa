/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hot loop.  Between two I/Os there are two or three clock reads, one record
 * in the meter and one line on the board; anything rarer stands in functions of
 * its own, out of the way.
 */
#include "agent/worker/turn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/worker/park.h"
#include "agent/worker/turn-stage.h"
#include "agent/worker/turn-sync.h"
#include "agent/worker/turn-watch.h"
#include "lib/base/mem.h"

#define unlikely(x) __builtin_expect(!!(x), 0)
#define cold __attribute__((cold, noinline))

cold void
turn_fail(struct turn *turn, int errnum, const char *what)
{
	const struct engine_ops *ops = turn->engine->ops;
	const char *why = ops->why ? ops->why(turn->engine) : NULL;

	turn_post(&turn->counts->errors, turn->counts->errors + 1);
	if (!turn->failed) {
		if (why)
			err_set(turn->err, ERR_IO, "%s: %s", what, why);
		else
			err_sys(turn->err, errnum, "%s", what);
		turn->err->code = ERR_IO;
		turn->err->errnum = errnum;
	}
	turn->failed = true;
}

static cold void
turn_fail_io(struct turn *turn, const struct io *io, int errnum)
{
	char *what = mem_printf("%s of %u bytes at %llu of %s", dir_name(io->dir),
	    io->bytes, (unsigned long long)io->offset,
	    io->file->name ? io->file->name : "(no file)");

	turn_fail(turn, errnum, what);
	free(what);
}

/* A write was prepared: its data, and whether a sync follows it. */
static void
turn_prepare_write(struct turn *turn, struct io *io)
{
	const struct job *job = turn->job;

	turn->wrote = true;
	if (unlikely(turn->ranges != NULL))
		turn_widen_range(turn, io);
	/* A buffer that was never used still holds what turn_prepare filled in: so
	 * nothing is generated between T and the first submits. */
	if (turn->want[io->index] != 0 ? !turn->data.once : turn->data.by_offset)
		data_fill(&turn->data, io->buf, io->bytes, io->offset);
	if (job->fsync && ++turn->since_fsync == job->fsync) {
		turn->since_fsync = 0;
		turn->sync_due = TURN_FSYNC;
		turn->sync_file = io->file;
	}
	if (job->fdatasync && ++turn->since_fdatasync == job->fdatasync) {
		turn->since_fdatasync = 0;
		if (turn->sync_due == TURN_SYNC_NONE)
			turn->sync_due = TURN_FDATASYNC;
		turn->sync_file = io->file;
	}
}

/* Of a mixed job whose directions have rates of their own. */
static enum dir
turn_choose(void *arg, enum dir drawn)
{
	const struct turn *turn = arg;

	return pace_choose(&turn->pace, drawn, turn->now_ns);
}

/* May the next I/O start?  If not, wait_ns says when. */
static cold bool
turn_is_due(struct turn *turn)
{
	uint64_t at = pace_intended(&turn->pace, turn->next.dir);

	if (at > turn->now_ns) {
		turn->now_ns = ticks_now(&turn->ticks);
		if (at > turn->now_ns) {
			turn->wait_ns = at;
			return false;
		}
	}
	return true;
}

static inline void
turn_put_on_board(struct turn *turn, const struct io *io)
{
	struct board_flight *flight = &turn->flight[io->index];

	turn_post(&flight->offset, io->offset);
	__atomic_store_n(&flight->file, io->file->index, __ATOMIC_RELAXED);
	__atomic_store_n(&flight->bytes, io->bytes, __ATOMIC_RELAXED);
	turn_post(&flight->since_ns, io->start);
}

static cold void
turn_count_anew(struct turn *turn)
{
	turn->count_from_ns = UINT64_MAX;
	pattern_count_anew(turn->pattern);
}

static inline bool
turn_next(struct turn *turn)
{
	if (unlikely(turn->now_ns >= turn->count_from_ns))
		turn_count_anew(turn);
	if (unlikely(turn->verify != NULL))
		return verify_next(turn->verify, turn->pattern, &turn->next);
	if (!pattern_next(turn->pattern, &turn->next))
		return false;
	if (turn->passes.pass > 0)
		cache_passes_next(&turn->passes, turn->files, turn->nfiles,
		    turn->next.dir, turn->next.bytes);
	return true;
}

/* Takes the next I/O of the pattern into the batch. */
static inline void
turn_add(struct turn *turn)
{
	const struct pattern_io *next = &turn->next;
	struct io *io = turn->free[--turn->nfree];

	turn->has_next = false;
	io->dir = next->dir;
	io->file = &turn->files[next->file];
	io->offset = next->offset;
	io->bytes = next->bytes;
	io->accepted = 0;
	if (io->dir == DIR_WRITE)
		turn_prepare_write(turn, io);
	if (unlikely(turn->verify != NULL))
		verify_prepare(turn->verify, io, turn->now_ns - turn->start_ns);
	turn->want[io->index] = next->bytes;
	if (unlikely(turn->paced)) {
		io->intended =
		    turn->pace.open_loop ? pace_intended(&turn->pace, io->dir) : 0;
		pace_issued(&turn->pace, io->dir, io->bytes);
	}
	turn->now_ns = io->start = ticks_now(&turn->ticks);
	turn_put_on_board(turn, io);
	turn->batch[turn->nbatch++] = io;
}

/* The file of the next I/O, when not all are open. */
static cold bool
turn_open(struct turn *turn)
{
	struct err why = ERR_INIT;

	if (opener_use(turn->opener, turn->next.file, &why) == 0)
		return true;
	*turn->err = why;
	turn->failed = true;
	return false;
}

/* Fills the batch with what may start now. */
static inline void
turn_gather(struct turn *turn)
{
	turn->wait_ns = 0;
	while (unlikely(turn->nretry > 0) && turn->nbatch < turn->batch_max)
		turn->batch[turn->nbatch++] = turn->retry[--turn->nretry];
	while (turn->nbatch < turn->batch_max && turn->nfree > turn->held &&
	       turn->sync_due == TURN_SYNC_NONE) {
		if (!turn->has_next && !turn_next(turn)) {
			turn->exhausted = true;
			return;
		}
		turn->has_next = true;
		if (unlikely(turn->paced) && !turn_is_due(turn))
			return;
		if (unlikely(turn->opener != NULL) && !turn_open(turn))
			return;
		turn_add(turn);
	}
}

static cold void
turn_first_submitted(struct turn *turn)
{
	turn->started = true;
	if (turn->fifo)
		park_fifo_drop();
}

/* Hands the batch over; what was not taken stays at its front. */
static inline void
turn_submit(struct turn *turn)
{
	int taken;

	if (unlikely(!turn->started))
		turn_post(&turn->counts->first_submit_ns, clock_ns());
	taken = turn->engine->ops->submit(turn->engine, turn->batch, turn->nbatch);
	if (!turn->sync)
		turn->now_ns = ticks_now(&turn->ticks);
	if (unlikely(!turn->started))
		turn_first_submitted(turn);
	if (unlikely(taken < 0)) {
		turn_fail_io(turn, turn->batch[0], -taken);
		return;
	}
	for (int i = 0; i < taken; i++)
		if (turn->batch[i]->accepted == 0) /* else: it was short before */
			turn->batch[i]->accepted = turn->now_ns;
	turn->inflight += (unsigned)taken;
	turn->submitted += (unsigned)taken;
	turn_post(&turn->counts->submitted, turn->submitted);
	turn->nbatch -= (unsigned)taken;
	if (unlikely(turn->nbatch > 0)) {
		memmove(turn->batch, turn->batch + taken,
		    turn->nbatch * sizeof(struct io *));
		if (taken == 0 && turn->inflight == 0)
			turn_fail_io(turn, turn->batch[0], EAGAIN);
	}
}

static inline void
turn_free_io(struct turn *turn, struct io *io)
{
	turn_post(&turn->flight[io->index].since_ns, 0);
	turn->free[turn->nfree++] = io;
}

static cold void
turn_error_of(struct turn *turn, const struct io *io)
{
	int errnum = io->result < 0 ? (int)-io->result : EIO;

	/* fill_device: that was all there is. */
	if (turn->job->files.fill_device && io->dir == DIR_WRITE && errnum == ENOSPC)
		turn->exhausted = true;
	else if (job_tolerates(turn->job,
		     io->dir == DIR_READ ? JOB_ERROR_READ : JOB_ERROR_WRITE, errnum))
		turn_post(&turn->counts->errors, turn->counts->errors + 1);
	else
		turn_fail_io(turn, io, errnum);
}

/* An error, or less than was asked for. */
static cold void
turn_complete_odd(struct turn *turn, struct io *io)
{
	if (io->result > 0 && io->result < (int64_t)io->bytes && !turn->failed) {
		io->offset += (uint64_t)io->result;
		io->buf = (char *)io->buf + io->result;
		io->bytes -= (uint32_t)io->result;
		turn->retry[turn->nretry++] = io;
		return;
	}
	if (io->result <= 0)
		turn_error_of(turn, io);
	if (turn->paced)
		pace_completed(&turn->pace, turn->now_ns);
	if (turn->opener)
		opener_done(turn->opener, io->file->index);
	io->buf = buffers_at(&turn->buffers, io->index);
	turn_free_io(turn, io);
}

/* All that was in flight is home: the queue opens to its new depth. */
static cold void
turn_drained(struct turn *turn)
{
	limits_drained(&turn->limits, turn->now_ns);
	turn->draining = false;
	turn->held = turn->depth - limits_depth(&turn->limits);
}

static inline void
turn_record(struct turn *turn, const struct io *io, uint64_t done)
{
	struct meter_io record = turn_figures(turn, io, done);

	meter_record(turn->meter, &record);
}

/* The one clock read of a reap dates all that it delivered. */
static inline void
turn_complete(struct turn *turn, struct io *const *ios, unsigned n)
{
	uint64_t done = ticks_now(&turn->ticks);

	turn->now_ns = turn->last_done_ns = done;
	turn->inflight -= n;
	for (unsigned i = 0; i < n; i++) {
		struct io *io = ios[i];

		if (unlikely(io->result != (int64_t)io->bytes)) {
			turn_complete_odd(turn, io);
			continue;
		}
		turn_record(turn, io, done);
		if (unlikely(io->bytes != turn->want[io->index]))
			io->buf = buffers_at(&turn->buffers, io->index);
		if (unlikely(turn->paced))
			pace_completed(&turn->pace, done);
		if (unlikely(turn->watched))
			turn_watch(turn, io, done);
		turn->completed++;
		turn_free_io(turn, io);
	}
	if (unlikely(turn->draining) && turn->inflight == 0)
		turn_drained(turn);
	turn_post(&turn->counts->completed, turn->completed);
}

/* Waits for at least `min` (0: only looks).  False when the engine is broken. */
static inline bool
turn_reap(struct turn *turn, unsigned min, uint64_t until_ns)
{
	int n;

	if (min > turn->inflight)
		min = turn->inflight;
	n = turn->engine->ops->reap(
	    turn->engine, turn->reaped, min, turn->reap_max, until_ns);
	if (n > 0)
		turn_complete(turn, turn->reaped, (unsigned)n);
	else if (n == 0 && min > 0)
		turn->now_ns = ticks_now(&turn->ticks); /* until_ns came */
	else if (unlikely(n < 0 && n != -EINTR)) {
		turn_fail(turn, -n, "waiting for completions");
		return false;
	}
	return true;
}

/* The pace lets nothing start yet: time for what is in flight, or for nothing. */
static cold void
turn_wait(struct turn *turn)
{
	uint64_t until = turn->wait_ns;

	if (until > turn->deadline_ns)
		until = turn->deadline_ns;
	if (turn->inflight > 0) {
		turn_reap(turn, 1, until);
		return;
	}
	while (turn->now_ns < turn->pace.spin_until_ns && !park_stopped(turn->board))
		turn->now_ns = ticks_now(&turn->ticks);
	park_wait_stop(turn->board, until);
	turn->now_ns = ticks_now(&turn->ticks);
}

static inline bool
turn_is_over(const struct turn *turn)
{
	return turn->now_ns >= turn->deadline_ns || turn->exhausted || turn->failed ||
	       park_stopped(turn->board);
}

/* As in fio, before the next I/O: none follows the last. */
static cold void
turn_sync_due(struct turn *turn)
{
	enum turn_sync how = turn->sync_due;

	turn->sync_due = TURN_SYNC_NONE;
	if (turn_is_over(turn))
		return;
	if (!turn->has_next)
		turn->has_next = turn_next(turn);
	if (turn->has_next)
		turn_sync_file(turn, turn->sync_file, how);
	else
		turn->exhausted = true;
}

static void
turn_loop(struct turn *turn)
{
	while (!turn_is_over(turn)) {
		turn_gather(turn);
		if (turn->nbatch > 0)
			turn_submit(turn);
		if (turn->nfree <= turn->held || turn->nbatch > 0) {
			do {
				if (!turn_reap(turn, turn->reap_min, UINT64_MAX))
					return;
			} while (turn->inflight > turn->low);
		} else if (unlikely(turn->wait_ns != 0)) {
			turn_wait(turn);
		}
		/* After the reap, so that a synchronous write is not dated by its sync. */
		if (unlikely(turn->sync_due != TURN_SYNC_NONE) && turn->nbatch == 0)
			turn_sync_due(turn);
	}
}

/* What is in flight comes home; remainders of short I/Os still go out. */
static void
turn_drain(struct turn *turn)
{
	while (turn->inflight + turn->nretry + turn->nbatch > 0) {
		while (turn->nretry > 0 && turn->nbatch < turn->batch_max)
			turn->batch[turn->nbatch++] = turn->retry[--turn->nretry];
		if (turn->nbatch > 0 && !turn->failed)
			turn_submit(turn);
		if (turn->failed) /* these were never accepted, or are given up */
			while (turn->nbatch > 0)
				turn_free_io(turn, turn->batch[--turn->nbatch]);
		if (turn->inflight > 0 && !turn_reap(turn, 1, UINT64_MAX))
			return;
	}
}

/* As in fio, the job runs until what it wrote is on the storage. */
static bool
turn_end_syncs(struct turn *turn)
{
	const struct job *job = turn->job;

	if (!(job->end_fsync || job->files.fsync_on_close) || !turn->wrote ||
	    turn->failed)
		return false;
	for (unsigned i = 0; i < turn->nfiles && !turn->failed; i++)
		turn_sync_file(turn, &turn->files[i], TURN_SYNC_END);
	return true;
}

static int
turn_result(struct turn *turn, struct err *err)
{
	if (turn->failed)
		return -1;
	if (job_tolerates(turn->job, JOB_ERROR_VERIFY, EILSEQ))
		return 0;
	return verify_result(turn->verify, err);
}

int
turn_run(struct turn *turn, struct err *err)
{
	struct err late = ERR_INIT;
	uint64_t end_ns;

	turn->err = err;
	turn->now_ns = ticks_now(&turn->ticks);
	turn->paced = turn_wants_pace(turn);
	if (turn->pace.open_loop)
		pattern_set_choice(turn->pattern, turn_choose, turn);
	turn->watched =
	    turn->limits.any || turn->log || turn->opener || turn->verify;
	turn->exhausted = turn->job->files.create_only;
	turn_loop(turn);
	if (!turn->started && turn->fifo) /* a stop came before the first I/O */
		park_fifo_drop();
	turn_drain(turn);
	while (turn_stage_next(turn)) {
		turn_loop(turn);
		turn_drain(turn);
	}
	turn_post(&turn->counts->in_time, turn->now_ns >= turn->deadline_ns);
	end_ns = turn->last_done_ns ? turn->last_done_ns : turn->now_ns;
	if (turn_end_syncs(turn))
		end_ns = turn->now_ns;
	if (turn->limits.target_ns)
		turn_post(&turn->counts->latency_depth, limits_depth(&turn->limits));
	turn_post(&turn->counts->end_ns, end_ns);
	if (turn->log && iolog_finish(turn->log, turn->now_ns, &late) < 0 && !turn->failed) {
		*err = late;
		turn->failed = true;
	}
	return turn_result(turn, err);
}
