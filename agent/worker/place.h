/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a job thread lives: its CPUs, the node of its memory, its priorities.
 * Each call is about the calling thread.
 */
#ifndef VOLLEY_WORKER_PLACE_H
#define VOLLEY_WORKER_PLACE_H

#include "lib/base/err.h"
#include "lib/work/job.h"

/*
 * `sys` is where /sys is.  With cpus_allowed_policy=split thread n gets the n-th of
 * the CPUs, and they are dealt out again when there are more threads.
 */
int place_thread(const struct job *job, unsigned thread, const char *sys,
		 struct err *err);

#endif
