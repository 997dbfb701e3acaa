/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only place that opens, creates or unlinks anything of a job.  A path is
 * allowed when it resolves beneath a directory handle of an --allow prefix
 * (openat2, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS): symlinks and ".." cannot
 * leave it, and strings are never compared.  Block devices need to be listed, and
 * must not be mounted, swapped on or held by another device (by major:minor).
 * Files are unlinked only when volley's own manifest says it made them.
 */
#ifndef VOLLEY_WORKER_GUARD_H
#define VOLLEY_WORKER_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "agent/worker/link.h"

struct guard;

int guard_new(struct guard **ret, const struct link_spec *spec, struct err *err);
void guard_free(struct guard *guard);

struct guard_file {
	int fd;
	bool is_device, direct;
	uint64_t size; /* bytes now */
};

/*
 * How a path is found: redundant slashes and "." are dropped, ".." is refused, and
 * the longest --allow prefix that equals its leading components is chosen.  The
 * prefix is opened once (its own symlinks are the administrator's choice) and the
 * remaining components are resolved by the kernel beneath that handle.  What is
 * found is looked at through O_PATH first, so a FIFO or a device is never opened
 * by accident.
 *
 * Opens `path` (absolute) for a job.  `direct` may be JOB_DIRECT_AUTO: then what
 * the file system took is in ret->direct.  `writes`: the job writes (devices then
 * need --allow-write).  `create`: may create the file (never a device).
 */
int guard_open(struct guard *guard, const char *path, bool writes, bool create,
	       int direct, struct guard_file *ret, struct err *err);
/* The same with further flags of open(2), O_DSYNC say. */
int guard_open_as(struct guard *guard, const char *path, bool writes, bool create,
		  int direct, int flags, struct guard_file *ret, struct err *err);
/* Is there anything at `path`?  1: yes, 0: no, -1: not allowed or an error. */
int guard_exists(struct guard *guard, const char *path, struct err *err);
/* A handle of the folder that holds `path`, and the name within it (ret_name, to
 * be freed).  ret_name NULL: `path` is an allowed file itself, its folder is not. */
int guard_parent(struct guard *guard, const char *path, int *ret_fd, char **ret_name,
		 struct err *err);
/* mkdir -p beneath the allowed prefix; made directories enter the manifest. */
int guard_mkdirs(struct guard *guard, const char *path, struct err *err);
/* Unlinks a file that the manifest owns; anything else is an error. */
int guard_unlink(struct guard *guard, const char *path, struct err *err);

#endif
