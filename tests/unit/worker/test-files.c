/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of a job's files: lists, formats, who shares them, and their sizes.
 */
#include <stdlib.h>

#include "agent/worker/files.h"
#include "lib/base/mem.h"
#include "tests/unit/worker/support.h"

static struct err err;
static struct job job;
static struct link_spec spec;
static struct files files;

static void
set(const char *name, const char *value)
{
	ck_assert_msg(job_set(&job, name, value, &err) == 0, "%s", err.msg);
}

static void
setup(void)
{
	err = ERR_INIT;
	job_init(&job);
	set("directory", "/d");
	set("name", "j");
	set("size", "96k");
	spec = (struct link_spec){.client = mem_strdup("n/1"), .client_count = 1};
}

static void
teardown(void)
{
	files_free(&files);
	link_spec_free(&spec);
	job_free(&job);
}

static void
plan(void)
{
	files_free(&files);
	ck_assert_msg(files_plan(&files, &job, &spec, &err) == 0, "%s", err.msg);
}

static void
is(unsigned thread, unsigned file, const char *path)
{
	ck_assert_str_eq(files_path(&files, thread, file), path);
}

START_TEST(usual_names)
{
	set("numjobs", "2");
	set("nrfiles", "3");
	plan();
	ck_assert_uint_eq(files.paths.n, 6);
	is(0, 0, "/d/volley-data/n_1/j.0.0");
	is(1, 2, "/d/volley-data/n_1/j.1.2");
	ck_assert_uint_eq(files.bytes, 32768);
}
END_TEST

START_TEST(formats)
{
	set("numjobs", "2");
	set("nrfiles", "3");
	set("filename_format", "$filenum/$jobnum");
	plan();
	ck_assert_uint_eq(files.paths.n, 6);
	is(1, 2, "/d/volley-data/n_1/2/1");
	set("filename_format", "f.$jobname$jobnum-$filenum.$clientuid$");
	plan();
	is(1, 0, "/d/volley-data/n_1/f.j1-0.n_1$");
	/* Without $jobnum the threads share them. */
	set("filename_format", "x$filenum");
	plan();
	ck_assert_uint_eq(files.paths.n, 3);
	is(0, 2, "/d/volley-data/n_1/x2");
	is(1, 2, "/d/volley-data/n_1/x2");
	/* Without $filenum there is one each. */
	set("filename_format", "x$jobnum");
	plan();
	ck_assert_uint_eq(files.paths.n, 2);
	ck_assert_uint_eq(files.per_thread, 1);
	ck_assert_uint_eq(files.bytes, 98304);
	is(1, 0, "/d/volley-data/n_1/x1");
	set("filename_format", "x");
	plan();
	ck_assert_uint_eq(files.paths.n, 1);
	is(1, 0, "/d/volley-data/n_1/x");
}
END_TEST

START_TEST(lists)
{
	set("filename", "a:/b/c:d\\:e:x\\\\y");
	set("numjobs", "2");
	plan();
	ck_assert_uint_eq(files.paths.n, 4);
	is(0, 0, "/d/a");
	is(0, 1, "/b/c");
	is(1, 2, "/d/d:e");
	is(1, 3, "/d/x\\y");
	ck_assert_uint_eq(files.bytes, 24576);
	set("filename", "only\\:one");
	plan();
	ck_assert_uint_eq(files.paths.n, 1);
	is(0, 0, "/d/only:one");
	set("filename", "a:b:a");
	files_free(&files);
	ck_assert_int_eq(files_plan(&files, &job, &spec, &err), -1);
	ck_assert_str_eq(err.msg, "filename: a comes twice");
}
END_TEST

START_TEST(sizes)
{
	set("filesize", "4m");
	set("nrfiles", "2");
	plan();
	ck_assert_uint_eq(files_region(&files, &job, 0, 1), 4 << 20);
	ck_assert_uint_eq(files_need(&files, &job, 0), 4 << 20);
	/* What lies behind the offset, and the file is no longer for it. */
	set("offset", "1m");
	ck_assert_uint_eq(files_region(&files, &job, 0, 1), 3 << 20);
	ck_assert_uint_eq(files_need(&files, &job, 0), 4 << 20);
}
END_TEST

START_TEST(sizes_of_a_range)
{
	uint64_t least = UINT64_MAX, most = 0;
	uint64_t *first;

	set("filesize", "10k-64k");
	set("nrfiles", "100");
	set("size", "4m");
	plan();
	first = mem_array(100, sizeof *first);
	for (unsigned i = 0; i < 100; i++) {
		first[i] = files_need(&files, &job, i);
		least = first[i] < least ? first[i] : least;
		most = first[i] > most ? first[i] : most;
		ck_assert(first[i] % 4096 == 0 || first[i] == 10240);
	}
	ck_assert_uint_ge(least, 10240);
	ck_assert_uint_le(most, 65536);
	ck_assert_uint_lt(least + 32768, most);
	plan();
	for (unsigned i = 0; i < 100; i++)
		ck_assert_uint_eq(files_need(&files, &job, i), first[i]);
	free(first);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/files");
	TCase *tcase = tcase_create("files");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, usual_names);
	tcase_add_test(tcase, formats);
	tcase_add_test(tcase, lists);
	tcase_add_test(tcase, sizes);
	tcase_add_test(tcase, sizes_of_a_range);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
