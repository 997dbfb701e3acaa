/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is somebody using this block device?  Mounted, swapped on, or held by another
 * device (LVM, RAID, dm-crypt) or under a loop device, it or one of its partitions or
 * the disk it is a partition of, or what it lies on as a loop device.  Told by
 * major:minor; names are never compared.
 */
#ifndef VOLLEY_WORKER_DEVICES_H
#define VOLLEY_WORKER_DEVICES_H

#include <stdint.h>
#include <sys/types.h>

#include "lib/base/err.h"

/* The system's "/proc" and "/sys"; tests give folders of their own. */
struct devices_root {
	const char *proc, *sys;
};

/* 0 when nobody uses `device`, else ERR_POLICY saying who.  `path` is for the
 * message. */
int devices_check_free(const struct devices_root *root, dev_t device, const char *path,
		       struct err *err);
/* Size in bytes of an open block device. */
int devices_size(int fd, uint64_t *ret, struct err *err);

#endif
