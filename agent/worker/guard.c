/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a job may open, create and unlink.  See guard.h for how paths are found.
 */
#include "agent/worker/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/worker/devices.h"
#include "agent/worker/manifest.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/work/job.h"

#define GUARD_FILE_MODE 0644
#define GUARD_DIR_MODE 0755
#define GUARD_RESOLVE (RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS)

static const struct devices_root guard_system = {.proc = "/proc", .sys = "/sys"};

struct prefix {
	char *path; /* normalised */
	int fd;     /* O_PATH; -1: not opened yet */
	bool own;   /* lies within volley's own folder */
};

struct guard {
	VEC(struct prefix) prefixes;
	VEC(char *) writable; /* devices */
	char *client;
};

/* "/a//b/./c/" → "/a/b/c"; ".." is refused.  NULL on error. */
static char *
guard_normalise(const char *path, struct err *err)
{
	struct str out = {0};

	if (path[0] != '/') {
		err_set(err, ERR_POLICY, "%s: not an absolute path", path);
		return NULL;
	}
	while (*path) {
		size_t len = strcspn(path, "/");

		if (len == 2 && path[0] == '.' && path[1] == '.') {
			str_free(&out);
			err_set(err, ERR_POLICY, "\"..\" is not allowed in a path");
			return NULL;
		}
		if (len > 0 && !(len == 1 && path[0] == '.')) {
			str_addc(&out, '/');
			str_addn(&out, path, len);
		}
		path += len + (path[len] == '/');
	}
	if (out.len == 0)
		str_addc(&out, '/');
	return str_take(&out);
}

/* What comes behind volley's own folder in `path`; NULL: `path` is not within it. */
static const char *
own_part(const char *path)
{
	size_t len = strlen(GUARD_FOLDER);

	for (const char *p = path; (p = strstr(p, GUARD_FOLDER)); p += len)
		if ((p == path || p[-1] == '/') && p[len] == '/')
			return p + len + 1;
	return NULL;
}

/* Is the folder `path` volley's own, or within it? */
static bool
is_own(const char *path)
{
	const char *last = strrchr(path, '/');

	return own_part(path) || strcmp(last + 1, GUARD_FOLDER) == 0;
}

static int
guard_add_prefix(struct guard *guard, const char *path, struct err *err)
{
	char *normal = guard_normalise(path, err);
	struct prefix *prefix;

	if (!normal)
		return err_prefix(err, "allowed path %s", path);
	prefix = vec_add(&guard->prefixes);
	prefix->path = normal;
	prefix->fd = -1;
	prefix->own = is_own(normal);
	return 0;
}

int
guard_new(struct guard **ret, const struct link_spec *spec, struct err *err)
{
	struct guard *guard = mem_alloc(sizeof *guard);
	int rc = 0;

	guard->client = mem_strdup(spec->client);
	for (size_t i = 0; rc == 0 && i < spec->allow.n; i++)
		rc = guard_add_prefix(guard, spec->allow.v[i], err);
	for (size_t i = 0; rc == 0 && i < spec->allow_write.n; i++) {
		rc = guard_add_prefix(guard, spec->allow_write.v[i], err);
		vec_push(&guard->writable, mem_strdup(spec->allow_write.v[i]));
	}
	if (rc < 0) {
		guard_free(guard);
		return -1;
	}
	*ret = guard;
	return 0;
}

void
guard_free(struct guard *guard)
{
	if (!guard)
		return;
	for (vec_each(struct prefix *, prefix, &guard->prefixes)) {
		free(prefix->path);
		if (prefix->fd >= 0)
			close(prefix->fd);
	}
	for (vec_each(char **, path, &guard->writable))
		free(*path);
	vec_free(&guard->prefixes);
	vec_free(&guard->writable);
	free(guard->client);
	free(guard);
}

/* The part of `path` behind `prefix` ("" when equal), NULL when it is elsewhere. */
static const char *
prefix_rest(const struct prefix *prefix, const char *path)
{
	size_t len = strlen(prefix->path);

	if (len == 1) /* "/" */
		return path + 1;
	if (strncmp(path, prefix->path, len) != 0)
		return NULL;
	if (path[len] == '\0')
		return path + len;
	return path[len] == '/' ? path + len + 1 : NULL;
}

static int
prefix_open(struct prefix *prefix, struct err *err)
{
	if (prefix->fd >= 0)
		return 0;
	prefix->fd = open(prefix->path, O_PATH | O_CLOEXEC);
	if (prefix->fd < 0)
		return err_sys(err, errno, "allowed path %s", prefix->path);
	return 0;
}

/* Finds the prefix of a normalised path; *ret_rest points into `path`. */
static struct prefix *
guard_find(
    struct guard *guard, const char *path, const char **ret_rest, struct err *err)
{
	struct prefix *best = NULL;

