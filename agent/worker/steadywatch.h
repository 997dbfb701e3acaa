/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watches the rate of a running job for its steadystate, second by second, and ends
 * the job when it is attained.  It looks at the board's slots, of which reports
 * work out the same again afterwards (steady_replay).
 */
#ifndef VOLLEY_WORKER_STEADYWATCH_H
#define VOLLEY_WORKER_STEADYWATCH_H

#include "agent/worker/board.h"
#include "lib/work/steady.h"

struct steadywatch;

/* `from_ns`: where the job's figures begin, since T.  `end` is called once, by a
 * thread of the watch, when the state is attained. */
int steadywatch_start(struct steadywatch **ret, const struct board *board,
		      const struct job *job, uint64_t from_ns, void (*end)(void *arg),
		      void *arg, struct err *err);
/* NULL is fine. */
void steadywatch_stop(struct steadywatch *watch);

#endif
