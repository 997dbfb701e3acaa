/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits of latency and rate.
 */
#include "lib/work/limits.h"

#include <errno.h>
#include <string.h>

#include "lib/base/units.h"

#define SETTLE_NS (2 * UNITS_NS_PER_S) /* as long as fio lets a rate settle */
#define STEADY_WINDOWS 3 /* good ones next to a bad depth until it is tried again */

void
limits_init(
    struct limits *limits, const struct job *job, unsigned depth, uint64_t start_ns)
{
	const struct job_pacing *pacing = &job->pacing;

	memset(limits, 0, sizeof *limits);
	limits->start_ns = limits->window_from_ns = start_ns;
	limits->cycle_ns = pacing->cycle_ns;
	limits->most = limits->depth = depth;
	for (int d = 0; d < DIR_COUNT; d++) {
		limits->max_latency_ns[d] = pacing->max_latency_ns[d];
		limits->min[d].rate = pacing->rate_min[d];
		limits->min[d].iops = pacing->rate_iops_min[d];
		limits->any |= pacing->max_latency_ns[d] || pacing->rate_min[d] ||
			       pacing->rate_iops_min[d];
	}
	if (!pacing->target_ns)
		return;
	limits->any = true;
	limits->target_ns = pacing->target_ns;
	limits->window_ns = pacing->window_ns;
	limits->percentile = pacing->target_percentile;
	limits->run_on = pacing->target_run;
	limits->depth = limits->low = 1;
	limits->high = depth;
}

unsigned
limits_depth(const struct limits *limits)
{
	return limits->depth;
}

static void
begin_window(struct limits *limits, uint64_t now_ns)
{
	limits->window_from_ns = now_ns;
	limits->window_ios = limits->window_missed = 0;
}

void
limits_drained(struct limits *limits, uint64_t now_ns)
{
	begin_window(limits, now_ns);
}

static int
fail_latency(uint64_t lat_ns, uint64_t limit_ns, const char *option, struct err *err)
{
	char is[UNITS_BUF], limit[UNITS_BUF];

	err_set(err, ERR_IO, "an I/O took %s; %s is %s",
	    units_ns(is, (double)lat_ns), option, units_ns(limit, (double)limit_ns));
	err->errnum = ETIMEDOUT;
	return LIMITS_FAIL;
}

/* Fewer than promised since the last look: rates of the two kinds alike. */
static int
fail_rate(const char *option, enum dir dir, double is, uint64_t least, struct err *err)
{
	err_set(err, ERR_IO, "%s of %ss is %llu, and it was %.0f in the last cycle",
	    option, dir_name(dir), (unsigned long long)least, is);
	err->errnum = EIO;
	return LIMITS_FAIL;
}

static int
check_rate(struct limits *limits, enum dir dir, uint64_t now_ns, struct err *err)
{
	uint64_t spent = now_ns - limits->min[dir].from_ns;
	double bytes, ios;

	if (now_ns < limits->start_ns + SETTLE_NS)
		return LIMITS_GO_ON;
	if (limits->min[dir].from_ns == 0)
		spent = 0;
	else if (spent < limits->cycle_ns)
		return LIMITS_GO_ON;
	if (spent) {
		double s = (double)spent / (double)UNITS_NS_PER_S;

		bytes = (double)(limits->min[dir].bytes - limits->min[dir].from_bytes) / s;
		ios = (double)(limits->min[dir].ios - limits->min[dir].from_ios) / s;
		if (limits->min[dir].rate && bytes < (double)limits->min[dir].rate)
			return fail_rate(
			    "rate_min", dir, bytes, limits->min[dir].rate, err);
		if (limits->min[dir].iops && ios < (double)limits->min[dir].iops)
			return fail_rate(
			    "rate_iops_min", dir, ios, limits->min[dir].iops, err);
	}
	limits->min[dir].from_ns = now_ns;
	limits->min[dir].from_bytes = limits->min[dir].bytes;
	limits->min[dir].from_ios = limits->min[dir].ios;
	return LIMITS_GO_ON;
}

/* Down half the way to the depth that was good; there is none below the lowest. */
static bool
step_down(struct limits *limits)
{
	if (limits->depth == limits->low)
		return false;
	limits->high = limits->depth;
	limits->depth = (limits->depth + limits->low) / 2;
	limits->steady = 0;
	return true;
}

static int
step_up(struct limits *limits, uint64_t now_ns)
{
	unsigned before = limits->depth;

	limits->low = before;
	if (before + 1 == limits->high && ++limits->steady >= STEADY_WINDOWS) {
		limits->high++;
		limits->steady = 0;
	}
	if (limits->high != limits->most)
		limits->depth = (before + limits->high) / 2;
	else
		limits->depth = before * 2;
	if (limits->depth > limits->most)
		limits->depth = limits->most;
	begin_window(limits, now_ns);
	if (limits->run_on || limits->depth != before)
		return LIMITS_GO_ON;
	if (limits->last_window)
		return LIMITS_END;
	limits->last_window = true;
	return LIMITS_DRAIN;
}

static int
check_target(struct limits *limits, uint64_t lat_ns, uint64_t now_ns, struct err *err)
{
	double good;

	limits->window_ios++;
	if (lat_ns > limits->target_ns) {
		limits->window_missed++;
		if (limits->percentile >= 100)
			return step_down(limits) ? LIMITS_DRAIN
						 : fail_latency(lat_ns, limits->target_ns,
						       "latency_target", err);
	}
	if (now_ns - limits->window_from_ns < limits->window_ns)
		return LIMITS_GO_ON;
	good = 100.0 * (double)(limits->window_ios - limits->window_missed) /
	       (double)limits->window_ios;
	if (good >= limits->percentile)
		return step_up(limits, now_ns);
	if (step_down(limits))
		return LIMITS_DRAIN;
	begin_window(limits, now_ns);
	return LIMITS_GO_ON;
}

enum limits_word
limits_completed(struct limits *limits, enum dir dir, uint32_t bytes, uint64_t lat_ns,
    uint64_t now_ns, struct err *err)
{
	int word = LIMITS_GO_ON;

	if (limits->max_latency_ns[dir] && lat_ns > limits->max_latency_ns[dir])
		return (enum limits_word)fail_latency(
		    lat_ns, limits->max_latency_ns[dir], "max_latency", err);
	if (limits->min[dir].rate || limits->min[dir].iops) {
		limits->min[dir].bytes += bytes;
		limits->min[dir].ios++;
		word = check_rate(limits, dir, now_ns, err);
	}
	if (word == LIMITS_GO_ON && limits->target_ns)
		word = check_target(limits, lat_ns, now_ns, err);
	return (enum limits_word)word;
}
