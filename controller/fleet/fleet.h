/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All agents of one invocation: connects to them (or starts them, or waits for them
 * to dial), asks them for facts, and takes them through attempts.  Runs its own
 * event loop inside the calls; SIGINT and SIGTERM interrupt them.
 */
#ifndef VOLLEY_FLEET_FLEET_H
#define VOLLEY_FLEET_FLEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/attempt/attempt.h"
#include "controller/fleet/drive.h"
#include "controller/fleet/local.h"
#include "lib/base/err.h"
#include "lib/base/hostlist.h"
#include "lib/wire/command.h"
#include "lib/wire/facts.h"
#include "lib/wire/log.h"
#include "lib/wire/target.h"
#include "lib/work/job.h"

struct fleet;

struct fleet_config {
	/* One of: */
	const struct hostlist *hosts; /* dial these */
	const char *listen;           /* agents dial us here; `expect` of them */
	size_t expect;
	unsigned local; /* start this many ourselves */
	struct local_allow local_allow;
	/* For the first two: */
	const char *key;          /* our private key file */
	const char *known_agents; /* pins */
	bool strict;              /* only pinned agents */
	unsigned allow_missing;   /* go on without up to this many */
};

int fleet_new(struct fleet **ret, const struct fleet_config *config, struct err *err);
/* BYE to all, local agents ended. */
void fleet_free(struct fleet *fleet);

/* An agent that could not be used, and why; once each. */
typedef void fleet_problem_fn(void *arg, const char *agent, const struct err *err);
/*
 * Waits until every agent is connected, or is known not to be, or the time is over.
 * More than allow_missing missing: −1 (each was told to `problem`).  Members that
 * are missing are dropped.
 */
int fleet_connect(struct fleet *fleet, uint64_t timeout_ns, fleet_problem_fn *problem,
    void *arg, struct err *err);

size_t fleet_count(const struct fleet *fleet);
size_t fleet_missing(const struct fleet *fleet); /* dropped by fleet_connect */
const char *fleet_name(const struct fleet *fleet, size_t index);
const char *fleet_address(const struct fleet *fleet, size_t index);

/* Asks everyone, `paths` included; answers stay with the fleet.  A member that did
 * not answer has none. */
void fleet_ask_facts(struct fleet *fleet, const char *const *paths, size_t n);
/* The same of members [from, from + n) only. */
void fleet_ask(
    struct fleet *fleet, size_t from, size_t n, const struct facts_question *question);
const struct facts *fleet_facts(const struct fleet *fleet, size_t index); /* or NULL */
/* The same, which the caller owns from now on. */
struct facts *fleet_take_facts(struct fleet *fleet, size_t index);
/* Puts them (NULL: none) in the place of what is there; taken over. */
void fleet_give_facts(struct fleet *fleet, size_t index, struct facts *facts);
/*
 * Runs the command on members [0, n) and waits for all of them, a first Ctrl-C or not:
 * what runs there would only be in the way of what comes next.  `ret` has n places.
 */
void fleet_command(struct fleet *fleet, size_t n, const struct shell_command *command,
    struct shell_answer *ret);
/* Measures clock offsets of everyone. */
void fleet_ask_offsets(struct fleet *fleet);
struct offset fleet_offset(const struct fleet *fleet, size_t index);

/* What one client is to run, n >= 1; the numbers are those of the jobs in the case. */
struct fleet_share {
	const struct order_job *jobs;
	const unsigned *numbers;
	size_t n;
};

struct fleet_order {
	const char *case_id;
	const struct attempt_part *parts; /* the jobs of the case */
	size_t nparts;
	size_t clients; /* the first of the members */
	size_t
	    expected; /* what the case asks for; more than `clients` with missing agents */
	const struct fleet_share *shares; /* one for each that is expected */
	const char *peer_key; /* of the target of network engines; NULL: none */
	uint64_t prepare_timeout_ns, finish_timeout_ns, lease_ns;
};

/* For the live view, about twice a second. */
struct fleet_view {
	enum drive_phase phase;
	size_t clients, ready; /* ready: READY or further */
	uint64_t layout_done, layout_total;
	int64_t since_start_ns; /* since T; negative before */
	uint64_t duration_ns;   /* of the window's end; 0: size-bound */
	struct {
		double bytes_per_s, iops, lat_mean_ns; /* over the last interval; NAN */
	} dir[DIR_COUNT];
	const char *slowest;  /* name of the client with the lowest rate; NULL */
	double slowest_share; /* its rate over the mean of all, NAN */
};
typedef void fleet_watch_fn(void *arg, const struct fleet_view *view);

/*
 * One attempt, to its end.  Fills clients, events, times and run id of *ret (which
 * holds case id, repeat, attempt and max_skew already) and judges it.  −1 when it was
 * interrupted (code ERR_CANCELLED), or an agent serves another run (ERR_BUSY): then
 * *ret is not worth keeping.
 */
int fleet_attempt(struct fleet *fleet, const struct fleet_order *order,
    struct attempt *ret, fleet_watch_fn *watch, void *arg, struct err *err);

/* A part of a client's log, at `offset` of it; −1 ends that client's. */
typedef int fleet_log_fn(void *arg, const char *agent, const struct log_part *part,
    uint64_t offset, struct err *err);
/* What the clients of this attempt, which was the latest, logged (write_*_log).  A
 * client whose logs are not all there is told to `problem`; both get `arg`. */
void fleet_fetch_logs(struct fleet *fleet, const struct attempt *attempt,
    fleet_log_fn *put, fleet_problem_fn *problem, void *arg);

/*
 * Has a target served by each of the first n members.  -1 when one cannot; then none
 * serves.  A target that ends later is seen by its clients.
 */
int fleet_start_targets(struct fleet *fleet, size_t n,
    const struct target_request *request, struct err *err);
void fleet_stop_targets(struct fleet *fleet);
unsigned fleet_target_port(const struct fleet *fleet, size_t index); /* 0: none */
/* Where others reach this member: the host of its address; a local one's loopback. */
char *fleet_host(const struct fleet *fleet, size_t index);

bool fleet_interrupted(const struct fleet *fleet);

#endif
