/* SPDX-License-Identifier: Apache-2.0 */
/* Regions that a target serves. */
#include "agent/target/target-impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ALIGN 4096u

static void
describe(struct target_export *ret, const char *name, uint64_t size, bool writable)
{
	*ret = (struct target_export){.writable = writable, .size = size, .fd = -1};
	snprintf(ret->name, sizeof ret->name, "%s", name);
}

int
export_memory(struct target_export *ret, const char *name, uint64_t size,
    bool writable, struct err *err)
{
	void *base = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (base == MAP_FAILED)
		return err_sys(err, errno, "export %s: %llu bytes of memory", name,
		    (unsigned long long)size);
	/* In large pages where they can be had: it is copied as a whole. */
	(void)madvise(base, size, MADV_HUGEPAGE);
	if (madvise(base, size, MADV_POPULATE_WRITE) != 0 && errno != EINVAL) {
		err_sys(err, errno, "export %s: %llu bytes of memory", name,
		    (unsigned long long)size);
		(void)munmap(base, size);
		return -1;
	}
	describe(ret, name, size, writable);
	ret->base = base;
	return 0;
}

void
export_file(struct target_export *ret, const char *name, int fd, uint64_t size,
    bool writable)
{
	describe(ret, name, size, writable);
	ret->fd = fd;
}

void
export_free(struct target_export *export)
{
	if (export->base)
		munmap(export->base, export->size);
	if (export->fd >= 0)
		close(export->fd);
	*export = (struct target_export){.fd = -1};
}

void *
target_buffer(size_t len)
{
	return aligned_alloc(ALIGN, (len + ALIGN - 1) / ALIGN * ALIGN);
}

uint32_t
target_clip(const struct target_conn *conn, const struct net_request *request,
    uint32_t *ret_errnum)
{
	const struct target_export *export = conn->export;
	uint64_t left = request->offset < export->size ? export->size - request->offset
						       : 0;

	*ret_errnum = 0;
	if (request->op == NET_WRITE && !(conn->hello.flags & NET_WRITES)) {
		*ret_errnum = EROFS;
		return 0;
	}
	/* As a block device: nothing can be written behind its end. */
	if (request->op == NET_WRITE && left == 0)
		*ret_errnum = ENOSPC;
	return request->bytes < left ? request->bytes : (uint32_t)left;
}

uint32_t
target_move(const struct target_export *export, bool write, void *buf, uint64_t offset,
    uint32_t bytes, uint32_t *ret_errnum)
{
	uint32_t moved = 0;

	*ret_errnum = 0;
	while (moved < bytes) {
		char *at = (char *)buf + moved;
		off_t where = (off_t)(offset + moved);
		ssize_t n = write ? pwrite(export->fd, at, bytes - moved, where)
				  : pread(export->fd, at, bytes - moved, where);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && moved == 0)
			*ret_errnum = (uint32_t)errno;
		if (n <= 0)
			break;
		moved += (uint32_t)n;
	}
	return moved;
}
