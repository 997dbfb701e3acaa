/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who uses a block device, from sysfs (partitions, holders, what loop devices lie
 * on), mountinfo and the list of swap areas.
 */
#include "agent/worker/devices.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/base/mem.h"
#include "lib/base/vec.h"

/* A file that a loop device lies on. */
struct backing {
	dev_t dev;
	ino_t ino;
};

/* The device and everything on the same blocks: its partitions, its disk, and what
 * these lie on when they are loop devices. */
struct family {
	VEC(dev_t) devices;
	VEC(struct backing) files;
};

static bool
family_has(const struct family *family, dev_t device)
{
	for (size_t i = 0; i < family->devices.n; i++)
		if (family->devices.v[i] == device)
			return true;
	return false;
}

static bool
parse_device(const char *text, dev_t *ret)
{
	unsigned major_no, minor_no;

	if (sscanf(text, "%u:%u", &major_no, &minor_no) != 2)
		return false;
	*ret = makedev(major_no, minor_no);
	return true;
}

static bool
read_device(const char *dir, const char *name, dev_t *ret)
{
	char *path = mem_printf("%s/%s/dev", dir, name);
	char line[64];
	FILE *f = fopen(path, "re");
	bool ok = false;

	free(path);
	if (!f)
		return false;
	if (fgets(line, sizeof line, f))
		ok = parse_device(line, ret);
	fclose(f);
	return ok;
}

static bool
path_exists(const char *dir, const char *name)
{
	char *path = mem_printf("%s/%s", dir, name);
	struct stat st;
	bool exists = stat(path, &st) == 0;

	free(path);
	return exists;
}

static char *
sys_dir(const struct devices_root *root, dev_t device)
{
	return mem_printf(
	    "%s/dev/block/%u:%u", root->sys, major(device), minor(device));
}

/* Partitions are the subfolders that hold a file "partition". */
static void
family_add_partitions(struct family *family, const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	dev_t device;

	if (!d)
		return;
	while ((entry = readdir(d))) {
		char *sub;

		if (entry->d_name[0] == '.')
			continue;
		sub = mem_printf("%s/%s", dir, entry->d_name);
		if (path_exists(sub, "partition") &&
		    read_device(dir, entry->d_name, &device))
			vec_push(&family->devices, device);
		free(sub);
	}
	closedir(d);
}

static void
family_add(struct family *family, const struct devices_root *root, dev_t device)
{
	char *dir = sys_dir(root, device);
	dev_t disk;

	vec_push(&family->devices, device);
	if (path_exists(dir, "partition")) {
		if (read_device(dir, "..", &disk))
			vec_push(&family->devices, disk);
	} else {
		family_add_partitions(family, dir);
	}
	free(dir);
}

/* The kernel's own answer, for a backing file that has no path here any more.
 * `name` is that of the loop device. */
static bool
loop_ask(const char *name, struct stat *ret)
{
	char *path = mem_printf("/dev/%s", name);
	struct loop_info64 info;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool ok = fd >= 0 && ioctl(fd, LOOP_GET_STATUS64, &info) == 0;

	free(path);
	if (fd >= 0)
		close(fd);
	if (!ok)
		return false;
	*ret = (struct stat){.st_mode = info.lo_rdevice ? S_IFBLK : S_IFREG,
	    .st_dev = (dev_t)info.lo_device,
	    .st_ino = (ino_t)info.lo_inode,
	    .st_rdev = (dev_t)info.lo_rdevice};
	return true;
}

/* What the loop device of the folder `dir` lies on.  1: that, 0: it is none or not
 * set up, -1: set up, but nobody can tell. */
static int
loop_backing(const char *dir, const char *name, struct stat *ret)
{
	char *path = mem_printf("%s/loop/backing_file", dir), line[4096];
	FILE *f = fopen(path, "re");
	bool set = f && fgets(line, sizeof line, f);

	free(path);
	if (f)
		fclose(f);
	if (!set)
		return 0;
	line[strcspn(line, "\n")] = '\0';
	return stat(line, ret) == 0 || loop_ask(name, ret) ? 1 : -1;
}

/* Everything below: `devices` grows while it is walked. */
static void
family_find(struct family *family, const struct devices_root *root, dev_t device)
{
	family_add(family, root, device);
	for (size_t i = 0; i < family->devices.n; i++) {
		char *dir = sys_dir(root, family->devices.v[i]);
		char name[32];
		struct stat st;

		snprintf(name, sizeof name, "block/%u:%u",
		    major(family->devices.v[i]), minor(family->devices.v[i]));
		if (loop_backing(dir, name, &st) == 1) {
			if (!S_ISBLK(st.st_mode))
				vec_push(&family->files,
				    ((struct backing){st.st_dev, st.st_ino}));
			else if (!family_has(family, st.st_rdev))
				family_add(family, root, st.st_rdev);
		}
		free(dir);
	}
}

static bool
family_has_backing(const struct family *family, const struct stat *st)
{
	if (S_ISBLK(st->st_mode))
		return family_has(family, st->st_rdev);
	for (size_t i = 0; i < family->files.n; i++)
		if (family->files.v[i].dev == st->st_dev &&
		    family->files.v[i].ino == st->st_ino)
			return true;
	return false;
}

/*
 * A loop device on top shows up neither as a holder nor, when it is mounted, with
 * the number of what it lies on.
 */
