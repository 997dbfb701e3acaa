/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides for each file of a job whether it can be used as it is, has to be
 * written, or will be written by another client; then has it done.
 */
#include "agent/worker/layout.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/worker/fill.h"
#include "agent/worker/manifest.h"
#include "agent/worker/park.h"
#include "agent/worker/space.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/rng.h"

#define LAYOUT_POLL_NS UINT64_C(100000000) /* looking for another client's progress */
#define LAYOUT_STAT_BLOCK 512u		       /* unit of st_blocks */

/* A folder that holds files of the job, and volley's list in it. */
struct folder {
	char *path;
	int fd;
	struct manifest *manifest;
};

enum item_fate { ITEM_KEEP, ITEM_WRITE, ITEM_WAIT };

struct item {
	const char *path;
	uint64_t from, need; /* the job uses it from there on; how long it must be */
	char *name;    /* within its folder; NULL: an allowed file itself */
	size_t folder; /* index; meaningless while name is NULL */
	enum item_fate fate;
	bool owned;   /* enters the manifest */
	bool created; /* by this layout */
	struct identity id; /* of the file that is there, if any */
	uint64_t missing;   /* bytes that need room on its file system */
};

struct layout {
	const struct layout_env *env;
	bool writes, fresh; /* fresh: job_makes_files */
	VEC(struct folder) folders;
	VEC(struct item) items;
};

static void
layout_free(struct layout *layout)
{
	for (vec_each(struct folder *, folder, &layout->folders)) {
		manifest_free(folder->manifest);
		free(folder->path);
		close(folder->fd);
	}
	for (vec_each(struct item *, item, &layout->items))
		free(item->name);
	vec_free(&layout->folders);
	vec_free(&layout->items);
}

/* The folder of `path`, opened once per job. */
static int
layout_folder(struct layout *layout, struct item *item, struct err *err)
{
	const char *slash = strrchr(item->path, '/');
	char *dir = mem_strndup(item->path, (size_t)(slash - item->path));
	struct folder *folder;
	int fd;

	for (size_t i = 0; i < layout->folders.n; i++)
		if (strcmp(layout->folders.v[i].path, dir) == 0) {
			free(dir);
			item->folder = i;
			item->name = mem_strdup(slash + 1);
			return 0;
		}
	if (guard_parent(layout->env->guard, item->path, &fd, &item->name, err) < 0) {
		free(dir);
		return -1;
	}
	if (!item->name) {
		free(dir);
		return 0;
	}
	item->folder = layout->folders.n;
	folder = vec_add(&layout->folders);
	folder->path = dir;
	folder->fd = fd;
	if (manifest_open(&folder->manifest, fd, layout->env->spec->client, err) < 0)
		return err_prefix(err, "%s", dir);
	return 0;
}

/* What is known of the very file `id` at the item's place; NULL: not made by volley.
 * An empty file is what a run leaves that was stopped when it had just made it. */
static const struct manifest_entry *
layout_entry(const struct layout *layout, const struct item *item,
    const struct identity *id, bool *ret_claim)
{
	const struct manifest *manifest;

	*ret_claim = false;
	if (!item->name)
		return NULL;
	manifest = layout->folders.v[item->folder].manifest;
	*ret_claim = id->kind != IDENTITY_NONE &&
		     manifest_has_claim(manifest, item->name);
	return manifest_find(manifest, item->name, id);
}

/* Does the range that the job uses lie in the file, with no holes? */
static bool
layout_is_filled(const struct item *item, int fd, uint64_t size)
{
	off_t hole;

	if (size < item->need)
		return false;
	hole = lseek(fd, (off_t)item->from, SEEK_HOLE);
	return hole < 0 || (uint64_t)hole >= item->need; /* < 0: it cannot tell */
}

