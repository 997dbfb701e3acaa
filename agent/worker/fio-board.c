/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What fio says, put where a client's threads would have put it.  fio's clock begins
 * between two instants that are known:
 *
 *   let go ──▶ fio's clock begins … measured time, drain included ──▶ after
 *
 * not before its gate let it go, and not after (after − ramp − measured time).  The
 * middle stands for the first I/O, half the distance is what it may be off.
 */
#include <math.h>
#include <stdlib.h>

#include "agent/worker/fio-crew.h"
#include "agent/worker/fio-log.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"

struct between {
	uint64_t from, to;
};

static void
store(uint64_t *p, uint64_t value)
{
	__atomic_store_n(p, value, __ATOMIC_RELAXED);
}

void
fiocrew_post_window(const struct fiocrew *crew, uint64_t start_ns)
{
	const struct job *job = crew->env.job;
	uint64_t end = job_duration_ns(job);

	for (unsigned t = 0; t < job->numjobs; t++)
		meter_window(board_meter(crew->env.board, t), start_ns, job->ramp_ns,
		    job->time_based && end ? end : UINT64_MAX);
}

void
fiocrew_post_counts(const struct fiocrew *crew, const struct fioout *out)
{
	for (unsigned t = 0; t < out->n && t < crew->env.job->numjobs; t++) {
		struct board_thread *counts = board_thread(crew->env.board, t);
		uint64_t ios = 0;

		for (int dir = 0; dir < DIR_COUNT; dir++) {
			const struct dir_tally *from = &out->threads[t].dir[dir];

			meter_set(board_meter(crew->env.board, t), (enum dir)dir, from);
			ios += from->phase[METER_INSIDE].ios;
		}
		store(&counts->submitted, ios);
		store(&counts->completed, ios);
		store(&counts->errors, out->threads[t].errors);
	}
}

/* It reads only after it has written. */
static bool
reads_last(const struct job *job)
{
	return job_reads_back(job) && !job_rw_has(job, DIR_READ);
}

static uint64_t
thread_took_ms(const struct fiocrew *crew, const struct fioout_thread *thread)
{
	uint64_t reads = thread->runtime_ms[DIR_READ];
	uint64_t writes = thread->runtime_ms[DIR_WRITE];

	if (reads_last(crew->env.job))
		return reads + writes;
	return reads > writes ? reads : writes;
}

/* Directions of their own times: fio tells how long they were. */
static void
set_times(const struct fiocrew *crew, struct fioout_thread *thread, uint64_t began_ns)
{
	const struct job *job = crew->env.job;
	uint64_t begin = began_ns - crew->env.board->head->start_ns + job->ramp_ns;

	for (int dir = 0; job_reads_back(job) && dir < DIR_COUNT; dir++) {
		uint64_t busy = thread->runtime_ms[dir] * UNITS_NS_PER_MS, at = begin;

		if (thread->dir[dir].phase[METER_INSIDE].ios == 0)
			continue;
		if (dir == DIR_READ && reads_last(job))
			at += thread->runtime_ms[DIR_WRITE] * UNITS_NS_PER_MS;
		thread->dir[dir].times = (struct dir_times){.own = true,
		    .last_from_ns = at,
		    .first_to_ns = at + busy,
		    .busy_ns = busy};
	}
}

/* When did this thread's clock begin? */
static struct between
thread_began(const struct fiocrew *crew, unsigned t, const struct fioout_thread *thread)
{
	const struct fiocrew_thread *seen = &crew->threads[t];
	struct between ret = {seen->let_go_ns, seen->after_ns};
	uint64_t took =
	    crew->env.job->ramp_ns + thread_took_ms(crew, thread) * UNITS_NS_PER_MS;

	if (ret.from == 0)
		ret.from = crew->released_ns;
	if (ret.to == 0)
		ret.to = crew->ended_ns;
	ret.to += UNITS_NS_PER_MS; /* fio rounds its time up */
	ret.to = ret.to > ret.from + took ? ret.to - took : ret.from;
	return ret;
}

static uint64_t
thread_ios(const struct fioout_thread *thread)
{
	uint64_t ios = 0;

	for (int dir = 0; dir < DIR_COUNT; dir++)
		ios += thread->dir[dir].phase[METER_INSIDE].ios;
	return ios;
}

static char *
read_log(const struct fiocrew *crew, enum iolog_kind kind, unsigned t)
{
	int fd = fiocrew_open_log(crew, kind, t);
	struct str text = {0};

	fioproc_read(&fd, &text);
	return str_take(&text);
}

/* A log of single I/Os, whichever there is. */
static enum iolog_kind
any_log(const struct job_output *output)
{
	if (output->iops_log)
		return IOLOG_IOPS;
	return output->bw_log ? IOLOG_BW : IOLOG_LAT;
}

/* The wall clock at an instant of ours. */
static uint64_t
wall_ms(uint64_t at_ns)
{
	return (clock_wall_ns() - (clock_ns() - at_ns)) / UNITS_NS_PER_MS;
}

