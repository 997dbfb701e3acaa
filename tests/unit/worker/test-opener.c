/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which files are open when.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/worker/opener.h"
#include "tests/unit/worker/support.h"

#define FILES 6

static struct io_file files[FILES];
static struct opener *opener;
static struct err err;
static char history[64]; /* digits: opened; letters: closed */

static void
note(char c)
{
	size_t n = strlen(history);

	ck_assert_uint_lt(n, sizeof history - 1);
	history[n] = c;
}

static int
open_one(void *arg, unsigned file, struct err *why)
{
	ck_assert_ptr_eq(arg, &err);
	if (file == 5)
		return err_set(why, ERR_SYS, "file 5 is broken");
	files[file].fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	note((char)('0' + file));
	return 0;
}

static int
known(struct engine *engine, struct io_file *file, struct err *why)
{
	(void)engine;
	(void)why;
	ck_assert_int_ge(file->fd, 0);
	return 0;
}

static void
unknown(struct engine *engine, struct io_file *file)
{
	(void)engine;
	ck_assert_int_ge(file->fd, 0);
	note((char)('a' + file->index));
}

static const struct engine_ops ops = {.file_open = known, .file_close = unknown};
static struct engine engine = {.ops = &ops};

static void
setup(void)
{
	struct opener_env env = {.engine = &engine,
	    .files = files,
	    .nfiles = FILES,
	    .limit = 2,
	    .open = open_one,
	    .arg = &err};

	err = ERR_INIT;
	memset(history, 0, sizeof history);
	for (unsigned f = 0; f < FILES; f++)
		files[f] = (struct io_file){.fd = -1, .index = f, .name = "f"};
	ck_assert_int_eq(opener_new(&opener, &env, &err), 0);
	ck_assert_str_eq(history, "01");
}

static void
teardown(void)
{
	opener_free(opener);
	for (unsigned f = 0; f < FILES; f++)
		ck_assert_int_eq(files[f].fd, -1);
}

static void
use(unsigned file)
{
	ck_assert_int_eq(opener_use(opener, file, &err), 0);
	ck_assert_int_ge(files[file].fd, 0);
}

START_TEST(what_is_open_stays)
{
	for (int i = 0; i < 4; i++) {
		use(0);
		use(1);
		opener_done(opener, 0);
		opener_done(opener, 1);
	}
	ck_assert_str_eq(history, "01");
}
END_TEST

START_TEST(the_oldest_goes)
{
	use(1);
	opener_done(opener, 1);
	use(0);
	opener_done(opener, 0);
	use(2);
	opener_done(opener, 2);
	ck_assert_str_eq(history, "01b2");
	use(1);
	opener_done(opener, 1);
	ck_assert_str_eq(history, "01b2a1");
	ck_assert_uint_eq(opener_open_files(opener), 2);
}
END_TEST

START_TEST(what_is_busy_stays)
{
	use(0);
	use(1);
	use(1);
	opener_done(opener, 1);
	use(2); /* all are busy: a third one */
	ck_assert_str_eq(history, "012");
	ck_assert_uint_eq(opener_open_files(opener), 3);
	opener_done(opener, 2);
	opener_done(opener, 0);
	use(3); /* back to the limit */
	ck_assert_str_eq(history, "012ac3");
	ck_assert_uint_eq(opener_open_files(opener), 2);
}
END_TEST

START_TEST(an_error_leaves_it_usable)
{
	ck_assert_int_eq(opener_use(opener, 5, &err), -1);
	ck_assert_str_eq(err.msg, "file 5 is broken");
	ck_assert_int_eq(files[5].fd, -1);
	use(3);
	opener_done(opener, 3);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/opener");
	TCase *tcase = tcase_create("opener");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, what_is_open_stays);
	tcase_add_test(tcase, the_oldest_goes);
	tcase_add_test(tcase, what_is_busy_stays);
	tcase_add_test(tcase, an_error_leaves_it_usable);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
