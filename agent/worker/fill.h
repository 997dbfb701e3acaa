/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes data of the job's kind over the first bytes of a list of files (or
 * devices), several at a time.  The hands of layout.c.
 */
#ifndef VOLLEY_WORKER_FILL_H
#define VOLLEY_WORKER_FILL_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/worker/board.h"
#include "agent/worker/guard.h"
#include "lib/base/err.h"
#include "lib/base/vec.h"
#include "lib/work/job.h"

struct fill_file {
	const char *path;
	uint64_t bytes;
	struct identity id; /* has to be this one; IDENTITY_NONE: whatever is there */
	bool full; /* set by fill_run: every byte was written and synced */
};

struct fill {
	struct guard *guard;
	const struct job *job;
	struct board *board; /* layout_done, layout_total; stop */
	VEC(struct fill_file) files;
	uint64_t seed;
};

/* The first error ends it; ERR_CANCELLED after a stop. */
int fill_run(struct fill *fill, struct err *err);

#endif
