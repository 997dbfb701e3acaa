/* SPDX-License-Identifier: Apache-2.0 */
/* The steadystate object of a job, as fio 3.33 shapes it. */
#ifndef VOLLEY_FIOJSON_STEADY_H
#define VOLLEY_FIOJSON_STEADY_H

#include <jansson.h>

#include "lib/stats/tally.h"
#include "lib/work/job.h"

/* What the slots of a client that ran this job say. */
json_t *fio_steady_json(const struct job *job, const struct tally *tally);

#endif