	for (vec_each(struct prefix *, prefix, &guard->prefixes)) {
		const char *rest = prefix_rest(prefix, path);

		if (rest && (!best || strlen(prefix->path) > strlen(best->path))) {
			best = prefix;
			*ret_rest = rest;
		}
	}
	if (!best) {
		err_set(
		    err, ERR_POLICY, "%s: outside of what --allow names here", path);
		return NULL;
	}
	return prefix_open(best, err) < 0 ? NULL : best;
}

/* An fd of `rest` beneath the folder `dir`; errno on -1. */
static int
beneath_dir(int dir, const char *rest, int flags, unsigned mode, uint64_t resolve)
{
	struct open_how how = {
	    .flags = (uint64_t)(flags | O_CLOEXEC),
	    .mode = mode,
	    .resolve = GUARD_RESOLVE | resolve,
	};
	long fd;

	do { /* EAGAIN: something was renamed during the walk */
		fd = syscall(SYS_openat2, dir, rest, &how, sizeof how);
	} while (fd < 0 && (errno == EAGAIN || errno == EINTR));
	return (int)fd;
}

/* The same beneath a prefix; links are followed up to volley's own folder only. */
static int
beneath(const struct prefix *prefix, const char *rest, int flags, unsigned mode)
{
	const char *own = prefix->own ? rest : own_part(rest);
	char *head;
	int dir, fd, saved;

	if (*rest == '\0')
		return fcntl(prefix->fd, F_DUPFD_CLOEXEC, 3);
	if (!own)
		return beneath_dir(prefix->fd, rest, flags, mode, 0);
	if (own == rest)
		return beneath_dir(
		    prefix->fd, rest, flags, mode, RESOLVE_NO_SYMLINKS);
	head = mem_strndup(rest, (size_t)(own - rest));
	dir = beneath_dir(prefix->fd, head, O_PATH | O_DIRECTORY, 0, 0);
	free(head);
	if (dir < 0)
		return -1;
	fd = beneath_dir(dir, own, flags, mode, RESOLVE_NO_SYMLINKS);
	saved = errno;
	close(dir);
	errno = saved;
	return fd;
}

static int
beneath_err(const char *path, int errnum, struct err *err)
{
	if (errnum == EXDEV)
		return err_set(err, ERR_POLICY,
		    "%s: a symbolic link leads out of what --allow names", path);
	if (errnum == ELOOP && own_part(path))
		return err_set(err, ERR_POLICY,
		    "%s: a symbolic link, which volley did not make and does not "
		    "follow here; remove it",
		    path);
	if (errnum == ENOSYS)
		return err_set(err, ERR_UNSUPPORTED,
		    "%s: this kernel has no openat2 (Linux 5.6 or later is needed)",
		    path);
	return err_sys(err, errnum, "%s", path);
}

int
guard_look(struct guard *guard, const char *path, int *ret_fd, struct err *err)
{
	char *normal = guard_normalise(path, err);
	struct prefix *prefix;
	const char *rest;
	int rc = -1;

	*ret_fd = -1;
	if (!normal)
		return -1;
	prefix = guard_find(guard, normal, &rest, err);
	if (prefix) {
		*ret_fd = beneath(prefix, rest, O_PATH, 0);
		if (*ret_fd >= 0)
			rc = 1;
		else
			rc = errno == ENOENT ? 0 : beneath_err(normal, errno, err);
	}
	free(normal);
	return rc;
}

int
guard_exists(struct guard *guard, const char *path, struct err *err)
{
	int fd, rc = guard_look(guard, path, &fd, err);

	if (rc == 1)
		close(fd);
	return rc;
}

/* Is the device one of those that --allow-write names? */
static bool
guard_device_writable(const struct guard *guard, dev_t device)
{
	struct stat st;

	for (size_t i = 0; i < guard->writable.n; i++)
		if (stat(guard->writable.v[i], &st) == 0 && S_ISBLK(st.st_mode) &&
		    st.st_rdev == device)
			return true;
	return false;
}

/* `listed`: the path itself is an allowed one, not something below it. */
static int
guard_check_device(const struct guard *guard, const struct stat *st, const char *path,
    bool listed, bool writes, struct err *err)
{
	bool writable = guard_device_writable(guard, st->st_rdev);

	if (!listed && !writable)
		return err_set(err, ERR_POLICY,
		    "%s: a block device has to be named by --allow itself", path);
	if (writes && !writable)
		return err_set(err, ERR_POLICY,
		    "%s: writing to a block device needs --allow-write %s", path, path);
	return devices_check_free(&guard_system, st->st_rdev, path, err);
}

