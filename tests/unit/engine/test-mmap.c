/* SPDX-License-Identifier: Apache-2.0 */
/* What is special about mapped files: their ends, and errors in the middle of a copy. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/contract/rig.h"

#define SIZE (UINT64_C(16) * RIG_BLOCK)

static struct rig rig;

static void
setup(void)
{
	rig = (struct rig){0};
	rig_open(&rig, "mmap", RIG_CHECKED, 1, 2, SIZE, 2 * RIG_BLOCK);
}

static void
teardown(void)
{
	rig_close(&rig);
}

START_TEST(a_write_ends_with_the_file)
{
	struct io *io = rig_io(&rig, 0, DIR_WRITE, 0, SIZE - RIG_BLOCK, 2 * RIG_BLOCK);

	ck_assert_int_eq(rig_do(&rig, io), RIG_BLOCK);
	io = rig_io(&rig, 0, DIR_WRITE, 0, SIZE, RIG_BLOCK);
	ck_assert_int_eq(rig_do(&rig, io), -ENXIO);
}
END_TEST

/* Pages that are no longer there: the kernel's signal becomes that I/O's result. */
START_TEST(a_bus_error_is_an_io_error)
{
	struct io *io;

	ck_assert_int_eq(ftruncate(rig.files[0].fd, 8 * RIG_BLOCK), 0);
	for (int round = 0; round < 3; round++) {
		for (int d = 0; d < DIR_COUNT; d++) {
			io = rig_io(
			    &rig, 0, (enum dir)d, 0, 9 * RIG_BLOCK, RIG_BLOCK);
			ck_assert_int_eq(rig_do(&rig, io), -EIO);
		}
		io = rig_io(&rig, 0, DIR_READ, 0, 7 * RIG_BLOCK, RIG_BLOCK);
		ck_assert_int_eq(rig_do(&rig, io), RIG_BLOCK);
		io = rig_io(&rig, 0, DIR_READ, 1, 9 * RIG_BLOCK, RIG_BLOCK);
		ck_assert_int_eq(rig_do(&rig, io), RIG_BLOCK);
		ck_assert(rig_holds(io->buf, RIG_BLOCK, 1, io->offset));
	}
}
END_TEST

START_TEST(a_file_opened_again_has_its_new_size)
{
	struct io *io = rig_io(&rig, 0, DIR_WRITE, 1, SIZE, RIG_BLOCK);
	struct err err = ERR_INIT;

	rig.engine->ops->file_close(rig.engine, &rig.files[1]);
	ck_assert_int_eq(ftruncate(rig.files[1].fd, SIZE + RIG_BLOCK), 0);
	ck_assert_int_eq(rig.engine->ops->file_open(rig.engine, &rig.files[1], &err), 0);
	ck_assert_int_eq(rig_do(&rig, io), RIG_BLOCK);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("mmap");
	TCase *tcase = tcase_create("mmap");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_write_ends_with_the_file);
	tcase_add_test(tcase, a_bus_error_is_an_io_error);
	tcase_add_test(tcase, a_file_opened_again_has_its_new_size);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
