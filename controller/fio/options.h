/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The job options that a result of fio states, and which of them become parameters of
 * a case: as volley writes them, numbers in base units.  Options without a value in
 * the job file are not among what fio states.
 */
#ifndef VOLLEY_FIO_OPTIONS_H
#define VOLLEY_FIO_OPTIONS_H

#include <jansson.h>

#include "controller/store/results.h"
#include "lib/base/vec.h"

struct fio_option {
	char *name, *value;
};

struct fio_options {
	VEC(struct fio_option) list;
};

/* Adds those of an object; a later one replaces an earlier one of its name. */
void fio_options_add(struct fio_options *options, const json_t *object);
/* NULL: not stated. */
const char *fio_options_get(const struct fio_options *options, const char *name);
void fio_options_free(struct fio_options *options);

/* Threads of one job; 0: the result states no options at all. */
unsigned fio_options_numjobs(const struct fio_options *options);
/* Parameters into the case, and all options as its text. */
void fio_options_describe(const struct fio_options *options, struct results_case *ret);

#endif
