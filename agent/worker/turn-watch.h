/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What only some jobs want to know of a completion: logs, limits, open files, verify.
 */
#ifndef VOLLEY_WORKER_TURN_WATCH_H
#define VOLLEY_WORKER_TURN_WATCH_H

#include "agent/worker/turn.h"

/* Readers look at any time. */
static inline void
turn_post(uint64_t *counter, uint64_t value)
{
	__atomic_store_n(counter, value, __ATOMIC_RELAXED);
}

/* Of an I/O that is complete; a short one counts as a whole. */
static inline struct meter_io
turn_figures(const struct turn *turn, const struct io *io, uint64_t done)
{
	return (struct meter_io){
	    .dir = io->dir,
	    .bytes = turn->want[io->index],
	    .has_slat = !turn->sync,
	    .intended = io->intended,
	    .start = io->start,
	    .accepted = io->accepted,
	    .done = done,
	};
}

void turn_watch(struct turn *turn, const struct io *io, uint64_t done)
    __attribute__((cold, noinline));

#endif
