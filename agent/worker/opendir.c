/* SPDX-License-Identifier: Apache-2.0 */
/* See opendir.h. */
#include "agent/worker/opendir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/work/blocks.h"

#define PERCENT 100
#define DEPTH_MAX 64
#define FILES_MAX 1000000u

struct found {
	char *path;
	uint64_t size;
};

struct walk {
	VEC(struct found) files;
	uint64_t least; /* bytes of a block */
};

static int walk_folder(struct walk *walk, int fd, const char *path, unsigned depth,
    struct err *err);

static int
walk_entry(struct walk *walk, int folder, const char *path, const char *name,
    unsigned depth, struct err *err)
{
	char *whole;
	struct stat st;
	int fd, rc = 0;

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	    str_starts(name, ".volley-manifest.")) /* volley's own list */
		return 0;
	whole = mem_printf("%s/%s", path, name);
	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		rc = err_sys(err, errno, "%s", whole);
	} else if (S_ISDIR(st.st_mode)) {
		fd = openat(
		    folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		rc = fd < 0 ? err_sys(err, errno, "%s", whole)
			    : walk_folder(walk, fd, whole, depth + 1, err);
	} else if (S_ISREG(st.st_mode) && (uint64_t)st.st_size >= walk->least) {
		vec_push(&walk->files,
		    ((struct found){mem_strdup(whole), (uint64_t)st.st_size}));
	}
	free(whole);
	return rc;
}

/* Takes `fd` over. */
static int
walk_folder(
    struct walk *walk, int fd, const char *path, unsigned depth, struct err *err)
{
	DIR *dir = fdopendir(fd);
	struct dirent *entry;
	int rc = 0;

	if (!dir) {
		err_sys(err, errno, "%s", path);
		close(fd);
		return -1;
	}
	if (depth > DEPTH_MAX)
		rc = err_set(err, ERR_USAGE, "%s: too many folders deep", path);
	while (rc == 0 && (errno = 0, entry = readdir(dir)) != NULL) {
		rc = walk_entry(walk, fd, path, entry->d_name, depth, err);
		if (rc == 0 && walk->files.n > FILES_MAX)
			rc = err_set(err, ERR_USAGE, "more than %u files", FILES_MAX);
	}
	if (rc == 0 && errno)
		rc = err_sys(err, errno, "%s", path);
	closedir(dir);
	return rc;
}

static int
by_path(const void *a, const void *b)
{
	return strcmp(
	    ((const struct found *)a)->path, ((const struct found *)b)->path);
}

static int
open_top(struct guard *guard, const char *path, struct err *err)
{
	int handle, fd, rc = guard_look(guard, path, &handle, err);

	if (rc == 0)
		return err_sys(err, ENOENT, "%s", path);
	if (rc < 0)
		return -1;
	fd = openat(handle, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		err_sys(err, errno, "%s", path);
	close(handle);
	return fd;
}

static void
set_lengths(struct files *files, struct job *job, struct walk *walk)
{
	struct job_amount *amount = &job->amount;
	uint64_t all = 0;

	qsort(walk->files.v, walk->files.n, sizeof *walk->files.v, by_path);
	files->lengths = mem_array(walk->files.n, sizeof *files->lengths);
	for (size_t i = 0; i < walk->files.n; i++) {
		vec_push(&files->paths, walk->files.v[i].path);
		files->lengths[i] = walk->files.v[i].size;
		all += walk->files.v[i].size;
	}
	files->per_thread = (unsigned)walk->files.n;
	files->file_step = 1;
	if (amount->size_percent)
		job->size = all / PERCENT * amount->size_percent +
			    all % PERCENT * amount->size_percent / PERCENT;
	else if (job->size > all)
		job->size = all;
	amount->size_percent = 0;
}

int
opendir_plan(struct files *files, struct job *job, struct guard *guard, struct err *err)
{
	const char *given = job->files.opendir;
	struct walk walk = {.least = blocks_least(job)};
	char *top = given[0] == '/' || !job->directory
			? mem_strdup(given)
			: mem_printf("%s/%s", job->directory, given);
	int fd = open_top(guard, top, err);
	int rc = fd < 0 ? -1 : walk_folder(&walk, fd, top, 0, err);

	*files = (struct files){0};
	if (rc == 0 && walk.files.n == 0)
		rc = err_set(err, ERR_USAGE, "%s: no file there holds a block", top);
	if (rc == 0)
		set_lengths(files, job, &walk);
	else
		for (vec_each(struct found *, found, &walk.files))
			free(found->path);
	vec_free(&walk.files);
	free(top);
	return rc < 0 ? err_prefix(err, "opendir") : 0;
}
