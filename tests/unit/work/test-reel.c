/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of files, beside what fio 3.33 does with the same options (its debug
 * output of file choices), and that nothing is left out.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "lib/work/reel.h"

static struct job job;

static void
setup(void)
{
	job_init(&job);
}

static void
teardown(void)
{
	job_free(&job);
}


/* The files of one pass as digits; each of 4 blocks, offsets in order in each file. */
static const char *
files_of(unsigned nfiles, const uint64_t *sizes)
{
	static char text[256];
	struct pattern *p = pattern_new_sizes(&job, nfiles, 4 * 4096, sizes, 7);
	uint64_t at[16] = {0};
	struct pattern_io io;
	size_t n = 0;

	while (pattern_next(p, &io)) {
		ck_assert_uint_lt(n, sizeof text - 1);
		ck_assert_uint_eq(io.offset, at[io.file]);
		at[io.file] += 4096;
		text[n++] = (char)('0' + io.file);
	}
	text[n] = '\0';
	pattern_free(p);
	return text;
}

START_TEST(who_wants_it)
{
	uint64_t sizes[2] = {1, 2};

	ck_assert(!reel_wants(&job, 4, NULL));
	ck_assert(reel_wants(&job, 2, sizes));
	job.files.openfiles = 4;
	ck_assert(!reel_wants(&job, 4, NULL));
	job.files.openfiles = 3;
	ck_assert(reel_wants(&job, 4, NULL));
	ck_assert(!reel_wants(&job, 1, NULL));
}
END_TEST

START_TEST(as_fio_orders_them)
{
	ck_assert_str_eq(files_of(4, NULL), "0123012301230123");
	job.files.openfiles = 2;
	ck_assert_str_eq(files_of(4, NULL), "0101010123232323");
	job.files.openfiles = 1;
	ck_assert_str_eq(files_of(3, NULL), "000011112222");
	job.files.openfiles = 0;
	job.files.service_every = 2;
	ck_assert_str_eq(files_of(4, NULL), "0011223300112233");
	job.files.service_every = 3;
	ck_assert_str_eq(files_of(2, NULL), "00011101");
	job.files.service_every = 0;
	job.files.service = JOB_SERVE_SEQUENTIAL;
	ck_assert_str_eq(files_of(4, NULL), "0000111122223333");
	job.files.openfiles = 2;
	ck_assert_str_eq(files_of(4, NULL), "0000111122223333");
}
END_TEST

START_TEST(sizes_that_differ)
{
	const uint64_t sizes[3] = {4096, 3 * 4096, 2 * 4096 + 100};

	ck_assert_str_eq(files_of(3, sizes), "012121");
	job.files.openfiles = 2;
	ck_assert_str_eq(files_of(3, sizes), "011212");
}
END_TEST

START_TEST(at_random)
{
	unsigned count[4] = {0};
	const char *text;

	job.files.service = JOB_SERVE_RANDOM;
	text = files_of(4, NULL);
	ck_assert_uint_eq(strlen(text), 16);
	for (const char *c = text; *c; c++)
		count[*c - '0']++;
	for (int i = 0; i < 4; i++)
		ck_assert_uint_eq(count[i], 4);
	ck_assert_str_ne(text, "0123012301230123");
}
END_TEST

/* 2000 I/Os over 50 files: the hottest gets far more than its share of 40. */
START_TEST(some_are_hotter)
{
	static const enum job_service kinds[] = {
	    JOB_SERVE_ZIPF, JOB_SERVE_PARETO, JOB_SERVE_NORMAL};
	static const double thetas[] = {1.2, 0.2, 1};

	for (int k = 0; k < 3; k++) {
		unsigned count[50] = {0}, most = 0, n = 0;
		struct pattern_io io;
		struct pattern *p;

		job.files.service = kinds[k];
		job.files.service_theta = thetas[k];
		job.time_based = true;
		p = pattern_new(&job, 50, 4 * 4096, 3);
		for (; n < 2000 && pattern_next(p, &io); n++)
			count[io.file]++;
		ck_assert_uint_eq(n, 2000);
		for (int i = 0; i < 50; i++)
			most = count[i] > most ? count[i] : most;
		ck_assert_uint_gt(most, 60);
		pattern_free(p);
	}
}
END_TEST

/* Passes, ends and limits are the same as without. */
START_TEST(amounts)
{
	struct pattern_io io;
	struct pattern *p;
	unsigned n = 0;

	job.files.service = JOB_SERVE_SEQUENTIAL;
	job.amount.loops = 3;
	ck_assert_uint_eq(pattern_pass_bytes(p = pattern_new(&job, 2, 8192, 1)), 16384);
	while (pattern_next(p, &io))
		n++;
	ck_assert_uint_eq(n, 12);
	pattern_free(p);
	job.amount.loops = 1;
	job.io_size = 5 * 4096;
	p = pattern_new(&job, 2, 8192, 1);
	for (n = 0; pattern_next(p, &io); n++)
		continue;
	ck_assert_uint_eq(n, 5);
	pattern_free(p);
	job.io_size = 0;
	job.amount.number_ios = 3;
	p = pattern_new(&job, 2, 8192, 1);
	for (n = 0; pattern_next(p, &io); n++)
		continue;
	ck_assert_uint_eq(n, 3);
	pattern_free(p);
}
END_TEST

/* filesize with a smaller size: no more than size is moved. */
START_TEST(size_is_the_most)
{
	struct pattern_io io;
	struct pattern *p;
	unsigned n = 0;

	job.size = 5 * 4096;
	job.files.filesize_min = job.files.filesize_max = 4 * 4096;
	p = pattern_new(&job, 3, 4 * 4096, 1);
	while (pattern_next(p, &io))
		n++;
	ck_assert_uint_eq(n, 5);
	pattern_free(p);
}
END_TEST

/* A random job visits each block of each file once. */
START_TEST(random_blocks_once)
{
	bool seen[3][8] = {{false}};
	struct pattern_io io;
	struct pattern *p;
	unsigned n = 0;

	job.rw = JOB_RANDRW;
	job.offset = 65536;
	job.files.openfiles = 2;
	p = pattern_new(&job, 3, 8 * 4096, 5);
	for (; pattern_next(p, &io); n++) {
		uint64_t block = (io.offset - 65536) / 4096;

		ck_assert_uint_lt(block, 8);
		ck_assert(!seen[io.file][block]);
		seen[io.file][block] = true;
	}
	ck_assert_uint_eq(n, 24);
	pattern_free(p);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("reel");
	TCase *tc = tcase_create("reel");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, who_wants_it);
	tcase_add_test(tc, as_fio_orders_them);
	tcase_add_test(tc, sizes_that_differ);
	tcase_add_test(tc, at_random);
	tcase_add_test(tc, some_are_hotter);
	tcase_add_test(tc, amounts);
	tcase_add_test(tc, size_is_the_most);
	tcase_add_test(tc, random_blocks_once);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
