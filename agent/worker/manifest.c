/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading, changing and atomically replacing the list of files that volley made
 * in a folder.
 */
#include "agent/worker/manifest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/vec.h"

#define MANIFEST_PREFIX ".volley-manifest."
#define MANIFEST_HEAD "volley-manifest 2"
#define MANIFEST_HEAD_1 "volley-manifest 1"
#define MANIFEST_MODE 0644

struct manifest_list {
	VEC(struct manifest_entry) files; /* by name; one a name and identity */
	bool made;
};

struct manifest {
	int dir_fd;
	char *own_name;
	struct manifest_list own, others;
};

static void
list_free(struct manifest_list *list)
{
	for (vec_each(struct manifest_entry *, entry, &list->files))
		free(entry->name);
	vec_free(&list->files);
	list->made = false;
}

/* Where `name` is, or belongs: lists are sorted, jobs may have many thousand files. */
static size_t
list_place(const struct manifest_list *list, const char *name)
{
	size_t from = 0, to = list->files.n;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (strcmp(list->files.v[middle].name, name) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static bool
is_entry(const struct manifest_entry *entry, const char *name, const struct identity *id)
{
	return entry->id.kind == id->kind &&
	       (id->kind == IDENTITY_NONE || identity_equal(&entry->id, id)) &&
	       strcmp(entry->name, name) == 0;
}

static struct manifest_entry *
list_find(
    const struct manifest_list *list, const char *name, const struct identity *id)
{
	for (size_t at = list_place(list, name); at < list->files.n; at++) {
		struct manifest_entry *entry = &list->files.v[at];

		if (is_entry(entry, name, id))
			return entry;
		if (strcmp(entry->name, name) != 0)
			break;
	}
	return NULL;
}

static void
list_insert(struct manifest_list *list, const struct manifest_entry *entry)
{
	size_t place = list_place(list, entry->name);
	struct manifest_entry *at;

	(void)vec_add(&list->files);
	at = &list->files.v[place];
	memmove(at + 1, at, (list->files.n - 1 - place) * sizeof *at);
	*at = *entry;
	at->name = mem_strdup(entry->name);
}

static void
list_drop(struct manifest_list *list, const char *name)
{
	size_t place = list_place(list, name);
	struct manifest_entry *entry = list->files.v + place;

	while (place < list->files.n && strcmp(entry->name, name) == 0) {
		free(entry->name);
		list->files.n--;
		memmove(entry, entry + 1, (list->files.n - place) * sizeof *entry);
	}
}

/* What is known as fully written wins, then what is larger. */
static void
list_learn(struct manifest_list *list, const struct manifest_entry *news)
{
	struct manifest_entry *entry = list_find(list, news->name, &news->id);

	if (!entry) {
		list_insert(list, news);
		return;
	}
	if ((entry->full && !news->full) ||
	    (entry->full == news->full && entry->size >= news->size))
		return;
	entry->size = news->size;
	entry->seed = news->seed;
	entry->full = news->full;
}

static bool
list_parse_line(struct manifest_list *list, char *line, bool old)
{
	struct manifest_entry entry = {0};
	unsigned kind = IDENTITY_NONE;
	char state[8];
	int name_at = 0, n;

	if (strcmp(line, "dir") == 0) {
		list->made = true;
		return true;
	}
	if (old)
		n = sscanf(line, "file %7s %" SCNu64 " %" SCNu64 " %n", state,
			&entry.size, &entry.seed, &name_at) + 3;
	else
		n = sscanf(line,
		    "file %7s %" SCNu64 " %" SCNu64 " %u %" SCNu64 " %" SCNu64 " %n",
		    state, &entry.size, &entry.seed, &kind, &entry.id.inode,
		    &entry.id.mark, &name_at);
	entry.name = line + name_at;
	if (n != 6 || kind >= IDENTITY_KINDS || name_at == 0 || *entry.name == '\0' ||
	    strchr(entry.name, '/'))
		return false;
	entry.id.kind = kind;
	entry.full = strcmp(state, "full") == 0;
	list_learn(list, &entry);
	return true;
}

static int
list_parse(struct manifest_list *list, FILE *f, const char *name, struct err *err)
{
	char *line = NULL;
	size_t cap = 0, number = 0;
	bool old = false;
	int rc = 0;

	while (rc == 0 && getline(&line, &cap, f) >= 0) {
		line[strcspn(line, "\n")] = '\0';
		if (++number == 1)
			old = strcmp(line, MANIFEST_HEAD_1) == 0;
		if (number == 1 ? !old && strcmp(line, MANIFEST_HEAD) != 0
				: !list_parse_line(list, line, old))
			rc = err_set(err, ERR_UNSUPPORTED,
			    "%s:%zu: not a line that this volley knows", name, number);
	}
	free(line);
	return rc;
}

static int
list_read(struct manifest_list *list, int dir_fd, const char *name, struct err *err)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	FILE *f;
	int rc;

	if (fd < 0) /* another client may just have removed its list */
		return errno == ENOENT ? 0 : err_sys(err, errno, "%s", name);
	f = fdopen(fd, "r");
	if (!f) {
		close(fd);
		return err_sys(err, errno, "%s", name);
	}
	rc = list_parse(list, f, name, err);
	fclose(f);
	return rc;
}

static DIR *
open_folder(int dir_fd)
{
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d && fd >= 0)
		close(fd);
	return d;
}

