/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a job thread does around its I/O loop.
 */
#include "agent/worker/thread.h"

#include <stdlib.h>

#include "agent/engine/fault.h"
#include "agent/worker/park.h"
#include "agent/worker/place.h"
#include "agent/worker/usage.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/rng.h"

#define THREAD_NS_PER_MS UINT64_C(1000000)

bool
thread_opens_late(const struct thread *thread)
{
	const struct crew_env *env = crew_env(thread->crew);

	return env->files->paths.n > 0 && env->job->files.openfiles > 0 &&
	       env->job->files.openfiles < thread->nfiles;
}

static int
thread_open_file(void *arg, unsigned file, struct err *err)
{
	struct thread *thread = arg;

	return crew_open_file(thread->crew, thread, file, err);
}

static int
thread_open_engine(struct thread *thread, struct err *err)
{
	struct turn *turn = &thread->turn;
	struct engine_env env = {
	    .job = turn->job,
	    .iodepth = turn->sync ? 1 : turn->job->iodepth,
	    .thread = thread->index,
	    .nfiles = thread->nfiles,
	    .key = crew_env(thread->crew)->key,
	};
	const struct engine_ops *ops;

	if (engine_open(&turn->engine, &env, err) < 0)
		return -1;
	ops = turn->engine->ops;
	if (ops->map && ops->map(turn->engine, turn->buffers.base, turn->buffers.len,
			    MEM_HOST, err) < 0)
		return err_prefix(err, "ioengine %s", ops->name);
	if (thread_opens_late(thread))
		return opener_new(&turn->opener,
		    &(struct opener_env){.engine = turn->engine,
			.files = thread->files,
			.nfiles = thread->nfiles,
			.limit = turn->job->files.openfiles,
			.syncs = turn->job->end_fsync || turn->job->files.fsync_on_close,
			.open = thread_open_file,
			.arg = thread},
		    err);
	for (; thread->nopen < thread->nfiles; thread->nopen++)
		if (ops->file_open(turn->engine, &thread->files[thread->nopen], err) <
		    0)
			return err_prefix(err, "ioengine %s", ops->name);
	return 0;
}

/* Of what is drawn.  It follows from the thread's number among all jobs, as in fio: two
 * jobs of a file that are written alike neither read nor write the same blocks. */
static uint64_t
thread_seed(const struct thread *thread, const char *what)
{
	const struct crew_env *env = crew_env(thread->crew);

	return rng_derive(env->job->randseed, what, env->first_number + thread->index);
}

/* unlink_each_loop: between two passes. */
static int
thread_renew(void *arg, struct err *err)
{
	struct thread *thread = arg;
	struct engine *engine = thread->turn.engine;

	while (thread->nopen > 0)
		engine->ops->file_close(engine, &thread->files[--thread->nopen]);
	if (crew_renew_files(thread->crew, thread, err) < 0)
		return -1;
	for (; thread->nopen < thread->nfiles; thread->nopen++)
		if (engine->ops->file_open(
			engine, &thread->files[thread->nopen], err) < 0)
			return err_prefix(err, "ioengine %s", engine->ops->name);
	return 0;
}

/* startdelay: how long after T this thread begins. */
static uint64_t
thread_delay(const struct thread *thread, const struct job *job)
{
	uint64_t from = job->process.startdelay_ns, to = job->process.startdelay_max_ns;
	struct rng rng;

	if (to <= from)
		return from;
	rng_seed(&rng, thread_seed(thread, "startdelay"));
	return from + rng_below(&rng, to - from + 1);
}

/* What an instant of this clock is since 1970. */
static uint64_t
thread_unix_ms(uint64_t ns)
{
	return (clock_wall_ns() + ns - clock_ns()) / THREAD_NS_PER_MS;
}

static int
thread_open_log(struct thread *thread, struct err *err)
{
	const struct crew_env *env = crew_env(thread->crew);

	if (!job_wants_logs(env->job))
		return 0;
	return iolog_new(&thread->turn.log, env->job, env->first_number + thread->index,
	    env->logs, err);
}

