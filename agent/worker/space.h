/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is there room for what is about to be written?  Asked before the first byte, for
 * a full file system is found out late and hurts everybody on it.  Others may write
 * meanwhile, other clients of this run among them: room now is no promise.
 */
#ifndef VOLLEY_WORKER_SPACE_H
#define VOLLEY_WORKER_SPACE_H

#include <stdint.h>
#include <sys/types.h>

#include "lib/base/err.h"
#include "lib/base/vec.h"

/* What is missing on one file system. */
struct space_need {
	dev_t device;
	int fd;		   /* a folder there */
	const char *where; /* its path */
	uint64_t bytes;
};

struct space {
	VEC(struct space_need) needs;
};

/* `bytes` more will be written to files in the folder `fd` (neither is taken over). */
int space_add(struct space *space, int fd, const char *where, uint64_t bytes,
	      struct err *err);
/* Error when one of the file systems has not that much left.  One that does not tell
 * its size has room. */
int space_check(const struct space *space, struct err *err);
/* The decision itself, for a file system with `free_bytes` left. */
int space_check_need(const struct space_need *need, uint64_t free_bytes,
		     struct err *err);
void space_free(struct space *space);

#endif
