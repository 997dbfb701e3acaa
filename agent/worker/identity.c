/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The identity of a file, from statx and the file handle.
 */
#include "agent/worker/identity.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "lib/base/units.h"

#define IDENTITY_MASK (STATX_TYPE | STATX_NLINK | STATX_INO | STATX_BTIME)

/* FUSE's handles name places in the daemon's memory: others after every mount. */
static bool
identity_handle(int fd, uint64_t *ret)
{
	struct file_handle *handle = mem_alloc(sizeof *handle + MAX_HANDLE_SZ);
	struct statfs fs;
	int mount;
	bool ok;

	handle->handle_bytes = MAX_HANDLE_SZ;
	ok = fstatfs(fd, &fs) == 0 && fs.f_type != FUSE_SUPER_MAGIC &&
	     name_to_handle_at(fd, "", handle, &mount, AT_EMPTY_PATH) == 0;
	if (ok)
		*ret = hash_fnv1a(handle->f_handle, handle->handle_bytes);
	free(handle);
	return ok;
}

int
identity_of(int fd, struct identity *ret, struct err *err)
{
	struct statx st;

	*ret = (struct identity){0};
	if (statx(fd, "", AT_EMPTY_PATH, IDENTITY_MASK, &st) < 0)
		return err_sys(err, errno, "stat");
	if (!S_ISREG(st.stx_mode) || st.stx_nlink != 1)
		return 0;
	ret->inode = st.stx_ino;
	if ((st.stx_mask & STATX_BTIME) && st.stx_btime.tv_sec > 0) {
		ret->kind = IDENTITY_BIRTH;
		ret->mark = (uint64_t)st.stx_btime.tv_sec * UNITS_NS_PER_S +
			    st.stx_btime.tv_nsec;
	} else if (identity_handle(fd, &ret->mark)) {
		ret->kind = IDENTITY_HANDLE;
	} else {
		ret->kind = IDENTITY_INODE;
	}
	return 0;
}

bool
identity_equal(const struct identity *a, const struct identity *b)
{
	return a->kind != IDENTITY_NONE && a->kind == b->kind && a->inode == b->inode &&
	       a->mark == b->mark;
}
