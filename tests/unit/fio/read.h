/* SPDX-License-Identifier: Apache-2.0 */
/* Job files as texts of a test: reading them, and asking what came of it. */
#ifndef VOLLEY_TESTS_UNIT_FIO_READ_H
#define VOLLEY_TESTS_UNIT_FIO_READ_H

#include "lib/work/fio/jobfile.h"

enum { AS_FIO = 1, IGNORING = 2 };

/* Variables: SZ=8m, DIR=/mnt, EMPTY= ; files: those below. */
int read_text(struct fio_file *ret, const char *text, int how, struct err *err);
/* "[j]\nsize=1m\n" and then the line, which must be taken; the only job. */
void read_line(struct fio_file *ret, const char *line, int how);
/* The same, but false when the worker does not honour the line yet. */
bool honoured_line(struct fio_file *ret, const char *line);
/* With AS_FIO: whatever is an error otherwise has a warning. */
void taken(struct fio_file *ret, const char *text, int how);
/* The error begins with `start`. */
void refused(const char *text, int how, const char *start);
void line_refused(const char *line, int how, const char *start);

#endif
