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

/* Words that a value may be, ended by a NULL name; the first of those with the
 * same value is the canonical one. */
struct word {
	const char *name;
	int value;
};

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
/* option-more.c and option-spec.c */
extern const struct option_kind option_word, option_double, option_signed,
    option_amount, option_per_dir_time, option_window, option_prio, option_flagged,
    option_range, option_split, option_dist, option_service, option_filesize,
    option_sfr, option_pattern, option_percentiles, option_steady, option_bool_word,
    option_ignore;

struct option {
	const char *name;
	const char *alias[OPTION_ALIASES];
	const struct option_kind *kind;
	size_t offset;	   /* of the field in struct job */
	uint64_t min, max; /* of numbers, in base units */
	uint64_t bare;	   /* times: unit of a bare number; per_dir: the default */
	const char *doc;
	const struct word *words; /* of option_word */
	size_t extra; /* a second field: the percentage of an amount … */
};

/* What of an option the worker does not honour ("not supported yet": anything but its
 * default); NULL: nothing. */
const char *job_support_note(const char *name);

/* Helpers of the kinds: text between separators, and numbers in fio's syntax. */
int option_word_parse(const struct word *words, const char *value, int *ret,
		      struct err *err);
/* "'x' is not one of EXPECTED", and which of the words may be meant; -1. */
int option_word_refuse(const struct word *words, const char *value,
		       const char *expected, struct err *err);
const char *option_word_name(const struct word *words, int value);
/* The next part of *rest up to `sep` in *ret (malloc); false: there is none. */
bool option_part(const char **rest, char sep, char **ret);
int option_number(const char *text, uint64_t min, uint64_t max, uint64_t *ret,
		  struct err *err);
int option_float(const char *text, double min, double max, double *ret,
		 struct err *err);
void option_add_float(struct str *ret, double v);

/* NULL-name terminated, in canonical order. */
extern const struct option option_table[];
/* By name or alias; NULL when volley has no such option. */
const struct option *option_find(const char *name);

/* Does fio 3.33 know this option (or alias)? */
bool fio_knows_option(const char *name);
/* Does fio 3.33 know this engine? */
bool fio_knows_engine(const char *name);

#endif
