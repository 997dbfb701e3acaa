/* SPDX-License-Identifier: Apache-2.0 */
/*
 * results.db: everything a run learned, in SQLite, so that it can also be read
 * without volley (docs/results-schema.md).
 *
 * One writer at a time, any number of readers.  Every finished attempt is one
 * transaction, on disk when store_put_attempt returns: killing the controller
 * loses the running attempt at most.  Nothing is overwritten; a rerun of a repeat
 * is its next attempt.
 */
#ifndef VOLLEY_STORE_STORE_H
#define VOLLEY_STORE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "controller/store/results.h"
#include "lib/base/err.h"
#include "lib/base/vec.h"

struct facts;
struct store;

enum store_mode {
	STORE_READ,  /* must exist; never changes the file */
	STORE_WRITE, /* made when missing; refused while another process writes */
};

/* What a run of the controller is; strings are the caller's. */
struct store_run {
	const char *plan, *plan_text;
	const char *generator;	      /* "volley 0.1.0" */
	const char *const *arguments; /* argv */
	size_t narguments;
	const char *const *hosts; /* agents, as asked for */
	size_t nhosts;
	uint64_t seed;
	uint64_t started_wall_ns;
};

struct store_repeat {
	char case_id[17];
	unsigned repeat, attempt; /* the last attempt, and how it ended */
	enum attempt_state state;
};

struct store_repeats {
	VEC(struct store_repeat) list; /* release with vec_free(&x.list) */
};

/* NULL: an error names the file and what is wrong with it. */
struct store *store_open(const char *path, enum store_mode mode, struct err *err);
void store_close(struct store *store); /* NULL is fine */

/* Writing, in this order.  Facts, cases and attempts belong to the run begun last. */
int store_begin_run(struct store *store, const struct store_run *run, struct err *err);
int store_put_facts(struct store *store, const struct facts *facts, struct err *err);
/* What one agent did for a transport; one a call. */
int store_put_command(struct store *store, const struct results_command *command,
		      struct err *err);
/* A case that is there already stays as it is (its id says it is the same). */
int store_put_case(struct store *store, const struct results_case *c, struct err *err);
/* attempt->attempt 0: becomes the next of its repeat, and is written back. */
int store_put_attempt(struct store *store, struct attempt *attempt,
		      unsigned order_position, struct err *err);
int store_end_run(struct store *store, uint64_t ended_wall_ns, struct err *err);

/* What is put in between is on disk all together or, when `result` is not 0, not at all:
 * an import of many rows, which can be repeated, needs no fsync for each.  Returns what
 * came of it. */
int store_begin_batch(struct store *store, struct err *err);
int store_end_batch(struct store *store, int result, struct err *err);

/* The last attempt of every (case, repeat): for --resume. */
int store_latest_states(struct store *store, struct store_repeats *ret,
			struct err *err);
/* All cases, with every attempt's state, in the order they were put. */
int store_list(struct store *store, struct results_list *ret, struct err *err);
/* The head: the latest run.  An error when there is none. */
int store_load_head(struct store *store, struct results *ret, struct err *err);

enum store_attempts {
	STORE_LATEST,	/* the last attempt of every repeat */
	STORE_ALL,
};

/* One case with its attempts; with_clients false leaves the clients' own figures
 * out (their tally is NULL), which is much quicker. */
int store_load_case(struct store *store, const char *case_id,
		    enum store_attempts which, bool with_clients,
		    struct results_case *ret, struct err *err);
/* attempt 0: the last one.  An error when there is none. */
int store_load_attempt(struct store *store, const char *case_id, unsigned repeat,
		       unsigned attempt, struct attempt *ret, struct err *err);

#endif
