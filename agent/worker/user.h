/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Becoming the user that a job asks for, and the limits a worker needs.
 */
#ifndef VOLLEY_WORKER_USER_H
#define VOLLEY_WORKER_USER_H

#include "lib/base/err.h"

/* Raises what may be raised: open files, locked memory, real-time priority. */
void user_raise_limits(void);
/* For good: groups, group and user of `name`, or of a number (without a name here: the
 * group of that number and no others).  NULL: nothing to do. */
int user_become(const char *name, struct err *err);

#endif
