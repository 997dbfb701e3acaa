/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every option of fio 3.33, with its aliases, the kind of its value, and what
 * becomes of it: docs/fio-options.md is this table.
 */
#ifndef VOLLEY_WORK_FIO_TABLE_H
#define VOLLEY_WORK_FIO_TABLE_H

#include "lib/work/fio/value.h"

enum fio_mark { FIO_HONOURED, FIO_TRANSLATED, FIO_REFUSED };

struct fio_draft;

enum fio_how {
	FIO_JOB,       /* the job option of the same name: honoured when supported */
	FIO_MAP,       /* `map` makes something else of it: translated */
	FIO_GROUPING,  /* the same for the order of jobs: honoured */
	FIO_NO_EFFECT, /* checked; needs nothing here: translated, `note` says why */
	FIO_REFUSE     /* anything but the values in `harmless`; `note` says why */
};

struct fio_option {
	const char *name;
	const char *alias[2];
	enum fio_type type;
	enum fio_how how;
	const char *words;     /* all that FIO_WORD may be, by blanks; NULL: any */
	const char *harmless;  /* by blanks: these are as if it was not given */
	const char *lacks;     /* words of fio's that volley lacks, … */
	const char *lacks_why; /* … and why */
	const char *zero_is;   /* what fio makes of 0, where that is too little */
	const char *engines;   /* by blanks: those that have it; NULL: general */
	const char *note;      /* how, or why not */
	int (*map)(struct fio_draft *draft, const char *value, struct err *err);
};

/* Ends with a NULL name. */
extern const struct fio_option fio_options[];
const struct fio_option *fio_option_find(const char *name);
const char *fio_mark_name(enum fio_mark mark); /* "honoured" */
/* Is `word` one of those in `words` (by blanks)? */
bool fio_has_word(const char *words, const char *word);

#endif
