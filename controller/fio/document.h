/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JSON in a file that fio wrote.  Before it (client mode) and after it may stand
 * lines of text, and with --status-interval there are several documents, each with
 * all that was counted so far: the last one is the result.
 */
#ifndef VOLLEY_FIO_DOCUMENT_H
#define VOLLEY_FIO_DOCUMENT_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

/* Whole numbers come as reals too: fio prints 2^64 − 1 for "none" in places.  The
 * error is "path:line: what". */
json_t *fio_document_parse(
    const char *path, const char *text, size_t len, struct err *err);
/* Reads a file; *ret_hash is that of all its bytes. */
json_t *fio_document_read(const char *path, uint64_t *ret_hash, struct err *err);

#endif
