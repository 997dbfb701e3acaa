/* SPDX-License-Identifier: Apache-2.0 */
/* Job files, stage by stage.  See jobfile.h. */
#include "agent/worker/jobfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/work/fio/open.h"

enum { EXIT_OK = 0, EXIT_USAGE = 2 };

/* To stderr, and to the list if there is one. */
static void
warn(const char *text, struct report_list *list)
{
	fprintf(stderr, "volley-io: warning: %s\n", text);
	if (list)
		report_list_warn(list, text);
}

static void
warn_once(const struct fio_file *file, struct report_list *list)
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
				warn(job->warnings.v[w], list);
		}
	}
}

/* The jobs of one stage, from `first` on; *number is that of its first thread. */
static int
run_stage(const struct jobfile_run *run, const struct fio_file *file, size_t first, size_t n,
    unsigned *number)
{
	struct alone *jobs = mem_array(n, sizeof *jobs);
	int status;

	for (size_t i = 0; i < n; i++) {
		const struct fio_job *job = &file->jobs.v[first + i];

		jobs[i] = *run->alone;
		job_copy(&jobs[i].job, &job->job);
		if (jobs[i].job.layout == JOB_LAYOUT_FILES)
			jobs[i].job.layout = JOB_LAYOUT_FIO;
		jobs[i].list = run->list;
		jobs[i].group = job->group;
		jobs[i].first_number = *number;
		*number += jobs[i].job.numjobs;
	}
	status = alone_run(jobs, n);
	for (size_t i = 0; i < n; i++)
		job_free(&jobs[i].job);
	free(jobs);
	return status;
}

static int
run_stages(const struct jobfile_run *run, const struct fio_file *file)
{
	unsigned number = 1; /* of threads, in names of logs */
	int status = EXIT_OK;
	bool over = false;

	for (size_t i = 0, n; i < file->jobs.n && status == EXIT_OK && !over; i += n) {
		const struct fio_job *jobs = &file->jobs.v[i];

		for (n = 0; i + n < file->jobs.n && jobs[n].stage == jobs->stage; n++)
			over |= jobs[n].job.process.exitall &&
				jobs[n].job.process.exit_what == JOB_EXIT_ALL;
		status = run_stage(run, file, i, n, &number);
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
	warn_once(&file, run->list);
	if (!run->parse_only)
		status = run_stages(run, &file);
	fio_file_free(&file);
	return status;
}
