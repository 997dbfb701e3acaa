/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the threads of a worker wait: for a word to change, for an instant, or for
 * both.  Built on the futex because it takes an absolute CLOCK_MONOTONIC time and,
 * unlike a plain clock_nanosleep, cannot miss a stop that comes just before it.
 * Under SCHED_FIFO the kernel adds no timer slack.
 */
#ifndef VOLLEY_WORKER_PARK_H
#define VOLLEY_WORKER_PARK_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/worker/board.h"

/* Waits while *word == value, until `until_ns` (UINT64_MAX: for ever). */
void park_wait(const uint32_t *word, uint32_t value, uint64_t until_ns);
/* Sets the word and wakes all that wait for it. */
void park_set(uint32_t *word, uint32_t value);

bool park_stopped(const struct board *board);
/* Until a stop or until_ns.  May return early. */
void park_wait_stop(const struct board *board, uint64_t until_ns);
/* Async-signal-safe. */
void park_stop(struct board *board);

/* The calling thread runs before everything else from here on; false: may not. */
bool park_fifo_take(void);
void park_fifo_drop(void);

#endif
