/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What fleet.c (life, questions), fleet-members.c (agents and their links) and
 * fleet-attempt.c (the barrier's shell) share.
 */
#ifndef VOLLEY_FLEET_FLEET_IMPL_H
#define VOLLEY_FLEET_FLEET_IMPL_H

#include "controller/fleet/agent-link.h"
#include "controller/fleet/fleet.h"
#include "controller/fleet/pins.h"
#include "lib/base/vec.h"

struct event;
struct event_base;
struct evconnlistener;

struct member {
	struct fleet *fleet;
	size_t index;
	struct agent_link *link;
	char *label;       /* as listed; the name once it is known */
	bool up, hopeless; /* hopeless: its last failure is final */
	struct err err;    /* why it is not up */
	struct local_agent local;
	struct facts *facts;
	struct offset offset;
	unsigned target_port; /* 0: it serves none */
	struct err target_err;
	bool answered; /* to the question that is open (facts, offsets) */
	struct sample sample, sample_before; /* of the attempt */
};

/* An agent that fleet_connect went on without. */
struct missing {
	char *label;
	struct err err;
};

struct fleet {
	struct event_base *base;
	struct fleet_config config;
	uint64_t boot;
	struct key *key;
	struct tls *tls;
	struct pins pins;
	struct evconnlistener *listener;
	VEC(struct member *) members;
	VEC(struct member *) joining; /* dialled us, name not known yet */
	VEC(struct missing) missing;
	struct event *on_int, *on_term, *alarm;
	bool interrupted;
	size_t waiting;             /* answers still open */
	size_t sync_next, sync_end; /* members whose clock is still to be asked */
	struct shell_answer *said; /* of the command under way, by member; NULL: none */
	unsigned command_tag;        /* of the latest one */
	struct fleet_run *run;      /* the attempt under way; NULL */
	struct fleet_logs *logs;    /* being fetched; NULL */
};

/* Ends the loop that a fleet_* call is in. */
void fleet_break(struct fleet *fleet);
/* Runs the loop until fleet_break, or the time is over (0: no limit).  False: time. */
bool fleet_loop(struct fleet *fleet, uint64_t timeout_ns);
/* Measures the offsets of members [0, n); fleet_break when the last one is there. */
void fleet_start_sync(struct fleet *fleet, size_t n);

/* fleet-members.c */
/* Dials, listens or starts agents, as the configuration says. */
int fleet_find_agents(struct fleet *fleet, struct err *err);
void fleet_member_free(struct member *member);
/* Everyone is connected, or known never to be. */
bool fleet_all_settled(const struct fleet *fleet);
/* Members [0, n) have not answered yet. */
void fleet_open_question(struct fleet *fleet, size_t n);
/* Asks the next member for its clock. */
void fleet_sync_one(struct fleet *fleet);

/* Link events during an attempt (fleet-attempt.c). */
void fleet_run_up(struct fleet_run *run, struct member *member);
void fleet_run_down(
    struct fleet_run *run, struct member *member, const struct err *err);
void fleet_run_report(
    struct fleet_run *run, struct member *member, const struct report *report);
void fleet_run_counters(struct fleet_run *run, struct member *member, uint64_t run_id,
    struct counters *counters);
void fleet_run_result(struct fleet_run *run, struct member *member, uint64_t run_id,
    struct tally *tally, const struct err *err);
void fleet_run_synced(struct fleet_run *run);
void fleet_run_interrupt(struct fleet_run *run);

/* Link events while logs are fetched (fleet-logs.c).  part NULL: err says why. */
void fleet_logs_up(struct fleet_logs *logs, struct member *member);
void fleet_logs_part(struct fleet_logs *logs, struct member *member,
    const struct log_part *part, const struct err *err);

#endif
