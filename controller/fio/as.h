/* SPDX-License-Identifier: Apache-2.0 */
/* What the user says that a result of fio is: --as storage=A,transport=tcp,… */
#ifndef VOLLEY_FIO_AS_H
#define VOLLEY_FIO_AS_H

#include "lib/base/err.h"

struct fio_as {
	char *storage, *transport, *workload;
	char *job;	   /* only this job of the file; "*": all; NULL: the only one */
	unsigned clients;  /* 0: as many as the files hold */
	unsigned repeat;   /* of the first; 0: the next one that is free */
};

int fio_as_parse(struct fio_as *ret, const char *text, struct err *err);
void fio_as_free(struct fio_as *as);

#endif
