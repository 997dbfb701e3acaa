/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is at a path?  Asked in a process of its own, because on a dead mount the
 * question itself hangs.
 */
#ifndef VOLLEY_WORKER_PROBE_H
#define VOLLEY_WORKER_PROBE_H

#include <stdio.h>

/*
 * Prints a JSON array, one object a path, each flushed as soon as it is known:
 *   {"path", "exists", "error", "kind": "folder|file|device|other", "fstype",
 *    "source", "mount_point", "options", "free_bytes", "total_bytes",
 *    "read_only", "device_bytes"}
 * What is unknown is absent.
 */
void probe_print(FILE *out, char *const *paths, int n);

#endif
