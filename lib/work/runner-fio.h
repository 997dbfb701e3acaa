/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job as the real fio is to run it: which of the job's options fio can be told
 * under volley's barrier, and the job file that tells it.  Pure.
 */
#ifndef VOLLEY_WORK_RUNNER_FIO_H
#define VOLLEY_WORK_RUNNER_FIO_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/str.h"
#include "lib/base/vec.h"
#include "lib/work/job.h"

/* fio-3.33 is {3, 33}. */
struct runner_fio_version {
	unsigned major, minor;
};

#define RUNNER_FIO_NAME_MAX 32 /* of "fio-3.33-17-gabcdef"; longer is cut */

/* Reads what `fio --version` prints; older than 3.1 and newer than 3.x are refused. */
int runner_fio_version(const char *text, struct runner_fio_version *ret,
		       struct err *err);

/* Can fio be told all that this job says?  The error names the option. */
int runner_fio_check(const struct job *job, struct err *err);

struct runner_fio_env {
	const struct job *job;
	struct runner_fio_version version;
	bool direct;		/* what the files took */
	const char *before;	/* shell commands, "%u" is the thread: before its first */
	const char *after;	/*    I/O, and after its last; neither has '#' or ';' */
	const char *log_prefix; /* of all logs, those that are for volley included */
	/* Files of thread t: paths.v[t × per_thread …]; none for an engine without. */
	VEC(const char *) paths;
	unsigned per_thread;
	uint64_t bytes;		/* of each file, from the job's offset on */
};

/* What a line of its bandwidth, IOPS and latency logs averages: as the job wants, or
 * 100 ms when they are for volley alone; 0: nothing, a line is an I/O. */
uint64_t runner_fio_log_ms(const struct job *job);

/* The job file: a section for each thread, in their order, all of them threads of one
 * process.  Only for a job that runner_fio_check took. */
void runner_fio_format(const struct runner_fio_env *env, struct str *ret);

#endif
