/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steadystate: has a job's rate settled?  Pure; fed one second after the other.
 *
 * As in fio, the last steadystate_duration seconds are looked at.  `iops` and `bw`:
 * the largest deviation of one of them from their mean; `iops_slope` and `bw_slope`:
 * the slope of the least-squares line through them (per second).  Where the limit is
 * in percent, so is the criterion: of the mean.  It is attained when the criterion is
 * below the limit.
 */
#ifndef VOLLEY_WORK_STEADY_H
#define VOLLEY_WORK_STEADY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/str.h"
#include "lib/stats/tally.h"
#include "lib/work/job.h"

struct steady_second {
	uint64_t ios, bytes;
};

struct steady {
	enum job_steady_of of; /* JOB_STEADY_NONE: nothing is judged */
	double limit;
	bool is_percent;
	size_t wanted, n;	      /* seconds to look at; those that are known */
	struct steady_second *seconds; /* the oldest first */
	bool judged, attained;	      /* judged: there were enough of them */
	double criterion, deviation, slope;
};

#define STEADY_SLOTS (UINT64_C(1000000000) / SLOT_NS) /* of a second */

bool steady_wanted(const struct job *job);
void steady_init(struct steady *steady, const struct job *job);
void steady_free(struct steady *steady);
/* The next second is over.  True from the one on in which it was attained. */
bool steady_add(struct steady *steady, struct steady_second second);
/* The slot, of SLOT_NS since T, at which judging begins: `from_ns`, where the job's figures
 * begin, and the ramp of its own are over. */
uint64_t steady_first_slot(const struct job *job, uint64_t from_ns);
/* The second that begins with slot `first`; of live slots, too. */
struct steady_second steady_second_of(
    const struct slot *slots, uint64_t n, uint64_t first);
/* Judges what a finished job's slots say; caller frees with steady_free. */
void steady_replay(
    struct steady *ret, const struct job *job, const struct tally *tally);
/* Means over the seconds that were looked at. */
struct steady_second steady_mean(const struct steady *steady);
/* "iops_slope:0.3%", with fio's six digits. */
void steady_describe(const struct steady *steady, struct str *ret);

#endif
