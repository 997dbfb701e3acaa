/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Helpers of the worker's unit tests.
 */
#include "tests/unit/worker/support.h"

#include <check.h>
#include <ftw.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/rng.h"

char scratch[256];

int
suite_run(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

void
scratch_make(void)
{
	const char *base = getenv("TMPDIR");

	snprintf(
	    scratch, sizeof scratch, "%s/volley-test-XXXXXX", base ? base : "/var/tmp");
	ck_assert_ptr_nonnull(mkdtemp(scratch));
}

static int
remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

void
scratch_remove(void)
{
	nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *
scratch_path(const char *name)
{
	static char paths[4][512];
	static unsigned turn;
	char *path = paths[turn++ % 4];

	snprintf(path, sizeof paths[0], "%s/%s", scratch, name);
	return path;
}

const char *
scratch_file(const char *name, size_t bytes)
{
	const char *path = scratch_path(name);
	char *noise = mem_alloc(bytes + 1);
	struct rng rng;
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	rng_seed(&rng, 7);
	rng_fill(&rng, noise, bytes);
	ck_assert_uint_eq(fwrite(noise, 1, bytes, f), bytes);
	fclose(f);
	free(noise);
	return path;
}

struct link_spec
spec_for(const char *job)
{
	struct link_spec spec = {.client_count = 1};

	spec.job = mem_printf("directory=%s\n%s", scratch, job);
	spec.client = mem_strdup("c1");
	spec.case_id = mem_strdup("case");
	vec_push(&spec.allow, mem_strdup(scratch));
	return spec;
}

/* The board's size follows from two options; the client checks them again. */
static void
trial_job(struct job *job, const char *text)
{
	char *copy = mem_strdup(text), *save;
	struct err err = ERR_INIT;

	job_init(job);
	for (char *line = strtok_r(copy, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		char *value = strchr(line, '=');

		*value++ = '\0';
		ck_assert_msg(job_set(job, line, value, &err) == 0, "%s", err.msg);
	}
	free(copy);
}

static void
trial_poll(struct trial *trial)
{
	struct pollfd fd = {.fd = client_fd(trial->client), .events = POLLIN};

	ck_assert_int_eq(poll(&fd, 1, -1), 1);
	trial->state = client_poll(trial->client, &trial->err);
}

void
trial_prepare(struct trial *trial, struct link_spec spec)
{
	struct job job;

	*trial = (struct trial){.err = ERR_INIT};
	trial_job(&job, spec.job);
	ck_assert_int_eq(
	    board_create(&trial->board, &job, UINT64_C(60000000000), &trial->err), 0);
	job_free(&job);
	if (client_start(&trial->client, &spec, &trial->board, &trial->err) < 0)
		trial->state = CLIENT_FAILED;
	else
		do {
			trial_poll(trial);
		} while (trial->state == CLIENT_PREPARING);
	link_spec_free(&spec);
}

enum client_state
trial_wait(struct trial *trial)
{
	while (trial->state == CLIENT_READY)
		trial_poll(trial);
	return trial->state;
}

struct tally *
trial_run(struct trial *trial, const char *job)
{
	trial_prepare(trial, spec_for(job));
	ck_assert_msg(trial->state == CLIENT_READY, "%s", trial->err.msg);
	client_go(trial->client);
	client_arm(trial->client, clock_ns() + 1000000);
	trial_wait(trial);
	return board_tally(&trial->board, clock_ns());
}

void
trial_end(struct trial *trial)
{
	client_free(trial->client);
	board_close(&trial->board);
}
