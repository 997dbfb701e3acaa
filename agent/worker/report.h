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

/*
 * What is stated together, as fio does: one thread, or with group_reporting all threads
 * of a group, also of several jobs; then the first one's name and options stand for all.
 */
struct report_entry {
	const struct job *job; /* borrowed */
	unsigned group;
	struct tally *tally; /* owned: its threads' added up; NULL: no thread yet */
	/* Of the thread that took longest: a group's rate is over that. */
	uint64_t runtime_ns[DIR_COUNT];
	/* Of all threads added up: from the end of delay and ramp to the last
	 * completion, the drain included. */
	uint64_t threads_ns;
	const struct err *failure; /* borrowed; NULL: it ended well */
	/* Owned; the whole job's, when it was to end as soon as it is steady. */
	struct tally *whole;
};

/* One more thread, which is taken over; in_time: it ran until its time was over. */
void report_entry_add(struct report_entry *entry, struct tally *thread, bool in_time);
/* Do a job's threads belong into the entry that is there? */
bool report_entry_takes(
    const struct report_entry *entry, const struct job *job, unsigned group);
void report_entry_free(struct report_entry *entry);

void report_text(FILE *out, const struct report_entry *entry);
/* Keys, units and percentile rule are fio 3.33's; all entries become one document.
 * `bins`: json+, with the buckets of latencies whose percentiles are wanted. */
struct report_list;
struct report_list *report_list_new(bool bins);
void report_list_add(struct report_list *list, const struct report_entry *entry);
/* What the job file's reader warned of, also of options that are ignored. */
void report_list_warn(struct report_list *list, const char *text);
void report_list_print(struct report_list *list, FILE *out);
void report_list_free(struct report_list *list);

#endif
