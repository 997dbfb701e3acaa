/* SPDX-License-Identifier: Apache-2.0 */
/* Sections become jobs, stages and groups.  See jobfile.h. */
#include "lib/work/fio/jobfile.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/work/fio/draft.h"

struct maker {
	struct fio_file *file;
	const struct fio_reading *reading;
	struct fio_draft defaults; /* what [global] sections have said so far */
	struct err *err;
};

const char *
fio_job_trim(const struct fio_job *job, const char *option)
{
	for (vec_each(const struct fio_trim *, trim, &job->trims))
		if (strcmp(trim->option, option) == 0)
			return trim->value;
	return NULL;
}

/* kb_base governs all values of its section, wherever it stands. */
static bool
goes_first(const struct ini_entry *entry)
{
	return str_starts(entry->text, "kb_base") ||
	       str_starts(entry->text, "unit_base");
}

static int
apply_section(
    struct maker *maker, struct fio_draft *draft, const struct ini_section *section)
{
	for (vec_each(char *const *, warning, &section->warnings))
		vec_push(&draft->made.warnings, mem_strdup(*warning));
	for (int round = 0; round < 2; round++)
		for (vec_each(const struct ini_entry *, entry, &section->entries))
			if (goes_first(entry) == (round == 0) &&
			    fio_draft_apply(draft, entry, maker->err))
				return -1;
	return 0;
}

/* Are all jobs of the stage called `name`?  ret_any: is one of any stage? */
static bool
stage_is(const struct fio_file *file, unsigned stage, const char *name, bool *ret_any,
    bool *ret_in_stage)
{
	bool all = true;

	*ret_any = *ret_in_stage = false;
	for (vec_each(const struct fio_job *, job, &file->jobs)) {
		bool same = strcmp(job->name, name) == 0;

		*ret_any |= same;
		if (job->stage != stage)
			continue;
		*ret_in_stage |= same;
		all &= same;
	}
	return all;
}

static int
place_wait(struct maker *maker, struct fio_draft *draft, unsigned *stage)
{
	struct fio_pos pos = draft->made.pos;
	bool any, in_stage, all;

	if (!draft->wait_for)
		return 0;
	for (vec_each(const struct fio_given *, given, &draft->made.given))
		if (strcmp(given->option->name, "wait_for") == 0)
			pos = given->pos;
	all = stage_is(maker->file, *stage, draft->wait_for, &any, &in_stage);
	if (!any)
		return fio_err(maker->err, ERR_USAGE, pos,
		    "wait_for: there is no job '%s' before this one", draft->wait_for);
	if (!in_stage)
		return 0;
	if (!all && !maker->reading->ignore_unsupported)
		return fio_err(maker->err, ERR_UNSUPPORTED, pos,
		    "wait_for: other jobs than '%s' run before this one: stages wait for "
		    "all jobs before them, on all clients (stonewall)",
		    draft->wait_for);
	if (!all)
		fio_draft_warn(draft, pos,
		    "wait_for is taken as stonewall: all jobs before this one are "
		    "waited "
		    "for");
	(*stage)++;
	return 0;
}

static int
place_job(struct maker *maker, struct fio_draft *draft)
{
	const struct fio_file *file = maker->file;
	const struct fio_job *last =
	    file->jobs.n ? &file->jobs.v[file->jobs.n - 1] : NULL;
	unsigned stage = last ? last->stage : 0, group = last ? last->group : 0;

	if (last && draft->stonewall)
		stage++;
	else if (place_wait(maker, draft, &stage))
		return -1;
	if (last && (draft->stonewall || draft->new_group))
		group++;
	draft->made.stage = stage;
	draft->made.group = group;
	return 0;
}

static int
make_job(struct maker *maker, const struct ini_section *section)
{
	struct fio_draft draft;

	fio_draft_copy(&draft, &maker->defaults);
	draft.named = false; /* a name in [global] is nobody's */
	free(draft.made.name);
	draft.made.name = mem_strdup(section->name);
	draft.made.pos = section->pos;
	if (apply_section(maker, &draft, section) ||
	    fio_draft_finish(&draft, maker->err) || place_job(maker, &draft)) {
		fio_draft_free(&draft);
		return -1;
	}
	free(draft.wait_for);
	vec_push(&maker->file->jobs, draft.made);
	return 0;
}

static int
make_jobs(struct maker *maker)
{
	for (vec_each(
		 const struct ini_section *, section, &maker->file->ini.sections)) {
		if (!section->global && make_job(maker, section))
			return -1;
		if (section->global && apply_section(maker, &maker->defaults, section))
			return -1;
	}
	return 0;
}

int
fio_file_parse(struct fio_file *ret, const char *file, const char *text, size_t len,
    const struct fio_reading *reading, struct err *err)
{
	struct maker maker = {.file = ret, .reading = reading, .err = err};
	int rc;

	*ret = (struct fio_file){0};
	if (len > FIO_FILE_MAX)
		return err_set(err, ERR_USAGE, "%s: larger than 1 MiB", file);
	if (ini_parse(&ret->ini, file, text, len, reading->as_fio, reading->include,
		reading->include_arg, err))
		return -1;
	fio_draft_init(&maker.defaults, reading);
	maker.defaults.made.name = mem_strdup("global");
	rc = make_jobs(&maker);
	fio_draft_free(&maker.defaults);
	if (rc == 0 && ret->jobs.n == 0)
		rc = err_set(err, ERR_USAGE, "%s: holds no job", file);
	if (rc == 0)
		rc = fio_generated_check(ret, err);
	if (rc)
		fio_file_free(ret);
	return rc;
}

void
fio_file_free(struct fio_file *file)
{
	for (vec_each(struct fio_job *, job, &file->jobs)) {
		struct fio_draft draft = {.made = *job};

		fio_draft_free(&draft);
	}
	vec_free(&file->jobs);
	ini_free(&file->ini);
	*file = (struct fio_file){0};
}

unsigned
fio_file_stages(const struct fio_file *file)
{
	return file->jobs.n ? file->jobs.v[file->jobs.n - 1].stage + 1 : 0;
}
