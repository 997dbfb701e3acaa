/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fio job file as jobs, resolved and validated.  Pure: files and variables come
 * through callbacks.
 */
#ifndef VOLLEY_WORK_FIO_JOBFILE_H
#define VOLLEY_WORK_FIO_JOBFILE_H

#include "lib/work/fio/arith.h"
#include "lib/work/fio/ini.h"
#include "lib/work/fio/table.h"
#include "lib/work/fio/value.h"
#include "lib/work/job.h"

#define FIO_FILE_MAX (1u << 20) /* bytes of a job file */

struct fio_reading {
	bool as_fio;		 /* take what fio takes, as it takes it */
	bool ignore_unsupported; /* refused options become warnings */
	struct fio_words words;
	ini_include_fn *include;
	void *include_arg;
};

/* An option as it stands in the file, in the job's section or a [global] before. */
struct fio_given {
	const struct fio_option *option;
	char *name;  /* the option's, or what an engine calls its own */
	char *value; /* NULL: bare */
	enum fio_mark mark;
	char *why;   /* of translated and refused; NULL: nothing to say */
	struct fio_pos pos;
};

/* The third part of read,write,trim, which a job does not have. */
struct fio_trim {
	const char *option;
	char *value;
};

struct fio_job {
	char *name; /* also the job's */
	struct fio_pos pos;
	struct job job;
	unsigned stage; /* from 0; a stage begins when the one before is over */
	unsigned group; /* of reports, from 0 */
	VEC(struct fio_given) given; /* in the order of application; the last counts */
	VEC(struct fio_trim) trims;
	fio_texts warnings; /* "file:line: what" */
};

struct fio_file {
	struct ini ini;
	VEC(struct fio_job) jobs;
};

/* Errors are "file:line: what"; then *ret holds nothing. */
int fio_file_parse(struct fio_file *ret, const char *file, const char *text, size_t len,
		   const struct fio_reading *reading, struct err *err);
/* Within the file: does a filename mean what another job generates? */
int fio_generated_check(const struct fio_file *file, struct err *err);
void fio_file_free(struct fio_file *file);

/* {"jobs": [{"name": …, "options": {…}, "marks": {…}, "warnings": […]}]}: options in base
 * units, times as NAME_ns, read,write,trim as an object. */
void fio_file_json(const struct fio_file *file, struct str *ret);
unsigned fio_file_stages(const struct fio_file *file);
/* The trim part of an option ("bs" → "4096"); NULL: not given. */
const char *fio_job_trim(const struct fio_job *job, const char *option);

#endif
