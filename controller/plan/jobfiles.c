/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Job files as plans, and as workloads of a plan: the only part of reading a plan
 * that opens further files.
 */
#include "controller/plan/plan.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "controller/plan/from-fio.h"
#include "lib/base/mem.h"
#include "lib/work/fio/open.h"

/* What is to be said before a run: each line once, however many jobs it is of. */
static void
warn(struct plan *plan, const struct plan_workload *workload)
{
	for (vec_each(const struct fio_note *, note, &workload->notes)) {
		bool known = note->kind == FIO_NOTE_TRANSLATED;
		char *line = fio_note_line(note);

		for (vec_each(char **, other, &plan->warnings))
			known = known || strcmp(*other, line) == 0;
		if (known)
			free(line);
		else
			vec_push(&plan->warnings, line);
	}
}

struct plan *
plan_from_jobfile(const char *path, const struct plan_jobfile *how, struct err *err)
{
	char folder[4096] = "/";
	struct from_fio from = {.source = path,
	    .folder = getcwd(folder, sizeof folder) ? folder : "/",
	    .clients = how->clients};
	struct plan *plan = NULL;
	struct str text = {0};
	struct fio_file file;

	if (fio_file_open(&file, path, how->as_fio, how->ignore_unsupported, err))
		return NULL;
	if (from_fio_yaml(&file, &from, &text, err) == 0)
		plan = plan_parse(path, text.s, text.len, err);
	for (size_t i = 0; plan && i < plan->workloads.n; i++)
		warn(plan, &plan->workloads.v[i]);
	str_free(&text);
	fio_file_free(&file);
	return plan;
}

/* What the workload itself says replaces what the file says. */
static void
merge_options(plan_options *file, plan_options *own)
{
	for (vec_each(struct plan_option *, option, own)) {
		size_t i = 0;

		while (i < file->n && strcmp(file->v[i].name, option->name) != 0)
			i++;
		if (i == file->n) {
			vec_push(file, *option);
			continue;
		}
		plan_option_free(&file->v[i]);
		file->v[i] = *option;
	}
	vec_free(own);
}

static int
absolute_name(const struct plan *plan, const struct plan_workload *from,
    const struct fio_job *job, struct err *err)
{
	const char *list = job->job.files.list;

	if (job->job.filename &&
	    (job->job.filename[0] == '/' || (list && strstr(list, ":/"))))
		return plan_err(err, plan, from->jobfile_pos,
		    "%s:%u: filename '%s' is absolute; in a plan it is taken below the "
		    "storage's path",
		    job->pos.file, job->pos.line, list ? list : job->job.filename);
	return 0;
}

/* Where the files are is the plan's matter. */
static void
note_directory(const struct fio_job *job, fio_notes *notes)
{
	char *line;

	if (!job->job.directory)
		return;
	line = mem_printf("%s:%u: job '%s': directory %s gives way to the storage's "
			  "path",
	    job->pos.file, job->pos.line, job->name, job->job.directory);
	fio_notes_warn(notes, job->name, line);
	free(line);
}

/* The folder that the jobs' directories have in common: what is below it stays. */
static char *
common_directory(const struct fio_file *file)
{
	const char **folders = mem_array(file->jobs.n, sizeof *folders);
	size_t n = 0;
	char *root;

	for (vec_each(const struct fio_job *, job, &file->jobs))
		if (job->job.directory && job->job.directory[0] == '/')
			folders[n++] = job->job.directory;
	root = n ? from_fio_root(folders, n) : NULL;
	free(folders);
	return root;
}

static void
take_options(const struct plan *plan, const struct plan_workload *from,
    const struct fio_job *job, const char *root, plan_options *ret)
{
	const char *below =
	    root && job->job.directory ? from_fio_below(root, job->job.directory) : NULL;
	struct str names = {0};

	from_fio_names(job, &names);
	from_fio_options(job, below, names.s, &plan->defaults, from->jobfile_pos, ret);
	str_free(&names);
}

