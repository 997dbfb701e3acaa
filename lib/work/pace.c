/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pacing.  The n-th I/O of a direction is due when the bytes (or I/Os) before it
 * have had their time at the wanted rate, counted from the start: the schedule
 * does not move when I/O is late, so lost time is caught up and seen in the
 * response time.
 */
#include "lib/work/pace.h"

#include <math.h>
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

static void
pace_init_think(struct pace *pace, const struct job *job)
{
	const struct job_pacing *pacing = &job->pacing;

	pace->thinktime_ns = job->thinktime_ns;
	pace->thinktime_blocks = job->thinktime_blocks ? job->thinktime_blocks : 1;
	pace->iotime_ns = pacing->thinktime_iotime_ns;
	/* 1 is the default: a job that names a time means only that. */
	if (pace->iotime_ns && pace->thinktime_blocks == 1)
		pace->thinktime_blocks = 0;
	pace->spin_ns = pacing->thinktime_spin_ns;
	pace->on_issue = pacing->thinktime_on_issue;
	pace->shifts = pacing->rate_ignore_thinktime;
	pace->thinks = job->thinktime_ns > 0;
	pace->io_from_ns = pace->start_ns;
}

void
pace_init(struct pace *pace, const struct job *job, uint64_t start_ns)
{
	memset(pace, 0, sizeof *pace);
	pace->start_ns = start_ns;
	pace->poisson = job->pacing.process == JOB_POISSON;
	for (int d = 0; d < DIR_COUNT; d++) {
		pace->dir[d].rate = job->rate[d];
		pace->dir[d].rate_iops = job->rate_iops[d];
		/* fio's poisson is one of I/Os, whose mean follows from the block size */
		if (pace->poisson && job->rate[d] && job->bs[d]) {
			pace->dir[d].rate = 0;
			pace->dir[d].rate_iops =
			    job->rate[d] < job->bs[d] ? 1 : job->rate[d] / job->bs[d];
		}
		if (job_rw_has(job, (enum dir)d) && (job->rate[d] || job->rate_iops[d]))
			pace->open_loop = true;
	}
	pace_init_think(pace, job);
	pace_seed(pace, 0);
}

void
pace_restart(struct pace *pace, uint64_t start_ns)
{
	pace->start_ns = pace->io_from_ns = start_ns;
	for (int d = 0; d < DIR_COUNT; d++)
		pace->dir[d].ios = pace->dir[d].bytes = pace->dir[d].drawn_ns = 0;
	pace->since_think = 0;
	pace->think_due = false;
	pace->inflight = 0;
	pace->not_before_ns = pace->spin_until_ns = 0;
}

void
pace_seed(struct pace *pace, uint64_t seed)
{
	rng_seed(&pace->draw, seed);
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
		t = pace->poisson ? pace->dir[dir].drawn_ns
				  : time_of(pace->dir[dir].ios, pace->dir[dir].rate_iops);
		t = add_saturated(pace->start_ns, t);
		due = t > due ? t : due;
	}
	return due > pace->not_before_ns ? due : pace->not_before_ns;
}

enum dir
pace_choose(const struct pace *pace, enum dir dir, uint64_t now_ns)
{
	enum dir other = dir == DIR_READ ? DIR_WRITE : DIR_READ;
	uint64_t due = pace_intended(pace, dir);

	return due <= now_ns || due <= pace_intended(pace, other) ? dir : other;
}

/* The time to the next of a Poisson process: -ln(u) times the mean. */
static uint64_t
draw_interval(struct rng *rng, uint64_t per_s)
{
	double u = 1 - rng_unit(rng); /* (0, 1] */

	return (uint64_t)(-log(u) * (double)UNITS_NS_PER_S / (double)per_s);
}

static void
count_think(struct pace *pace)
{
	if (pace->thinktime_blocks && ++pace->since_think >= pace->thinktime_blocks)
		pace->think_due = true;
}

void
pace_issued(struct pace *pace, enum dir dir, uint32_t bytes)
{
	pace->dir[dir].ios++;
	pace->dir[dir].bytes += bytes;
	if (pace->poisson && pace->dir[dir].rate_iops)
		pace->dir[dir].drawn_ns = add_saturated(pace->dir[dir].drawn_ns,
		    draw_interval(&pace->draw, pace->dir[dir].rate_iops));
	if (!pace->thinks)
		return;
	pace->inflight++;
	if (pace->on_issue) {
		count_think(pace);
		if (pace->think_due)
			pace->not_before_ns = UINT64_MAX;
	}
}

static void
begin_pause(struct pace *pace, uint64_t now_ns)
{
	uint64_t pause = pace->thinktime_ns;

	if (pace->spin_ns > pause)
		pause = pace->spin_ns;
	pace->think_due = false;
	pace->since_think = 0;
	pace->not_before_ns = add_saturated(now_ns, pause);
	pace->spin_until_ns = pace->spin_ns ? add_saturated(now_ns, pace->spin_ns) : 0;
	pace->io_from_ns = pace->not_before_ns;
	/* The schedule of the rate moves on with the pause: nothing is caught up. */
	if (pace->shifts)
		pace->start_ns = add_saturated(pace->start_ns, pause);
}

void
pace_completed(struct pace *pace, uint64_t now_ns)
{
	if (!pace->thinks)
		return;
	if (pace->inflight > 0)
		pace->inflight--;
	if (!pace->on_issue)
		count_think(pace);
	if (pace->iotime_ns && now_ns >= add_saturated(pace->io_from_ns, pace->iotime_ns))
		pace->think_due = true;
	if (!pace->think_due)
		return;
	if (pace->inflight > 0)
		pace->not_before_ns = UINT64_MAX;
	else
		begin_pause(pace, now_ns);
}
