/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When the next I/O may start: rate, rate_iops and thinktime as pure arithmetic
 * on time stamps.  An open loop (rate or rate_iops) has an intended start for
 * every I/O, from which response time is measured (coordinated omission).
 *
 * A pause (thinktime) begins once thinktime_blocks I/Os were completed (or issued),
 * or thinktime_iotime is over, and all that was in flight has come home.
 */
#ifndef VOLLEY_WORK_PACE_H
#define VOLLEY_WORK_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/rng.h"
#include "lib/work/job.h"

struct pace {
	bool open_loop, thinks;
	uint64_t start_ns;
	struct {
		uint64_t rate, rate_iops; /* 0: none */
		uint64_t ios, bytes;	  /* issued */
		uint64_t drawn_ns;	  /* poisson: the intervals so far */
	} dir[DIR_COUNT];
	bool poisson;
	struct rng draw;
	uint64_t thinktime_ns, spin_ns, iotime_ns;
	unsigned thinktime_blocks, since_think; /* blocks 0: only iotime counts */
	bool on_issue, shifts; /* thinktime_blocks_type, rate_ignore_thinktime */
	bool think_due;
	int64_t inflight; /* issued and not completed */
	uint64_t io_from_ns;	/* the last pause ended; 0: it goes on */
	uint64_t not_before_ns; /* UINT64_MAX: not before a completion */
	uint64_t spin_until_ns; /* burn CPU until then instead of sleeping */
};

void pace_init(struct pace *pace, const struct job *job, uint64_t start_ns);
/* Everything is home and another pass begins: the schedule starts anew. */
void pace_restart(struct pace *pace, uint64_t start_ns);
/* Of the intervals of rate_process=poisson. */
void pace_seed(struct pace *pace, uint64_t seed);
/* The earliest start of the next I/O of `dir`; 0: at once. */
uint64_t pace_intended(const struct pace *pace, enum dir dir);
/* A mixed job drew `dir`: which direction is next?  As in fio, one that is ahead of its
 * rate gives way to the other, if that may start earlier. */
enum dir pace_choose(const struct pace *pace, enum dir dir, uint64_t now_ns);
/* It was issued / it completed, well or not (a pause counts from completion). */
void pace_issued(struct pace *pace, enum dir dir, uint32_t bytes);
void pace_completed(struct pace *pace, uint64_t now_ns);

#endif
