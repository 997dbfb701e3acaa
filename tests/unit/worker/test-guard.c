/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the guard lets a job touch: paths out of the allowed folders by every road
 * we know, kinds of files, and what may be unlinked.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/worker/guard.h"
#include "lib/base/mem.h"
#include "lib/work/job.h"
#include "tests/unit/worker/support.h"

static struct guard *guard;
static struct guard_file file;
static struct err err;
static struct link_spec spec;

/* SCRATCH/in is allowed, SCRATCH/out and SCRATCH/inside are not. */
static void
setup(void)
{
	err = ERR_INIT;
	scratch_make();
	ck_assert_int_eq(mkdir(scratch_path("in"), 0700), 0);
	ck_assert_int_eq(mkdir(scratch_path("out"), 0700), 0);
	ck_assert_int_eq(mkdir(scratch_path("inside"), 0700), 0);
	scratch_file("in/data", 8192);
	scratch_file("out/secret", 8192);
	scratch_file("inside/near", 8192);
	spec = (struct link_spec){.client_count = 1, .client = mem_strdup("c1")};
	vec_push(&spec.allow, mem_strdup(scratch_path("in")));
	ck_assert_int_eq(guard_new(&guard, &spec, &err), 0);
}

static void
teardown(void)
{
	guard_free(guard);
	link_spec_free(&spec);
	scratch_remove();
}

static int
try_open(const char *path, bool writes, bool create)
{
	err = ERR_INIT;
	return guard_open(guard, path, writes, create, JOB_BUFFERED, &file, &err);
}

static void
refused(const char *path)
{
	ck_assert_msg(try_open(path, false, false) == -1, "%s was opened", path);
	ck_assert_int_eq(file.fd, -1);
	ck_assert_msg(err.code == ERR_POLICY, "%s: %s", path, err.msg);
}

