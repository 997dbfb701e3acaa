/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of the option table and the kinds of value they can have.  Only
 * lib/work uses this; everybody else goes through job.h.
 */
#ifndef VOLLEY_WORK_OPTION_H
#define VOLLEY_WORK_OPTION_H

#include "lib/work/job.h"

#define OPTION_ALIASES 2

struct option;

struct option_kind {
	/* Stores `value` (never NULL, never empty, no control characters). */
	int (*parse)(struct job *job, const struct option *option, const char *value,
		     struct err *err);
	/* Appends the canonical value; false: it has none.  NULL: nothing is kept. */
	bool (*format)(const struct job *job, const struct option *option,
		       struct str *ret);
	bool number; /* canonical values are decimal numbers, unless they hold a comma */
	bool bare;   /* may be given without a value, as fio's booleans */
};

extern const struct option_kind option_text, option_filename, option_user,
    option_engine, option_rw, option_mixread, option_mixwrite, option_bytes,
    option_per_dir, option_count, option_count64, option_bool, option_accepted,
    option_direct, option_buffered, option_time, option_layout, option_errno,
    option_enospc;

struct option {
	const char *name;
	const char *alias[OPTION_ALIASES];
	const struct option_kind *kind;
	size_t offset;	   /* of the field in struct job */
	uint64_t min, max; /* of numbers, in base units */
	uint64_t bare;	   /* times: unit of a bare number; per_dir: the default */
	const char *doc;
};

/* NULL-name terminated, in canonical order. */
extern const struct option option_table[];
/* By name or alias; NULL when volley has no such option. */
const struct option *option_find(const char *name);

/* Does fio 3.33 know this option (or alias)? */
bool fio_knows_option(const char *name);
/* Does fio 3.33 know this engine? */
bool fio_knows_engine(const char *name);

#endif