static bool
is_list_name(const char *name)
{
	size_t len = strlen(name);

	return str_starts(name, MANIFEST_PREFIX) &&
	       !(len > 4 && strcmp(name + len - 4, ".tmp") == 0);
}

int
manifest_reload(struct manifest *manifest, struct err *err)
{
	DIR *d = open_folder(manifest->dir_fd);
	struct dirent *entry;
	int rc = 0;

	if (!d)
		return err_sys(err, errno, "read the folder");
	list_free(&manifest->others);
	while (rc == 0 && (entry = readdir(d)))
		if (is_list_name(entry->d_name) &&
		    strcmp(entry->d_name, manifest->own_name) != 0)
			rc = list_read(
			    &manifest->others, manifest->dir_fd, entry->d_name, err);
	closedir(d);
	return rc;
}

int
manifest_open(struct manifest **ret, int dir_fd, const char *client, struct err *err)
{
	struct manifest *manifest = mem_alloc(sizeof *manifest);

	manifest->dir_fd = dir_fd;
	manifest->own_name = mem_printf("%s%s", MANIFEST_PREFIX, client);
	for (char *p = manifest->own_name; *p; p++)
		if (*p == '/' || *p == '\n')
			*p = '_';
	if (list_read(&manifest->own, dir_fd, manifest->own_name, err) < 0 ||
	    manifest_reload(manifest, err) < 0) {
		manifest_free(manifest);
		return -1;
	}
	*ret = manifest;
	return 0;
}

void
manifest_free(struct manifest *manifest)
{
	if (!manifest)
		return;
	list_free(&manifest->own);
	list_free(&manifest->others);
	free(manifest->own_name);
	free(manifest);
}

const struct manifest_entry *
manifest_find(
    const struct manifest *manifest, const char *name, const struct identity *id)
{
	const struct manifest_entry *own, *other;

	if (id->kind == IDENTITY_NONE)
		return NULL;
	own = list_find(&manifest->own, name, id);
	other = list_find(&manifest->others, name, id);
	if (!own || (other && other->full && !own->full))
		return other;
	return own;
}

bool
manifest_has_claim(const struct manifest *manifest, const char *name)
{
	static const struct identity none = {.kind = IDENTITY_NONE};

	return list_find(&manifest->own, name, &none) ||
	       list_find(&manifest->others, name, &none);
}

