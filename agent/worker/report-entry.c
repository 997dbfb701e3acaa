/* SPDX-License-Identifier: Apache-2.0 */
/* Which threads are stated together, and for how long they ran. */
#include "agent/worker/figures.h"
#include "agent/worker/report.h"

bool
report_entry_takes(
    const struct report_entry *entry, const struct job *job, unsigned group)
{
	return entry->tally && entry->group == group &&
	       entry->job->group_reporting && job->group_reporting;
}

/* Up to the last completion, or to the end of its time if it came to that. */
static uint64_t
entry_end_ns(const struct tally *thread, bool in_time)
{
	if (in_time && thread->window_to != UINT64_MAX &&
	    thread->window_to > thread->end_ns)
		return thread->window_to;
	return thread->end_ns;
}

void
report_entry_add(struct report_entry *entry, struct tally *thread, bool in_time)
{
	uint64_t from = thread->window_from, to = entry_end_ns(thread, in_time);

	for (int dir = 0; dir < DIR_COUNT; dir++) {
		const struct dir_tally *d = &thread->dir[dir];
		uint64_t ns = figures_runtime_ns(thread, d);

		if (!d->times.own && to == thread->window_to)
			ns = to - from;
		if (d->phase[METER_INSIDE].ios && ns > entry->runtime_ns[dir])
			entry->runtime_ns[dir] = ns;
	}
	if (to > from)
		entry->threads_ns += to - from;
	if (!entry->tally) {
		entry->tally = thread;
		return;
	}
	tally_merge(entry->tally, thread, false);
	tally_free(thread);
}

void
report_entry_free(struct report_entry *entry)
{
	tally_free(entry->tally);
	tally_free(entry->whole);
	*entry = (struct report_entry){0};
}
