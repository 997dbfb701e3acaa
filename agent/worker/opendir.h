/* SPDX-License-Identifier: Apache-2.0 */
/* opendir: a job's files are those that lie below a folder, as large as they are. */
#ifndef VOLLEY_WORKER_OPENDIR_H
#define VOLLEY_WORKER_OPENDIR_H

#include "agent/worker/files.h"
#include "agent/worker/guard.h"

/*
 * Fills `files` with all regular files below job->files.opendir that hold a block,
 * sorted by name; links are not followed.  The job's size, and percentages of it, become
 * bytes: at most all there is.
 */
int opendir_plan(struct files *files, struct job *job, struct guard *guard,
		 struct err *err);

#endif
