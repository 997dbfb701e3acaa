/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Job files on this machine: the files, variables and sizes that jobfile.h asks for.
 */
#ifndef VOLLEY_WORK_FIO_OPEN_H
#define VOLLEY_WORK_FIO_OPEN_H

#include "lib/work/fio/jobfile.h"

/* Reads and parses; includes are looked for as fio does, then beside the file. */
int fio_file_open(struct fio_file *ret, const char *path, bool as_fio,
		  bool ignore_unsupported, struct err *err);
/* Does the name of a file say that it is a job file (.fio, .job, .ini)? */
bool fio_file_is_named(const char *path);

#endif
