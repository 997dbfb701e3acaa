/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One controller and up to a thousand agents in one process and in virtual time.
 * The state machines are the product's (controller/fleet/drive, agent/run); their
 * shells, the network, the workers and the clocks are simulated, and a seed decides
 * everything that happens.
 *
 *   pilot (drive) ──conn──▶ box (run) ──▶ worker
 *
 * Time is true time in ns.  The controller's clock is true time; every box has its
 * own offset and drift.
 */
#ifndef VOLLEY_SIM_SIM_H
#define VOLLEY_SIM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/run.h"
#include "controller/fleet/drive.h"
#include "lib/base/rng.h"
#include "lib/base/vec.h"
#include "tests/sim/heap.h"

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)
#define SEC UINT64_C(1000000000)
#define EPOCH (1000 * SEC) /* the simulation begins here, so that offsets fit */

enum side { TO_AGENT, TO_PILOT, SIDES };

struct conn {
	bool agent_open, pilot_open;
	bool dead[SIDES];
	uint64_t last[SIDES];	   /* delivery of the latest message: order is kept */
	uint64_t stalled[SIDES];   /* nothing is delivered before */
	uint64_t owns_run;	   /* the run its orders spoke of, at the agent */
};

enum habit { /* of a worker */
	HABIT_GOOD,
	HABIT_FAILS_PREPARING, HABIT_EXITS_PREPARING, HABIT_HANGS_PREPARING,
	HABIT_HANGS_ARMING,
	HABIT_FAILS_RUNNING, HABIT_EXITS_RUNNING, HABIT_HANGS_RUNNING, HABIT_SLOW,
	HABIT_COUNT
};

enum worker_phase { WORKER_PREPARES, WORKER_PARKED, WORKER_RUNS, WORKER_OVER };

struct worker {
	uint64_t id;	 /* 0: none */
	uint64_t run_id;
	enum habit habit;
	bool unkillable; /* hangs in the kernel */
	enum worker_phase phase;
	bool attached;	 /* its agent listens */
	bool go, stop, complete;
	uint64_t arm_start, arms; /* local T, how many ARMs came */
	uint64_t started;	  /* true time; 0: never */
	uint64_t wake_late;	  /* how late its threads woke */
	uint64_t number;	  /* its result */
	uint64_t said;		  /* when its latest word arrives: order is kept */
};

struct box {
	struct run run;
	bool alive, touched; /* touched: something was done to it */
	unsigned boot;
	int64_t offset;
	double drift;
	uint64_t delay;	      /* one way, the least */
	VEC(struct conn) conns; /* the last is the controller's */
	uint64_t unreachable_until, paused_until;
	uint64_t timer_at;    /* true time of the queued one; 0: none */
	unsigned steps_to_fault, next_fault;
	struct worker worker, ghosts[4];
	unsigned ghost;	      /* where the next abandoned worker goes */
	uint64_t foreign_run; /* of the other controller */
	bool foreign_up;
	uint64_t alone_since; /* no connection of its run's controller; true time */
	struct {
		uint64_t run_id, number;
		bool complete;
	} result;
	uint64_t spawned_run, prepared_at; /* the latest, true time */
	VEC(uint64_t) over; /* runs that were cleaned in this boot */
};

/* What the watchers know of the attempt's clients. */
struct ledger {
	uint64_t armed_for; /* local T that it reported as ARMED */
	uint64_t go_for;    /* local T it was sent GO for; 0: none */
	uint64_t kept;	    /* number of the result that was kept; 0: none */
	bool kept_complete;
	uint64_t started, wake_late; /* true time of its first I/O */
};

struct pilot {
	bool alive, on;	 /* on: an attempt is being driven */
	unsigned life;
	bool touched;
	uint64_t paused_until, timer_at;
	struct drive drive;
	uint64_t began, paused; /* true time; how long it slept since */
	struct ledger *ledger;
	unsigned attempts_left, interrupts;
	uint64_t duration, prepare_timeout, finish_timeout, lease;
};

