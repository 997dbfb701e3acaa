/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fio job file on this machine: its stages one after the other.
 */
#ifndef VOLLEY_WORKER_JOBFILE_H
#define VOLLEY_WORKER_JOBFILE_H

#include <stdbool.h>

#include "agent/worker/alone.h"
#include "lib/base/err.h"

struct jobfile_run {
	const char *path;
	bool as_fio, ignore_unsupported, parse_only;
	struct alone *alone;	  /* what the command line allows; its job is replaced */
	struct report_list *list; /* as of struct alone */
};

/* Warnings go to stderr and into the list.  The exit status; err says why unless it was printed. */
int jobfile_run(const struct jobfile_run *run, struct err *err);

#endif
