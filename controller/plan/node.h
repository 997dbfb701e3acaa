/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading YAML nodes with a place for every complaint.  A mapping is read by a
 * table of keys; each key has a function that takes its value.  Only
 * controller/plan uses this.
 */
#ifndef VOLLEY_PLAN_NODE_H
#define VOLLEY_PLAN_NODE_H

#include <yaml.h>

#include "controller/plan/plan.h"

struct reader {
	struct plan *plan;
	yaml_document_t doc;
	struct err *err;
	/* where transports: names each; for the check once all storages are known */
	bool transports_given;
	struct plan_pos transport_pos[TRANSPORT_COUNT];
};

/* Takes the value of one key and stores it in `into`. */
typedef int (*node_fn)(struct reader *r, yaml_node_t *value, void *into);

struct node_key {
	const char *name;
	node_fn fn;
	bool required;
};

/* Takes a key that is not in the table. */
typedef int (*node_other_fn)(struct reader *r, yaml_node_t *key, yaml_node_t *value,
			     void *into);

struct plan_pos node_pos(const yaml_node_t *node);
int node_err(struct reader *r, const yaml_node_t *node, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Puts the node's place in front of the reader's error. */
int node_err_at(struct reader *r, const yaml_node_t *node);

/*
 * Reads a mapping: each key once, strings only, all required ones there.  `what`
 * names the mapping in messages ("a storage").  `other` NULL: unknown keys are
 * errors with a suggestion.
 */
int node_map(struct reader *r, yaml_node_t *node, const char *what,
	     const struct node_key *keys, node_other_fn other, void *into);
/* Calls fn for each item of a list that is not empty. */
int node_list(struct reader *r, yaml_node_t *node, const char *what, node_fn fn,
	      void *into);
/* Same; a single value counts as a list of one. */
int node_list_or_one(struct reader *r, yaml_node_t *node, const char *what, node_fn fn,
		     void *into);

/* A single, non-empty value; borrowed.  NULL and an error otherwise. */
const char *node_text(struct reader *r, yaml_node_t *node, const char *what);
/* Same, copied into *ret. */
int node_strdup(struct reader *r, yaml_node_t *node, const char *what, char **ret);
/* Letters, digits, '.', '_' and '-': what can stand in file names and tables. */
int node_name(struct reader *r, yaml_node_t *node, const char *what, char **ret);
int node_u64(struct reader *r, yaml_node_t *node, const char *what, uint64_t min,
	     uint64_t max, uint64_t *ret);
int node_bytes(struct reader *r, yaml_node_t *node, const char *what, uint64_t *ret);
/* A bare number counts seconds; 0 is an error. */
int node_time(struct reader *r, yaml_node_t *node, const char *what, uint64_t *ret_ns);

/* 1 or true, 0 or false. */
int node_bool(struct reader *r, yaml_node_t *node, const char *what, bool *ret);

/* The whole document (read-plan.c), and its larger parts. */
int read_plan(struct reader *r);
int read_storages(struct reader *r, yaml_node_t *node, void *plan);
int read_path_require(struct reader *r, yaml_node_t *node, void *path);
int read_path_setup(struct reader *r, yaml_node_t *node, void *path);
int read_path_teardown(struct reader *r, yaml_node_t *node, void *path);
int read_path_timeout(struct reader *r, yaml_node_t *node, void *path);
int read_fabric(struct reader *r, yaml_node_t *node, void *plan);
int read_client(struct reader *r, yaml_node_t *node, void *plan);
int read_defaults(struct reader *r, yaml_node_t *node, void *plan);
/* One option as if it stood among the defaults. */
int read_default(struct reader *r, const char *name, yaml_node_t *node, void *plan);
int read_workloads(struct reader *r, yaml_node_t *node, void *plan);
/* Of a workload. */
int read_notes(struct reader *r, yaml_node_t *node, void *workload);
int read_per_client(struct reader *r, yaml_node_t *node, void *plan);
/* One more option; one of each name. */
int read_option(struct reader *r, yaml_node_t *key, yaml_node_t *value,
    plan_options *options);

#endif