static int
layout_refuse_foreign(const struct layout *layout, const struct item *item,
    uint64_t size, struct err *err)
{
	if (layout->writes && layout->env->files->folder)
		return err_set(err, ERR_POLICY,
		    "%s: not the file that volley made here (or it has a second hard "
		    "link, or was made by an older volley); remove it, or use "
		    "layout=overwrite",
		    item->path);
	if (layout->writes)
		return err_set(err, ERR_POLICY,
		    "%s: volley did not make this file; writing to it needs "
		    "layout=overwrite",
		    item->path);
	if (size < item->need)
		return err_set(err, ERR_POLICY,
		    "%s: volley did not make this file and it is too short (%llu of "
		    "%llu bytes); remove it, or use layout=overwrite",
		    item->path, (unsigned long long)size,
		    (unsigned long long)item->need);
	return err_set(err, ERR_POLICY,
	    "%s: volley did not make this file and it has holes, which would be read "
	    "at memory speed; remove it, or use layout=overwrite",
	    item->path);
}

/* Is the file volley's?  *ret_entry: what its list says. */
static int
layout_is_made(struct layout *layout, const struct item *item,
    const struct guard_file *file, const struct manifest_entry **ret_entry, bool *ret,
    struct err *err)
{
	bool claim;

	*ret_entry = layout_entry(layout, item, &file->id, &claim);
	if (!*ret_entry && item->name && layout->env->job->shared) {
		/* Another client may have made it since its list was read. */
		if (manifest_reload(layout->folders.v[item->folder].manifest, err) < 0)
			return -1;
		*ret_entry = layout_entry(layout, item, &file->id, &claim);
	}
	*ret = *ret_entry || (claim && file->size == 0);
	return 0;
}

/* What becomes of something that exists. */
static int
layout_judge(struct layout *layout, struct item *item, const struct guard_file *file,
    struct err *err)
{
	bool overwrite = layout->env->job->layout == JOB_LAYOUT_OVERWRITE;
	bool append = layout->env->job->files.file_append;
	const struct manifest_entry *entry;
	bool filled, known;
	uint64_t held;
	struct stat st;

	if (file->is_device) {
		item->fate = overwrite ? ITEM_WRITE : ITEM_KEEP;
		return 0;
	}
	if (fstat(file->fd, &st) < 0)
		return err_sys(err, errno, "%s", item->path);
	held = (uint64_t)st.st_blocks * LAYOUT_STAT_BLOCK;
	item->missing = held < item->need ? item->need - held : 0;
	item->id = file->id;
	filled = layout_is_filled(item, file->fd, file->size);
	if (layout_is_made(layout, item, file, &entry, &item->owned, err) < 0)
		return -1;
	if (item->owned) {
		/* fio takes a file that is there for one that was written. */
		known = layout->env->job->layout == JOB_LAYOUT_FIO ||
			(entry && entry->full && entry->size >= item->need);
		item->fate = append || (known && filled && !layout->fresh)
				 ? ITEM_KEEP
				 : ITEM_WRITE;
		return 0;
	}
	if (append && overwrite)
		item->fate = ITEM_KEEP;
	else if (filled && !layout->writes)
		item->fate = ITEM_KEEP;
	else if (overwrite)
		item->fate = ITEM_WRITE;
	else
		return layout_refuse_foreign(layout, item, file->size, err);
	return 0;
}

static int
layout_look(struct layout *layout, struct item *item, struct err *err)
{
	struct guard *guard = layout->env->guard;
	struct guard_file file;
	int rc = guard_exists(guard, item->path, err);

	if (rc < 0 || layout_folder(layout, item, err) < 0)
		return -1;
	if (rc == 0) {
		if (!layout->env->job->files.allow_create)
			return err_set(err, ERR_POLICY,
			    "%s is missing, and allow_file_create=0", item->path);
		item->fate = ITEM_WRITE;
		item->owned = true;
		item->missing = item->need;
		return 0;
	}
	if (guard_open(guard, item->path, false, false, JOB_BUFFERED, &file, err) < 0)
		return -1;
	rc = layout_judge(layout, item, &file, err);
	close(file.fd);
	return rc;
}

