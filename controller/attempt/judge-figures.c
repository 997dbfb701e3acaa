/* SPDX-License-Identifier: Apache-2.0 */
/* Figures against themselves, and beside what others would have shown. */
#include "controller/attempt/judge-impl.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "lib/base/mem.h"
#include "lib/base/units.h"
#include "lib/work/blocks.h"

#define LITTLE_TOLERANCE 0.02
#define FIO_STYLE_TOLERANCE 0.01

/*
 * Submission latencies that may be missing or too many.  Volley's own engines count an
 * I/O's latencies together; fio counts slat when it submits, so around the end of its
 * ramp each place of the queue may have one without the other.
 */
static uint64_t
slats_off(const struct total *total, const struct job *job)
{
	if (total->merged->runner[0] == '\0')
		return 0;
	return (uint64_t)job->iodepth * job->numjobs * total->clients;
}

static const char *
find_contradiction(const struct total *total, const struct job *job, enum dir dir)
{
	const struct dir_tally *all = &total->merged->dir[dir];
	uint64_t ios = all->phase[METER_INSIDE].ios;
	uint64_t bytes = all->phase[METER_INSIDE].bytes;
	uint64_t slats = all->slat.count;

	if (ios == 0 && bytes > 0)
		return "bytes without I/Os";
	if (ios > 0 && bytes == 0)
		return "I/Os without bytes";
	if (blocks_most(job) > 0 && bytes / blocks_most(job) > ios)
		return "more bytes than its I/Os can carry";
	if (all->lat.count != ios || all->clat.count != ios)
		return "not one latency for each I/O";
	if (slats != 0 &&
	    (slats > ios ? slats - ios : ios - slats) > slats_off(total, job))
		return "a submission latency for some I/Os only";
	return NULL;
}

static void
judge_sums(struct attempt *attempt, const struct total *total, const struct job *job,
    const char *name)
{
	bool any = false;

	for (int dir = 0; dir < DIR_COUNT; dir++) {
		const char *what = find_contradiction(total, job, (enum dir)dir);

		any = any || total->dir[dir].ios > 0;
		if (what)
			judge_reason(attempt, ATTEMPT_INVALID, "inconsistent", NULL,
			    "%s%s: %s", name, dir_name((enum dir)dir), what);
	}
	if (!any)
		judge_reason(attempt, ATTEMPT_INVALID, "no-io", NULL,
		    "%sno I/O completed inside the window", name);
}

/*
 * Little's law: the mean number of I/Os in flight is IOPS × mean lat, that is the sum
 * of all lat over the time.  An I/O that began before the window may bring up to its
 * own latency into it, one for each place in the queue; without a ramp there is none.
 */
static void
judge_little(struct attempt *attempt, const struct total *total, const struct job *job,
    const char *name)
{
	uint64_t time =
	    total->latency_in_window ? total->window_ns : total->last_done_ns;
	double sum = 0, longest = 0, depth = 1;

	for (int dir = 0; dir < DIR_COUNT; dir++) {
		const struct hist *lat = total->dir[dir].lat;

		sum += (double)lat->sum;
		if (lat->count && (double)lat->max > longest)
			longest = (double)lat->max;
		if (total->dir[dir].slat->count)
			depth = job->iodepth; /* else synchronous: one per thread */
	}
	double places = depth * job->numjobs * (double)total->clients;
	double carried = total->window_from ? longest : 0;
	double in_flight = sum / (double)time;

	if (time == 0 ||
	    in_flight <= places * (1 + LITTLE_TOLERANCE + carried / (double)time))
		return;
	judge_reason(attempt, ATTEMPT_INVALID, "littles-law", NULL,
	    "%sIOPS x latency is %.1f I/Os in flight, but iodepth x jobs x clients "
	    "allows %.0f: the figures contradict each other",
	    name, in_flight, places);
}

/* Each job's figures against themselves. */
void
judge_figures(struct judging *judging)
{
	struct attempt *attempt = judging->attempt;

	if (judging->nparts == 1) {
		judge_sums(attempt, &attempt->total, judging->parts[0].job, "");
		judge_little(attempt, &attempt->total, judging->parts[0].job, "");
	}
	for (size_t i = 0; i < attempt->jobs.n; i++) {
		const struct attempt_job *job = &attempt->jobs.v[i];
		char *name = mem_printf("job %s: ", job->name);

		if (job->has_total) {
			judge_sums(attempt, &job->total, judging->parts[i].job, name);
			judge_little(attempt, &job->total, judging->parts[i].job, name);
		}
		free(name);
	}
}

/* ---- what others would have shown ---- */

void
judge_fio_style(struct attempt *attempt)
{
	static const struct {
		const char *who;
		size_t offset;
	} ways[] = {
	    {"fio's sum", offsetof(struct total_dir, fio_bytes_per_s)},
	    {"the sum of the clients' averages",
		offsetof(struct total_dir, sum_bytes_per_s)},
	};

	for (int dir = 0; dir < DIR_COUNT; dir++) {
		const struct total_dir *figures = &attempt->total.dir[dir];
		char other[UNITS_BUF], ours[UNITS_BUF];

		for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
			double rate =
			    *(const double *)((const char *)figures + ways[i].offset);
			double by = rate / figures->bytes_per_s - 1;

			if (!figures->present || !(fabs(by) > FIO_STYLE_TOLERANCE))
				continue;
			units_bytes_per_s(other, rate);
			units_bytes_per_s(ours, figures->bytes_per_s);
			judge_reason(attempt, ATTEMPT_VALID, "fio-style-differs", NULL,
			    "%s: %s would be %s (%+.1f %%), in the window it was %s",
			    dir_name((enum dir)dir), ways[i].who, other, by * 100,
			    ours);
		}
	}
}
