/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Amounts that were given in percent of a file or device, once it can be looked at.
 */
#ifndef VOLLEY_WORKER_AMOUNT_H
#define VOLLEY_WORKER_AMOUNT_H

#include <stdbool.h>

#include "agent/worker/files.h"
#include "agent/worker/guard.h"
#include "lib/base/err.h"
#include "lib/work/job.h"

/* Has the job such amounts? */
bool amount_is_relative(const struct job *job);
/*
 * Puts bytes in their place, as fio does: size and offset are parts of each file
 * (its filesize, or what it has; of the smallest, when they differ; of files that are
 * not there yet, of size), io_size is a part of size, offsets are rounded up to
 * offset_align or else to the smallest block.  A size that would reach beyond the
 * file's end is cut off.
 */
int amount_resolve(struct job *job, struct files *files, struct guard *guard,
		   struct err *err);

#endif
