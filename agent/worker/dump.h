/* SPDX-License-Identifier: Apache-2.0 */
/* verify_dump: blocks that are wrong, as files in the current folder. */
#ifndef VOLLEY_WORKER_DUMP_H
#define VOLLEY_WORKER_DUMP_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

/* As fio calls it: NAME.OFFSET.KIND, of the last part of the file's name. */
int dump_block(const char *file, uint64_t offset, const char *kind, const void *buf,
	       size_t len, struct err *err);

#endif
