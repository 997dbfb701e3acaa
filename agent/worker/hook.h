/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exec_prerun and exec_postrun: one command line for /bin/sh, once per client.  Only
 * where the agent was started with --allow-exec, or for volley-io alone.
 */
#ifndef VOLLEY_WORKER_HOOK_H
#define VOLLEY_WORKER_HOOK_H

#include <stdbool.h>

#include "agent/worker/board.h"
#include "lib/base/err.h"
#include "lib/base/str.h"

#define HOOK_LIMIT_NS UINT64_C(60000000000)

/*
 * Waits for its end.  An error when its exit status is not 0, when it takes longer
 * than `limit_ns` or a stop comes (then it and its children are killed; `board` NULL:
 * no stop counts); the message holds the last lines of what it printed.
 */
int hook_run(const char *option, const char *command, const struct board *board,
	     uint64_t limit_ns, struct err *err);

/* The same; the last `max` bytes of what it printed are added to *ret_output (may be
 * NULL), whatever its end. */
int hook_run_output(const char *option, const char *command, const struct board *board,
		    uint64_t limit_ns, struct str *ret_output, size_t max,
		    struct err *err);

#endif
