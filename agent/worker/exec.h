/* SPDX-License-Identifier: Apache-2.0 */
/* The role of volley-io that runs one command for an agent. */
#ifndef VOLLEY_WORKER_EXEC_H
#define VOLLEY_WORKER_EXEC_H

#include <stdio.h>

#include "lib/base/err.h"

/*
 * The arguments behind "volley-io exec": LIMIT_NS NAME COMMAND.  Prints
 * {"problem": why it did not end with status 0, "output": the last of what it printed};
 * either may be absent.
 */
int exec_main(FILE *out, int argc, char *const *argv, struct err *err);

#endif
