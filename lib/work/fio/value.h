/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of fio's options in base units: each kind of value reads fio's syntax and
 * writes what lib/work/job's options take.
 */
#ifndef VOLLEY_WORK_FIO_VALUE_H
#define VOLLEY_WORK_FIO_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/str.h"
#include "lib/base/vec.h"

enum fio_type {
	FIO_TEXT,    /* as it stands */
	FIO_WORD,    /* likewise; what it may be is the option's matter */
	FIO_BOOL,    /* 0 or 1 */
	FIO_SWITCH,  /* the same, or bare */
	FIO_NAME,    /* a text, or bare: the job's name */
	FIO_INT,     /* a number with suffixes */
	FIO_INTS,    /* read,write,trim of them */
	FIO_AMOUNT,  /* a number, or N% */
	FIO_SECONDS, /* a time; bare numbers are seconds, … */
	FIO_USECONDS,
	FIO_USECONDS3, /* read,write,trim of them */
	FIO_MSECONDS,  /* a plain number of milliseconds */
	FIO_DELAY,     /* seconds, or from-to */
	FIO_RANGES,    /* read,write,trim of a-b */
	FIO_FILESIZE,  /* a or a-b */
	FIO_SPLIT,     /* bssplit */
	FIO_SIGNED,    /* a number that may be negative */
	FIO_FLOAT,
	FIO_TAIL,      /* word:N, the N a number with suffixes */
	FIO_ZONES,     /* random_distribution */
	FIO_TYPE_COUNT
};

typedef VEC(char *) fio_texts;

struct fio_value {
	enum fio_type type;
	unsigned kb_base;   /* 1024 or 1000 */
	bool as_fio;
	bool listed;        /* FIO_WORD: one of a list of plain words */
	bool calculates;    /* a $word was in it */
	const char *job;    /* name, for FIO_NAME */
	const char *before[3]; /* what empty parts of read,write,trim keep */
	fio_texts *warnings;   /* gets malloc'd texts without a place */
};

/*
 * `text` NULL: a bare option.  Appends the value; *ret_trim (malloc, NULL when there
 * is none) is the third part of read,write,trim.
 */
int fio_value(const struct fio_value *value, const char *text, struct str *ret,
	      char **ret_trim, struct err *err);

#endif