static struct pattern *
thread_pattern(
    const struct thread *thread, const struct job *job, const struct files *files)
{
	uint64_t seed = thread_seed(thread, "pattern");
	uint64_t *regions = NULL;
	struct pattern *pattern;

	if (files->lengths) {
		regions = mem_array(thread->nfiles, sizeof *regions);
		for (unsigned f = 0; f < thread->nfiles; f++)
			regions[f] = files_region(files, job, thread->index, f);
	}
	pattern = pattern_new_sizes(job, thread->nfiles,
	    files_region(files, job, thread->index, 0), regions, seed);
	free(regions);
	return pattern;
}

static int
thread_prepare(struct thread *thread, struct err *err)
{
	const struct crew_env *env = crew_env(thread->crew);
	const struct job *job = env->job;
	const struct engine_ops *ops = engine_find(job->ioengine, err);
	struct turn *turn = &thread->turn;

	if (!ops || place_thread(job, thread->index, "/sys", err) < 0)
		return -1;
	if (thread_open_log(thread, err) < 0)
		return -1;
	turn->job = job;
	turn->files = thread->files;
	turn->nfiles = thread->nfiles;
	turn->board = env->board;
	turn->counts = board_thread(env->board, thread->index);
	turn->flight = board_flight(env->board, thread->index);
	turn->meter = board_meter(env->board, thread->index);
	turn->sync = engine_is_sync(ops, job);
	meter_init(turn->meter, env->board->duration_ns);
	thread->delay_ns = thread_delay(thread, job);
	turn->counts->delay_ns = thread->delay_ns;
	turn->pattern = thread_pattern(thread, job, env->files);
	pattern_set_offset(
	    turn->pattern, job_offset(job, thread->index) + thread->append);
	if (!(ops->caps & (ENGINE_NOFILE | ENGINE_PEER)))
		cache_passes_init(&turn->passes, job, pattern_pass_bytes(turn->pattern),
		    job_offset(job, thread->index),
		    env->files->lengths
			? 0
			: files_region(env->files, job, thread->index, 0));
	if (turn_prepare(turn, thread_seed(thread, "data"), err) < 0 ||
	    verify_new(&turn->verify, job, thread->index, turn->depth,
		thread_seed(thread, "verify"), err) < 0)
		return -1;
	if (job_renews_files(job) && env->files->paths.n > 0) {
		turn->renew = thread_renew;
		turn->renew_arg = thread;
	}
	if (verify_reads_back(turn->verify) || turn->renew)
		pattern_stop_at_passes(turn->pattern);
	return thread_open_engine(thread, err);
}

static void
thread_release(struct thread *thread)
{
	struct turn *turn = &thread->turn;

	opener_free(turn->opener);
	while (thread->nopen > 0)
		turn->engine->ops->file_close(
		    turn->engine, &thread->files[--thread->nopen]);
	if (turn->engine)
		turn->engine->ops->close(turn->engine);
	turn_release(turn);
	pattern_free(turn->pattern);
}

/* Not of a job that ends when it is steady, or has found its depth. */
static bool
thread_end_is_known(const struct job *job)
{
	bool seeks = job->pacing.target_ns && !job->pacing.target_run;

	return job->time_based && !steady_wanted(job) && !seeks;
}

static void
thread_set_window(struct thread *thread, uint64_t start_ns)
{
	struct turn *turn = &thread->turn;
	const struct job *job = turn->job;
	uint64_t delay = thread->delay_ns;
	uint64_t end = job->runtime_ns ? delay + job->ramp_ns + job->runtime_ns : 0;

	turn->start_ns = start_ns;
	turn->deadline_ns = end ? start_ns + end : UINT64_MAX;
	turn->count_from_ns = job->ramp_ns && job->amount.number_ios
				  ? start_ns + delay + job->ramp_ns
				  : UINT64_MAX;
	meter_window(turn->meter, start_ns, delay + job->ramp_ns,
	    end && thread_end_is_known(job) ? end : UINT64_MAX);
	pace_init(&turn->pace, job, start_ns + delay);
	pace_seed(&turn->pace, thread_seed(thread, "pace"));
	limits_init(&turn->limits, job, turn->depth, start_ns + delay);
	turn->held = turn->depth - limits_depth(&turn->limits);
	if (turn->log)
		iolog_start(turn->log, start_ns + delay + job->ramp_ns,
		    thread_unix_ms(start_ns + delay + job->ramp_ns));
}

