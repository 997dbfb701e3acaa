/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plan: what the user's YAML file says, checked, in base units, and nothing
 * more.  Which cases follow from it is controller/expand's matter.  Every part
 * that can be wrong later (options, paths) keeps its place in the file.
 * docs/plan-reference.md describes the format.
 */
#ifndef VOLLEY_PLAN_PLAN_H
#define VOLLEY_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/hostlist.h"
#include "lib/base/vec.h"
#include "lib/work/fio/note.h"
#include "lib/work/job.h"

#define PLAN_TEXT_MAX (1u << 20) /* bytes of a plan file */
#define PLAN_CLIENTS_MAX 10000
#define PLAN_CLIENT "${client}"
#define PLAN_REPEAT_MAX 1000
#define PLAN_REPEAT_DEFAULT 5
#define PLAN_COMMAND_TIMEOUT_NS UINT64_C(60000000000)
#define PLAN_COMMAND_TIMEOUT_MAX_NS UINT64_C(3600000000000)

enum transport { TRANSPORT_TCP, TRANSPORT_RDMA, TRANSPORT_LOCAL, TRANSPORT_COUNT };

/*
 * abba:   within a scale and workload, transports alternate A B, B A, A B … over
 *         the repeats, so that drift hits both alike (default)
 * blocks: all cases of one transport, then all of the next (where changing it
 *         needs work by hand); results say "not interleaved"
 */
enum plan_order { PLAN_ABBA, PLAN_BLOCKS };

struct plan_pos {
	unsigned line, col; /* from 1; 0: not in the file */
};

struct plan_fact {
	char *name, *value;
};
typedef VEC(struct plan_fact) plan_facts;

/* Network links of one node (or of the storage); 0: unknown. */
struct plan_links {
	unsigned count, mtu;
	uint64_t bits_per_s;
};

/* What a mount must be before a case may start on it. */
struct plan_require {
	char *fstype;		/* NULL: any */
	VEC(char *) options;	/* each must be among the mount's: "proto=rdma" */
};

struct plan_path {
	char *path; /* absolute; NULL: this storage has no such transport; PLAN_CLIENT in
		     * it stands for the client's name */
	char *above; /* what all clients have in common of it; NULL: it is the same */
	struct plan_pos pos;
	struct plan_links links; /* of this transport; else the storage's */
	plan_facts facts;
	struct plan_require require;
	char *setup, *teardown;      /* commands of every agent; NULL: none */
	uint64_t command_timeout_ns; /* of each; 0: PLAN_COMMAND_TIMEOUT_NS */
};

struct plan_storage {
	char *name;
	struct plan_pos pos;
	struct plan_path paths[TRANSPORT_COUNT];
	struct plan_links links;
	plan_facts facts;
	bool has_cache;
	uint64_t cache_bytes; /* facts: cache */
	bool has_layout;
	enum job_layout layout; /* default of the workloads on this storage */
	char *key_file; /* of the target that volley:// paths lead to; NULL */
};

/* One option of a job as written; several values are a sweep axis. */
struct plan_value {
	char *text;
	struct plan_pos pos;
};

struct plan_option {
	const char *name; /* canonical, static */
	char *key;	  /* as written; may be an alias */
	struct plan_pos pos;
	VEC(struct plan_value) values; /* at least one */
};
typedef VEC(struct plan_option) plan_options;

/* Which of a case's clients run a job: all of them, a number, a share in per cent, or
 * those of these names. */
enum plan_clients_kind {
	PLAN_CLIENTS_ALL,
	PLAN_CLIENTS_COUNT,
	PLAN_CLIENTS_SHARE,
	PLAN_CLIENTS_HOSTS
};
struct plan_clients {
	enum plan_clients_kind kind;
	unsigned count;
	double percent;
	struct hostlist hosts;
	struct plan_pos pos;
};

/* One of a workload's jobs, which start at the same instant. */
struct plan_job {
	char *name;
	struct plan_pos pos;
	plan_options options; /* over the workload's; one value each */
	struct plan_clients clients;
};
typedef VEC(struct plan_job) plan_jobs;

