/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is written: fresh unless asked otherwise; patterns, compression and
 * deduplication as their options say.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/worker/data.h"
#include "tests/unit/worker/support.h"

#define LEN (200 * 1024) /* more than one pool, not a multiple of it */
#define BLOCK 4096
#define BLOCKS 4000

static unsigned char one[LEN], two[LEN];
static struct job job;

static void
set(const char *name, const char *value)
{
	struct err err = ERR_INIT;

	ck_assert_msg(job_set(&job, name, value, &err) == 0, "%s", err.msg);
}

START_TEST(the_seed_decides)
{
	struct data data;

	data_init(&data, 42);
	data_fill(&data, one, LEN, 0);
	data_fill(&data, two, LEN, 0);
	ck_assert_mem_ne(one, two, LEN);
	data_free(&data);
	data_init(&data, 42);
	data_fill(&data, two, LEN, 0);
	ck_assert_mem_eq(one, two, LEN);
	data_free(&data);
	data_init(&data, 43);
	data_fill(&data, two, LEN, 0);
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
		data_fill(&data, one, len, 0);
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
	data_fill(&data, one, LEN, 0);
	data_fill(&data, two, LEN, 0);
	for (size_t i = 0; i < LEN; i += 8)
		same = same || memcmp(one + i, two + i, 8) == 0;
	for (size_t i = 65536; i < LEN; i += 8)
		same = same || memcmp(one + i, one + i - 65536, 8) == 0;
	ck_assert(!same);
	data_free(&data);
}
END_TEST

START_TEST(patterns)
{
	struct data data;

	job_init(&job);
	set("rw", "write");
	set("buffer_pattern", "0x0102030405");
	data_init_job(&data, &job, 1);
	ck_assert(data.once);
	for (size_t len = 1; len < 40; len++) {
		memset(one, 0xff, len + 1);
		data_fill(&data, one, len, 0);
		for (size_t i = 0; i < len; i++)
			ck_assert_uint_eq(one[i], 1 + i % 5);
		ck_assert_uint_eq(one[len], 0xff);
	}
	data_free(&data);
	set("rw", "rw"); /* what was read into the buffer has to go */
	data_init_job(&data, &job, 1);
	ck_assert(!data.once);
	data_free(&data);
	set("buffer_pattern", "%o");
	data_init_job(&data, &job, 1);
	ck_assert(data.by_offset);
	data_fill(&data, one, BLOCK, 0x123456000);
	for (size_t i = 0; i < BLOCK; i += 8)
		ck_assert_mem_eq(one + i, "\x00\x60\x45\x23\x01\0\0\0", 8);
	data_free(&data);
	job_free(&job);
}
END_TEST

START_TEST(zeros)
{
	struct data data;

	job_init(&job);
	set("zero_buffers", "1");
	data_init_job(&data, &job, 1);
	memset(one, 1, BLOCK + 1);
	data_fill(&data, one, BLOCK, 0);
	memset(two, 0, BLOCK);
	ck_assert_mem_eq(one, two, BLOCK);
	ck_assert_uint_eq(one[BLOCK], 1);
	data_free(&data);
	job_free(&job);
}
END_TEST

/* Zero bytes of a fill; random ones are zero once in 256. */
static size_t
count_zeros(size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += one[i] == 0;
	return n;
}

START_TEST(compression)
{
	static const struct {
		const char *percent, *chunk;
		size_t zeros, of; /* at the end of each `of` bytes */
	} cases[] = {{"50", "512", 256, 512}, {"75", "512", 384, 512},
	    {"30", "0", 1228, 4096}, {"100", "512", 512, 512}, {"10", "8k", 409, 4096}};

	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		struct data data;

		job_init(&job);
		set("buffer_compress_percentage", cases[c].percent);
		set("buffer_compress_chunk", cases[c].chunk);
		data_init_job(&data, &job, 1);
		memset(one, 1, BLOCK);
		data_fill(&data, one, BLOCK, 0);
		for (size_t at = 0; at < BLOCK; at += cases[c].of)
			for (size_t i = cases[c].of - cases[c].zeros; i < cases[c].of; i++)
				ck_assert_uint_eq(one[at + i], 0);
		ck_assert_uint_le(count_zeros(BLOCK),
		    BLOCK / cases[c].of * cases[c].zeros + 40);
		data_free(&data);
		job_free(&job);
	}
}
END_TEST

/* How many of BLOCKS blocks are equal to an earlier one; their first 8 bytes tell. */
static unsigned
count_copies(void)
{
	static uint64_t seen[BLOCKS];
	struct data data;
	unsigned n = 0, copies = 0;

	data_init_job(&data, &job, 1);
	for (unsigned i = 0; i < BLOCKS; i++) {
		uint64_t word;
		unsigned k = 0;

		data_fill(&data, one, BLOCK, 0);
		memcpy(&word, one + 8, sizeof word);
		while (k < n && seen[k] != word)
			k++;
		if (k < n)
			copies++;
		else
			seen[n++] = word;
	}
	data_free(&data);
	return copies;
}

START_TEST(deduplication)
{
	char text[8];

	for (int percent = 0; percent <= 100; percent += 20) {
		job_init(&job);
		set("size", "16m");
		snprintf(text, sizeof text, "%d", percent);
		set("dedupe_percentage", text);
		/* Five deviations are at most 158. */
		ck_assert_int_le(abs((int)count_copies() - BLOCKS / 100 * percent), 158);
		job_free(&job);
	}
}
END_TEST

/* 40 % from a set of 204 blocks: each but its first use is a copy. */
START_TEST(working_set)
{
	job_init(&job);
	set("size", "16m");
	set("dedupe_percentage", "40");
	set("dedupe_mode", "working_set");
	ck_assert_int_le(abs((int)count_copies() - (BLOCKS / 100 * 40 - 204)), 160);
	job_free(&job);
}
END_TEST

START_TEST(a_set_is_shared)
{
	struct data first, second;

	for (int shared = 0; shared < 2; shared++) {
		job_init(&job);
		set("size", "4k"); /* a set of one block */
		set("dedupe_percentage", "100");
		set("dedupe_mode", "working_set");
		set("dedupe_global", shared ? "1" : "0");
		data_init_job(&first, &job, 1);
		data_init_job(&second, &job, 2);
		data_fill(&first, one, BLOCK, 0);
		data_fill(&second, two, BLOCK, 0);
		ck_assert_int_eq(memcmp(one, two, BLOCK) == 0, shared);
		data_free(&first);
		data_free(&second);
		job_free(&job);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/data");
	TCase *tc = tcase_create("data");

	tcase_add_test(tc, the_seed_decides);
	tcase_add_test(tc, any_length);
	tcase_add_test(tc, no_word_comes_twice_at_its_place);
	tcase_add_test(tc, patterns);
	tcase_add_test(tc, zeros);
	tcase_add_test(tc, compression);
	tcase_add_test(tc, deduplication);
	tcase_add_test(tc, working_set);
	tcase_add_test(tc, a_set_is_shared);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
