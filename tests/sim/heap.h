/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What will happen, ordered by time and, at one instant, by who was there first.
 */
#ifndef VOLLEY_SIM_HEAP_H
#define VOLLEY_SIM_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/vec.h"
#include "lib/work/orders.h"

enum happening_kind {
	HAPPEN_ORDER,	     /* arrives at an agent */
	HAPPEN_COLLECT,	     /* arrives at an agent */
	HAPPEN_AGENT_CLOSED, /* an agent sees that a connection is gone */
	HAPPEN_AGENT_TIMER,
	HAPPEN_WORKER,	     /* inside a worker */
	HAPPEN_WORKER_SAID,  /* a worker's word arrives at its agent */
	HAPPEN_RESTART,	     /* of an agent */
	HAPPEN_FOREIGN,	     /* another controller wants this agent */
	HAPPEN_FOREIGN_GONE,
	HAPPEN_FAULT,	     /* hits an agent or its link */
	HAPPEN_FIRST_OF_PILOT,
	HAPPEN_ATTEMPT = HAPPEN_FIRST_OF_PILOT, /* the controller begins one */
	HAPPEN_REPORT,	     /* arrives at the controller */
	HAPPEN_RESULT,	     /* arrives at the controller; number 0: could not be had */
	HAPPEN_PILOT_CLOSED, /* the controller sees that a connection is gone */
	HAPPEN_CONNECT,	     /* the controller tries to */
	HAPPEN_SYNCED,
	HAPPEN_PILOT_TIMER,
	HAPPEN_INTERRUPT,
	HAPPEN_WATCH,	     /* a WATCH more than needed */
	HAPPEN_PILOT_PAUSE,
	HAPPEN_PILOT_DIES,
	HAPPEN_KIND_COUNT
};

struct happening {
	uint64_t at, seq;
	enum happening_kind kind;
	unsigned box;	/* which agent */
	unsigned conn;	/* which of its connections; of a pilot's: which life */
	unsigned what;	/* order kind, worker event, fault … */
	uint64_t run_id, id; /* id: worker, number of a result, arm, attempt */
	uint64_t start_ns;
	enum report_state state;
	enum err_code code;
	bool has_result;
};

struct heap {
	VEC(struct happening) list;
	uint64_t seq;
};

void heap_push(struct heap *heap, const struct happening *happening);
/* False when nothing is left. */
bool heap_pop(struct heap *heap, struct happening *ret);

#endif
