/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only place that opens, creates or unlinks anything of a job.  A path is
 * allowed when it resolves beneath a directory handle of an --allow prefix
 * (openat2, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS): symlinks and ".." cannot
 * leave it, and strings are never compared.  Block devices need to be listed, and
 * must not be mounted, swapped on or held by another device (by major:minor).
 * Files are unlinked only when volley's own manifest says it made them.  Within
 * volley's own folders ("volley-data") no symlink is followed, and no file with a
 * second hard link is written.
 */
#ifndef VOLLEY_WORKER_GUARD_H
#define VOLLEY_WORKER_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/worker/identity.h"
#include "agent/worker/link.h"
#include "lib/base/err.h"

struct guard;

#define GUARD_FOLDER "volley-data"

int guard_new(struct guard **ret, const struct link_spec *spec, struct err *err);
void guard_free(struct guard *guard);

struct guard_file {
	int fd;
	bool is_device, direct;
	bool created;  /* by this very open */
	uint64_t size; /* bytes now */
	struct identity id;
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
/* A handle (O_PATH) of whatever is there, a folder too.  1: yes, 0: there is nothing,
 * -1: not allowed or an error. */
int guard_look(struct guard *guard, const char *path, int *ret_fd, struct err *err);
/* Is there anything at `path`?  1: yes, 0: no, -1: not allowed or an error. */
int guard_exists(struct guard *guard, const char *path, struct err *err);
/* A handle of the folder that holds `path`, and the name within it (ret_name, to
 * be freed).  ret_name NULL: `path` is an allowed file itself, its folder is not. */
int guard_parent(struct guard *guard, const char *path, int *ret_fd, char **ret_name,
		 struct err *err);
/* mkdir -p beneath the allowed prefix; made directories enter the manifest. */
int guard_mkdirs(struct guard *guard, const char *path, struct err *err);
/* Unlinks a file that volley made (its manifest knows this very file); anything else
 * is an error. */
int guard_unlink(struct guard *guard, const char *path, struct err *err);
/* Unlinks the file `id`, which the caller made, if that is what is at `path`; the
 * manifest is the caller's business. */
int guard_unlink_made(struct guard *guard, const char *path, const struct identity *id,
		      struct err *err);

#endif
