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
/* Keys, units and percentile rule are fio 3.33's; all jobs become one document.
 * `bins`: json+, with the buckets of latencies whose percentiles are wanted. */
struct report_list;
struct report_list *report_list_new(bool bins);
void report_list_add(struct report_list *list, const struct job *job, unsigned group,
		     const struct tally *tally, const struct err *failure);
void report_list_print(struct report_list *list, FILE *out);
void report_list_free(struct report_list *list);

#endif