/* Shared files are dealt out: file k belongs to client k mod count. */
static bool
layout_is_mine(const struct layout *layout, size_t k)
{
	const struct layout_env *env = layout->env;

	return !env->job->shared ||
	       k % env->spec->client_count == env->spec->client_index;
}

static struct item *
layout_add(struct layout *layout, size_t k)
{
	const struct files *files = layout->env->files;
	struct item *item = vec_add(&layout->items);

	item->path = files->paths.v[k];
	item->from = files_from(files, layout->env->job, k);
	item->need = files_need(files, layout->env->job, k);
	return item;
}

static int
layout_plan(struct layout *layout, struct err *err)
{
	for (size_t k = 0; k < layout->env->files->paths.n; k++) {
		struct item *item = layout_add(layout, k);

		if (layout_look(layout, item, err) < 0)
			return -1;
		if (item->fate == ITEM_WRITE && !layout_is_mine(layout, k))
			item->fate = ITEM_WAIT;
	}
	return 0;
}

static int
layout_save(struct layout *layout, struct err *err)
{
	for (vec_each(struct folder *, folder, &layout->folders))
		if (manifest_save(folder->manifest, err) < 0)
			return err_prefix(err, "%s", folder->path);
	return 0;
}

/* Notes what is about to be written (full = false), or was (true). */
static int
layout_note(struct layout *layout, const struct fill *fill, struct err *err)
{
	size_t job = 0;

	for (vec_each(struct item *, item, &layout->items)) {
		if (item->fate != ITEM_WRITE)
			continue;
		if (item->owned)
			manifest_set(layout->folders.v[item->folder].manifest,
			    &(struct manifest_entry){.name = item->name,
				.size = item->need,
				.seed = layout->env->job->randseed,
				.full = fill && fill->files.v[job].full,
				.id = item->id});
		job++;
	}
	return layout_save(layout, err);
}

/* Makes what is missing; what is there has to be what was looked at. */
static int
layout_claim(struct layout *layout, struct item *item, struct err *err)
{
	bool missing = item->id.kind == IDENTITY_NONE;
	struct guard_file file;

	if (guard_open(layout->env->guard, item->path, true, missing, JOB_BUFFERED,
		&file, err) < 0)
		return -1;
	close(file.fd);
	item->created = file.created;
	if (missing ? !file.created : !identity_equal(&item->id, &file.id))
		return err_set(err, ERR_POLICY,
		    "%s: somebody else put a file there just now", item->path);
	item->id = file.id;
	return 0;
}

/* Names them in the list, makes them, notes which files they are: in this order, so
 * that a run that is killed leaves nothing that would be taken for foreign but an
 * empty file, and nothing foreign that would be taken for volley's. */
static int
layout_claim_all(struct layout *layout, struct err *err)
{
	if (layout_note(layout, NULL, err) < 0)
		return -1;
	for (vec_each(struct item *, item, &layout->items))
		if (item->fate == ITEM_WRITE && item->owned &&
		    layout_claim(layout, item, err) < 0)
			return -1;
	return layout_note(layout, NULL, err);
}

/* fallocate: what a file system cannot do is no error. */
static int
layout_reserve(int fd, enum job_fallocate kind, uint64_t bytes)
{
	int rc = 0;

	if (kind == JOB_FALLOC_NATIVE || kind == JOB_FALLOC_KEEP)
		rc = fallocate(fd, kind == JOB_FALLOC_KEEP ? FALLOC_FL_KEEP_SIZE : 0, 0,
		    (off_t)bytes);
	else if (kind == JOB_FALLOC_TRUNCATE)
		rc = ftruncate(fd, (off_t)bytes);
	else if (kind == JOB_FALLOC_POSIX)
		errno = rc = posix_fallocate(fd, 0, (off_t)bytes);
	return rc && errno != EOPNOTSUPP && errno != ENOSYS ? -1 : 0;
}