static int
guard_check_kind(const struct guard *guard, int fd, const char *path, bool listed,
    bool writes, struct guard_file *ret, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_sys(err, errno, "%s", path);
	ret->is_device = S_ISBLK(st.st_mode);
	ret->size = (uint64_t)st.st_size;
	if (ret->is_device)
		return guard_check_device(guard, &st, path, listed, writes, err);
	if (writes && S_ISREG(st.st_mode) && st.st_nlink != 1 && own_part(path))
		return err_set(err, ERR_POLICY,
		    "%s: has another name too (a hard link), so volley does not write "
		    "to it; remove it",
		    path);
	if (S_ISREG(st.st_mode))
		return identity_of(fd, &ret->id, err) < 0 ? err_prefix(err, "%s", path)
							  : 0;
	return err_set(err, ERR_POLICY, "%s: %s", path,
	    S_ISDIR(st.st_mode) ? "is a folder"
				: "is neither a file nor a block device");
}

/* Opens what the O_PATH handle `fd` refers to; no path is walked again. */
static int
guard_reopen(int fd, const char *path, int flags, int direct, struct guard_file *ret,
    struct err *err)
{
	char link[64];

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ret->direct = direct != JOB_BUFFERED;
	ret->fd = open(link, flags | O_CLOEXEC | (ret->direct ? O_DIRECT : 0));
	if (ret->fd < 0 && errno == EINVAL && direct == JOB_DIRECT_AUTO) {
		ret->direct = false;
		ret->fd = open(link, flags | O_CLOEXEC);
	}
	if (ret->fd >= 0)
		return 0;
	if (errno == EINVAL && direct == JOB_DIRECT)
		return err_set(err, ERR_UNSUPPORTED,
		    "%s: the file system refuses O_DIRECT (direct=auto would go on "
		    "without it)",
		    path);
	return err_sys(err, errno, "open %s", path);
}

static int
guard_open_beneath(const struct guard *guard, const struct prefix *prefix,
    const char *path, const char *rest, bool writes, bool create, int direct,
    int flags, struct guard_file *ret, struct err *err)
{
	int fd = beneath(prefix, rest, O_PATH, 0);
	int rc;

	if (fd < 0 && errno == ENOENT && create) {
		fd = beneath(prefix, rest, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
		    GUARD_FILE_MODE);
		ret->created = fd >= 0;
		if (fd < 0 && errno == EEXIST) /* another client was faster */
			fd = beneath(prefix, rest, O_PATH, 0);
	}
	if (fd < 0)
		return beneath_err(path, errno, err);
	rc = guard_check_kind(guard, fd, path, *rest == '\0', writes, ret, err);
	if (rc == 0)
		rc = guard_reopen(
		    fd, path, (writes ? O_RDWR : O_RDONLY) | flags, direct, ret, err);
	close(fd);
	if (rc == 0 && ret->is_device && devices_size(ret->fd, &ret->size, err) < 0) {
		close(ret->fd);
		return err_prefix(err, "%s", path);
	}
	return rc;
}

int
guard_open(struct guard *guard, const char *path, bool writes, bool create, int direct,
    struct guard_file *ret, struct err *err)
{
	return guard_open_as(guard, path, writes, create, direct, 0, ret, err);
}

int
guard_open_as(struct guard *guard, const char *path, bool writes, bool create,
    int direct, int flags, struct guard_file *ret, struct err *err)
{
	char *normal = guard_normalise(path, err);
	struct prefix *prefix;
	const char *rest;
	int rc = -1;

	*ret = (struct guard_file){.fd = -1};
	if (!normal)
		return -1;
	prefix = guard_find(guard, normal, &rest, err);
	if (prefix)
		rc = guard_open_beneath(
		    guard, prefix, normal, rest, writes, create, direct, flags, ret, err);
	if (rc < 0)
		ret->fd = -1;
	free(normal);
	return rc;
}

/* "a/b/c" → handle of "a/b" beneath the prefix, name "c". */
static int
guard_open_parent(const struct prefix *prefix, const char *path, const char *rest,
    int *ret_fd, char **ret_name, struct err *err)
{
	const char *slash = strrchr(rest, '/');
	char *folder =
	    slash ? mem_strndup(rest, (size_t)(slash - rest)) : mem_strdup(".");

	*ret_fd = beneath(prefix, folder, O_RDONLY | O_DIRECTORY, 0);
	free(folder);
	if (*ret_fd < 0)
		return beneath_err(path, errno, err);
	*ret_name = mem_strdup(slash ? slash + 1 : rest);
	return 0;
}

int
guard_parent(struct guard *guard, const char *path, int *ret_fd, char **ret_name,
    struct err *err)
{
	char *normal = guard_normalise(path, err);
	struct prefix *prefix;
	const char *rest;
	int rc = -1;

	*ret_fd = -1;
	*ret_name = NULL;
	if (!normal)
		return -1;
	prefix = guard_find(guard, normal, &rest, err);
	if (prefix && *rest == '\0')
		rc = 0;
	else if (prefix)
		rc = guard_open_parent(prefix, normal, rest, ret_fd, ret_name, err);
	free(normal);
	return rc;
}

