/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stages of a job that reads back what it wrote, a pass, its reading back, the next
 * pass; or that makes its files anew between two passes.  Other jobs have one.
 */
#ifndef VOLLEY_WORKER_TURN_STAGE_H
#define VOLLEY_WORKER_TURN_STAGE_H

#include "agent/worker/turn.h"

static inline bool
turn_wants_pace(const struct turn *turn)
{
	return turn->pace.open_loop || turn->pace.thinks;
}

/* The loop ended and all is home.  True: there is a next stage, which begins now. */
bool turn_stage_next(struct turn *turn) __attribute__((cold, noinline));

#endif
