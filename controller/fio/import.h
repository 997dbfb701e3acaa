/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results of fio as a case with its attempts.  Pure but for the reading of files.
 *
 * Files in client mode hold all hosts of one repeat each.  Files of single hosts are
 * taken `clients` at a time, in the order given: each such group is one repeat.
 */
#ifndef VOLLEY_FIO_IMPORT_H
#define VOLLEY_FIO_IMPORT_H

#include "controller/fio/as.h"
#include "controller/fio/result.h"
#include "controller/store/results.h"
#include "lib/base/err.h"
#include "lib/base/vec.h"

struct fio_import {
	VEC(struct fio_result) files;
	size_t per_repeat;	  /* files */
	struct results_case into; /* without attempts */
};

/* Reads all files and finds the case; n >= 1. */
int fio_import_read(struct fio_import *ret, const struct fio_as *as,
    const char *const *paths, size_t n, struct err *err);
void fio_import_free(struct fio_import *import);

size_t fio_import_repeats(const struct fio_import *import);
/* The same files again are known by it: the attempt's run_id. */
uint64_t fio_import_hash(const struct fio_import *import, size_t repeat);
/* The repeat-th group (from 0) as an attempt, whose figures it gives away: once. */
void fio_import_attempt(struct fio_import *import, size_t repeat, struct attempt *ret);

#endif
