/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers and the data that is written from them.
 */
#include <string.h>

#include "agent/worker/buffers.h"
#include "tests/unit/worker/support.h"

#define LEN (200 * 1024) /* more than one pool, not a multiple of it */

static unsigned char one[LEN], two[LEN];

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

START_TEST(the_seed_decides)
{
	struct data data;

	data_init(&data, 42);
	data_fill(&data, one, LEN);
	data_fill(&data, two, LEN);
	ck_assert_mem_ne(one, two, LEN);
	data_free(&data);
	data_init(&data, 42);
	data_fill(&data, two, LEN);
	ck_assert_mem_eq(one, two, LEN);
	data_free(&data);
	data_init(&data, 43);
	data_fill(&data, two, LEN);
	ck_assert_mem_ne(one, two, LEN);
	data_free(&data);
}
END_TEST

/* Odd lengths end exactly where they should, and fill up to there. */
START_TEST(any_length)
{
	struct data data;

	data_init(&data, 1);
	for (size_t len = 1; len < 100; len++) {
		size_t zero = 0;

		memset(one, 0, len + 1);
		data_fill(&data, one, len);
		ck_assert_uint_eq(one[len], 0);
		for (size_t i = 0; i < len; i++)
			zero += one[i] == 0;
		ck_assert_uint_le(zero, 6); /* of 99 random bytes: 0.4 expected */
	}
	data_free(&data);
}
END_TEST

/* Nothing of one fill comes back in the next, nor inside one fill. */
START_TEST(no_word_comes_twice_at_its_place)
{
	struct data data;
	bool same = false;

	data_init(&data, 5);
	data_fill(&data, one, LEN);
	data_fill(&data, two, LEN);
	for (size_t i = 0; i < LEN; i += 8)
		same = same || memcmp(one + i, two + i, 8) == 0;
	for (size_t i = 65536; i < LEN; i += 8)
		same = same || memcmp(one + i, one + i - 65536, 8) == 0;
	ck_assert(!same);
	data_free(&data);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/buffers");
	TCase *tc = tcase_create("buffers");

	tcase_add_test(tc, buffers_are_aligned_and_apart);
	tcase_add_test(tc, the_seed_decides);
	tcase_add_test(tc, any_length);
	tcase_add_test(tc, no_word_comes_twice_at_its_place);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
