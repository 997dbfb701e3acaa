/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the page cache knows of a file before the start: invalidate drops it,
 * fadvise_hint says how it will be used, pre_read fills it.
 */
#ifndef VOLLEY_WORKER_CACHE_H
#define VOLLEY_WORKER_CACHE_H

#include "agent/worker/board.h"
#include "agent/worker/guard.h"
#include "lib/base/err.h"
#include "lib/work/job.h"

/* The job uses [offset, offset + bytes) of the file.  `board`: a stop ends it. */
int cache_prepare(const struct job *job, const struct guard_file *file, uint64_t offset,
		  uint64_t bytes, const struct board *board, struct err *err);

#endif
