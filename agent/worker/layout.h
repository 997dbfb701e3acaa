/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing the files of a job before it starts, so that it never reads a hole and
 * every repeat finds the same state.  What is written follows from the seed and
 * cannot be compressed.
 *
 *   in a manifest, fully written, large enough, no holes → used as it is
 *   in a manifest otherwise, or missing                  → written from the start
 *   not in a manifest: a job without writes uses it when it is large enough and
 *       has no holes; everything else is refused unless layout=overwrite
 *   block device: left alone unless layout=overwrite (and --allow-write)
 *
 * Files that all clients share are written by one client each; the others wait
 * until its manifest says so.
 */
#ifndef VOLLEY_WORKER_LAYOUT_H
#define VOLLEY_WORKER_LAYOUT_H

#include "agent/worker/board.h"
#include "agent/worker/files.h"
#include "agent/worker/guard.h"

struct layout_env {
	struct guard *guard;
	const struct job *job;
	const struct link_spec *spec;
	const struct files *files;
	struct board *board; /* progress; head->stop ends it with ERR_CANCELLED */
};

int layout_run(const struct layout_env *env, struct err *err);
/* Removes n files of volley's and makes them anew, empty, as a job that only writes
 * begins with them. */
int layout_renew(const struct layout_env *env, size_t first, size_t n, struct err *err);
/* Unlinks what volley made for this job; then its folder, when nothing is left. */
int layout_clean(const struct layout_env *env, struct err *err);

#endif
