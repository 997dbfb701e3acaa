/* SPDX-License-Identifier: Apache-2.0 */
/*
 * volley-io without an agent: one job, started at once, printed at the end.  What
 * the user names as directory or filename he may touch; only writing to a block
 * device needs a word of its own.
 */
#ifndef VOLLEY_WORKER_ALONE_H
#define VOLLEY_WORKER_ALONE_H

#include <stdbool.h>

#include "agent/worker/report.h"
#include "lib/base/vec.h"
#include "lib/work/job.h"

struct alone {
	struct job job;
	VEC(char *) allow_write;
	struct report_list *list; /* gets the figures, borrowed; NULL: they are printed */
	unsigned group;		  /* in that list */
	unsigned first_number;	  /* of its threads, from 1 on over all jobs; 0: 1 */
	unsigned named; /* how often --name was given */
};

void alone_init(struct alone *alone);
/* Runs all of them from one instant on.  Prints the results (or lists them), errors on
 * stderr; returns the exit status. */
int alone_run(struct alone *jobs, size_t n);
void alone_free(struct alone *alone);

#endif
