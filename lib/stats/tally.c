/* SPDX-License-Identifier: Apache-2.0 */
/* Tallies: made, added and released. */
#include "lib/stats/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"

const double tally_percentiles[TALLY_PERCENTILES] = {50, 90, 95, 99, 99.9, 99.99};

struct tally_stated *
tally_stated_new(void)
{
	struct tally_stated *stated = mem_alloc(sizeof *stated);

	stated->iops = stated->bytes_per_s = NAN;
	for (int kind = 0; kind < TALLY_LATENCIES; kind++)
		for (int i = 0; i < TALLY_PERCENTILES; i++)
			stated->percentile[kind][i] = NAN;
	return stated;
}

struct tally *
tally_new(void)
{
	return mem_alloc(sizeof(struct tally));
}

void
tally_free(struct tally *tally)
{
	if (!tally)
		return;
	for (int dir = 0; dir < DIR_COUNT; dir++)
		dir_tally_free(&tally->dir[dir]);
	for (size_t i = 0; i < tally->njobs; i++)
		tally_free(tally->jobs[i]);
	free(tally->jobs);
	free(tally);
}

bool
tally_has(const struct tally *tally, enum dir dir)
{
	for (int i = 0; i < METER_PHASES; i++)
		if (tally->dir[dir].phase[i].ios)
			return true;
	return false;
}

void
dir_times_merge(struct dir_times *into, const struct dir_times *from)
{
	if (!from->own)
		return;
	if (!into->own || from->first_to_ns < into->first_to_ns)
		into->first_to_ns = from->first_to_ns;
	if (from->last_from_ns > into->last_from_ns)
		into->last_from_ns = from->last_from_ns;
	if (from->busy_ns > into->busy_ns)
		into->busy_ns = from->busy_ns;
	into->own = true;
}

void
dir_tally_merge(struct dir_tally *into, const struct dir_tally *from)
{
	for (int i = 0; i < METER_PHASES; i++) {
		into->phase[i].ios += from->phase[i].ios;
		into->phase[i].bytes += from->phase[i].bytes;
	}
	hist_merge(&into->slat, &from->slat);
	hist_merge(&into->clat, &from->clat);
	hist_merge(&into->lat, &from->lat);
	hist_merge(&into->drain, &from->drain);
	hist_merge(&into->response, &from->response);
	hist_merge(&into->sync, &from->sync);
	slots_merge(&into->slots, &from->slots);
	heats_merge(&into->heats, &from->heats);
	into->slot_overflow += from->slot_overflow;
	dir_times_merge(&into->times, &from->times);
}

/* Of those that started. */
static void
merge_times(struct tally *into, const struct tally *from)
{
	bool first = !into->has_first_io;

	if (!from->has_first_io)
		return;
	if (first || from->first_io_ns < into->first_io_ns)
		into->first_io_ns = from->first_io_ns;
	if (first || from->last_first_io_ns > into->last_first_io_ns)
		into->last_first_io_ns = from->last_first_io_ns;
	if (first || from->first_end_ns < into->first_end_ns)
		into->first_end_ns = from->first_end_ns;
	if (from->end_ns > into->end_ns)
		into->end_ns = from->end_ns;
	into->has_first_io = true;
}

/* Unknown of one is unknown of all. */
static void
merge_cpu(struct tally *into, const struct tally *from, bool first)
{
	if (!first && into->cpu_wall_ns == 0)
		return;
	into->cpu_user_ns += from->cpu_user_ns;
	into->cpu_sys_ns += from->cpu_sys_ns;
	into->cpu_wall_ns += from->cpu_wall_ns;
	if (from->cpu_wall_ns == 0)
		into->cpu_user_ns = into->cpu_sys_ns = into->cpu_wall_ns = 0;
}

void
tally_usage_merge(
    struct tally_usage *into, const struct tally_usage *from, bool first)
{
	if (!from->known || !(first || into->known)) {
		*into = (struct tally_usage){.known = false};
		return;
	}
	into->known = true;
	into->switches += from->switches;
	into->major_faults += from->major_faults;
	into->minor_faults += from->minor_faults;
}

void
tally_merge(struct tally *into, const struct tally *from, bool first)
{
	for (int dir = 0; dir < DIR_COUNT; dir++)
		dir_tally_merge(&into->dir[dir], &from->dir[dir]);
	merge_times(into, from);
	merge_cpu(into, from, first);
	tally_usage_merge(&into->usage, &from->usage, first);
	if (from->window_from > into->window_from)
		into->window_from = from->window_from;
	if (first || from->window_to < into->window_to)
		into->window_to = from->window_to;
	into->threads += from->threads;
	into->outstanding += from->outstanding;
	if (from->oldest_outstanding_ns > into->oldest_outstanding_ns)
		into->oldest_outstanding_ns = from->oldest_outstanding_ns;
	into->io_errors += from->io_errors;
	if (from->latency_depth > into->latency_depth)
		into->latency_depth = from->latency_depth;
	if (into->runner[0] == '\0')
		memcpy(into->runner, from->runner, sizeof into->runner);
	into->fifo = from->fifo && (first || into->fifo);
	into->direct = from->direct && (first || into->direct);
}

size_t
tally_job_count(const struct tally *tally)
{
	return tally->njobs ? tally->njobs : 1;
}

const struct tally *
tally_job(const struct tally *tally, size_t i)
{
	return tally->njobs ? tally->jobs[i] : tally;
}

struct tally *
tally_of_jobs(struct tally *const *jobs, size_t n)
{
	struct tally *ret = tally_new();
	uint64_t wall_ns = 0;

	if (n == 1) {
		tally_free(ret);
		return jobs[0];
	}
	ret->jobs = mem_array(n, sizeof(struct tally *));
	ret->njobs = n;
	for (size_t i = 0; i < n; i++) {
		struct tally *job = jobs[i];

		ret->jobs[i] = job;
		tally_merge(ret, job, i == 0);
		if (job->cpu_wall_ns > wall_ns)
			wall_ns = job->cpu_wall_ns;
		if (job->first_io_bound_ns > ret->first_io_bound_ns)
			ret->first_io_bound_ns = job->first_io_bound_ns;
		ret->window_own = ret->window_own || job->window_own;
		ret->imported = ret->imported || job->imported;
	}
	/* They ran at the same time. */
	if (ret->cpu_wall_ns)
		ret->cpu_wall_ns = wall_ns;
	ret->start_ns = jobs[0]->start_ns;
	if (ret->window_to < ret->window_from)
		ret->window_to = ret->window_from;
	for (int dir = 0; dir < DIR_COUNT; dir++) /* each job has its own */
		ret->dir[dir].times = (struct dir_times){.own = false};
	return ret;
}

void
dir_tally_free(struct dir_tally *tally)
{
	slots_free(&tally->slots);
	heats_free(&tally->heats);
	free(tally->stated);
	tally->stated = NULL;
}
