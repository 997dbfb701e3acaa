/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a job to the paths of its files.
 */
#include "agent/worker/files.h"

#include "agent/worker/guard.h"
#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "lib/base/str.h"

/* A name that is one path component. */
static char *
files_component(const char *name)
{
	char *copy = mem_strdup(name);

	for (char *p = copy; *p; p++)
		if (*p == '/')
			*p = '_';
	if (copy[0] == '.') /* neither "." nor ".." nor hidden */
		copy[0] = '_';
	return copy;
}

static int
files_need_directory(const struct job *job, struct err *err)
{
	if (job->directory && job->directory[0] == '/')
		return 0;
	return err_set(err, ERR_USAGE,
	    "directory: an absolute path is needed, not \"%s\"",
	    job->directory ? job->directory : "");
}

/* Splits at ':'; "\\:" is a colon. */
void
files_names(struct files_names *ret, const struct job *job)
{
	struct str name = {0};

	*ret = (struct files_names){0};
	if (!job->files.list) {
		if (job->filename)
			vec_push(&ret->v, mem_strdup(job->filename));
		return;
	}
	for (const char *p = job->files.list;; p++) {
		if (p[0] == '\\' && (p[1] == ':' || p[1] == '\\')) {
			str_addc(&name, *++p);
			continue;
		}
		if (*p != ':' && *p != '\0') {
			str_addc(&name, *p);
			continue;
		}
		if (name.len > 0)
			vec_push(&ret->v, mem_strdup(name.s));
		str_clear(&name);
		if (*p == '\0')
			break;
	}
	str_free(&name);
}

void
files_names_free(struct files_names *names)
{
	for (vec_each(char **, name, &names->v))
		free(*name);
	vec_free(&names->v);
}

static bool
files_has_path(const struct files *files, const char *path)
{
	for (size_t i = 0; i < files->paths.n; i++)
		if (strcmp(files->paths.v[i], path) == 0)
			return true;
	return false;
}

static int
files_add_names(struct files *files, const struct job *job, struct err *err)
{
	struct files_names names;
	int rc = 0;

	files_names(&names, job);
	for (size_t i = 0; rc == 0 && i < names.v.n; i++) {
		const char *name = names.v.v[i];
		char *path = NULL;

		if (name[0] == '/')
			path = mem_strdup(name);
		else if ((rc = files_need_directory(job, err)) == 0)
			path = mem_printf("%s/%s", job->directory, name);
		if (path && files_has_path(files, path))
			rc = err_set(err, ERR_USAGE, "filename: %s comes twice", name);
		if (rc == 0)
			vec_push(&files->paths, path);
		else
			free(path);
	}
	files_names_free(&names);
	files->per_thread = (unsigned)files->paths.n;
	files->file_step = 1;
	return rc;
}

/* filename_format with its keywords filled in. */
static char *
files_expand(const char *format, const char *name, const char *client, unsigned thread,
    unsigned file)
{
	static const char *const keywords[] = {
	    "$jobname", "$jobnum", "$filenum", "$clientuid"};
	struct str out = {0};

	while (*format) {
		size_t k = 0;

		while (k < 4 && !str_starts(format, keywords[k]))
			k++;
		switch (k) {
		case 0: str_add(&out, name); break;
		case 1: str_addf(&out, "%u", thread); break;
		case 2: str_addf(&out, "%u", file); break;
		case 3: str_add(&out, client); break;
		default: str_addc(&out, *format); break;
		}
		format += k < 4 ? strlen(keywords[k]) : 1;
	}
	return str_take(&out);
}