/* Remembers in the folder itself that volley made it. */
static int
guard_note_made(const struct guard *guard, int dir_fd, struct err *err)
{
	struct manifest *manifest;
	int rc;

	if (manifest_open(&manifest, dir_fd, guard->client, err) < 0)
		return -1;
	manifest_set_made(manifest);
	rc = manifest_save(manifest, err);
	manifest_free(manifest);
	return rc;
}

/* Opens the folder `rest`, making it when it is missing. */
static int
guard_mkdir(const struct guard *guard, const struct prefix *prefix, const char *rest,
    struct err *err)
{
	int fd = beneath(prefix, rest, O_RDONLY | O_DIRECTORY, 0), parent, rc;
	char *name;

	if (fd >= 0) {
		close(fd);
		return 0;
	}
	if (errno != ENOENT)
		return beneath_err(rest, errno, err);
	if (guard_open_parent(prefix, rest, rest, &parent, &name, err) < 0)
		return -1;
	rc = mkdirat(parent, name, GUARD_DIR_MODE);
	close(parent);
	free(name);
	if (rc < 0)
		return errno == EEXIST ? 0
				       : err_sys(err, errno, "make folder %s", rest);
	fd = beneath(prefix, rest, O_RDONLY | O_DIRECTORY, 0);
	if (fd < 0)
		return beneath_err(rest, errno, err);
	rc = guard_note_made(guard, fd, err);
	close(fd);
	return rc;
}

int
guard_mkdirs(struct guard *guard, const char *path, struct err *err)
{
	char *normal = guard_normalise(path, err), *part;
	struct prefix *prefix;
	const char *rest;
	int rc = 0;

	if (!normal)
		return -1;
	prefix = guard_find(guard, normal, &rest, err);
	if (!prefix) {
		free(normal);
		return -1;
	}
	for (size_t len = 0; rc == 0 && rest[len];) {
		len += strcspn(rest + len, "/");
		part = mem_strndup(rest, len);
		rc = guard_mkdir(guard, prefix, part, err);
		free(part);
		len += rest[len] == '/';
	}
	if (rc < 0)
		err_prefix(err, "%s", normal);
	free(normal);
	return rc;
}

/* Which file is it?  1: *ret_id says so, 0: there is none. */
static int
guard_identify(int dir_fd, const char *name, struct identity *ret_id, struct err *err)
{
	int fd = openat(dir_fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	int rc;

	if (fd < 0)
		return errno == ENOENT ? 0 : err_sys(err, errno, "unlink");
	rc = identity_of(fd, ret_id, err);
	close(fd);
	return rc < 0 ? -1 : 1;
}

static int
guard_unlink_owned(struct guard *guard, int dir_fd, const char *name, struct err *err)
{
	struct manifest *manifest;
	struct identity id;
	int rc;

	if (manifest_open(&manifest, dir_fd, guard->client, err) < 0)
		return -1;
	rc = guard_identify(dir_fd, name, &id, err);
	if (rc == 1) { /* else it is gone and only has to be forgotten */
		if (!manifest_find(manifest, name, &id))
			rc = err_set(err, ERR_POLICY, "volley did not make it");
		else if (unlinkat(dir_fd, name, 0) < 0 && errno != ENOENT)
			rc = err_sys(err, errno, "unlink");
	}
	if (rc >= 0) {
		manifest_drop(manifest, name);
		rc = manifest_save(manifest, err);
	}
	manifest_free(manifest);
	return rc;
}

int
guard_unlink(struct guard *guard, const char *path, struct err *err)
{
	char *name;
	int fd, rc;

	if (guard_parent(guard, path, &fd, &name, err) < 0)
		return -1;
	if (!name)
		return err_set(err, ERR_POLICY, "%s: volley did not make it", path);
	rc = guard_unlink_owned(guard, fd, name, err);
	close(fd);
	free(name);
	return rc < 0 ? err_prefix(err, "%s", path) : 0;
}

int
guard_unlink_made(struct guard *guard, const char *path, const struct identity *id,
    struct err *err)
{
	struct identity there;
	char *name;
	int fd, rc;

	if (guard_parent(guard, path, &fd, &name, err) < 0)
		return -1;
	if (!name)
		return err_set(err, ERR_POLICY, "%s: volley did not make it", path);
	rc = guard_identify(fd, name, &there, err);
	if (rc == 1 && !identity_equal(id, &there))
		rc = err_set(err, ERR_POLICY, "volley did not make it");
	else if (rc == 1)
		rc = unlinkat(fd, name, 0) < 0 ? err_sys(err, errno, "unlink") : 0;
	close(fd);
	free(name);
	return rc < 0 ? err_prefix(err, "%s", path) : 0;
}
