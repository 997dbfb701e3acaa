/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A section whose filename is what fio would call a generated file of another one.
 * fio finds it there; volley keeps the files that it generates in a folder of its own,
 * and another file of that name would be read instead.
 */
#include "lib/work/fio/jobfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"

/* Is `name` NAME.THREAD.FILE of this job? */
static bool
generates(const struct fio_job *job, const char *name, size_t len)
{
	char *text = mem_strndup(name, len);
	size_t own = strlen(job->name);
	unsigned thread, file;
	int used = 0;
	bool is = !job->job.filename && !job->job.files.format &&
		  strncmp(text, job->name, own) == 0 &&
		  sscanf(text + own, ".%u.%u%n", &thread, &file, &used) == 2 &&
		  text[own + (size_t)used] == '\0' && thread < job->job.numjobs &&
		  file < job->job.nrfiles;

	free(text);
	return is;
}

static bool
same_folder(const struct fio_job *job, const struct fio_job *other)
{
	const char *a = job->job.directory, *b = other->job.directory;

	return a && b ? strcmp(a, b) == 0 : a == b;
}

static struct fio_pos
place_of_filename(const struct fio_job *job)
{
	struct fio_pos pos = job->pos;

	for (vec_each(const struct fio_given *, given, &job->given))
		if (strcmp(given->option->name, "filename") == 0)
			pos = given->pos;
	return pos;
}

int
fio_generated_check(const struct fio_file *file, struct err *err)
{
	for (vec_each(const struct fio_job *, job, &file->jobs)) {
		const char *list = job->job.files.list;

		/* an escaped colon cuts a name that is no generated one anyhow */
		for (const char *name = list ? list : job->job.filename; name && *name;) {
			size_t len = strcspn(name, ":");

			for (vec_each(const struct fio_job *, other, &file->jobs))
				if (same_folder(job, other) &&
				    generates(other, name, len))
					return fio_err(err, ERR_UNSUPPORTED,
					    place_of_filename(job),
					    "filename=%.*s is a file that job '%s' "
					    "generates, and volley generates files in "
					    "a folder of its own: give both jobs the "
					    "same filename",
					    (int)len, name, other->name);
			name += len + (name[len] == ':');
		}
	}
	return 0;
}
