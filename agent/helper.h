/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A short-lived helper process with a deadline: its standard output is collected;
 * one that hangs is killed and, when even that does not help, left behind.
 */
#ifndef VOLLEY_AGENT_HELPER_H
#define VOLLEY_AGENT_HELPER_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

struct event_base;

#define HELPER_OUTPUT_MAX (1u << 20)

/* `output` is NUL-terminated and borrowed; err->code ERR_NONE when it ended with 0. */
typedef void helper_done_fn(void *arg, const char *output, const struct err *err);

/* `argv` ends with NULL.  `done` is called once, from the loop. */
void helper_run(struct event_base *base, const char *program, char *const *argv,
    uint64_t timeout_ns, helper_done_fn *done, void *arg);

#endif
