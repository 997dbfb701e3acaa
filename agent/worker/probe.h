/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is at a path?  Asked in a process of its own, because on a dead mount the
 * question itself hangs.
 */
#ifndef VOLLEY_WORKER_PROBE_H
#define VOLLEY_WORKER_PROBE_H

#include <stdio.h>

#include "agent/worker/guard.h"
#include "agent/worker/token.h"

/*
 * Prints a JSON array, one object a path, each flushed as soon as it is known:
 *   {"path", "exists", "error", "kind": "folder|file|device|other", "fstype",
 *    "source", "mount_point", "options", "free_bytes", "total_bytes",
 *    "read_only", "device_bytes"}
 * and with a token (NULL: none) in each folder what token_touch says.  What is unknown
 * is absent.  With a guard only paths that it allows are looked at;
 * of another one nothing is told but "error": "not allowed here".
 */
void probe_print(FILE *out, struct guard *guard, const struct token *token,
		 char *const *paths, int n);
/*
 * The arguments behind "volley-io probe": [--guard [--allow=PREFIX ...]
 * [--token=TOUCH:DIGITS]] [--] PATH ...
 * --guard: an agent asks, so nothing but what --allow names may be looked at.
 */
int probe_main(FILE *out, int argc, char *const *argv, struct err *err);

#endif
