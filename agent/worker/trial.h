/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calibrating read: a few MiB of one file of the job, read with O_DIRECT while the
 * agent looks at the counters before and after.  Only where these bytes were seen on
 * the wire may bytes that are missing there later be called cached.
 */
#ifndef VOLLEY_WORKER_TRIAL_H
#define VOLLEY_WORKER_TRIAL_H

#include <stdio.h>

#include "lib/base/err.h"

#define TRIAL_BYTES (4u << 20)

/*
 * The arguments behind "volley-io trial": [--allow=PREFIX ...] -- PATH.  PATH is a file,
 * a device, or a folder in which a file of volley's is looked for.  Prints how many
 * bytes were read; an error when there were none.
 */
int trial_main(FILE *out, int argc, char *const *argv, struct err *err);

#endif
