/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plan that says what a fio job file says: one storage, one workload for each of
 * its stages, run one after the other; jobs of one stage run at the same time.
 */
#ifndef VOLLEY_PLAN_FROM_FIO_H
#define VOLLEY_PLAN_FROM_FIO_H

#include "controller/plan/plan.h"
#include "lib/base/str.h"
#include "lib/work/fio/jobfile.h"

struct from_fio {
	const char *source;	/* the file's name */
	const char *folder;	/* absolute; where files are that name no folder */
	unsigned clients;
};

/* Appends the plan as YAML.  Fails where a plan cannot say it. */
int from_fio_yaml(const struct fio_file *file, const struct from_fio *how,
		  struct str *ret, struct err *err);

/*
 * The options of one job as a workload has them: what differs from the defaults of a
 * job, and what `under` would change.  `filename`: instead of the job's,
 * as the option has it ("a:b\\:c"; NULL: none); `directory`: below the storage's path.
 */
void from_fio_options(const struct fio_job *job, const char *directory,
		      const char *filename, const plan_options *under,
		      struct plan_pos pos, plan_options *ret);
/* The job's file names as the option has them; nothing when they are generated. */
void from_fio_names(const struct fio_job *job, struct str *ret);
/* A name that a plan may hold, for each job another one; malloc. */
char *from_fio_name(const struct fio_file *file, size_t job);
/* Same for the stage that begins with `job`: of its job, or "reader-writer". */
char *from_fio_stage_name(const struct fio_file *file, size_t job);
/* How many jobs, from this one on, run at the same time. */
size_t from_fio_stage_jobs(const struct fio_file *file, size_t job);

/* The folder that all of n absolute folders have in common; malloc. */
char *from_fio_root(const char *const *folders, size_t n);
/* What is left of a folder below it; NULL: nothing. */
const char *from_fio_below(const char *root, const char *folder);

/* What is to be said of a job; also of what clients do not do. */
void from_fio_notes(const struct fio_job *job, fio_notes *ret);

#endif
