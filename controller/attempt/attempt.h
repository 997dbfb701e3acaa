/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one attempt of a case came to: each client's outcome and figures, all
 * clients added up, and the state with its reasons.  The shape that the fleet
 * produces, the store keeps and reports show.  judge.c (pure) decides the state.
 */
#ifndef VOLLEY_ATTEMPT_ATTEMPT_H
#define VOLLEY_ATTEMPT_ATTEMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "controller/attempt/outcome.h"
#include "controller/attempt/proof.h"
#include "lib/base/vec.h"
#include "lib/stats/counters.h"
#include "lib/stats/offset.h"
#include "lib/stats/tally.h"
#include "lib/stats/total.h"
#include "lib/work/job.h"

enum attempt_state { ATTEMPT_VALID, ATTEMPT_PARTIAL, ATTEMPT_INVALID };

struct attempt_client {
	char *agent;		/* stable name */
	enum client_outcome outcome;
	char *error;		/* NULL: none */
	char *jobs;		/* names of those it was to run, for messages; NULL: the
				 * case has one, or the attempt was loaded */
	struct tally *tally;	/* NULL: nothing was collected */
	struct counters *counters; /* of its host around the run; NULL: unknown */
	struct proof proof;	/* that its bytes took the transport; by judging */
	struct offset offset;	/* peer − controller, at the start instant */
	int64_t first_io_ns;	/* since T on the controller's timebase; valid if tally */
};

/* Something worth keeping with its time: reconnects, ARM retries, signals. */
struct attempt_event {
	int64_t at_ns; /* since T when there was one, else since the attempt began */
	char *agent;   /* NULL: the controller */
	char *text;
};

struct attempt_reason {
	char *code;  /* "skew", "client-lost", "overlap", "outstanding", "littles-law" … */
	char *agent; /* NULL: not one client's */
	char *text;  /* one line for people */
	enum attempt_state makes; /* the state it forces; VALID: only worth knowing */
};

/* A job of a case that has several, and what the clients that ran it came to. */
struct attempt_job {
	char *name;
	unsigned clients_expected; /* that run it */
	bool has_total;
	struct total total; /* of the clients with outcome OK */
};

struct attempt {
	char case_id[17];
	unsigned repeat, attempt; /* 1-based */
	uint64_t run_id;
	uint64_t seed;
	enum attempt_state state;
	char *error;		/* why it did not run as a whole; NULL: it ran */
	char *error_agent;	/* whose fault that was; NULL: nobody's */
	VEC(struct attempt_reason) reasons;
	uint64_t started_wall_ns, ended_wall_ns;
	uint64_t max_skew_ns;	   /* the limit in force */
	unsigned declared;	   /* COUNTERS_TCP or COUNTERS_RDMA; 0: local */
	unsigned clients_expected;
	VEC(struct attempt_client) clients;
	VEC(struct attempt_event) events;
	bool has_total;		   /* false: no client gave figures */
	struct total total;	   /* of the clients with outcome OK */
	/* By their numbers in the case (tally.job); none: a case of one job, whose
	 * figures are the total. */
	VEC(struct attempt_job) jobs;
};

/* One job of the case, as judging has to know it. */
struct attempt_part {
	const struct job *job;
	unsigned clients; /* that run it */
};

/*
 * Fills total, state and reasons from error and clients; the worst reason decides
 * the state.  Pure; judging again starts over.
 *
 *   INVALID  not-run no-result not-started skew late-start clock-unknown overlap no-window
 *            no-io littles-law inconsistent transport-refuted cached
 *   PARTIAL  client-failed client-stalled client-not-started client-lost
 *            client-aborted client-missing client-idle outstanding io-errors
 *   VALID    skew-bound fio-style-differs runner windows-differ cached
 *            (without O_DIRECT)
 *
 * Of several jobs (`parts`, at least one) each is added up for itself; the total is
 * the sum of all of them on all clients.  Jobs whose windows differ by plan are judged
 * one by one, and the total is of the time that they have in common.
 */
void attempt_judge(struct attempt *attempt, const struct attempt_part *parts,
    size_t nparts);
/* max(10 ms, 0.1 % of the runtime). */
uint64_t attempt_default_max_skew(const struct job *job);
/* Of all clients with figures. */
enum proof_verdict attempt_proof(const struct attempt *attempt);
/* Releases what *attempt holds and zeroes it. */
void attempt_free(struct attempt *attempt);
const char *attempt_state_name(enum attempt_state state); /* "VALID" */
/* False when no state has that name. */
bool attempt_state_parse(const char *name, enum attempt_state *ret);

#endif