/* The n jobs of one stage as a workload. */
static int
add_stage(struct plan *plan, const struct plan_workload *from,
    const struct fio_file *file, size_t first, size_t n, const char *root,
    plan_workloads *ret, struct err *err)
{
	struct plan_workload *workload = vec_add(ret);
	char *name = from_fio_stage_name(file, first);

	workload->name = n == file->jobs.n ? mem_strdup(from->name)
					   : mem_printf("%s-%s", from->name, name);
	free(name);
	workload->pos = from->pos;
	for (size_t i = first; i < first + n; i++) {
		const struct fio_job *job = &file->jobs.v[i];
		plan_options *options = &workload->options;

		if (absolute_name(plan, from, job, err))
			return -1;
		if (n > 1) {
			struct plan_job *own = vec_add(&workload->jobs);

			own->name = from_fio_name(file, i);
			own->pos = from->jobfile_pos;
			options = &own->options;
		}
		from_fio_notes(job, &workload->notes);
		note_directory(job, &workload->notes);
		take_options(plan, from, job, root, options);
	}
	warn(plan, workload);
	return 0;
}

static int
add_jobs(struct plan *plan, const struct plan_workload *from,
    const struct fio_file *file, plan_workloads *ret, struct err *err)
{
	char *root = common_directory(file);
	int rc = 0;

	for (size_t i = 0, n; rc == 0 && i < file->jobs.n; i += n) {
		n = from_fio_stage_jobs(file, i);
		rc = add_stage(plan, from, file, i, n, root, ret, err);
	}
	free(root);
	return rc;
}

/* Paths are relative to the plan's folder, NULL when that is the current one. */
static int
read_one(struct plan *plan, struct plan_workload *from, const char *folder,
    plan_workloads *ret, struct err *err)
{
	char *path = from->jobfile[0] == '/' || !folder
			 ? mem_strdup(from->jobfile)
			 : mem_printf("%s/%s", folder, from->jobfile);
	struct fio_file file;
	size_t first = ret->n;
	int rc = fio_file_open(
	    &file, path, from->as_fio, from->ignore_unsupported, err);

	free(path);
	if (rc)
		return plan_err_at(err, plan, from->jobfile_pos);
	rc = add_jobs(plan, from, &file, ret, err);
	fio_file_free(&file);
	if (rc)
		return -1;
	if (from->options.n && (ret->n - first > 1 || ret->v[first].jobs.n))
		return plan_err(err, plan, from->pos,
		    "workload '%s' takes several jobs from its job file, so options "
		    "beside it are not possible",
		    from->name);
	merge_options(&ret->v[first].options, &from->options);
	return 0;
}

static int
check_names(const struct plan *plan, struct err *err)
{
	for (vec_each(const struct plan_workload *, w, &plan->workloads))
		for (const struct plan_workload *other = plan->workloads.v; other < w;
		     other++)
			if (strcmp(w->name, other->name) == 0)
				return plan_err(err, plan, w->pos,
				    "workload '%s' is there twice", w->name);
	return 0;
}

int
plan_read_jobfiles(struct plan *plan, struct err *err)
{
	const char *slash = strrchr(plan->source, '/');
	char *folder =
	    slash ? mem_strndup(plan->source, (size_t)(slash - plan->source)) : NULL;
	plan_workloads given = plan->workloads;
	int rc = 0;

	plan->workloads = (plan_workloads){0};
	for (vec_each(struct plan_workload *, workload, &given)) {
		if (rc == 0 && workload->jobfile)
			rc = read_one(plan, workload, folder, &plan->workloads, err);
		else if (rc == 0) {
			warn(plan, workload);
			vec_push(&plan->workloads, *workload);
			*workload = (struct plan_workload){0};
		}
		plan_workload_free(workload);
	}
	vec_free(&given);
	free(folder);
	return rc ? -1 : check_names(plan, err);
}