/* An empty file, or one whose space is reserved. */
static int
layout_make(const struct layout *layout, const struct item *item, struct err *err)
{
	const struct job_files *how = &layout->env->job->files;
	struct guard_file file;
	int rc;

	if (guard_open(layout->env->guard, item->path, true, false, JOB_BUFFERED, &file,
		err) < 0)
		return -1;
	rc = file.is_device ? 0 : ftruncate(file.fd, 0);
	if (rc == 0 && !file.is_device && !how->create_on_open && !how->fill_device &&
	    !how->file_append)
		rc = layout_reserve(file.fd, how->fallocate, item->need);
	if (rc < 0)
		err_sys(err, errno, "make %s", item->path);
	close(file.fd);
	return rc;
}

static int
layout_make_all(struct layout *layout, struct err *err)
{
	for (vec_each(struct item *, item, &layout->items))
		if (item->fate == ITEM_WRITE && layout_make(layout, item, err) < 0)
			return -1;
	return 0;
}

static int
layout_fill(struct layout *layout, struct err *err)
{
	const struct layout_env *env = layout->env;
	struct fill fill = {
	    .guard = env->guard,
	    .job = env->job,
	    .board = env->board,
	    .seed = rng_derive(env->job->randseed, "layout", env->spec->client_index),
	};
	struct err late = ERR_INIT;
	int rc, noted;

	for (vec_each(struct item *, item, &layout->items))
		if (item->fate == ITEM_WRITE)
			vec_push(&fill.files, ((struct fill_file){.path = item->path,
						  .bytes = item->need,
						  .id = item->id}));
	rc = fill_run(&fill, err);
	noted = layout_note(layout, &fill, rc < 0 ? &late : err);
	vec_free(&fill.files);
	return rc < 0 ? rc : noted;
}

/* Does layout itself take the room that the files need? */
static bool
layout_takes_room(const struct layout *layout)
{
	const struct job_files *how = &layout->env->job->files;

	if (!layout->fresh)
		return true;
	return !how->create_on_open && !how->fill_device && !how->file_append &&
	       how->fallocate != JOB_FALLOC_NONE &&
	       how->fallocate != JOB_FALLOC_TRUNCATE;
}

static int
layout_check_space(struct layout *layout, struct err *err)
{
	struct space space = {0};
	int rc = 0;

	for (vec_each(struct item *, item, &layout->items)) {
		const struct folder *folder;

		if (rc < 0 || item->fate != ITEM_WRITE || !item->name)
			continue;
		folder = &layout->folders.v[item->folder];
		rc = space_add(&space, folder->fd, folder->path, item->missing, err);
	}
	if (rc == 0)
		rc = space_check(&space, err);
	space_free(&space);
	return rc;
}

/* The file system filled up nevertheless: what this layout made does not stay there.
 * Others' files, and those that were there before, do. */
static void
layout_undo(struct layout *layout)
{
	struct err ignored = ERR_INIT;

	for (vec_each(struct item *, item, &layout->items))
		if (item->created && guard_unlink_made(layout->env->guard, item->path,
					 &item->id, &ignored) == 0)
			manifest_drop(layout->folders.v[item->folder].manifest,
			    item->name);
	(void)layout_save(layout, &ignored); /* an entry without a file is no harm */
}

static int
layout_write(struct layout *layout, struct err *err)
{
	size_t n = 0;
	int rc;

	for (vec_each(struct item *, item, &layout->items))
		n += item->fate == ITEM_WRITE;
	if (n == 0)
		return 0;
	if (layout_takes_room(layout) && layout_check_space(layout, err) < 0)
		return -1;
	rc = layout_claim_all(layout, err);
	if (rc == 0)
		rc = layout->fresh ? layout_make_all(layout, err)
				   : layout_fill(layout, err);
	if (rc < 0 && (err->errnum == ENOSPC || err->errnum == EDQUOT))
		layout_undo(layout);
	return rc;
}

