/* SPDX-License-Identifier: Apache-2.0 */
/* Job files, stage by stage.  See jobfile.h. */
#include "agent/worker/jobfile.h"

#include <stdio.h>
#include <string.h>

#include "lib/work/fio/open.h"

enum { EXIT_OK = 0, EXIT_USAGE = 2 };

static void
warn_once(const struct fio_file *file)
{
	/* What a [global] section is warned of is found in each job after it. */
	for (size_t i = 0; i < file->jobs.n; i++) {
		const struct fio_job *job = &file->jobs.v[i];

		for (size_t w = 0; w < job->warnings.n; w++) {
			bool known = false;

			for (size_t j = 0; i && j < file->jobs.v[i - 1].warnings.n; j++)
				known |= strcmp(file->jobs.v[i - 1].warnings.v[j],
					     job->warnings.v[w]) == 0;
			if (!known)
				fprintf(stderr, "volley-io: warning: %s\n",
				    job->warnings.v[w]);
		}
	}
}

static int
check_stages(const struct fio_file *file, struct err *err)
{
	for (size_t i = 1; i < file->jobs.n; i++) {
		const struct fio_job *job = &file->jobs.v[i], *before = job - 1;

		if (job->stage == before->stage)
			return fio_err(err, ERR_UNSUPPORTED, job->pos,
			    "jobs '%s' and '%s' run at the same time, which is not "
			    "supported yet (stonewall puts one after the other, "
			    "numjobs "
			    "runs one several times)",
			    before->name, job->name);
	}
	return 0;
}

static int
run_stages(const struct jobfile_run *run, const struct fio_file *file)
{
	struct alone *alone = run->alone;
	unsigned number = 1; /* of the stage's first thread, in names of logs */
	int status = EXIT_OK;

	alone->list = run->list;
	for (size_t i = 0; i < file->jobs.n && status == EXIT_OK; i++) {
		job_free(&alone->job);
		job_copy(&alone->job, &file->jobs.v[i].job);
		if (alone->job.layout == JOB_LAYOUT_FILES)
			alone->job.layout = JOB_LAYOUT_FIO;
		alone->group = file->jobs.v[i].group;
		alone->first_number = number;
		number += alone->job.numjobs;
		status = alone_run(alone);
		if (alone->job.process.exitall &&
		    alone->job.process.exit_what == JOB_EXIT_ALL)
			break;
	}
	return status;
}

int
jobfile_run(const struct jobfile_run *run, struct err *err)
{
	struct fio_file file;
	int status = EXIT_OK;

	if (fio_file_open(&file, run->path, run->as_fio, run->ignore_unsupported, err))
		return EXIT_USAGE;
	warn_once(&file);
	if (!run->parse_only)
		status = check_stages(&file, err) ? EXIT_USAGE : run_stages(run, &file);
	fio_file_free(&file);
	return status;
}
