/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an agent knows about its host: a few facts of the whole, and things (network
 * cards, RDMA ports, GPUs, mounts, paths …) with attributes.  An attribute is text or a
 * number in base units; one that was looked for and not found is unknown, which is
 * never the same as 0.  docs/facts.md lists kinds and attributes.
 */
#ifndef VOLLEY_WIRE_FACTS_H
#define VOLLEY_WIRE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/vec.h"

#define FACTS_THINGS_MAX 4096u /* of one host; a probe stops there */

struct facts_attr {
	char *key;
	char *text;     /* NULL: a number, or unknown */
	int64_t number; /* −1 unknown */
};

struct facts_thing {
	char *kind; /* "nic" "rdma" "gid" "gpu" "numa" "block" "mount" "path" "host" */
	char *name; /* "eth0", "mlx5_0/1", "/mnt/one" */
	VEC(struct facts_attr) attrs;
};

struct facts {
	char *name;    /* stable agent name */
	char *version; /* "volley 0.1.0" */
	char *hostname, *os, *kernel, *cpu_model, *machine_id;
	int64_t cpus, numa_nodes, memory_bytes; /* −1 unknown */
	VEC(char *) engines; /* "libaio", "io_uring: not built (…)" */
	VEC(struct facts_thing) things;
};

/* What to do with a token file in each path that is asked about: written by one agent
 * and found by another, the storage is one. */
enum facts_touch {
	FACTS_LOOK,   /* touch nothing */
	FACTS_WRITE,  /* make it */
	FACTS_READ,   /* is it there? */
	FACTS_REMOVE, /* remove it, when it is ours */
	FACTS_TOUCH_COUNT
};

struct facts_question {
	const char *const *paths;
	size_t n;
	bool brief; /* mounts and paths only */
	enum facts_touch touch;
	const char *token; /* hex digits; NULL with FACTS_LOOK */
};

void facts_free(struct facts *facts);
const char *facts_touch_name(enum facts_touch touch); /* "write" */

/* Building.  The thing may move when another is added. */
struct facts_thing *facts_add(struct facts *facts, const char *kind, const char *name);
void facts_set_text(struct facts_thing *thing, const char *key, char *text); /* taken */
void facts_set_number(struct facts_thing *thing, const char *key, int64_t number);
void facts_thing_free(struct facts_thing *thing); /* what it holds */

/* Reading.  NULL and −1: unknown. */
const struct facts_thing *facts_find(
    const struct facts *facts, const char *kind, const char *name);
const char *facts_text(const struct facts_thing *thing, const char *key);
int64_t facts_number(const struct facts_thing *thing, const char *key);

/* for (facts_each(thing, facts, "nic")) */
const struct facts_thing *facts_next(
    const struct facts *facts, const char *kind, const struct facts_thing *after);
#define facts_each(thing, facts, kind) \
	const struct facts_thing *thing = facts_next(facts, kind, NULL); \
	thing; \
	thing = facts_next(facts, kind, thing)

#endif
