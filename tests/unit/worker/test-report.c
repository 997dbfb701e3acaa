/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last lines of a summary: when the last I/O was done, or that nobody knows.
 */
#include "agent/worker/report.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/work/job.h"
#include "tests/unit/suite.h"

static void
says(uint64_t end_ns, const char *want)
{
	struct tally *tally = tally_new();
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct job job;

	job_init(&job);
	tally->end_ns = end_ns;
	report_text(out, &job, tally, NULL);
	fclose(out);
	ck_assert_msg(strstr(text, want) != NULL, "no '%s' in: %s", want, text);
	free(text);
	job_free(&job);
	tally_free(tally);
}

START_TEST(last_completion)
{
	says(2 * UINT64_C(1000000), ", last completion 2ms after the start\n");
	/* threads that hang in an I/O never told */
	says(0, ", last completion unknown\n");
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("report", last_completion);
}
