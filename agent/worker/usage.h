/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a job thread used of its host from its start to its end: CPU time, context
 * switches, page faults.
 */
#ifndef VOLLEY_WORKER_USAGE_H
#define VOLLEY_WORKER_USAGE_H

#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "agent/worker/board.h"

struct usage {
	struct rusage at;
	uint64_t ns;
};

/* Both by the thread itself. */
void usage_begin(struct usage *usage);
void usage_post(const struct usage *begun, struct board_thread *counts);

uint64_t usage_span_ns(const struct timeval *from, const struct timeval *to);

#endif
