/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which file is it?  A name says nothing: somebody may have removed volley's file
 * and put another one there.  The inode number and the time of birth are the same
 * through every mount of a storage (the device number is not), and survive all that
 * a job does to a file.  A file system without times of birth is asked for its file
 * handle, which holds the inode's generation; when it has none either, the inode
 * number has to do.
 */
#ifndef VOLLEY_WORKER_IDENTITY_H
#define VOLLEY_WORKER_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"

enum identity_kind {
	IDENTITY_NONE,   /* not known, or no regular file with one name only */
	IDENTITY_BIRTH,  /* mark: nanoseconds since 1970 */
	IDENTITY_HANDLE, /* mark: hash of the file handle */
	IDENTITY_INODE,  /* mark: 0 */
	IDENTITY_KINDS
};

struct identity {
	enum identity_kind kind;
	uint64_t inode, mark;
};

/* Of an open file (O_PATH will do).  With a second hard link a file is never one
 * that volley made: IDENTITY_NONE. */
int identity_of(int fd, struct identity *ret, struct err *err);
/* IDENTITY_NONE equals nothing, not even itself. */
bool identity_equal(const struct identity *a, const struct identity *b);

#endif
