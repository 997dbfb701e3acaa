/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Volley's own list of the files it made in a folder, kept in that folder as
 * ".volley-manifest.CLIENT", so that clients that share a folder never write the
 * same list.  A file is volley's when any client's list names it.
 *
 *   volley-manifest 1
 *   dir                            the folder itself was made by volley
 *   file full 1073741824 42 NAME   or "part": not (yet) fully written
 *
 * The list is replaced as a whole (write, fsync, rename, fsync of the folder).
 * A file is named in it before it is created.
 */
#ifndef VOLLEY_WORKER_MANIFEST_H
#define VOLLEY_WORKER_MANIFEST_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"

struct manifest;

struct manifest_entry {
	char *name; /* within the folder */
	uint64_t size, seed;
	bool full;  /* [0, size) holds data, no holes */
};

/* Reads all lists of the folder `dir_fd` (not taken over; must stay open). */
int manifest_open(struct manifest **ret, int dir_fd, const char *client,
		  struct err *err);
void manifest_free(struct manifest *manifest);

/* The best knowledge of all clients about `name`; NULL: not made by volley. */
const struct manifest_entry *manifest_find(const struct manifest *manifest,
					   const char *name);
/* Changes of this client's list; nothing is on disk before manifest_save. */
void manifest_set(struct manifest *manifest, const char *name, uint64_t size,
		  uint64_t seed, bool full);
void manifest_set_made(struct manifest *manifest); /* "dir" */
/* Forgets `name` in this client's list. */
void manifest_drop(struct manifest *manifest, const char *name);
/* Writes this client's list, or removes it when it is empty. */
int manifest_save(struct manifest *manifest, struct err *err);
/* Reads the others' lists again (another client may have finished a file). */
int manifest_reload(struct manifest *manifest, struct err *err);
/* Volley made this folder, no list names a file in it any more, and it is empty. */
bool manifest_is_spent(const struct manifest *manifest);
/* Removes every list of the folder; only when it is spent. */
void manifest_remove_lists(struct manifest *manifest);

#endif
