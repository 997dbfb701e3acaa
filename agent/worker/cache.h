/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the page cache knows of a file before the start: invalidate drops it,
 * fadvise_hint says how it will be used, pre_read fills it.  Between passes over the
 * files invalidate drops it again, as in fio.
 */
#ifndef VOLLEY_WORKER_CACHE_H
#define VOLLEY_WORKER_CACHE_H

#include "agent/engine/engine.h"
#include "agent/worker/board.h"
#include "agent/worker/guard.h"
#include "lib/base/err.h"
#include "lib/work/job.h"

/* The job uses [offset, offset + bytes) of the file.  `board`: a stop ends it. */
int cache_prepare(const struct job *job, const struct guard_file *file, uint64_t offset,
		  uint64_t bytes, const struct board *board, struct err *err);

struct cache_passes {
	uint64_t pass;		/* bytes of one pass; 0: nothing is dropped */
	bool one;		/* reads and writes make it together, not each its own */
	uint64_t done[DIR_COUNT]; /* of this pass; together: the first */
	uint64_t offset, bytes; /* of each file; bytes 0: to its end */
};

void cache_passes_init(struct cache_passes *passes, const struct job *job,
		       uint64_t pass, uint64_t offset, uint64_t bytes);
/* Before an I/O: it may be the first of another pass. */
void cache_passes_next(struct cache_passes *passes, const struct io_file *files,
		       unsigned nfiles, enum dir dir, uint32_t bytes);

#endif