static int
files_add_generated(struct files *files, const struct job *job,
    const struct link_spec *spec, struct err *err)
{
	const char *format =
	    job->files.format ? job->files.format : "$jobname.$jobnum.$filenum";
	bool by_thread = strstr(format, "$jobnum"), by_file = strstr(format, "$filenum");
	char *client, *uid, *name;

	if (files_need_directory(job, err) < 0)
		return -1;
	uid = files_component(spec->client);
	client = job->shared ? mem_strdup("shared") : mem_strdup(uid);
	name = files_component(job->name);
	files->folder = mem_printf("%s/" GUARD_FOLDER "/%s", job->directory, client);
	files->per_thread = by_file ? job->nrfiles : 1;
	files->file_step = 1;
	files->thread_step = by_thread ? files->per_thread : 0;
	for (unsigned t = 0; t < (by_thread ? job->numjobs : 1); t++)
		for (unsigned f = 0; f < files->per_thread; f++) {
			char *leaf = files_expand(format, name, uid, t, f);

			vec_push(
			    &files->paths, mem_printf("%s/%s", files->folder, leaf));
			free(leaf);
		}
	free(uid);
	free(client);
	free(name);
	return 0;
}

/* filesize as a range: whole blocks, the same in every run with this seed. */
static void
files_draw_lengths(struct files *files, const struct job *job)
{
	uint64_t from = job->files.filesize_min, to = job->files.filesize_max;
	uint64_t bs = job->bs[job_rw_has(job, DIR_READ) ? DIR_READ : DIR_WRITE];
	/* Clients that share the files draw the same sizes; their seeds differ. */
	uint64_t seed =
	    job->shared ? hash_fnv1a(job->name, strlen(job->name)) : job->randseed;
	struct rng rng;

	rng_seed(&rng, rng_derive(seed, "filesize", 0));
	files->lengths = mem_array(files->paths.n, sizeof *files->lengths);
	for (size_t i = 0; i < files->paths.n; i++) {
		uint64_t size = from + rng_below(&rng, to - from + 1);

		files->lengths[i] = size - size % bs < from ? from : size - size % bs;
	}
}

int
files_plan(struct files *ret, const struct job *job, const struct link_spec *spec,
    struct err *err)
{
	int rc;

	*ret = (struct files){0};
	if (job->filename)
		rc = files_add_names(ret, job, err);
	else
		rc = files_add_generated(ret, job, spec, err);
	if (rc < 0) {
		files_free(ret);
		return -1;
	}
	if (job->files.filesize_min < job->files.filesize_max)
		files_draw_lengths(ret, job);
	ret->length = job->files.filesize_min;
	ret->bytes = job->size / ret->per_thread;
	return 0;
}

void
files_free(struct files *files)
{
	for (vec_each(char **, path, &files->paths))
		free(*path);
	vec_free(&files->paths);
	free(files->lengths);
	files->lengths = NULL;
	free(files->folder);
	files->folder = NULL;
}

size_t
files_index(const struct files *files, unsigned thread, unsigned file)
{
	return thread * files->thread_step + file * files->file_step;
}

const char *
files_path(const struct files *files, unsigned thread, unsigned file)
{
	return files->paths.v[files_index(files, thread, file)];
}

/* 0: none is set. */
static uint64_t
files_length(const struct files *files, size_t index)
{
	return files->lengths ? files->lengths[index] : files->length;
}

uint64_t
files_region(
    const struct files *files, const struct job *job, unsigned thread, unsigned file)
{
	uint64_t length = files_length(files, files_index(files, thread, file));
	uint64_t from = job_offset(job, thread);

	if (length == 0)
		return files->bytes;
	return length > from ? length - from : 0;
}

uint64_t
files_from(const struct files *files, const struct job *job, size_t index)
{
	size_t step = files->thread_step;

	return job_offset(job, step ? (unsigned)(index / step) : 0);
}

uint64_t
files_need(const struct files *files, const struct job *job, size_t index)
{
	size_t step = files->thread_step;
	unsigned last = step ? (unsigned)(index / step) : job->numjobs - 1;
	uint64_t length = files_length(files, index);

	return length ? length : job_offset(job, last) + files->bytes;
}
