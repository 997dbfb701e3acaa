/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a job to the paths of its files.
 */
#include "agent/worker/files.h"

#include "lib/base/mem.h"
#include "lib/base/str.h"

#define FILES_FOLDER "volley-data"
#define FILES_ALIGN UINT64_C(4096)

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

/* Splits at ':'; "\:" is a colon. */
static int
files_add_names(struct files *files, const struct job *job, struct err *err)
{
	struct str name = {0};

	for (const char *p = job->filename;; p++) {
		if (p[0] == '\\' && p[1] == ':') {
			str_addc(&name, *++p);
			continue;
		}
		if (*p != ':' && *p != '\0') {
			str_addc(&name, *p);
			continue;
		}
		if (name.len > 0 && name.s[0] == '/') {
			vec_push(&files->paths, mem_strdup(name.s));
		} else if (name.len > 0) {
			if (files_need_directory(job, err) < 0) {
				str_free(&name);
				return -1;
			}
			vec_push(
			    &files->paths, mem_printf("%s/%s", job->directory, name.s));
		}
		str_clear(&name);
		if (*p == '\0')
			break;
	}
	str_free(&name);
	if (files->paths.n == 0)
		return err_set(err, ERR_USAGE, "filename: names no file");
	files->per_thread = (unsigned)files->paths.n;
	return 0;
}

static int
files_add_generated(struct files *files, const struct job *job,
    const struct link_spec *spec, struct err *err)
{
	char *client, *name;

	if (files_need_directory(job, err) < 0)
		return -1;
	client = job->shared ? mem_strdup("shared") : files_component(spec->client);
	name = files_component(job->name);
	files->folder = mem_printf("%s/" FILES_FOLDER "/%s", job->directory, client);
	files->per_thread = job->nrfiles;
	for (unsigned t = 0; t < job->numjobs; t++)
		for (unsigned f = 0; f < job->nrfiles; f++)
			vec_push(&files->paths,
			    mem_printf("%s/%s.%u.%u", files->folder, name, t, f));
	free(client);
	free(name);
	return 0;
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
	ret->bytes = job->size / ret->per_thread;
	return 0;
}

void
files_free(struct files *files)
{
	for (vec_each(char **, path, &files->paths))
		free(*path);
	vec_free(&files->paths);
	free(files->folder);
	files->folder = NULL;
}

const char *
files_path(const struct files *files, unsigned thread, unsigned file)
{
	return files->paths.v[files->folder ? thread * files->per_thread + file : file];
}

uint64_t
files_need(const struct files *files, const struct job *job)
{
	uint64_t need = job_offset(job, job->numjobs - 1) + files->bytes;

	return (need + FILES_ALIGN - 1) / FILES_ALIGN * FILES_ALIGN;
}
