/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ends a job before its time, or holds back its queue, judged at each
 * completion: max_latency, rate_min and rate_iops_min, and the search of
 * latency_target for the deepest queue that keeps it.  Pure.
 *
 * The search is fio's: it begins at depth 1, doubles after each latency_window in
 * which latency_percentile of the I/Os kept latency_target, halves the way back
 * after one in which they did not, and at the end runs one more window at the depth
 * it found (or, with latency_run, goes on).
 */
#ifndef VOLLEY_WORK_LIMITS_H
#define VOLLEY_WORK_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/work/job.h"

/* What the caller has to do. */
enum limits_word {
	LIMITS_GO_ON,
	LIMITS_FAIL,  /* *err says why */
	LIMITS_DRAIN, /* bring home what is in flight, then call limits_drained */
	LIMITS_END,   /* the search is over, the job is through */
};

struct limits {
	bool any;
	uint64_t start_ns;
	uint64_t max_latency_ns[DIR_COUNT]; /* 0: none */
	struct {
		uint64_t rate, iops; /* the least; 0: none */
		uint64_t bytes, ios; /* so far */
		uint64_t from_ns, from_bytes, from_ios;
	} min[DIR_COUNT];
	uint64_t cycle_ns;
	uint64_t target_ns, window_ns; /* target 0: no search */
	double percentile;
	bool run_on, last_window;
	unsigned depth, low, high, most, steady;
	uint64_t window_from_ns, window_ios, window_missed;
};

void limits_init(struct limits *limits, const struct job *job, unsigned depth,
		 uint64_t start_ns);
/* An I/O came home. */
enum limits_word limits_completed(struct limits *limits, enum dir dir, uint32_t bytes,
				  uint64_t lat_ns, uint64_t now_ns, struct err *err);
/* How many may be in flight now. */
unsigned limits_depth(const struct limits *limits);
void limits_drained(struct limits *limits, uint64_t now_ns);

#endif
