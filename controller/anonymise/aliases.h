/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who is called what in an anonymised report: storages are A, B, C …, clients
 * node-01 …, in an order that is drawn at random.  The map of names is a file of its
 * own (JSON, mode 0600): with the same file, every report uses the same aliases.
 */
#ifndef VOLLEY_ANONYMISE_ALIASES_H
#define VOLLEY_ANONYMISE_ALIASES_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/str.h"
#include "lib/base/vec.h"

#define ALIASES_SCHEMA "volley.anonymise-map"
#define ALIASES_SCHEMA_VERSION 1

enum alias_kind { ALIAS_STORAGE, ALIAS_CLIENT, ALIAS_WORKLOAD, ALIAS_COUNT };

struct alias {
	char *name, *alias;
};

struct aliases {
	uint64_t seed;
	VEC(struct alias) of[ALIAS_COUNT];
};

/* A name that will need an alias; said twice counts once. */
struct alias_names {
	VEC(char *) list;
};
void alias_names_add(struct alias_names *names, const char *name);
void alias_names_free(struct alias_names *names);

/*
 * Gives every name that has none the next alias, in an order drawn from the seed.
 * Names known before keep theirs.  Workloads keep the order given.
 */
void aliases_assign(
    struct aliases *aliases, enum alias_kind kind, const struct alias_names *names);
/* NULL when the name has none. */
const char *aliases_find(
    const struct aliases *aliases, enum alias_kind kind, const char *name);
/* `text` with every name of a storage and a client as its alias; caller frees. */
char *aliases_replace(const struct aliases *aliases, const char *text);
void aliases_free(struct aliases *aliases);

/* The map's text, and back.  `source` is for messages. */
void aliases_format(const struct aliases *aliases, struct str *ret);
int aliases_parse(
    struct aliases *ret, const char *source, const char *text, struct err *err);
/* A file that is not there leaves *ret empty, with `seed`. */
int aliases_read(struct aliases *ret, const char *path, uint64_t seed, struct err *err);
/* Replaces the file as a whole, readable by its owner only. */
int aliases_write(const struct aliases *aliases, const char *path, struct err *err);

#endif