START_TEST(a_file_below_the_folder)
{
	ck_assert_int_eq(try_open(scratch_path("in/data"), false, false), 0);
	ck_assert_uint_eq(file.size, 8192);
	ck_assert(!file.is_device && !file.direct);
	ck_assert_int_eq(fcntl(file.fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	ck_assert(fcntl(file.fd, F_GETFD) & FD_CLOEXEC);
	close(file.fd);
	ck_assert_int_eq(try_open(scratch_path("in//.///data"), true, false), 0);
	ck_assert_int_eq(fcntl(file.fd, F_GETFL) & O_ACCMODE, O_RDWR);
	close(file.fd);
}
END_TEST

START_TEST(outside_is_refused)
{
	refused(scratch_path("out/secret"));
	refused(scratch_path("inside/near")); /* "in" is a prefix of the string only */
	refused("/etc/passwd");
	refused("in/data");
	refused("");
}
END_TEST

START_TEST(dot_dot_is_refused)
{
	refused(scratch_path("in/../out/secret"));
	refused(scratch_path("in/.."));
	refused(scratch_path("in/../in/data")); /* even when it would come back */
	ck_assert_str_eq(err.msg, "\"..\" is not allowed in a path");
}
END_TEST

START_TEST(symlinks_do_not_lead_out)
{
	ck_assert_int_eq(symlink("/etc/passwd", scratch_path("in/absolute")), 0);
	ck_assert_int_eq(symlink("../out/secret", scratch_path("in/relative")), 0);
	ck_assert_int_eq(symlink("../out", scratch_path("in/folder")), 0);
	ck_assert_int_eq(symlink("data", scratch_path("in/alias")), 0);
	ck_assert_int_eq(symlink("/proc/self/cwd", scratch_path("in/magic")), 0);
	refused(scratch_path("in/absolute"));
	refused(scratch_path("in/relative"));
	refused(scratch_path("in/folder/secret"));
	refused(scratch_path("in/magic/anything"));
	ck_assert_int_eq(try_open(scratch_path("in/folder/new"), true, true), -1);
	ck_assert_int_eq(access(scratch_path("out/new"), F_OK), -1);
	ck_assert_int_eq(guard_mkdirs(guard, scratch_path("in/folder/a/b"), &err), -1);
	ck_assert_int_eq(access(scratch_path("out/a"), F_OK), -1);
	ck_assert_int_eq(try_open(scratch_path("in/alias"), false, false), 0);
	close(file.fd);
}
END_TEST

START_TEST(a_dangling_link_is_not_created_through)
{
	ck_assert_int_eq(symlink("../out/made", scratch_path("in/dangling")), 0);
	ck_assert_int_eq(try_open(scratch_path("in/dangling"), true, true), -1);
	ck_assert_int_eq(access(scratch_path("out/made"), F_OK), -1);
}
END_TEST

START_TEST(only_files)
{
	ck_assert_int_eq(mkfifo(scratch_path("in/fifo"), 0600), 0);
	refused(scratch_path("in/fifo")); /* and it does not block */
	ck_assert_msg(
	    strstr(err.msg, "neither a file nor a block device"), "%s", err.msg);
	refused(scratch_path("in"));
	ck_assert_msg(strstr(err.msg, "is a folder"), "%s", err.msg);
}
END_TEST

START_TEST(creates_when_told)
{
	ck_assert_int_eq(try_open(scratch_path("in/new"), true, false), -1);
	ck_assert_int_eq(err.errnum, ENOENT);
	ck_assert_int_eq(try_open(scratch_path("in/new"), true, true), 0);
	ck_assert_uint_eq(file.size, 0);
	ck_assert_int_eq(write(file.fd, "x", 1), 1);
	close(file.fd);
	ck_assert_int_eq(guard_exists(guard, scratch_path("in/new"), &err), 1);
	ck_assert_int_eq(guard_exists(guard, scratch_path("in/none"), &err), 0);
	ck_assert_int_eq(guard_exists(guard, scratch_path("out/secret"), &err), -1);
}
END_TEST

START_TEST(an_allowed_file_itself)
{
	struct guard *narrow;

	free(spec.allow.v[0]);
	spec.allow.v[0] = mem_strdup(scratch_path("out/secret"));
	ck_assert_int_eq(guard_new(&narrow, &spec, &err), 0);
	ck_assert_int_eq(guard_open(narrow, scratch_path("out/secret"), true, false,
			     JOB_BUFFERED, &file, &err),
	    0);
	close(file.fd);
	ck_assert_int_eq(guard_open(narrow, scratch_path("out/other"), true, true,
			     JOB_BUFFERED, &file, &err),
	    -1);
	ck_assert_int_eq(err.code, ERR_POLICY);
	guard_free(narrow);
}
END_TEST

START_TEST(unlinks_only_what_volley_made)
{
	ck_assert_int_eq(guard_unlink(guard, scratch_path("in/data"), &err), -1);
	ck_assert_int_eq(err.code, ERR_POLICY);
	ck_assert_msg(strstr(err.msg, "volley did not make it"), "%s", err.msg);
	ck_assert_int_eq(access(scratch_path("in/data"), F_OK), 0);
	ck_assert_int_eq(guard_unlink(guard, scratch_path("out/secret"), &err), -1);
	ck_assert_int_eq(access(scratch_path("out/secret"), F_OK), 0);
}
END_TEST

START_TEST(folders_it_makes_are_remembered)
{
	ck_assert_int_eq(guard_mkdirs(guard, scratch_path("in/a/b"), &err), 0);
	ck_assert_int_eq(access(scratch_path("in/a/b/.volley-manifest.c1"), F_OK), 0);
	ck_assert_int_eq(access(scratch_path("in/a/.volley-manifest.c1"), F_OK), 0);
	ck_assert_int_eq(access(scratch_path("in/.volley-manifest.c1"), F_OK), -1);
	ck_assert_int_eq(guard_mkdirs(guard, scratch_path("in/a/b"), &err), 0);
	ck_assert_int_eq(guard_mkdirs(guard, scratch_path("out/a"), &err), -1);
}
END_TEST

START_TEST(o_direct_or_a_reason)
{
	ck_assert_int_eq(guard_open(guard, scratch_path("in/data"), false, false,
			     JOB_DIRECT_AUTO, &file, &err),
	    0);
	ck_assert_int_eq(file.direct, (fcntl(file.fd, F_GETFL) & O_DIRECT) != 0);
	close(file.fd);
}
END_TEST

START_TEST(further_flags)
{
	ck_assert_int_eq(guard_open_as(guard, scratch_path("in/data"), true, false,
			     JOB_BUFFERED, O_DSYNC, &file, &err),
	    0);
	ck_assert_int_eq(fcntl(file.fd, F_GETFL) & O_SYNC, O_DSYNC);
	close(file.fd);
	ck_assert_int_eq(guard_open_as(guard, scratch_path("in/data"), true, false,
			     JOB_BUFFERED, O_SYNC, &file, &err),
	    0);
	ck_assert_int_eq(fcntl(file.fd, F_GETFL) & O_SYNC, O_SYNC);
	close(file.fd);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/guard");
	TCase *tc = tcase_create("guard");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_file_below_the_folder);
	tcase_add_test(tc, outside_is_refused);
	tcase_add_test(tc, dot_dot_is_refused);
	tcase_add_test(tc, symlinks_do_not_lead_out);
	tcase_add_test(tc, a_dangling_link_is_not_created_through);
	tcase_add_test(tc, only_files);
	tcase_add_test(tc, creates_when_told);
	tcase_add_test(tc, an_allowed_file_itself);
	tcase_add_test(tc, unlinks_only_what_volley_made);
	tcase_add_test(tc, folders_it_makes_are_remembered);
	tcase_add_test(tc, o_direct_or_a_reason);
	tcase_add_test(tc, further_flags);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
