/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the logs of a client go that runs under an agent: into memory, as fio keeps its
 * own until the end, so that no file system of the client takes part in the run.
 * When the job is over they are handed to the agent, which the controller asks for them.
 */
#ifndef VOLLEY_WORKER_LOGS_H
#define VOLLEY_WORKER_LOGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/err.h"

#define LOGS_MAX_BYTES (UINT64_C(512) << 20) /* of all logs of one client */

struct logs;

struct logs *logs_new(uint64_t max_bytes);
/* The last part of `path` is the log's name.  Several threads may open the same one:
 * what each writes at a time stays together.  Close it with fclose, before logs_free. */
FILE *logs_open(struct logs *logs, const char *path, struct err *err);
/* More was written than fits: what came after is lost, and *err says so. */
bool logs_overflowed(const struct logs *logs, struct err *err);
/* Sends each log as a LINK_LOG. */
int logs_hand_over(struct logs *logs, int link_fd, struct err *err);
void logs_free(struct logs *logs); /* NULL is fine */

#endif
