/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When the next I/O may start: rate, rate_iops and thinktime as pure arithmetic
 * on time stamps.  An open loop (rate or rate_iops) has an intended start for
 * every I/O, from which response time is measured (coordinated omission).
 */
#ifndef VOLLEY_WORK_PACE_H
#define VOLLEY_WORK_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/work/job.h"

struct pace {
	bool open_loop, thinks;
	uint64_t start_ns;
	struct {
		uint64_t rate, rate_iops; /* 0: none */
		uint64_t ios, bytes;	  /* issued */
	} dir[DIR_COUNT];
	uint64_t thinktime_ns;
	unsigned thinktime_blocks, since_think;
	uint64_t not_before_ns;
};

void pace_init(struct pace *pace, const struct job *job, uint64_t start_ns);
/* The earliest start of the next I/O of `dir`; 0: at once. */
uint64_t pace_intended(const struct pace *pace, enum dir dir);
/* It was issued / it completed (thinktime counts from completion). */
void pace_issued(struct pace *pace, enum dir dir, uint32_t bytes);
void pace_completed(struct pace *pace, uint64_t now_ns);

#endif
