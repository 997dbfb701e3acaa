/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wraps any engine and asserts the contract of engine.h on both sides: an I/O is
 * submitted once, reaped once, with a result within its size; more than taken is
 * never delivered.  A breach ends the process with one line naming the rule.
 */
#ifndef VOLLEY_ENGINE_CHECKED_H
#define VOLLEY_ENGINE_CHECKED_H

#include "agent/engine/engine.h"

/* Takes ownership of `inner` on success. */
int checked_wrap(struct engine **ret, struct engine *inner, const struct engine_env *env,
		 struct err *err);
/* The engine inside, or NULL when `engine` is not the checker. */
struct engine *checked_inner(const struct engine *engine);

#endif