static int
check_loop(const struct family *family, const char *dir, const char *name,
    const char *path, struct err *err)
{
	dev_t device;
	struct stat st;
	int known;

	if (read_device(dir, ".", &device) && family_has(family, device))
		return 0; /* it is what is asked about, or lies below */
	known = loop_backing(dir, name, &st);
	if (known < 0)
		return err_set(err, ERR_POLICY,
		    "%s: cannot tell whether %s lies on it", path, name);
	if (known > 0 && family_has_backing(family, &st))
		return err_set(
		    err, ERR_POLICY, "%s is in use: %s lies on it", path, name);
	return 0;
}

static int
check_loops(const struct devices_root *root, const struct family *family,
    const char *path, struct err *err)
{
	char *blocks = mem_printf("%s/block", root->sys);
	DIR *d = opendir(blocks);
	struct dirent *entry;
	int rc = 0;

	while (rc == 0 && d && (entry = readdir(d))) {
		char *dir;

		if (strncmp(entry->d_name, "loop", 4) != 0)
			continue;
		dir = mem_printf("%s/%s", blocks, entry->d_name);
		rc = check_loop(family, dir, entry->d_name, path, err);
		free(dir);
	}
	if (d)
		closedir(d);
	free(blocks);
	return rc;
}

static int
check_holders(
    const struct devices_root *root, dev_t device, const char *path, struct err *err)
{
	char *base = sys_dir(root, device);
	char *dir = mem_printf("%s/holders", base);
	DIR *d = opendir(dir);
	struct dirent *entry;
	int rc = 0;

	free(base);
	free(dir);
	if (!d)
		return 0;
	while (rc == 0 && (entry = readdir(d)))
		if (entry->d_name[0] != '.')
			rc = err_set(err, ERR_POLICY, "%s is in use: held by %s", path,
			    entry->d_name);
	closedir(d);
	return rc;
}

/* Octal escapes of mountinfo and swaps (\040 is a space), in place. */
static void
unescape(char *text)
{
	char *to = text;

	for (char *p = text; *p; p++) {
		unsigned value;

		if (*p == '\\' && sscanf(p + 1, "%3o", &value) == 1) {
			*to++ = (char)value;
			p += 3;
		} else {
			*to++ = *p;
		}
	}
	*to = '\0';
}

static bool
node_is(const struct family *family, char *node)
{
	struct stat st;

	unescape(node);
	return strncmp(node, "/dev/", 5) == 0 && stat(node, &st) == 0 &&
	       S_ISBLK(st.st_mode) && family_has(family, st.st_rdev);
}

/*
 * "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw".  File systems
 * over several devices (btrfs) carry a number of their own; there the source
 * behind " - " tells.
 */
static bool
mount_line_uses(const struct family *family, char *line, char **ret_where)
{
	char *save, *word, *number = NULL, *where = NULL, *dash;
	char *source = NULL;
	dev_t device;
	int i = 0;

	dash = strstr(line, " - ");
	if (dash) {
		char *tail = dash + 3, *tail_save;

		*dash = '\0';
		if (strtok_r(tail, " \n", &tail_save))
			source = strtok_r(NULL, " \n", &tail_save);
	}
	for (word = strtok_r(line, " ", &save); word;
	     word = strtok_r(NULL, " ", &save)) {
		if (i == 2)
			number = word;
		else if (i == 4)
			where = word;
		i++;
	}
	if (!number || !where)
		return false;
	unescape(where);
	*ret_where = where;
	if (parse_device(number, &device) && family_has(family, device))
		return true;
	return source && node_is(family, source);
}

static int
check_mounts(const struct devices_root *root, const struct family *family,
    const char *path, struct err *err)
{
	char *name = mem_printf("%s/self/mountinfo", root->proc);
	FILE *f = fopen(name, "re");
	char *line = NULL, *where;
	size_t cap = 0;
	int rc = 0;

	free(name);
	if (!f)
		return err_sys(
		    err, errno, "%s: cannot tell whether it is mounted", path);
	while (rc == 0 && getline(&line, &cap, f) >= 0)
		if (mount_line_uses(family, line, &where))
			rc = err_set(err, ERR_POLICY, "%s is in use: mounted on %s",
			    path, where);
	free(line);
	fclose(f);
	return rc;
}

static int
check_swaps(const struct devices_root *root, const struct family *family,
    const char *path, struct err *err)
{
	char *name = mem_printf("%s/swaps", root->proc);
	FILE *f = fopen(name, "re");
	char *line = NULL;
	size_t cap = 0;
	int rc = 0;

	free(name);
	if (!f) /* a kernel without swap has no such file */
		return 0;
	while (rc == 0 && getline(&line, &cap, f) >= 0) {
		line[strcspn(line, " \t\n")] = '\0';
		if (node_is(family, line))
			rc = err_set(
			    err, ERR_POLICY, "%s is in use: swap on %s", path, line);
	}
	free(line);
	fclose(f);
	return rc;
}

int
devices_check_free(
    const struct devices_root *root, dev_t device, const char *path, struct err *err)
{
	struct family family = {0};
	int rc = 0;

	family_find(&family, root, device);
	for (size_t i = 0; rc == 0 && i < family.devices.n; i++)
		rc = check_holders(root, family.devices.v[i], path, err);
	if (rc == 0)
		rc = check_mounts(root, &family, path, err);
	if (rc == 0)
		rc = check_swaps(root, &family, path, err);
	if (rc == 0)
		rc = check_loops(root, &family, path, err);
	vec_free(&family.files);
	vec_free(&family.devices);
	return rc;
}

int
devices_size(int fd, uint64_t *ret, struct err *err)
{
	if (ioctl(fd, BLKGETSIZE64, ret) < 0)
		return err_sys(err, errno, "size of the block device");
	return 0;
}
