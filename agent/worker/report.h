/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What volley-io prints when it runs alone: a summary for people, or fio's JSON.
 */
#ifndef VOLLEY_WORKER_REPORT_H
#define VOLLEY_WORKER_REPORT_H

#include <stdio.h>

#include "lib/base/err.h"
#include "lib/stats/tally.h"
#include "lib/work/job.h"

/* `failure`: NULL, or why the job did not end well. */
void report_text(FILE *out, const struct job *job, const struct tally *tally,
		 const struct err *failure);
/* Keys, units and percentile rule are fio 3.33's. */
void report_json(FILE *out, const struct job *job, const struct tally *tally,
		 const struct err *failure);

#endif
