/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pacing.  The n-th I/O of a direction is due when the bytes (or I/Os) before it
 * have had their time at the wanted rate, counted from the start: the schedule
 * does not move when I/O is late, so lost time is caught up and seen in the
 * response time.
 */
#include "lib/work/pace.h"

#include <string.h>

#include "lib/base/units.h"

/* floor(n * 1e9 / per_s): ns until `n` units have passed at `per_s`. */
static uint64_t
time_of(uint64_t n, uint64_t per_s)
{
	__extension__ typedef unsigned __int128 wide;
	wide ns = (wide)n * UNITS_NS_PER_S / per_s;

	return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

static uint64_t
add_saturated(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

void
pace_init(struct pace *pace, const struct job *job, uint64_t start_ns)
{
	memset(pace, 0, sizeof *pace);
	pace->start_ns = start_ns;
	for (int d = 0; d < DIR_COUNT; d++) {
		pace->dir[d].rate = job->rate[d];
		pace->dir[d].rate_iops = job->rate_iops[d];
		if (job_rw_has(job, (enum dir)d) && (job->rate[d] || job->rate_iops[d]))
			pace->open_loop = true;
	}
	pace->thinktime_ns = job->thinktime_ns;
	pace->thinktime_blocks = job->thinktime_blocks ? job->thinktime_blocks : 1;
	pace->thinks = job->thinktime_ns > 0;
}

uint64_t
pace_intended(const struct pace *pace, enum dir dir)
{
	uint64_t due = 0, t;

	if (pace->dir[dir].rate) {
		t = time_of(pace->dir[dir].bytes, pace->dir[dir].rate);
		due = add_saturated(pace->start_ns, t);
	}
	if (pace->dir[dir].rate_iops) {
		t = time_of(pace->dir[dir].ios, pace->dir[dir].rate_iops);
		t = add_saturated(pace->start_ns, t);
		due = t > due ? t : due;
	}
	return due > pace->not_before_ns ? due : pace->not_before_ns;
}

void
pace_issued(struct pace *pace, enum dir dir, uint32_t bytes)
{
	pace->dir[dir].ios++;
	pace->dir[dir].bytes += bytes;
}

void
pace_completed(struct pace *pace, uint64_t now_ns)
{
	if (!pace->thinks || ++pace->since_think < pace->thinktime_blocks)
		return;
	pace->since_think = 0;
	pace->not_before_ns = add_saturated(now_ns, pace->thinktime_ns);
}
