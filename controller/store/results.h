/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What reports are made of: the head (plan and latest run) and one case at a time
 * with its attempts.  Loaded from the store, or filled by `volley run` itself.
 * Plain owned data; missing is NULL, NAN or a flag, never 0.
 */
#ifndef VOLLEY_STORE_RESULTS_H
#define VOLLEY_STORE_RESULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "controller/attempt/attempt.h"
#include "lib/base/err.h"
#include "lib/base/vec.h"
#include "lib/stats/dir.h"
#include "lib/stats/tally.h"
#include "lib/work/fio/note.h"

struct latency_kind;

struct results_param {
	char *name, *value; /* canonical; numbers in base units */
	bool is_number;
	bool is_axis; /* swept in the plan */
};

typedef VEC(struct results_param) results_params;

/* One job of a case that has several. */
struct results_job {
	char *name;
	unsigned first_client, clients; /* which of the case's run it, from 0 */
	results_params params;
};

struct results_attempt {
	unsigned order_position; /* where in the plan's order it ran; 0 unknown */
	struct attempt attempt;	 /* its number − 1 earlier ones are superseded */
};

struct results_case {
	char id[17];
	char *storage, *transport, *path, *workload;
	unsigned clients;
	results_params params; /* "a+b" where jobs differ */
	VEC(struct results_job) jobs; /* none: it has one, of the workload's name */
	char *job_text; /* canonical options, behind the id */
	fio_notes notes; /* of its job file; of all runs that had the case */
	VEC(struct results_attempt *) attempts; /* by repeat, then attempt */
};

/* A fact of a host as the store keeps it.  value NULL: unknown. */
struct results_fact {
	char *name, *value; /* "memory_bytes", "134217728" */
	bool is_number;
};

struct results_host {
	char *agent;
	VEC(struct results_fact) facts;
};

/* A setup or teardown command of one agent. */
struct results_command {
	char *storage, *transport, *name, *agent; /* name: "setup" "teardown" */
	uint64_t started_wall_ns, ended_wall_ns;
	char *problem; /* NULL: it ended with status 0 */
	char *output;  /* the last of what it printed; NULL: nothing */
};

/* The head.  Times are UTC wall ns; ended 0: the run did not end in order. */
struct results {
	char *plan, *plan_text, *generator;
	uint64_t started_wall_ns, ended_wall_ns;
	VEC(char *) arguments;
	uint64_t seed;
	unsigned runs; /* how many runs the file holds; the head is the latest's */
	VEC(struct results_host) hosts;
	VEC(struct results_command) commands;
};

/* One line of `volley list`: a case and how its attempts ended. */
struct results_item {
	char id[17];
	char *storage, *transport, *workload;
	unsigned clients;
	VEC(struct results_state) states;
};

struct results_state {
	unsigned repeat, attempt;
	enum attempt_state state;
};

struct results_list {
	VEC(struct results_item) items;
};

void results_free(struct results *results);
void results_case_free(struct results_case *c);
void results_list_free(struct results_list *list);

/* Value of a parameter, or NULL. */
const char *results_case_param(const struct results_case *c, const char *name);
/* The swept options as one text, "bs=4096 iodepth=8", "" without any; caller frees. */
char *results_case_axis(const struct results_case *c);
/* Clients whose figures are in the sum. */
unsigned results_reported(const struct attempt *attempt);
/* Figures of another program: its window, skew and drain are unknown. */
bool results_is_imported(const struct attempt *attempt);
/* False: figures of a table: rates and means of I/Os that nobody counted. */
bool results_is_counted(const struct total *total);
/* A client's own averages: over its window, or over its run when size-bound; of an
 * import the stated ones; of several jobs the sum of theirs.  NAN when it has no such
 * time. */
void results_client_rate(const struct tally *tally, enum dir dir,
			 double *ret_bytes_per_s, double *ret_iops);
/* Both directions as one figure: their rates add up, unless the one follows the other:
 * then it is all they did over the client's run, or inside their windows over the time
 * of these.  NAN: neither is known. */
void results_client_rate_both(
    const struct tally *tally, double *ret_bytes_per_s, double *ret_iops);
void results_rate_both(
    const struct total *total, double *ret_bytes_per_s, double *ret_iops);
/* By hist_percentile; where an import has no buckets, what its file states. */
double results_percentile(const struct dir_tally *d, const struct latency_kind *kind,
			  double p);
/* Is this attempt the last one of its repeat among those loaded? */
bool results_is_latest(const struct results_case *c, size_t i);

/*
 * Marks the items that `selector` means, keeps them in order in *ret (indexes):
 * a case id or the beginning of one, or storage[/transport[/workload[/clients]]]
 * where "*" stands for any, or a workload's name.  No match, and a beginning that
 * several ids share, are errors that say what there is.
 */
struct results_selection {
	VEC(size_t) indexes;
};
int results_select(const struct results_list *list, const char *selector,
		   struct results_selection *ret, struct err *err);

/* "2026-11-30T20:15:00Z", 0: "unknown"; pure (no clock is read). */
#define RESULTS_UTC_BUF 32
const char *results_utc(char buf[RESULTS_UTC_BUF], uint64_t wall_ns);

#endif