void
manifest_set(struct manifest *manifest, const struct manifest_entry *entry)
{
	struct manifest_list *own = &manifest->own;
	size_t place = list_place(own, entry->name);
	size_t same = 0;

	while (place + same < own->files.n &&
	       strcmp(own->files.v[place + same].name, entry->name) == 0)
		same++;
	if (same == 1) { /* nothing has to be moved: there may be many thousand */
		char *name = own->files.v[place].name;

		own->files.v[place] = *entry;
		own->files.v[place].name = name;
		return;
	}
	list_drop(own, entry->name);
	list_insert(own, entry);
}

void
manifest_set_made(struct manifest *manifest)
{
	manifest->own.made = true;
}

void
manifest_drop(struct manifest *manifest, const char *name)
{
	list_drop(&manifest->own, name);
}

static char *
manifest_text(const struct manifest *manifest)
{
	struct str text = {0};

	str_add(&text, MANIFEST_HEAD "\n");
	if (manifest->own.made)
		str_add(&text, "dir\n");
	for (vec_each(struct manifest_entry *, entry, &manifest->own.files))
		str_addf(&text,
		    "file %s %" PRIu64 " %" PRIu64 " %u %" PRIu64 " %" PRIu64 " %s\n",
		    entry->full ? "full" : "part", entry->size, entry->seed,
		    entry->id.kind, entry->id.inode, entry->id.mark, entry->name);
	return str_take(&text);
}

static int
write_all(int fd, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		text += n;
		len -= (size_t)n;
	}
	return fsync(fd);
}

static int
write_file(int dir_fd, const char *name, const char *text)
{
	int fd = openat(dir_fd, name,
	    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, MANIFEST_MODE);
	int rc;

	if (fd < 0)
		return -1;
	rc = write_all(fd, text, strlen(text));
	return close(fd) < 0 ? -1 : rc;
}

static int
sync_folder(int dir_fd)
{
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = fd < 0 ? -1 : fsync(fd);

	if (rc < 0 && fd >= 0 && errno == EINVAL)
		rc = 0; /* file systems without fsync of folders say so */
	if (fd >= 0)
		close(fd);
	return rc;
}

int
manifest_save(struct manifest *manifest, struct err *err)
{
	char *tmp, *text;
	int rc;

	if (manifest->own.files.n == 0 && !manifest->own.made) {
		if (unlinkat(manifest->dir_fd, manifest->own_name, 0) < 0 &&
		    errno != ENOENT)
			return err_sys(err, errno, "remove %s", manifest->own_name);
		return 0;
	}
	tmp = mem_printf("%s.tmp", manifest->own_name);
	text = manifest_text(manifest);
	rc = write_file(manifest->dir_fd, tmp, text);
	if (rc == 0)
		rc = renameat(
		    manifest->dir_fd, tmp, manifest->dir_fd, manifest->own_name);
	if (rc == 0)
		rc = sync_folder(manifest->dir_fd);
	if (rc < 0) {
		err_sys(err, errno, "write %s", manifest->own_name);
		unlinkat(manifest->dir_fd, tmp, 0);
	}
	free(tmp);
	free(text);
	return rc;
}

/* Is there nothing in the folder but lists? */
static bool
holds_only_lists(int dir_fd)
{
	DIR *d = open_folder(dir_fd);
	struct dirent *entry;
	bool only = d != NULL;

	while (only && (entry = readdir(d)))
		only = strcmp(entry->d_name, ".") == 0 ||
		       strcmp(entry->d_name, "..") == 0 ||
		       str_starts(entry->d_name, MANIFEST_PREFIX);
	if (d)
		closedir(d);
	return only;
}

bool
manifest_is_spent(const struct manifest *manifest)
{
	return holds_only_lists(manifest->dir_fd) &&
	       (manifest->own.made || manifest->others.made) &&
	       manifest->own.files.n == 0 && manifest->others.files.n == 0;
}

void
manifest_remove_lists(struct manifest *manifest)
{
	DIR *d = open_folder(manifest->dir_fd);
	struct dirent *entry;

	if (!d)
		return;
	while ((entry = readdir(d)))
		if (str_starts(entry->d_name, MANIFEST_PREFIX))
			unlinkat(manifest->dir_fd, entry->d_name, 0);
	closedir(d);
}
