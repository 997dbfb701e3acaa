/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words that controller and agent exchange about a run, as domain structs.
 * Both state machines (controller/fleet/drive, agent/run) and the simulator
 * speak these; lib/wire turns them into protobuf.
 *
 *   controller                              agent
 *     PREPARE(run, job) ───────────────────▶  spawns the worker, lays out, opens, parks
 *     ◀──────────────── REPORT(READY | FAILED)
 *     ARM(run, start on the agent's clock) ▶
 *     ◀──────────────── REPORT(ARMED)
 *     GO(run) ─────────────────────────────▶  without it nothing starts
 *     ◀──────────────── REPORT(RUNNING), live samples, REPORT(FINISHED | FAILED | …)
 *     COLLECT(run) ────────────────────────▶
 *     ◀──────────────── RESULT(tally)
 *     RELEASE(run) ────────────────────────▶  forgets the run, unlinks what it must
 *
 * Reports are levels, not edges: an agent repeats its current report after every
 * reconnect and on WATCH, so a lost message is harmless.
 */
#ifndef VOLLEY_WORK_ORDERS_H
#define VOLLEY_WORK_ORDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/stats/tally.h"
#include "lib/work/job.h"

enum order_kind {
	ORDER_PREPARE,
	ORDER_ARM,
	ORDER_GO,
	ORDER_WATCH,   /* repeat the current report */
	ORDER_COLLECT,
	ORDER_ABORT,   /* stop load, keep what was counted for COLLECT */
	ORDER_RELEASE,
	ORDER_KIND_COUNT
};

/* One of a client's jobs. */
struct order_job {
	struct job job;
	unsigned client_index, client_count; /* among the clients that run this job */
	unsigned first_number; /* of its threads, in names of logs; from 1 */
};

/* What an agent is told.  Pointers are borrowed for the call. */
struct order {
	enum order_kind kind;
	uint64_t run_id;	/* never 0 */
	/* PREPARE */
	const struct order_job *jobs; /* this client's, at least one; all start at T */
	size_t njobs;
	const char *peer_key;	/* of network engines' target; NULL: none */
	const char *case_id;	/* for messages and file names */
	const char *client;	/* the agent's stable name in this plan */
	uint64_t prepare_timeout_ns;
	uint64_t finish_timeout_ns; /* after T: the plan's deadline for this run */
	uint64_t lease_ns;	/* how long a run goes on without its controller */
	/* ARM */
	uint64_t start_ns;	/* T on the agent's CLOCK_MONOTONIC */
};

enum report_state {
	REPORT_NONE,	    /* no such run here */
	REPORT_PREPARING,
	REPORT_READY,
	REPORT_ARMED,
	REPORT_RUNNING,	    /* GO received, T not yet or already passed */
	REPORT_FINISHED,    /* a complete result waits for COLLECT */
	REPORT_FAILED,	    /* error; a partial result may wait */
	REPORT_STALLED,	    /* the worker does not answer; its I/Os are outstanding */
	REPORT_NOT_STARTED, /* no GO before T */
	REPORT_ABORTED,
	REPORT_BUSY,	    /* refused: the agent serves another run */
	REPORT_STATE_COUNT
};

struct report {
	uint64_t run_id;
	enum report_state state;
	uint64_t start_ns;   /* echoed T from ARMED on, else 0 */
	struct err err;	     /* FAILED, STALLED, NOT_STARTED, ABORTED, BUSY */
	bool has_result;     /* COLLECT will answer with a tally */
	/* PREPARING: layout progress, bytes; total 0: nothing to lay out */
	uint64_t layout_done, layout_total;
};

/* Live sample: cumulative counters of one client, lossy. */
struct sample {
	uint64_t run_id;
	uint64_t at_ns; /* agent's clock, ns since T; 0 before */
	struct {
		uint64_t ios, bytes, lat_sum_ns, lat_count;
	} dir[DIR_COUNT];
	uint64_t outstanding;
};

/* Another job of the same client; `into` keeps its run id. */
void sample_add(struct sample *into, const struct sample *from);

const char *order_kind_name(enum order_kind kind);
const char *report_state_name(enum report_state state); /* "READY" */
/* No further report follows without a new order. */
bool report_is_final(enum report_state state);

#endif
