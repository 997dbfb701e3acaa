/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines of a fio job file as sections of entries, each with its file and line:
 * comments, blank lines, sections, includes.  What the entries mean is not looked at.
 *
 *   [global]          everything below applies to the jobs after it
 *   [name]            one job
 *   option=value      or a bare option; `#` and `;` cut the rest of any line
 *   include FILE      the entries of FILE as if they stood here
 */
#ifndef VOLLEY_WORK_FIO_INI_H
#define VOLLEY_WORK_FIO_INI_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"
#include "lib/base/vec.h"

struct fio_pos {
	const char *file; /* owned by the struct ini */
	unsigned line;	  /* from 1 */
};

struct ini_entry {
	char *text; /* "bs=4k", comments and outer blanks gone */
	struct fio_pos pos;
};

/* Behind an error's text: as a warning, with as_fio. */
#define FIO_TAKEN_SO "; taken so"

struct ini_section {
	char *name; /* without the brackets */
	bool global;
	struct fio_pos pos;
	VEC(struct ini_entry) entries;
	VEC(char *) warnings; /* "file:line: what" */
};

struct ini {
	VEC(struct ini_section) sections;
	VEC(char *) files; /* names, for positions */
};

/*
 * Reads an included file: *ret_text (malloc) and *ret_name (malloc; its name as
 * found, relative to `from`'s folder or as it stands).  -1 and err: it cannot.
 */
typedef int ini_include_fn(void *arg, const char *name, const char *from,
			   char **ret_text, char **ret_name, struct err *err);

/*
 * Errors are "file:line: what".  as_fio: what only fio would take is taken as fio
 * takes it, with a warning; otherwise it is an error that says what fio would have
 * done.
 */
int ini_parse(struct ini *ret, const char *file, const char *text, size_t len,
	      bool as_fio, ini_include_fn *include, void *arg, struct err *err);
void ini_free(struct ini *ini);

/* Sets "file:line: message"; returns -1. */
int fio_err(struct err *err, enum err_code code, struct fio_pos pos, const char *fmt,
	    ...) __attribute__((format(printf, 4, 5)));

#endif