/* Is another client's file there, and complete?  1: yes, 0: not yet. */
static int
layout_has_come(struct layout *layout, const struct item *item, struct err *err)
{
	struct folder *folder = &layout->folders.v[item->folder];
	const struct manifest_entry *entry;
	struct identity id;
	int fd, rc;

	rc = guard_look(layout->env->guard, item->path, &fd, err);
	if (rc <= 0)
		return rc;
	rc = identity_of(fd, &id, err);
	close(fd);
	if (rc < 0)
		return err_prefix(err, "%s", item->path);
	if (manifest_reload(folder->manifest, err) < 0)
		return err_prefix(err, "%s", folder->path);
	entry = manifest_find(folder->manifest, item->name, &id);
	return entry &&
	       (layout->fresh || (entry->full && entry->size >= item->need));
}

/* Another client's file: usable once its list says that it is complete. */
static int
layout_await(struct layout *layout, struct item *item, struct err *err)
{
	const struct board *board = layout->env->board;

	if (!item->name)
		return 0;
	for (;;) {
		int rc = layout_has_come(layout, item, err);

		if (rc != 0)
			return rc < 0 ? -1 : 0;
		if (park_stopped(board))
			return err_set(err, ERR_CANCELLED,
			    "stopped while another client lays out %s", item->path);
		park_wait_stop(board, clock_ns() + LAYOUT_POLL_NS);
	}
}

static size_t
layout_parent_len(const char *path)
{
	return (size_t)(strrchr(path, '/') - path);
}

/* The folders of all files: filename_format may name some of its own. */
static int
layout_folders(const struct layout_env *env, struct err *err)
{
	const char *last = NULL;
	int rc = 0;

	for (vec_each(char **, path, &env->files->paths)) {
		size_t len = layout_parent_len(*path);
		char *parent;

		if (rc < 0 || (last && layout_parent_len(last) == len &&
				  strncmp(last, *path, len) == 0))
			continue;
		last = *path;
		parent = mem_strndup(*path, len);
		rc = guard_mkdirs(env->guard, parent, err);
		free(parent);
	}
	return rc;
}

int
layout_run(const struct layout_env *env, struct err *err)
{
	struct layout layout = {
	    .env = env,
	    .writes = job_writes(env->job),
	    .fresh = job_makes_files(env->job),
	};
	int rc = 0;

	if (env->job->layout == JOB_LAYOUT_NONE)
		return 0;
	if (env->files->folder) {
		rc = guard_exists(env->guard, env->job->directory, err);
		if (rc == 0)
			return err_sys(
			    err, ENOENT, "directory %s", env->job->directory);
		rc = rc < 0 ? rc : layout_folders(env, err);
	}
	if (rc == 0)
		rc = layout_plan(&layout, err);
	if (rc == 0)
		rc = layout_write(&layout, err);
	for (size_t k = 0; rc == 0 && k < layout.items.n; k++)
		if (layout.items.v[k].fate == ITEM_WAIT)
			rc = layout_await(&layout, &layout.items.v[k], err);
	layout_free(&layout);
	return rc < 0 ? err_prefix(err, "layout") : 0;
}

int
layout_renew(const struct layout_env *env, size_t first, size_t n, struct err *err)
{
	struct layout layout = {.env = env, .writes = true, .fresh = true};
	int rc = 0;

	for (size_t k = first; rc == 0 && k < first + n; k++) {
		rc = guard_unlink(env->guard, env->files->paths.v[k], err);
		if (rc == 0)
			rc = layout_look(&layout, layout_add(&layout, k), err);
	}
	if (rc == 0)
		rc = layout_write(&layout, err);
	layout_free(&layout);
	return rc < 0 ? err_prefix(err, "unlink_each_loop") : 0;
}
