/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wraps any engine and injects what job->fault asks for: a delay before each
 * completion is handed out, an error every N, short I/O, a stall.  Logs what it
 * really gave, so tests compare figures with the truth and not with the wish.
 */
#ifndef VOLLEY_ENGINE_FAULT_H
#define VOLLEY_ENGINE_FAULT_H

#include "agent/engine/engine.h"

struct fault_log {
	uint64_t ios, errors, shorts, stalled;
	uint64_t delay_sum_ns; /* really given: reap time − inner completion time */
};

/* Takes ownership of `inner` on success. */
int fault_wrap(struct engine **ret, struct engine *inner, const struct engine_env *env,
	       struct err *err);
/* NULL when `engine` is not (or does not wrap) a fault engine. */
const struct fault_log *fault_log(const struct engine *engine);

#endif
