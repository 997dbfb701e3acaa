/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What fio puts in place of words before it reads a value: ${ENV}, $pagesize,
 * $mb_memory, $ncpus; and the arithmetic that follows from them, or that stands in
 * parentheses.
 */
#ifndef VOLLEY_WORK_FIO_ARITH_H
#define VOLLEY_WORK_FIO_ARITH_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/str.h"

struct fio_words {
	const char *(*getenv)(void *arg, const char *name); /* NULL: not set */
	void *arg;
	uint64_t pagesize, mb_memory, ncpus;
};

/*
 * Appends `text` with its words replaced; *ret_counts: a $word was, so fio would hand
 * the value to a calculator.  as_fio: a variable that is not set is empty.
 */
int fio_replace(const char *text, const struct fio_words *words, bool as_fio,
		struct str *ret, bool *ret_counts, struct err *err);

/* Whole numbers (with fio's byte suffixes under kb_base), + - * / and parentheses. */
int fio_calculate(const char *text, unsigned kb_base, uint64_t *ret, struct err *err);

#endif
