/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One attempt of one case over n agents, as a pure state machine: the barrier of
 * the controller.  (state, event, now) in, (state, actions) out; fleet.c is the
 * shell with the sockets, tests/sim the one without.
 *
 *   PREPARE → all READY → SYNC (clock offsets) → ARM(T per agent) → all ARMED
 *     → GO, to arrive GO_LEAD before T → RUNNING → all final → COLLECT each
 *     → SYNC again → RELEASE each → all NONE → DONE
 *
 * Rules:
 *  - a client that fails before GO ends the attempt: nothing starts (INVALID);
 *  - GO is sent only when all are ARMED for this T and T − now ≥ GO_LEAD; else T is
 *    set anew, DRIVE_ARM_TRIES times at most (tries do not count while a client is
 *    disconnected: its lease does);
 *  - a client lost or failed after GO: the others finish, the attempt is PARTIAL;
 *  - a lost connection alone fails nobody before the lease is over;
 *  - every result is taken once, by run_id and client; a late one changes nothing;
 *  - only reports of this run_id count: what an agent says of another changes nothing;
 *  - every attempt ends by its deadline.
 *
 * The shell delivers events of a client's latest connection only.
 */
#ifndef VOLLEY_FLEET_DRIVE_H
#define VOLLEY_FLEET_DRIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/attempt/outcome.h"
#include "lib/base/err.h"
#include "lib/base/vec.h"
#include "lib/stats/offset.h"
#include "lib/work/orders.h"

#define DRIVE_GO_LEAD_NS UINT64_C(50000000)
#define DRIVE_ARM_LEAD_NS UINT64_C(300000000) /* T − now at ARM, without RTT */
#define DRIVE_ARM_TRIES 3
#define DRIVE_GRACE_NS UINT64_C(10000000000) /* an agent's own STOP → KILL → report */
#define DRIVE_RELEASE_NS UINT64_C(5000000000)
#define DRIVE_RESYNC_NS UINT64_C(5000000000)
#define DRIVE_RETRY_NS UINT64_C(1000000000) /* SYNC and COLLECT that failed */

enum drive_phase {
	DRIVE_IDLE,
	DRIVE_PREPARING,
	DRIVE_SYNCING,
	DRIVE_ARMING,
	DRIVE_RUNNING,
	DRIVE_COLLECTING,
	DRIVE_RESYNCING,
	DRIVE_ABORTING,
	DRIVE_RELEASING,
	DRIVE_DONE,
	DRIVE_PHASE_COUNT
};

struct drive_client {
	enum report_state state; /* latest report of this run */
	enum client_outcome outcome;
	struct err err; /* why not OK */
	bool connected;
	uint64_t lost_at_ns; /* connection lost since; 0: connected */
	bool gone;           /* lost, and nobody tries again */
	bool go_sent, collect_sent, has_result;
	bool result_waits;           /* COLLECT would answer */
	bool released;               /* it said NONE after RELEASE */
	struct offset before, after; /* peer clock − controller clock */
	uint64_t start_ns;           /* T on its clock */
	uint64_t layout_done, layout_total;
};

struct drive_config {
	uint64_t run_id;
	size_t clients;
	uint64_t duration_ns; /* ramp + runtime; 0: size-bound */
	uint64_t prepare_timeout_ns, finish_timeout_ns; /* finish: after T */
	uint64_t lease_ns;
};

struct drive {
	struct drive_config config;
	enum drive_phase phase;
	struct drive_client *clients;
	unsigned arm_tries;
	uint64_t arm_until_ns; /* no ARM after this, however the links flap */
	uint64_t start_ns;     /* T on the controller's clock */
	uint64_t deadline_ns;  /* of the phase; 0: none */
	uint64_t retry_ns;     /* when something is asked again; 0: never */
	size_t disconnected;   /* clients */
	bool interrupted;      /* by the user */
	bool went;             /* GO was sent to at least one client */
	struct err err;        /* why it did not run as a whole; code NONE: it ran */
	size_t err_client;     /* whose error that is; SIZE_MAX: nobody's */
};

enum drive_event_kind {
	DRIVE_EV_START,
	DRIVE_EV_REPORT, /* client, report */
	DRIVE_EV_RESULT, /* client, run_id: a tally arrived and is kept by the shell
			     * when DRIVE_ACT_KEEP answers it */
	DRIVE_EV_COLLECT_FAILED, /* client, err */
	DRIVE_EV_LINK_DOWN,      /* client, err */
	DRIVE_EV_LINK_UP,        /* client; the shell sends WATCH when asked to */
	DRIVE_EV_SYNCED,         /* offsets[clients]; invalid entries: not reachable */
	DRIVE_EV_INTERRUPT,
	DRIVE_EV_TIME,
};

struct drive_event {
	enum drive_event_kind kind;
	size_t client;
	uint64_t run_id;
	const struct report *report;
	const struct err *err;
	const struct offset *offsets;
	bool gone; /* LINK_DOWN: it will not be tried again */
};

enum drive_action_kind {
	DRIVE_ACT_ORDER, /* order kind to client; start_ns for ARM */
	DRIVE_ACT_SYNC,  /* measure offsets of all connected clients → EV_SYNCED */
	DRIVE_ACT_KEEP,  /* keep the tally of this EV_RESULT for client */
	DRIVE_ACT_DONE,  /* the attempt is over */
};

struct drive_action {
	enum drive_action_kind kind;
	size_t client;
	enum order_kind order;
	uint64_t start_ns;
};

struct drive_actions {
	VEC(struct drive_action) list; /* the caller empties and frees it */
};

/* Clients count as connected until a LINK_DOWN says otherwise. */
void drive_init(struct drive *drive, const struct drive_config *config);
void drive_free(struct drive *drive);
/* Appends to `ret`. */
void drive_step(struct drive *drive, const struct drive_event *event, uint64_t now,
    struct drive_actions *ret);
uint64_t drive_deadline(const struct drive *drive);   /* 0: none */
const char *drive_phase_name(enum drive_phase phase); /* "preparing" */

#endif
