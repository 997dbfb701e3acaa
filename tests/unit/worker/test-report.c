/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is stated together and for how long it ran; the last lines of a summary: when
 * the last I/O was done, or that nobody knows.
 */
#include "agent/worker/report.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/work/job.h"
#include "tests/unit/suite.h"

#define MS UINT64_C(1000000)

static void
says(uint64_t end_ns, const char *want)
{
	struct tally *tally = tally_new();
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct job job;
	struct report_entry entry = {.job = &job};

	job_init(&job);
	tally->end_ns = end_ns;
	report_entry_add(&entry, tally, false);
	report_text(out, &entry);
	fclose(out);
	ck_assert_msg(strstr(text, want) != NULL, "no '%s' in: %s", want, text);
	free(text);
	report_entry_free(&entry);
	job_free(&job);
}

START_TEST(last_completion)
{
	says(2 * UINT64_C(1000000), ", last completion 2ms after the start\n");
	/* threads that hang in an I/O never told */
	says(0, ", last completion unknown\n");
}
END_TEST

static struct tally *
thread_of(uint64_t from_ms, uint64_t to_ms, uint64_t end_ms)
{
	struct tally *tally = tally_new();

	tally->threads = 1;
	tally->window_from = from_ms * MS;
	tally->window_to = to_ms ? to_ms * MS : UINT64_MAX;
	tally->end_ns = end_ms * MS;
	tally->has_first_io = true;
	tally->dir[DIR_READ].phase[METER_INSIDE].ios = 5;
	return tally;
}

/* A group's rate is over its longest thread; its threads' time is added up, without
 * delay and ramp. */
START_TEST(threads_of_an_entry)
{
	struct report_entry entry = {0};

	report_entry_add(&entry, thread_of(1000, 0, 3000), false);
	ck_assert_uint_eq(entry.runtime_ns[DIR_READ], 2000 * MS);
	ck_assert_uint_eq(entry.runtime_ns[DIR_WRITE], 0);
	report_entry_add(&entry, thread_of(500, 0, 1500), false);
	ck_assert_uint_eq(entry.runtime_ns[DIR_READ], 2000 * MS);
	ck_assert_uint_eq(entry.threads_ns, 3000 * MS);
	ck_assert_uint_eq(entry.tally->threads, 2);
	ck_assert_uint_eq(entry.tally->dir[DIR_READ].phase[METER_INSIDE].ios, 10);
	report_entry_free(&entry);
}
END_TEST

START_TEST(a_window_counts_as_a_whole_when_it_was_reached)
{
	struct report_entry entry = {0};

	report_entry_add(&entry, thread_of(1000, 3000, 2950), true);
	ck_assert_uint_eq(entry.runtime_ns[DIR_READ], 2000 * MS);
	report_entry_free(&entry);
	report_entry_add(&entry, thread_of(1000, 3000, 2950), false);
	ck_assert_uint_eq(entry.runtime_ns[DIR_READ], 1950 * MS);
	ck_assert_uint_eq(entry.threads_ns, 1950 * MS);
	report_entry_free(&entry);
	/* what drained is the thread's time, but not the window's */
	report_entry_add(&entry, thread_of(1000, 3000, 3100), true);
	ck_assert_uint_eq(entry.runtime_ns[DIR_READ], 2000 * MS);
	ck_assert_uint_eq(entry.threads_ns, 2100 * MS);
	report_entry_free(&entry);
}
END_TEST

START_TEST(only_jobs_of_a_group_that_ask_for_it_are_one_entry)
{
	struct job job, other;
	struct report_entry entry = {.job = &job, .group = 1};

	job_init(&job);
	job_init(&other);
	job.group_reporting = other.group_reporting = true;
	ck_assert(!report_entry_takes(&entry, &other, 1)); /* nobody is there yet */
	report_entry_add(&entry, thread_of(0, 0, 1), false);
	ck_assert(report_entry_takes(&entry, &other, 1));
	ck_assert(!report_entry_takes(&entry, &other, 2));
	other.group_reporting = false;
	ck_assert(!report_entry_takes(&entry, &other, 1));
	report_entry_free(&entry);
	job_free(&job);
	job_free(&other);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("report", last_completion, threads_of_an_entry,
	    a_window_counts_as_a_whole_when_it_was_reached,
	    only_jobs_of_a_group_that_ask_for_it_are_one_entry);
}
