/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is worth knowing of a job file beyond its options: kept with the results of
 * the workload that was made of it.
 */
#ifndef VOLLEY_WORK_FIO_NOTE_H
#define VOLLEY_WORK_FIO_NOTE_H

#include <stdbool.h>

#include "lib/base/vec.h"

struct fio_job;

enum fio_note_kind {
	FIO_NOTE_WARNING,    /* taken, but perhaps not as it was meant */
	FIO_NOTE_TRANSLATED, /* another way than fio's to the same end */
	FIO_NOTE_SKIPPED,    /* refused, and ignored because the user said so */
	FIO_NOTE_KINDS
};

struct fio_note {
	enum fio_note_kind kind;
	char *job;    /* the section; NULL: of no one job */
	char *option; /* NULL: a warning, which is a text alone */
	char *value;  /* NULL: bare */
	char *place;  /* "job.fio:3"; NULL: the text says it */
	char *text;   /* how, or why not */
};
typedef VEC(struct fio_note) fio_notes;

/* Appends what is to be said of this job; what is there already is not repeated. */
void fio_notes_of(const struct fio_job *job, fio_notes *ret);
void fio_notes_warn(fio_notes *notes, const char *job, const char *text);
void fio_notes_copy(fio_notes *ret, const fio_notes *from);
void fio_notes_free(fio_notes *notes);
bool fio_notes_has(const fio_notes *notes, enum fio_note_kind kind);
/* "job.fio:3: exec_prerun=/x is ignored: why"; the caller frees it. */
char *fio_note_line(const struct fio_note *note);

const char *fio_note_kind_name(enum fio_note_kind kind); /* "skipped" */
bool fio_note_kind_parse(const char *name, enum fio_note_kind *ret);

#endif
