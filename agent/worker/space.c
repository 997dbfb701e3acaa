/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is needed and what is free, by file system.
 */
#include "agent/worker/space.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "lib/base/units.h"

int
space_add(
    struct space *space, int fd, const char *where, uint64_t bytes, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_sys(err, errno, "%s", where);
	for (vec_each(struct space_need *, need, &space->needs))
		if (need->device == st.st_dev) {
			need->bytes += bytes;
			return 0;
		}
	vec_push(&space->needs, ((struct space_need){st.st_dev, fd, where, bytes}));
	return 0;
}

int
space_check_need(const struct space_need *need, uint64_t free_bytes, struct err *err)
{
	char more[UNITS_BUF], left[UNITS_BUF];

	if (need->bytes <= free_bytes)
		return 0;
	return err_set(err, ERR_POLICY, "needs %s more, %s are free in %s",
	    units_bytes(more, (double)need->bytes),
	    units_bytes(left, (double)free_bytes), need->where);
}

int
space_check(const struct space *space, struct err *err)
{
	for (vec_each(struct space_need *, need, &space->needs)) {
		struct statvfs vfs;

		if (fstatvfs(need->fd, &vfs) < 0)
			return err_sys(err, errno, "%s", need->where);
		if (vfs.f_blocks > 0 &&
		    space_check_need(need, vfs.f_bavail * vfs.f_frsize, err) < 0)
			return -1;
	}
	return 0;
}

void
space_free(struct space *space)
{
	vec_free(&space->needs);
}
