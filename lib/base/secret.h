/* SPDX-License-Identifier: Apache-2.0 */
/* Shared secrets in files: what a target and its clients both have. */
#ifndef VOLLEY_BASE_SECRET_H
#define VOLLEY_BASE_SECRET_H

#include <stdbool.h>

#include "lib/base/err.h"

#define SECRET_MIN 16u
#define SECRET_MAX 256u

/* SECRET_MIN to SECRET_MAX printable characters without blanks. */
bool secret_is(const char *text);
/* The first line of a file that only its owner may read; malloc'd. */
int secret_read(char **ret, const char *path, struct err *err);
/* A new one from the kernel's entropy; malloc'd. */
int secret_new(char **ret, struct err *err);
/* Wipes and frees; NULL is fine. */
void secret_free(char *secret);

#endif
