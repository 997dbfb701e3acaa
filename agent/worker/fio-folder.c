/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The folder of one run of fio: a lock on it says that its worker lives.  A worker
 * that was killed cannot remove its folder, so the next one does.
 */
#include "agent/worker/fio-proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/mem.h"

#define FOLDER_PREFIX "volley-fio."

static void
folder_empty(int dir_fd)
{
	DIR *dir = fdopendir(dup(dir_fd));
	const struct dirent *entry;

	while (dir && (entry = readdir(dir)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			(void)unlinkat(dir_fd, entry->d_name, 0);
	if (dir)
		closedir(dir);
}

static void
folder_sweep_one(int base, const char *name)
{
	int fd = openat(base, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
	    flock(fd, LOCK_EX | LOCK_NB) == 0) {
		folder_empty(fd);
		(void)unlinkat(base, name, AT_REMOVEDIR);
	}
	close(fd);
}

static void
folder_sweep(const char *base)
{
	DIR *dir = opendir(base);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir)) != NULL)
		if (str_starts(entry->d_name, FOLDER_PREFIX))
			folder_sweep_one(dirfd(dir), entry->d_name);
	if (dir)
		closedir(dir);
}

/* False: a sweeper was faster than our lock. */
static bool
folder_lock(int fd)
{
	struct stat st;

	return flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &st) == 0 &&
	       st.st_nlink > 0;
}

int
fioproc_folder(char **ret_path, int *ret_fd, struct err *err)
{
	const char *base = getenv("TMPDIR");
	int tries = 8;

	if (!base || base[0] != '/')
		base = "/tmp";
	folder_sweep(base);
	while (tries--) {
		char *path = mem_printf("%s/" FOLDER_PREFIX "XXXXXX", base);

		if (!mkdtemp(path)) {
			err_sys(err, errno, "a folder for fio in %s", base);
			free(path);
			return -1;
		}
		*ret_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (*ret_fd >= 0 && folder_lock(*ret_fd)) {
			*ret_path = path;
			return 0;
		}
		if (*ret_fd >= 0)
			close(*ret_fd);
		free(path);
	}
	return err_set(err, ERR_BUSY, "a folder for fio in %s is always gone", base);
}

void
fioproc_remove_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0) {
		folder_empty(fd);
		close(fd);
	}
	(void)rmdir(path);
}
