/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The agent's side of a run as a pure state machine: (state, event, now) in,
 * (state, actions) out.  Sockets, timers and the worker process are thin shells
 * around it (agentd.c, worker-link.c), and the simulator runs a thousand of
 * these in virtual time.
 *
 *   IDLE ─PREPARE▶ PREPARING ─ready▶ READY ─ARM▶ ARMED ─GO▶ RUNNING ─done▶ FINISHED
 *                      │               │           │ T passes without GO       │
 *                      ▼               ▼           ▼                          RELEASE
 *                   FAILED         ABORTED     NOT_STARTED                     ▼ IDLE
 *
 * Whatever ends a run early (ABORT, a deadline, the lease) goes STOP → SIGKILL →
 * abandon; the run is final only when its worker has ended or was given up.
 *
 * What the shell must keep to:
 *  - a connection belongs to a run's controller once it sent an order with that
 *    run_id; LINK_UP when the first such one exists, LINK_DOWN when none is left;
 *  - after CLEAN and ABANDON the worker is the shell's alone: none of its events
 *    are delivered here, and the next SPAWN waits until a cleaning worker is gone
 *    (killed after RUN_KILL_AFTER_NS);
 *  - an order is answered with REFUSE's report if there is one, else run_report().
 *
 * Invariants (tests/sim): no GO reaches a worker unless this run was ARMED and GO
 * came before T; orders of another run_id change nothing; each run ends by a
 * deadline; a run without its controller ends its load when the lease is over.
 */
#ifndef VOLLEY_AGENT_RUN_H
#define VOLLEY_AGENT_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/work/orders.h"

#define RUN_GO_MARGIN_NS UINT64_C(2000000) /* GO later than T − 2 ms is too late */
#define RUN_KILL_AFTER_NS UINT64_C(5000000000)    /* STOP → SIGKILL */
#define RUN_ABANDON_AFTER_NS UINT64_C(2000000000) /* SIGKILL → stalled, abandoned */
#define RUN_HOLD_LEASES 10 /* a result that nobody releases is kept that long */
#define RUN_ENDED_MAX 8    /* run ids whose late orders are known as such */
#define RUN_ACTIONS_MAX 8

struct run {
	enum report_state state; /* NONE while idle */
	uint64_t run_id;
	uint64_t start_ns;
	bool go;
	bool worker_alive, worker_stopping, worker_killed, abandoned;
	bool has_result;
	struct err err;
	uint64_t deadline_ns;    /* of the current state; 0: none */
	uint64_t lease_until_ns; /* 0: the controller is connected */
	uint64_t lease_ns, finish_timeout_ns;
	uint64_t layout_done, layout_total;
	uint64_t since_ns;        /* of the PREPARE, for "busy with run X since" */
	uint64_t since_wall_ns;   /* the same as wall time; 0: unknown */
	unsigned arms;            /* ARMs that the worker has yet to confirm */
	enum report_state ending; /* what it becomes when its worker ends; NONE: open */
	bool released;            /* RELEASE came before the worker had ended */
	uint64_t ended[RUN_ENDED_MAX]; /* runs that are over, the latest first */
};

enum run_event_kind {
	RUN_EV_ORDER,   /* order: from the controller */
	RUN_EV_LINK_UP, /* the controller is connected (again) */
	RUN_EV_LINK_DOWN,
	RUN_EV_WORKER_READY,
	RUN_EV_WORKER_ARMED,    /* its threads know T (one for each WORKER_ARM): only
				* now the report says ARMED */
	RUN_EV_WORKER_PROGRESS, /* layout_done, layout_total */
	RUN_EV_WORKER_DONE,     /* the board is final */
	RUN_EV_WORKER_FAILED,   /* err */
	RUN_EV_WORKER_NOT_STARTED,
	RUN_EV_WORKER_EXIT, /* reaped; err describes the status when it was not asked to */
	RUN_EV_TIME,        /* look at the deadlines */
};

struct run_event {
	enum run_event_kind kind;
	const struct order *order;
	const struct err *err;
	uint64_t layout_done, layout_total;
	uint64_t wall_ns; /* PREPARE: wall time, only for messages; 0: unknown */
};

enum run_action_kind {
	RUN_ACT_SPAWN,      /* start a worker for order->job */
	RUN_ACT_WORKER_ARM, /* at start_ns */
	RUN_ACT_WORKER_GO,
	RUN_ACT_WORKER_STOP,    /* no more submits */
	RUN_ACT_WORKER_KILL,    /* SIGKILL */
	RUN_ACT_WORKER_ABANDON, /* it is stuck in the kernel: stop waiting for it */
	RUN_ACT_SNAPSHOT,       /* keep the board's tally as the run's result */
	RUN_ACT_REPORT,         /* run_report() to everyone who listens */
	RUN_ACT_REFUSE,         /* answer this order with `report` (BUSY or NONE) */
	RUN_ACT_CLEAN,          /* run is over: unlink, drop the result */
};

struct run_action {
	enum run_action_kind kind;
	struct report report; /* REFUSE */
};

struct run_actions {
	unsigned n;
	struct run_action v[RUN_ACTIONS_MAX];
};

void run_init(struct run *run);
void run_step(struct run *run, const struct run_event *event, uint64_t now,
    struct run_actions *ret);
/* The current report (a level).  Idle: NONE, of the run that ended last. */
void run_report(const struct run *run, struct report *ret);
/* When RUN_EV_TIME is due at the latest; 0: never. */
uint64_t run_deadline(const struct run *run);

#endif
