/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a job's options mean together: fio mends or forgives in silence what lib/work
 * refuses, so it is mended here, with a warning.
 */
#include "lib/work/fio/draft.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"

/* Where an option was given last; the section if it was not. */
static struct fio_pos
place_of(const struct fio_draft *draft, const char *name, struct fio_given **ret)
{
	struct fio_pos pos = draft->made.pos;

	if (ret)
		*ret = NULL;
	for (vec_each(struct fio_given *, given, &draft->made.given)) {
		if (strcmp(given->option->name, name) != 0)
			continue;
		pos = given->pos;
		if (ret)
			*ret = given;
	}
	return pos;
}

/* The option is not done as given: a warning, and the mark. */
static void
translate(struct fio_draft *draft, const char *name, const char *why)
{
	struct fio_given *given;
	struct fio_pos pos = place_of(draft, name, &given);

	fio_draft_warn(draft, pos, "%s: %s", name, why);
	if (given && given->mark == FIO_HONOURED)
		given->mark = FIO_TRANSLATED;
	if (given && !given->why)
		given->why = mem_strdup(why);
}

static int
unsupported(struct fio_draft *draft, const char *name, struct err *err)
{
	struct fio_given *given;
	struct fio_pos pos = place_of(draft, name, &given);
	struct err why = *err;

	if (!draft->reading->ignore_unsupported || why.code != ERR_UNSUPPORTED)
		return fio_err(err, why.code, pos, "%s", why.msg);
	if (given) {
		given->mark = FIO_REFUSED;
		free(given->why);
		given->why = mem_strdup(why.msg);
	}
	fio_draft_warn(draft, pos, "%s is ignored: %s", name, why.msg);
	*err = ERR_INIT;
	return 0;
}

static void
finish_name(struct fio_draft *draft)
{
	struct fio_job *made = &draft->made;
	const char *from = made->name + strspn(made->name, " \t");
	char *name;
	size_t len = strlen(from);

	if (!draft->named) {
		while (len && strchr(" \t", from[len - 1]))
			len--;
		name = len ? mem_strndup(from, len) : mem_strdup("job");
		free(made->job.name);
		made->job.name = name;
	}
	free(made->name);
	made->name = mem_strdup(made->job.name);
}

#define FILL_SIZE (UINT64_C(1) << 60)

/* Then it matters how long the files are, and not only how much of them is used. */
static bool
uses_part(const struct job *job)
{
	const struct job_amount *amount = &job->amount;

	return job->offset || amount->offset_percent || amount->offset_increment ||
	       amount->offset_increment_percent || amount->size_percent;
}

static int
finish_filesize(struct fio_draft *draft, struct err *err)
{
	struct job *job = &draft->made.job;
	uint64_t each = draft->filesize_min;
	char text[64];

	if (!each)
		return 0;
	if (draft->filesize_max == each && !uses_part(job) &&
	    (job->size == 0 || job->size / job->nrfiles == each) &&
	    !__builtin_mul_overflow(each, job->nrfiles, &job->size))
		return 0;
	snprintf(text, sizeof text, "%" PRIu64 "-%" PRIu64, each, draft->filesize_max);
	if (draft->filesize_max == each)
		*strchr(text, '-') = '\0';
	if (job_set(job, "filesize", text, err) && unsupported(draft, "filesize", err))
		return -1;
	/* Of a range, what the files draw is less. */
	if (job->size == 0 && !job->amount.size_percent &&
	    __builtin_mul_overflow(draft->filesize_max, job->nrfiles, &job->size))
		job->size = 0;
	return 0;
}

/* Without a size, fio takes what the file or device holds. */
static int
finish_size(struct fio_draft *draft, struct err *err)
{
	struct job *job = &draft->made.job;
	unsigned percent = job->amount.io_size_percent;

	if (finish_filesize(draft, err))
		return -1;
	if (percent && job->size) {
		job->io_size =
		    job->size / 100 * percent + job->size % 100 * percent / 100;
		job->amount.io_size_percent = 0;
	}
	if (job->size || job->amount.size_percent)
		return 0;
	if (job->files.fill_device) { /* until there is no space left */
		job->size = FILL_SIZE;
		return 0;
	}
	if (!job->filename && !job->files.opendir)
		return fio_err(err, ERR_USAGE, draft->made.pos,
		    "job '%s' has no size (nor filesize)", draft->made.name);
	if (job_set(job, "size", "100%", err))
		return fio_err(err, ERR_UNSUPPORTED, draft->made.pos,
		    "job '%s' has no size; taking that of the file is not supported "
		    "yet",
		    draft->made.name);
	return 0;
}

