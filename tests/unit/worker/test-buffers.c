/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers for I/O.
 */
#include <string.h>

#include "agent/worker/buffers.h"
#include "tests/unit/worker/support.h"

START_TEST(buffers_are_aligned_and_apart)
{
	struct buffers buffers;
	struct err err = ERR_INIT;

	ck_assert_int_eq(buffers_map(&buffers, 3, 4097, &err), 0);
	ck_assert_uint_eq(buffers.len, 3 * 8192);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_uint_eq((uintptr_t)buffers_at(&buffers, i) % 4096, 0);
		memset(buffers_at(&buffers, i), (int)i, 8192);
	}
	ck_assert_int_eq(*(char *)buffers_at(&buffers, 1), 1);
	buffers_unmap(&buffers);
	ck_assert_int_eq(buffers_map(&buffers, 1, 0, &err), -1);
	ck_assert_int_eq(buffers_map(&buffers, UINT32_MAX, SIZE_MAX / 2, &err), -1);
}
END_TEST

static const struct {
	enum job_mem kind;
	size_t align;
	uintptr_t multiple, rest; /* of the first buffer's address */
} kinds[] = {{JOB_MALLOC, 0, 4096, 0}, {JOB_MMAP, 0, 4096, 0},
    {JOB_MMAPSHARED, 512, 4096, 512}, {JOB_SHM, 0, 4096, 0},
    {JOB_SHM, 1 << 21, 1 << 21, 0}, {JOB_MALLOC, 65536, 65536, 0},
    {JOB_MALLOC, 4096, 4096, 0}, {JOB_MMAPHUGE, 0, 1 << 21, 0},
    {JOB_SHMHUGE, 0, 1 << 21, 0}};

START_TEST(kinds_and_alignments)
{
	struct buffers b;
	struct err err = ERR_INIT;
	bool huge = kinds[_i].kind == JOB_MMAPHUGE || kinds[_i].kind == JOB_SHMHUGE;

	if (buffers_map_as(&b, 3, 6000, kinds[_i].kind, kinds[_i].align, &err) < 0) {
		ck_assert_msg(huge, "%s", err.msg);
		ck_assert_ptr_nonnull(strstr(err.msg, "nr_hugepages"));
		buffers_unmap(&b);
		return;
	}
	ck_assert_uint_eq((uintptr_t)b.base % kinds[_i].multiple, kinds[_i].rest);
	ck_assert_uint_eq(b.len, 3 * 8192);
	for (unsigned i = 0; i < 3; i++)
		memset(buffers_at(&b, i), 1, b.stride);
	buffers_unmap(&b);
	ck_assert_ptr_null(b.base);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/buffers");
	TCase *tc = tcase_create("buffers");

	tcase_add_test(tc, buffers_are_aligned_and_apart);
	tcase_add_loop_test(tc, kinds_and_alignments, 0,
	    sizeof kinds / sizeof kinds[0]);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
