/* SPDX-License-Identifier: Apache-2.0 */
/* volley-io serve: a target on this host, until it is told to stop. */
#ifndef VOLLEY_WORKER_SERVE_H
#define VOLLEY_WORKER_SERVE_H

#include "lib/base/err.h"
#include "lib/base/str.h"

/* The words after "serve"; -1 with err (ERR_USAGE: they are wrong). */
int serve_main(int argc, char **argv, struct err *err);
void serve_usage(struct str *ret);

#endif