static void
add_slots(const struct fiocrew *crew, unsigned t, struct fioout_thread *thread,
    uint64_t began_ns)
{
	uint64_t start_ns = crew->env.board->head->start_ns;
	const struct job *job = crew->env.job;
	uint64_t line_ms = runner_fio_log_ms(job);
	char *iops = read_log(crew, line_ms ? IOLOG_IOPS : any_log(&job->output), t);
	char *bw = line_ms ? read_log(crew, IOLOG_BW, t) : NULL;
	struct fiolog_env env = {
	    .begin_ns = began_ns - start_ns + job->ramp_ns,
	    .ramp_ms = job->ramp_ns / UNITS_NS_PER_MS,
	    .line_ms = line_ms,
	    .zero_ms =
		job->output.log_unix_epoch ? wall_ms(began_ns + job->ramp_ns) : 0,
	    .iops = iops,
	    .bw = line_ms ? bw : iops,
	};

	for (int dir = 0; dir < DIR_COUNT; dir++) {
		const struct dir_times *own = &thread->dir[dir].times;

		env.runtime_ms =
		    own->own ? (own->first_to_ns - env.begin_ns) / UNITS_NS_PER_MS
			     : thread_took_ms(crew, thread);
		fiolog_slots(&thread->dir[dir], (enum dir)dir, &env);
	}
	free(iops);
	free(bw);
}

/* The first of all threads: not before the earliest `from`, not after the earliest
 * `to`, whichever threads these are. */
static struct between
client_began(const struct fiocrew *crew, const struct fioout *out)
{
	struct between ret = {UINT64_MAX, UINT64_MAX};

	for (unsigned t = 0; t < out->n && t < crew->env.job->numjobs; t++) {
		struct between began = thread_began(crew, t, &out->threads[t]);

		ret.from = began.from < ret.from ? began.from : ret.from;
		ret.to = began.to < ret.to ? began.to : ret.to;
	}
	return ret;
}

static void
post_usage(struct board_thread *counts, const struct fioout_thread *thread)
{
	uint64_t ns = thread->job_runtime_ms * UNITS_NS_PER_MS;

	store(&counts->latency_depth, thread->latency_depth);
	if (isnan(thread->user) || isnan(thread->sys) || !thread->usage.known)
		return;
	store(&counts->cpu_user_ns, (uint64_t)(thread->user * (double)ns));
	store(&counts->cpu_sys_ns, (uint64_t)(thread->sys * (double)ns));
	store(&counts->switches, thread->usage.switches);
	store(&counts->major_faults, thread->usage.major_faults);
	store(&counts->minor_faults, thread->usage.minor_faults);
	store(&counts->cpu_wall_ns, ns); /* last: now they are known */
}

static void
post_cpu(const struct fiocrew *crew, const struct fioout *out)
{
	struct board_head *head = crew->env.board->head;
	double user = 0, sys = 0;
	uint64_t wall = 0;

	for (unsigned t = 0; t < out->n && t < crew->env.job->numjobs; t++) {
		uint64_t ns = out->threads[t].job_runtime_ms * UNITS_NS_PER_MS;

		post_usage(board_thread(crew->env.board, t), &out->threads[t]);
		user += out->threads[t].user * (double)ns;
		sys += out->threads[t].sys * (double)ns;
		wall = ns > wall ? ns : wall;
	}
	if (isnan(user) || isnan(sys))
		return;
	store(&head->cpu_user_ns, (uint64_t)user);
	store(&head->cpu_sys_ns, (uint64_t)sys);
	store(&head->cpu_wall_ns, wall);
}

void
fiocrew_post_end(const struct fiocrew *crew, struct fioout *out)
{
	const struct job *job = crew->env.job;
	struct board_head *head = crew->env.board->head;
	struct between all = client_began(crew, out);
	uint64_t first = all.from + (all.to - all.from) / 2, longest = 0;

	for (unsigned t = 0; t < out->n && t < job->numjobs; t++) {
		struct fioout_thread *thread = &out->threads[t];
		struct board_thread *counts = board_thread(crew->env.board, t);
		struct between began = thread_began(crew, t, thread);
		uint64_t at = began.from + (began.to - began.from) / 2;
		uint64_t took_ms = thread_took_ms(crew, thread);
		uint64_t took = job->ramp_ns + took_ms * UNITS_NS_PER_MS;

		/* No thread before the first of all; the first is exactly there. */
		if (at < first || began.from == all.from)
			at = first;
		longest = took_ms > longest ? took_ms : longest;
		if (thread_ios(thread) == 0)
			continue;
		set_times(crew, thread, at);
		add_slots(crew, t, thread, at);
		store(&counts->first_submit_ns, at);
		store(&counts->end_ns, at + took);
	}
	fiocrew_post_counts(crew, out);
	post_cpu(crew, out);
	store(&head->first_io_bound_ns, all.to - first);
	for (unsigned t = 0; head->window_own && longest && t < job->numjobs; t++)
		meter_window(board_meter(crew->env.board, t), head->start_ns,
		    job->ramp_ns, job->ramp_ns + longest * UNITS_NS_PER_MS);
	for (unsigned t = 0; t < out->n; t++)
		for (int dir = 0; dir < DIR_COUNT; dir++)
			dir_tally_free(&out->threads[t].dir[dir]);
}
