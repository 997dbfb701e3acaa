/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page cache before the start, seen through mincore.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/worker/cache.h"
#include "agent/worker/park.h"
#include "tests/unit/worker/support.h"

#define SIZE (1u << 20)
#define PAGES (SIZE / 4096)

static struct err err;
static struct job job;
static struct board board;
static struct guard_file file;

static void
set(const char *name, const char *value)
{
	ck_assert_msg(job_set(&job, name, value, &err) == 0, "%s", err.msg);
}

static void
setup(void)
{
	err = ERR_INIT;
	scratch_make();
	job_init(&job);
	ck_assert_int_eq(board_create(&board, &job, 1, &err), 0);
	file.fd = open(scratch_file("f", SIZE), O_RDWR);
	file.size = SIZE;
	ck_assert_int_eq(fsync(file.fd), 0);
}

static void
teardown(void)
{
	close(file.fd);
	board_close(&board);
	job_free(&job);
	scratch_remove();
}

/* Pages of the file that are in memory. */
static unsigned
cached(void)
{
	unsigned char in[PAGES];
	void *map = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, file.fd, 0);
	unsigned n = 0;

	ck_assert_int_eq(mincore(map, SIZE, in), 0);
	munmap(map, SIZE);
	for (unsigned i = 0; i < PAGES; i++)
		n += in[i] & 1;
	return n;
}

START_TEST(dropped)
{
	if (cached() == 0) {
		printf("this file system has no pages in the cache: not tested\n");
		return;
	}
	ck_assert_int_eq(cache_prepare(&job, &file, 0, SIZE, &board, &err), 0);
	ck_assert_uint_eq(cached(), 0);
}
END_TEST

START_TEST(kept)
{
	unsigned before = cached();

	set("invalidate", "0");
	ck_assert_int_eq(cache_prepare(&job, &file, 0, SIZE, &board, &err), 0);
	ck_assert_uint_eq(cached(), before);
}
END_TEST

START_TEST(filled)
{
	if (cached() == 0)
		return;
	posix_fadvise(file.fd, 0, SIZE, POSIX_FADV_DONTNEED);
	ck_assert_uint_eq(cached(), 0);
	set("pre_read", "1");
	ck_assert_int_eq(cache_prepare(&job, &file, 0, SIZE, &board, &err), 0);
	ck_assert_uint_eq(cached(), PAGES);
	park_stop(&board);
	ck_assert_int_eq(cache_prepare(&job, &file, 0, SIZE, &board, &err), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
}
END_TEST

static void
pass_of(struct cache_passes *passes, const struct io_file *files)
{
	cache_passes_init(passes, &job, SIZE, 0, SIZE);
	for (unsigned i = 0; passes->pass && i < SIZE / 65536; i++)
		cache_passes_next(passes, files, 1, DIR_READ, 65536);
}

/* fio drops what it read when it begins again, unless it never comes to an end. */
START_TEST(dropped_between_passes)
{
	const struct io_file files[1] = {{.fd = file.fd}};
	struct cache_passes passes;
	unsigned before = cached();

	set("rw", "randread");
	pass_of(&passes, files);
	ck_assert_uint_eq(cached(), before);
	cache_passes_next(&passes, files, 1, DIR_READ, 65536);
	ck_assert_uint_eq(cached(), 0);
	ck_assert_uint_eq(passes.done[0], 65536);
	set("norandommap", "1");
	pass_of(&passes, files);
	ck_assert_uint_eq(passes.pass, 0);
	set("rw", "rw");
	pass_of(&passes, files);
	ck_assert_uint_eq(passes.done[DIR_READ], SIZE);
	cache_passes_next(&passes, files, 1, DIR_WRITE, 65536);
	ck_assert_uint_eq(passes.done[DIR_READ], SIZE);
	set("invalidate", "0");
	pass_of(&passes, files);
	ck_assert_uint_eq(passes.pass, 0);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/cache");
	TCase *tcase = tcase_create("cache");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, dropped);
	tcase_add_test(tcase, kept);
	tcase_add_test(tcase, filled);
	tcase_add_test(tcase, dropped_between_passes);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
