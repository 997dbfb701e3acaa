/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Volley's own list of the files it made in a folder, kept in that folder as
 * ".volley-manifest.CLIENT", so that clients that share a folder never write the
 * same list.  A file is volley's when any client's list names it and it is the very
 * file that was made (identity.h): what else carries its name is foreign.
 *
 *   volley-manifest 2
 *   dir                            the folder itself was made by volley
 *   file full 1073741824 42 1 131 1764540000000000000 NAME
 *
 * Bytes, seed, kind of identity, inode, mark; "part" instead of "full": not (yet)
 * fully written.  Lists of version 1 have no identity: nothing is known to be made
 * by volley through them.
 *
 * The list is replaced as a whole (write, fsync, rename, fsync of the folder).
 * A file is named in it before it is created, and its identity is noted before
 * anything is written to it.
 */
#ifndef VOLLEY_WORKER_MANIFEST_H
#define VOLLEY_WORKER_MANIFEST_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/worker/identity.h"
#include "lib/base/err.h"

struct manifest;

struct manifest_entry {
	char *name; /* within the folder */
	uint64_t size, seed;
	bool full;  /* [0, size) holds data, no holes */
	struct identity id;
};

/* Reads all lists of the folder `dir_fd` (not taken over; must stay open). */
int manifest_open(struct manifest **ret, int dir_fd, const char *client,
		  struct err *err);
void manifest_free(struct manifest *manifest);

/* The best knowledge of all clients about the file `id` under this `name`; NULL: not
 * made by volley. */
const struct manifest_entry *manifest_find(const struct manifest *manifest,
					   const char *name, const struct identity *id);
/* Was the name taken, and no file of this name made yet (or noted)?  A stopped run
 * may have left an empty file there. */
bool manifest_has_claim(const struct manifest *manifest, const char *name);
/* Changes of this client's list; nothing is on disk before manifest_save.  What the
 * list said about another file of this name is forgotten. */
void manifest_set(struct manifest *manifest, const struct manifest_entry *entry);
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
