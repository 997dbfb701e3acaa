/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room for what layout writes: the decision, and that it is taken before anything is
 * written.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "agent/worker/layout.h"
#include "agent/worker/space.h"
#include "tests/unit/worker/support.h"

#define MIB (UINT64_C(1) << 20)

static struct err err;

static void
setup(void)
{
	err = ERR_INIT;
	scratch_make();
}

static void
teardown(void)
{
	scratch_remove();
}

START_TEST(one_byte_too_much)
{
	struct space_need need = {.where = "/mnt/x", .bytes = 1024 * MIB};

	ck_assert_int_eq(space_check_need(&need, 1024 * MIB, &err), 0);
	ck_assert_int_eq(space_check_need(&need, 1024 * MIB - 1, &err), -1);
	ck_assert_int_eq(space_check_need(&need, 30 * MIB, &err), -1);
	ck_assert_int_eq(err.code, ERR_POLICY);
	ck_assert_str_eq(err.msg, "needs 1 GiB more, 30 MiB are free in /mnt/x");
}
END_TEST

START_TEST(folders_of_one_file_system_add_up)
{
	struct space space = {0};
	struct statvfs vfs;
	int fd = open(scratch, O_RDONLY | O_DIRECTORY);
	uint64_t half;

	ck_assert_int_eq(fstatvfs(fd, &vfs), 0);
	half = vfs.f_blocks * vfs.f_frsize / 2 + 1;
	ck_assert_int_eq(space_add(&space, fd, scratch, 1, &err), 0);
	ck_assert_int_eq(space_check(&space, &err), 0);
	ck_assert_int_eq(space_add(&space, fd, "other", half, &err), 0);
	ck_assert_int_eq(space_add(&space, fd, "other", half, &err), 0);
	ck_assert_uint_eq(space.needs.n, 1);
	ck_assert_int_eq(space_check(&space, &err), -1); /* more than it has in all */
	ck_assert_ptr_nonnull(strstr(err.msg, scratch));
	space_free(&space);
	close(fd);
}
END_TEST

/* One layout of two files of this size together. */
static int
lay(const char *size)
{
	struct link_spec spec = spec_for("");
	struct guard *guard;
	struct files files;
	struct board board;
	struct job job;
	int rc;

	job_init(&job);
	ck_assert_int_eq(job_set(&job, "directory", scratch, &err), 0);
	ck_assert_int_eq(job_set(&job, "name", "j", &err), 0);
	ck_assert_int_eq(job_set(&job, "rw", "read", &err), 0);
	ck_assert_int_eq(job_set(&job, "size", size, &err), 0);
	ck_assert_int_eq(job_set(&job, "nrfiles", "2", &err), 0);
	ck_assert_int_eq(board_create(&board, &job, 1, &err), 0);
	ck_assert_int_eq(guard_new(&guard, &spec, &err), 0);
	ck_assert_int_eq(files_plan(&files, &job, &spec, &err), 0);
	struct layout_env env = {guard, &job, &spec, &files, &board};
	rc = layout_run(&env, &err);
	files_free(&files);
	guard_free(guard);
	board_close(&board);
	link_spec_free(&spec);
	job_free(&job);
	return rc;
}

START_TEST(nothing_is_written_without_room)
{
	struct statvfs vfs;
	char size[32];

	ck_assert_int_eq(statvfs(scratch, &vfs), 0);
	snprintf(size, sizeof size, "%llum",
	    (unsigned long long)(vfs.f_blocks * vfs.f_frsize / MIB + 2));
	ck_assert_int_eq(lay(size), -1);
	ck_assert_int_eq(err.code, ERR_POLICY);
	ck_assert_ptr_nonnull(strstr(err.msg, "layout: needs "));
	ck_assert_ptr_nonnull(strstr(err.msg, " are free in "));
	ck_assert_int_eq(access(scratch_path("volley-data/c1/j.0.0"), F_OK), -1);
	/* What is there already needs no room. */
	err = ERR_INIT;
	ck_assert_msg(lay("2m") == 0, "%s", err.msg);
	ck_assert_msg(lay("2m") == 0, "%s", err.msg);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/space");
	TCase *tc = tcase_create("space");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, one_byte_too_much);
	tcase_add_test(tc, folders_of_one_file_system_add_up);
	tcase_add_test(tc, nothing_is_written_without_room);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