struct plan_workload {
	char *name;
	struct plan_pos pos;
	plan_options options; /* in the file's order; override the defaults */
	plan_jobs jobs;	      /* none: the workload is one job of its name */
	char *jobfile;	      /* as written; NULL: none, or read already */
	struct plan_pos jobfile_pos;
	bool as_fio, ignore_unsupported; /* how the job file is taken */
	fio_notes notes;		 /* of the job file, or of the one it was made of */
};
typedef VEC(struct plan_workload) plan_workloads;

/* "margin=3%": of the analysis, which knows the names (plan-thresholds.h). */
struct plan_threshold {
	char *text;
	struct plan_pos pos;
};

/* What is another way on some of the clients: where their files and CPUs are. */
struct plan_per_client {
	struct hostlist hosts;
	struct plan_pos pos;
	plan_options options; /* one value each */
};

/* The network between the agents, measured before the storages. */
enum fabric_pattern { FABRIC_PAIRWISE, FABRIC_N_TO_1, FABRIC_N_TO_N, FABRIC_PATTERNS };
struct plan_fabric {
	bool given;
	bool patterns[FABRIC_PATTERNS], dirs[DIR_COUNT];
	bool transports[TRANSPORT_COUNT]; /* none: those of the plan */
	uint64_t bs, runtime_ns;
	unsigned iodepth, numjobs, repeat;
	unsigned clients;     /* agents that take part; 0: all */
	plan_facts addresses; /* of agents, where others reach them */
};

struct plan_repeat {
	unsigned min, max; /* equal: a fixed number */
	double until_rsd;  /* fraction; NAN: no such rule */
};

struct plan {
	char *name, *source; /* source: the path given, for messages */
	char *text;	     /* the whole file */
	uint64_t hash;	     /* of text */
	VEC(struct plan_storage) storages;
	struct plan_links client_links;
	plan_facts client_facts;
	bool has_client_memory;
	uint64_t client_memory; /* DRAM of each client, bytes */
	VEC(unsigned) clients;
	VEC(enum transport) transports;
	struct plan_fabric fabric;
	struct plan_repeat repeat;
	enum plan_order order;
	plan_options defaults;
	plan_workloads workloads;
	char *agents;	 /* host list, entries joined by commas; NULL: none given */
	bool has_seed;
	uint64_t seed;
	uint64_t max_skew_ns; /* 0: the default rule, case_max_skew_ns() */
	uint64_t deadline_ns; /* most time of one run from its start; 0: default rule */
	VEC(struct plan_threshold) thresholds;
	VEC(struct plan_per_client) per_client; /* a later entry goes over an earlier */
	VEC(char *) warnings; /* of job files, "file:line: what" */
};

struct plan_jobfile {
	unsigned clients;
	bool as_fio, ignore_unsupported;
};

/* Parses text.  NULL and an error "source:line:col: what" on any fault. */
struct plan *plan_parse(const char *source, const char *text, size_t len,
			struct err *err);
/* Reads the file, parses it, and reads the job files that it names. */
struct plan *plan_read(const char *path, struct err *err);
/* The plan that is equivalent to a fio job file. */
struct plan *plan_from_jobfile(const char *path, const struct plan_jobfile *how,
			       struct err *err);
/* Puts the jobs of each workload's jobfile in its place. */
int plan_read_jobfiles(struct plan *plan, struct err *err);
void plan_free(struct plan *plan);
void plan_workload_free(struct plan_workload *workload);
void plan_option_free(struct plan_option *option);

/* Must something be done to change the transports of a storage?  Then each is measured
 * as a whole, one after the other. */
bool plan_storage_is_staged(const struct plan_storage *storage);

/* Is a client of this name among them? */
bool plan_names(const struct hostlist *hosts, const char *client);

const char *transport_name(enum transport transport);
/* False when no transport has that name. */
bool transport_parse(const char *name, enum transport *ret);

/* Sets "source:line:col: message" and returns -1. */
int plan_err(struct err *err, const struct plan *plan, struct plan_pos pos,
	     const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Puts "source:line:col: " in front of a message and returns -1. */
int plan_err_at(struct err *err, const struct plan *plan, struct plan_pos pos);

#endif