/* Sleeps until T, which may still be moved.  False: stopped before. */
static bool
thread_await_start(struct thread *thread)
{
	struct turn *turn = &thread->turn;
	const struct board_head *head = turn->board->head;
	uint32_t *word = crew_word(thread->crew);

	for (;;) {
		uint32_t seen = __atomic_load_n(word, __ATOMIC_ACQUIRE);
		uint64_t start_ns = __atomic_load_n(&head->start_ns, __ATOMIC_RELAXED);

		if (park_stopped(turn->board))
			return false;
		if (start_ns == 0) {
			park_wait(word, seen, UINT64_MAX);
			continue;
		}
		if (!turn->fifo && turn->start_ns == 0)
			turn->fifo = park_fifo_take();
		if (turn->start_ns != start_ns)
			thread_set_window(thread, start_ns);
		if (clock_ns() >= start_ns)
			return true;
		park_wait(word, seen, start_ns);
	}
}

/* The rest of startdelay, after T. */
static void
thread_await_delay(struct thread *thread)
{
	const struct turn *turn = &thread->turn;
	uint64_t until = turn->start_ns + thread->delay_ns;

	while (thread->delay_ns && clock_ns() < until && !park_stopped(turn->board))
		park_wait_stop(turn->board, until);
}

/* What faults were meant to be is in the job; what they were, only the engine knows. */
static void
thread_post_faults(struct turn *turn)
{
	const struct fault_log *log = fault_log(turn->engine);

	if (!log)
		return;
	__atomic_store_n(&turn->counts->fault_ios, log->ios, __ATOMIC_RELAXED);
	__atomic_store_n(
	    &turn->counts->fault_delay_ns, log->delay_sum_ns, __ATOMIC_RELAXED);
}

static void
thread_is_steady(void *arg)
{
	crew_stop(arg);
}

/* Until it ends; the first thread has the watch started for all. */
static int
thread_turn(struct thread *thread, struct err *err)
{
	const struct job *job = thread->turn.job;
	struct usage usage;
	int rc;

	if (thread->index == 0 && steady_wanted(job) &&
	    steadywatch_start(&thread->watch, thread->turn.board, job,
		thread->delay_ns + job->ramp_ns, thread_is_steady, thread->crew, err) < 0)
		return -1;
	usage_begin(&usage);
	rc = turn_run(&thread->turn, err);
	usage_post(&usage, thread->turn.counts);
	steadywatch_stop(thread->watch);
	return rc;
}

static enum thread_end
thread_run(struct thread *thread, struct err *err)
{
	struct turn *turn = &thread->turn;
	bool go = thread_await_start(thread);
	int rc;

	__atomic_store_n(&turn->counts->fifo, turn->fifo, __ATOMIC_RELAXED);
	if (!go || !crew_may_start(thread->crew)) {
		if (turn->fifo)
			park_fifo_drop();
		return go ? THREAD_NOT_STARTED : THREAD_DONE;
	}
	thread_await_delay(thread);
	crew_set_running(thread->crew, thread, true);
	rc = thread_turn(thread, err);
	crew_set_running(thread->crew, thread, false);
	thread_post_faults(turn);
	return rc < 0 ? THREAD_FAILED : THREAD_DONE;
}

void *
thread_main(void *arg)
{
	struct thread *thread = arg;
	struct err err = ERR_INIT;
	enum thread_end end;

	if (thread_prepare(thread, &err) < 0) {
		thread_release(thread);
		crew_prepared(thread->crew, &err);
		return NULL;
	}
	crew_prepared(thread->crew, NULL);
	end = thread_run(thread, &err);
	thread_release(thread);
	crew_ended(thread->crew, end, &err);
	return NULL;
}