struct sim_options {
	uint64_t agents_min, agents_max;
	bool trace;
};

struct sim {
	struct heap heap;
	uint64_t now, seed;
	struct rng rng;
	bool trace, failed, calm; /* calm: nothing goes wrong on purpose */
	/* Per client, of what goes wrong before GO (then nothing starts) and after. */
	double early_odds, late_odds;
	size_t n;
	struct box *boxes;
	struct pilot pilot;
	struct drive_actions actions;
	struct offset *offsets;
	uint64_t ids;
	VEC(uint64_t) kept; /* numbers of all results that were ever kept */
	struct {
		uint64_t happenings, attempts, went, ok, partial, lost, interrupted;
	} count;
};

/* ---- chance (sim.c) ---- */
uint64_t between(struct sim *sim, uint64_t low, uint64_t high);
uint64_t log_between(struct sim *sim, uint64_t low, uint64_t high); /* log-uniform */
bool chance(struct sim *sim, double odds);

/* Runs one seed to its end; false when an invariant broke (told on stdout). */
bool sim_run(struct sim *sim, uint64_t seed, const struct sim_options *options);
void sim_free(struct sim *sim);
void sim_fail(struct sim *sim, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void sim_trace(const struct sim *sim, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void sim_push(struct sim *sim, struct happening happening);

/* ---- net.c: connections ---- */
struct conn *net_conn(struct sim *sim, unsigned box, unsigned conn);
void net_send(struct sim *sim, enum side side, struct happening happening);
/* Is the connection open at the end that this side's messages arrive at? */
bool net_delivers(const struct conn *conn, enum side side);
void net_connect(struct sim *sim, const struct happening *happening);
void net_try_later(struct sim *sim, unsigned box);
/* One end closes; the other will see it. */
void net_close(struct sim *sim, unsigned box, unsigned conn, enum side closed_by);
void net_fault(struct sim *sim, unsigned box, unsigned fault);

/* ---- box.c: an agent ---- */
uint64_t box_clock(const struct box *box, uint64_t now);
uint64_t box_true_time(const struct box *box, uint64_t local); /* not before it */
void box_init(struct sim *sim, struct box *box);
void box_free(struct box *box);
void box_happening(struct sim *sim, const struct happening *happening);
void box_event(struct sim *sim, unsigned box, struct run_event *event, unsigned conn);
void box_crash(struct sim *sim, unsigned box);
void box_say_report(struct sim *sim, unsigned box, unsigned conn,
		    const struct report *report);

/* ---- worker.c ---- */
void worker_spawn(struct sim *sim, unsigned box, uint64_t run_id);
void worker_happening(struct sim *sim, const struct happening *happening);
void worker_arm(struct sim *sim, unsigned box);
void worker_go(struct sim *sim, unsigned box);
void worker_stop(struct sim *sim, unsigned box);
void worker_kill(struct sim *sim, unsigned box);
void worker_leave(struct sim *sim, unsigned box, bool abandoned);

/* ---- pilot.c: the controller ---- */
void pilot_init(struct sim *sim);
void pilot_free(struct sim *sim);
void pilot_happening(struct sim *sim, const struct happening *happening);
void pilot_event(struct sim *sim, struct drive_event *event);

/* ---- watch.c: the invariants ---- */
void watch_start(struct sim *sim, unsigned box, const struct worker *worker);
void watch_order(struct sim *sim, unsigned box, const struct run *before,
		 const struct order *order, const struct run_actions *actions);
void watch_spawn(struct sim *sim, unsigned box, uint64_t run_id);
void watch_box(struct sim *sim, unsigned box);
void watch_alone(struct sim *sim, unsigned box);
void watch_lost(struct sim *sim, unsigned box, enum client_outcome before);
void watch_undone(struct sim *sim);
void watch_go(struct sim *sim, size_t client);
void watch_keep(struct sim *sim, const struct happening *result);
void watch_stale(struct sim *sim, const struct happening *report,
		 const struct drive_client *before);
void watch_done(struct sim *sim);
void watch_end(struct sim *sim);

#endif
