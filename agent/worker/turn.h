/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The I/O loop of one thread: fill a batch, submit it, reap, record.
 *
 *   gather ──▶ submit ──▶ full? ── yes ──▶ reap ──▶ record
 *      ▲                   │ no                       │
 *      └───────────────────┴──────────────────────────┘
 *
 * Stamps: start when an I/O is prepared, accepted once per submit call, done once
 * per reap.  Submission ends at the deadline, at a stop, when the pattern is used
 * up or at the first error; then what is in flight is drained.  A short I/O goes
 * back for its remainder and is counted once, when it is complete.
 */
#ifndef VOLLEY_WORKER_TURN_H
#define VOLLEY_WORKER_TURN_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/engine/engine.h"
#include "agent/worker/board.h"
#include "agent/worker/buffers.h"
#include "agent/worker/cache.h"
#include "agent/worker/iolog.h"
#include "agent/worker/opener.h"
#include "agent/worker/data.h"
#include "agent/worker/ticks.h"
#include "agent/worker/verify.h"
#include "lib/base/err.h"
#include "lib/work/limits.h"
#include "lib/work/pace.h"
#include "lib/work/pattern.h"

enum turn_sync {
	TURN_SYNC_NONE, TURN_FSYNC, TURN_FDATASYNC, TURN_SYNC_RANGE,
	TURN_SYNC_END /* fsync at the end: of no latency, but of the time */
};

struct turn {
	const struct job *job;
	struct engine *engine;
	struct io_file *files;
	unsigned nfiles;
	const struct board *board; /* for head->stop */
	struct board_thread *counts;
	struct board_flight *flight;
	struct meter *meter;
	struct pattern *pattern;
	struct cache_passes passes;
	struct verify *verify; /* NULL: nothing is verified */
	/* Between two passes: makes the files anew; NULL: nothing to do. */
	int (*renew)(void *arg, struct err *err);
	void *renew_arg;
	struct pace pace;
	struct limits limits;
	struct iolog *log; /* NULL: none */
	struct opener *opener; /* NULL: all files are open all the time */
	struct buffers buffers;
	struct data data;
	struct ticks ticks; /* CLOCK_MONOTONIC, read cheaply */

	unsigned depth, batch_max, reap_min, reap_max, low;
	bool sync, paced, fifo, watched; /* watched: limits, log, opener, verify */
	uint64_t start_ns, deadline_ns; /* deadline: UINT64_MAX when size-bound */
	uint64_t count_from_ns; /* number_ios counts from then on; UINT64_MAX: it does */

	struct io *ios;
	uint32_t *want;		/* by io.index: bytes of the whole I/O; 0: never used */
	struct io **free, **batch, **retry, **reaped;
	unsigned nfree, nbatch, nretry, inflight;
	unsigned held; /* of the free ones: a limit keeps them back */
	bool draining; /* nothing starts until all is home */
	bool started, has_next, exhausted, failed, wrote;
	bool mismatch; /* verify_fatal: something was wrong */
	struct pattern_io next;
	uint64_t now_ns, wait_ns, last_done_ns; /* wait: the pace says not before */
	unsigned since_fsync, since_fdatasync, since_range;
	struct turn_range {	/* sync_file_range: what was written since the last */
		uint64_t from, to;
	} *ranges;		/* by file; NULL without that option */
	enum turn_sync sync_due;
	struct io_file *sync_file;
	uint64_t submitted, completed;
	/* When the pass or reading back that goes on began; from: 0: with the first
	 * submit. */
	uint64_t stage_from_ns, stage_submitted, stage_ios[DIR_COUNT];
	struct err *err;
};

/* Allocates and fills what the loop needs; the caller has set the first block. */
int turn_prepare(struct turn *turn, uint64_t seed, struct err *err);
/* Runs to the end.  0, or -1 with *err naming the I/O that failed. */
int turn_run(struct turn *turn, struct err *err);
void turn_release(struct turn *turn);

#endif
