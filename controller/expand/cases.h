/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a plan to its cases.  A case is one line of the result table: a storage
 * over one transport, a workload with all its options, a number of clients.  It
 * is run several times (repeats).
 *
 * Cases are sorted into blocks, in the order in which they run.  A block holds
 * the same thing over each transport (its arms), next to each other:
 *
 *   for each block
 *       for repeat = 1, 2, …
 *           for k = 0 .. block->n - 1
 *               case = cases_arm(block, repeat, k)     A B, then B A, then A B …
 *               run it, unless repeat_decide() said that it is through
 *
 * With `order: blocks`, and on a storage with setup or teardown commands, each block holds one case and transports follow each
 * other as a whole.
 */
#ifndef VOLLEY_EXPAND_CASES_H
#define VOLLEY_EXPAND_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/plan/plan.h"
#include "lib/base/err.h"
#include "lib/base/str.h"
#include "lib/base/vec.h"
#include "lib/work/job.h"

#define CASE_ID_LEN 16
#define CASES_MAX 100000

struct case_param {
	char *name, *value; /* canonical; numbers in base units */
	bool is_number;
	bool is_axis; /* swept in this plan */
};

/* One job of a case, and which of its clients run it: `clients` of them from `first`
 * on, or those with these names; all jobs start at the same instant. */
struct case_part {
	struct job job; /* resolved; randseed is the plan's own or 0 */
	unsigned first, clients;
	const struct hostlist *hosts; /* the plan's; NULL: by their numbers */
	VEC(struct case_param) params;
};

struct plan_case {
	/*
	 * 16 hex digits: the hash of storage, transport, path, workload, clients and
	 * all options that differ from the defaults (of each job, with its name and
	 * clients, when there are several).  The same case has the same id in every
	 * run and every plan; repeats share it.
	 */
	char id[CASE_ID_LEN + 1];
	const char *storage, *path, *workload; /* of the plan */
	enum transport transport;
	unsigned clients;
	VEC(struct case_part) parts; /* at least one */
	/* Of its threads, counted over all workloads of the plan from 1 on, as fio counts
	 * over a job file: in the names of logs. */
	unsigned first_number;
	VEC(struct case_param) params; /* of all jobs; "a+b" where they differ */
	size_t block;	 /* index into cases.blocks */
	size_t position; /* index into cases.cases */
	double cache_bytes;  /* declared of the storage; NAN: unknown */
	double memory_bytes; /* declared of one client; NAN: unknown */
	const fio_notes *notes; /* of its job file; the plan's */
};

struct case_block {
	size_t first, n; /* its cases (arms) */
};

struct cases {
	const struct plan *plan; /* borrowed; must outlive the cases */
	VEC(struct plan_case) cases;
	VEC(struct case_block) blocks;
	bool interleaved; /* transports of every storage alternate (order: abba) */
};

/*
 * How many of n clients each job of a workload takes.  Counts are as they are, shares
 * are rounded to whole clients by the largest remainder (of equal ones the first
 * job's), so shares of 100 % take everyone.  Jobs for all clients take n.  Fails when
 * they want more than there are, or a job gets none; *ret_job: which.
 */
int cases_share(const struct plan_workload *workload, unsigned n, unsigned *ret,
		size_t *ret_job, struct err *err);

/* NULL and an error "source:line:col: what" when options do not go together. */
struct cases *cases_expand(const struct plan *plan, struct err *err);
void cases_free(struct cases *cases);

/* Index of the k-th case to run in a block's repeat (from 1). */
size_t cases_arm(const struct case_block *block, unsigned repeat, size_t k);
/* The most clients that any case wants. */
unsigned cases_most_clients(const struct cases *cases);
/* NULL when there is none. */
const struct plan_case *cases_find(const struct cases *cases, const char *id);

/*
 * Seed of one client's random sequences: other for each client, for each job of the
 * case, for each case and (unless the job says randrepeat=1) for each repeat; the same
 * in every run of the plan with the same seed.  A randseed of the job replaces the
 * plan's.
 */
uint64_t case_client_seed(const struct plan_case *c, size_t part, uint64_t plan_seed,
			  unsigned client_index, unsigned repeat);

/* Does this client run this part?  client NULL: its name is not known. */
bool case_runs(const struct plan_case *c, size_t part, unsigned client_index,
	       const char *client);
/* ramp + runtime of the longest of its jobs; 0: one is bound by its size. */
uint64_t case_duration_ns(const struct plan_case *c);
bool case_writes(const struct plan_case *c);
/* Some job reads a device that volley did not write. */
bool case_reads_unknown(const struct plan_case *c);
bool case_is_null(const struct plan_case *c); /* no job touches a storage */

/*
 * The job of one of its clients: what per_client says of it in place of the job's, and
 * its name for PLAN_CLIENT.  *job is the part's, and stays valid.
 */
int case_client_job(const struct plan *plan, const struct plan_case *c,
		    const char *client, struct job *job, struct err *err);

/* The plan's max_skew, or max(10 ms, 0.1 % of runtime). */
uint64_t case_max_skew_ns(const struct plan *plan, const struct plan_case *c);
/*
 * Most time from the start to the last report: the plan's deadline, or ramp +
 * runtime + 60 s, or one hour for jobs without a runtime.
 */
uint64_t case_deadline_ns(const struct plan *plan, const struct plan_case *c);

/* Bytes that all clients together touch: clients × numjobs × size, shared files
 * and devices once; the sum over the case's jobs. */
double case_dataset_bytes(const struct plan_case *c);
/* Bytes of files that the case needs on the storage; 0 on devices and for null. */
double case_files_bytes(const struct plan_case *c);
/* Bytes of files that all cases leave on the storage, the largest of each workload. */
double cases_files_bytes(const struct cases *cases, const struct plan_storage *storage);

/*
 * May the figure come from a cache instead of the storage?  A data set counts as
 * too large for that when it exceeds CACHEABLE_FACTOR × (DRAM of all clients +
 * the storage's cache).  Twice, because a cache as large as half the data can
 * still serve half of all random reads.
 */
#define CACHEABLE_FACTOR 2.0
enum cacheable { CACHEABLE_NO, CACHEABLE_YES, CACHEABLE_UNKNOWN };
/*
 * `client_bytes` is the DRAM of all of the case's clients, NAN when unknown.
 * What is known may be enough for YES; NO needs all of it.
 */
enum cacheable case_cacheable(const struct plan_case *c, double client_bytes);
const char *cacheable_name(enum cacheable cacheable); /* "no" "yes" "unknown" */

/* What `volley plan check` prints. */
void cases_describe(const struct cases *cases, struct str *ret);

#endif