static int
finish_engine(struct fio_draft *draft, struct err *err)
{
	struct job *job = &draft->made.job;

	for (vec_each(const struct fio_given *, given, &draft->made.given)) {
		const char *engines = given->option->engines;

		if (engines && !fio_has_word(engines, job->ioengine))
			return fio_err(err, ERR_USAGE, given->pos,
			    "%s: ioengine %s has no such option (it belongs to: %s)",
			    given->option->name, job->ioengine, engines);
	}
	if (draft->posixaio && job->direct == JOB_BUFFERED)
		return job_set(job, "ioengine", "io_uring", err);
	return 0;
}

static void
clamp(struct fio_draft *draft, const char *name, unsigned *value, unsigned most)
{
	char *why;

	if (*value <= most)
		return;
	why = mem_printf("%u is more than iodepth; it is %u, as in fio", *value, most);
	translate(draft, name, why);
	free(why);
	*value = most;
}

static void
finish_depth(struct fio_draft *draft)
{
	struct job *job = &draft->made.job;

	if (draft->batch_is_depth)
		job->iodepth_batch = job->iodepth;
	if (job->iodepth > 1 && job_is_sync(job)) {
		char *why =
		    mem_printf("ioengine %s does one I/O at a time, so %u is 1, "
			       "as in fio",
			job->ioengine, job->iodepth);

		translate(draft, "iodepth", why);
		free(why);
		job->iodepth = 1;
	}
	clamp(draft, "iodepth_batch", &job->iodepth_batch, job->iodepth);
	clamp(draft, "iodepth_batch_complete_min", &job->iodepth_batch_complete_min,
	    job->iodepth);
	clamp(draft, "iodepth_batch_complete_max", &job->iodepth_batch_complete_max,
	    job->iodepth);
	clamp(draft, "iodepth_low", &job->iodepth_low, job->iodepth);
	if (job->iodepth_batch_complete_max &&
	    job->iodepth_batch_complete_max < job->iodepth_batch_complete_min) {
		translate(draft, "iodepth_batch_complete_max",
		    "less than iodepth_batch_complete_min; it is the same, as in fio");
		job->iodepth_batch_complete_max = job->iodepth_batch_complete_min;
	}
}

static void
finish_time(struct fio_draft *draft)
{
	struct job *job = &draft->made.job;

	if (job->time_based && job->runtime_ns == 0) {
		translate(
		    draft, "time_based", "without runtime it has no effect, as in fio");
		job->time_based = false;
	}
	if (job->output.steady != JOB_STEADY_NONE && job->output.steady_ns == 0) {
		translate(draft, "steadystate",
		    "without steadystate_duration it has no effect, as in fio");
		job->output.steady = JOB_STEADY_NONE;
	}
}

static int
finish_files(struct fio_draft *draft, struct err *err)
{
	struct job *job = &draft->made.job;
	const char *name = job->filename;

	if (name && job->nrfiles > 1) {
		translate(draft, "nrfiles",
		    "has no effect beside filename, which names the files");
		job->nrfiles = 1;
	}
	if (!name || name[0] != '/' || !job->directory)
		return 0;
	if (!draft->reading->as_fio)
		return fio_err(err, ERR_USAGE, place_of(draft, "filename", NULL),
		    "filename '%s' is absolute; below directory '%s' fio would take it "
		    "as '%s/%s'",
		    name, job->directory, job->directory, name);
	fio_draft_warn(draft, place_of(draft, "filename", NULL),
	    "filename '%s' is absolute and taken as '%s/%s'", name, job->directory,
	    name);
	name = mem_strdup(name + strspn(name, "/"));
	free(job->filename);
	job->filename = (char *)name;
	return 0;
}

int
fio_draft_finish(struct fio_draft *draft, struct err *err)
{
	struct err why = ERR_INIT;

	finish_name(draft);
	if (finish_size(draft, err) || finish_engine(draft, err))
		return -1;
	finish_depth(draft);
	finish_time(draft);
	if (finish_files(draft, err))
		return -1;
	if (job_validate(&draft->made.job, &why) == 0)
		return 0;
	return fio_err(
	    err, why.code, draft->made.pos, "job '%s': %s", draft->made.name, why.msg);
}
