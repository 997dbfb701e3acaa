/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Block sizes and the general walk: what fio's documentation says of bsrange,
 * bssplit, blockalign, rw=…:N, rw_sequencer and percentage_random, and of passes.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/work/blocks.h"
#include "lib/work/pattern.h"
#include "tests/unit/suite.h"

#define K 1024u

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

static void
set(const char *name, const char *value)
{
	struct err err = ERR_INIT;

	ck_assert_msg(job_set(&job, name, value, &err) == 0, "%s", err.msg);
}

/* The whole of a size-bound pattern as "offset+bytes" in units of 4 KiB. */
static char *
sequence(unsigned nfiles, uint64_t bytes)
{
	struct pattern *p = pattern_new(&job, nfiles, bytes, 1);
	struct str text = {0};
	struct pattern_io io;

	while (pattern_next(p, &io) && text.len < 4096)
		str_addf(&text, "%s%llu+%u", text.len ? " " : "",
		    (unsigned long long)io.offset / 4096, io.bytes / 4096);
	pattern_free(p);
	return str_take(&text);
}

static void
check_sequence(unsigned nfiles, uint64_t bytes, const char *expected)
{
	char *got = sequence(nfiles, bytes);

	ck_assert_str_eq(got, expected);
	free(got);
}

START_TEST(sequential_skips)
{
	set("rw", "read:4k");
	check_sequence(1, 32 * K, "0+1 2+1 4+1 6+1 0+1 2+1 4+1 6+1");
	set("rw", "read:12k");
	check_sequence(1, 32 * K, "0+1 4+1 0+1 4+1 0+1 4+1 0+1 4+1");
}
END_TEST

/* As fio 3.33 does it: whole passes with loops, bytes without. */
START_TEST(passes)
{
	set("loops", "3");
	check_sequence(1, 8 * K, "0+1 1+1 0+1 1+1 0+1 1+1");
	set("number_ios", "2");
	check_sequence(1, 16 * K, "0+1 1+1 2+1 3+1 0+1 1+1");
	set("number_ios", "0");
	set("io_size", "8k");
	set("loops", "2");
	check_sequence(1, 16 * K, "0+1 1+1 2+1 3+1");
	set("io_size", "24k");
	check_sequence(1, 16 * K, "0+1 1+1 2+1 3+1 0+1 1+1 2+1 3+1");
	set("io_size", "40k");
	check_sequence(
	    1, 16 * K, "0+1 1+1 2+1 3+1 0+1 1+1 2+1 3+1 0+1 1+1 2+1 3+1");
	set("loops", "1");
	set("io_size", "24k");
	check_sequence(1, 16 * K, "0+1 1+1 2+1 3+1 0+1 1+1");
	set("number_ios", "3");
	set("io_size", "0");
	check_sequence(1, 16 * K, "0+1 1+1 2+1");
	check_sequence(2, 16 * K, "0+1 0+1 1+1");
}
END_TEST

START_TEST(passes_can_be_stopped_at)
{
	struct pattern *p;
	struct pattern_io io;

	set("loops", "2");
	set("io_size", "20k");
	p = pattern_new(&job, 1, 8 * K, 1);
	pattern_stop_at_passes(p);
	for (int pass = 0; pass < 3; pass++) {
		ck_assert(pattern_next(p, &io));
		ck_assert(pattern_next(p, &io));
		ck_assert(!pattern_next(p, &io));
		ck_assert(!pattern_next(p, &io));
		ck_assert_int_eq(pattern_again(p), pass < 2);
	}
	pattern_free(p);
	set("time_based", "1");
	p = pattern_new(&job, 1, 4 * K, 1);
	pattern_stop_at_passes(p);
	for (int pass = 0; pass < 100; pass++) {
		ck_assert(pattern_next(p, &io));
		ck_assert(!pattern_next(p, &io));
		ck_assert(pattern_again(p));
	}
	pattern_free(p);
}
END_TEST

START_TEST(offset_is_the_threads)
{
	struct pattern *p;
	struct pattern_io io;

	set("offset", "4k");
	set("offset_increment", "16k");
	ck_assert_uint_eq(job_offset(&job, 0), 4 * K);
	ck_assert_uint_eq(job_offset(&job, 2), 36 * K);
	p = pattern_new(&job, 1, 8 * K, 1);
	pattern_set_offset(p, job_offset(&job, 2));
	ck_assert(pattern_next(p, &io));
	ck_assert_uint_eq(io.offset, 36 * K);
	pattern_free(p);
}
END_TEST

/* Runs of 4 from drawn starts; a run that meets the end goes on elsewhere. */
START_TEST(runs)
{
	enum { BLOCKS = 1024 };
	struct pattern *p;
	struct pattern_io io;
	uint64_t last = 0, starts = 0;
	unsigned char seen[BLOCKS] = {0};
	bool cut = false;

	set("rw", "randread:4");
	p = pattern_new(&job, 1, BLOCKS * 4 * K, 3);
	for (int i = 0; i < BLOCKS; i++) {
		ck_assert(pattern_next(p, &io));
		if (i % 4 == 0) {
			ck_assert(!seen[io.offset / 4096]); /* a start is drawn once */
			seen[io.offset / 4096] = 1;
			starts++;
			cut = false;
		} else if (last + 4096 < BLOCKS * 4 * K && !cut) {
			ck_assert_uint_eq(io.offset, last + 4096);
		} else {
			cut = true;
		}
		last = io.offset;
	}
	ck_assert(!pattern_next(p, &io));
	ck_assert_uint_eq(starts, BLOCKS / 4);
	pattern_free(p);
}
END_TEST

START_TEST(identical)
{
	struct pattern *p;
	struct pattern_io io;
	uint64_t last = 0;

	set("rw", "randread:4");
	set("rw_sequencer", "identical");
	p = pattern_new(&job, 1, 64 * 4 * K, 3);
	for (int i = 0; i < 64; i++) {
		ck_assert(pattern_next(p, &io));
		if (i % 4)
			ck_assert_uint_eq(io.offset, last);
		else
			ck_assert(i == 0 || io.offset != last);
		last = io.offset;
	}
	pattern_free(p);
}
END_TEST

START_TEST(some_are_random)
{
	enum { BLOCKS = 20000 };

	set("rw", "randread");
	for (int percent = 0; percent <= 75; percent += 25) {
		char text[8];
		struct pattern *p;
		struct pattern_io io;
		uint64_t last = UINT64_MAX - 4095;
		int jumps = 0;

		snprintf(text, sizeof text, "%d", percent);
		set("percentage_random", text);
		p = pattern_new(&job, 1, BLOCKS * 4 * K, 3);
		for (int i = 0; i < BLOCKS; i++) {
			ck_assert(pattern_next(p, &io));
			jumps += io.offset != last + 4096;
			last = io.offset;
		}
		pattern_free(p);
		/* Five deviations of a binomial draw are at most 354. */
		ck_assert_int_ge(jumps, BLOCKS / 100 * percent - 354);
		ck_assert_int_le(jumps, BLOCKS / 100 * percent + 354);
		ck_assert(percent || jumps == 0);
	}
}
END_TEST

/* Every byte exactly once, whatever the sizes, in both orders. */
static void
check_cover(const char *rw, uint64_t bytes)
{
	struct pattern *p;
	unsigned char *seen = mem_alloc(bytes / 512);
	struct pattern_io io;
	uint64_t sum = 0;

	set("rw", rw);
	p = pattern_new(&job, 1, bytes, 5);
	while (pattern_next(p, &io)) {
		if (io.offset + io.bytes > bytes || io.offset % 512 || io.bytes % 512)
			ck_abort_msg("%lu+%u", io.offset, io.bytes);
		for (uint64_t b = io.offset / 512; b < (io.offset + io.bytes) / 512; b++) {
			if (seen[b])
				ck_abort_msg("%s: %lu twice", rw, b * 512);
			seen[b] = 1;
		}
		sum += io.bytes;
	}
	ck_assert_uint_eq(sum, bytes);
	pattern_free(p);
	free(seen);
}

START_TEST(sizes_cover_everything)
{
	set("bsrange", "4k-64k");
	check_cover("read", 4 << 20);
	check_cover("randread", 4 << 20);
	check_cover("randrw", 4 << 20);
	job_free(&job);
	job_init(&job);
	set("bssplit", "4k/50:64k/30:16k/20");
	check_cover("write", 4 << 20);
	check_cover("randwrite", 4 << 20);
}
END_TEST

static double
count_sizes(const char *rw, uint64_t bytes, uint64_t size, uint64_t *ret_n)
{
	struct pattern *p;
	struct pattern_io io;
	uint64_t n = 0;

	set("rw", rw);
	p = pattern_new(&job, 1, bytes, 9);
	for (*ret_n = 0; pattern_next(p, &io); ++*ret_n)
		n += io.bytes == size;
	pattern_free(p);
	return (double)n / (double)*ret_n;
}

START_TEST(weights_are_kept)
{
	static const struct {
		uint64_t bs;
		double share;
	} sizes[] = {{4 * K, .5}, {64 * K, .3}, {16 * K, .2}};
	uint64_t n;

	set("bssplit", "4k/50:64k/30:16k/20");
	set("norandommap", "1");
	for (int i = 0; i < 3; i++) {
		/* 10,000 draws: five deviations are 0.025 at most. */
		ck_assert_double_eq_tol(
		    count_sizes("read", 256 << 20, sizes[i].bs, &n), sizes[i].share,
		    .025);
		ck_assert_uint_gt(n, 10000);
		ck_assert_double_eq_tol(
		    count_sizes("randread", 256 << 20, sizes[i].bs, &n),
		    sizes[i].share, .025);
	}
	teardown();
	setup();
	set("bsrange", "3k-10k"); /* 3, 6 and 9 KiB have 3 parts, 10 KiB has 1 */
	ck_assert_double_eq_tol(count_sizes("read", 64 << 20, 3 * K, &n), .3, .02);
	ck_assert_double_eq_tol(count_sizes("read", 64 << 20, 9 * K, &n), .3, .02);
	ck_assert_double_eq_tol(count_sizes("read", 64 << 20, 10 * K, &n), .1, .02);
}
END_TEST

START_TEST(aligned)
{
	struct pattern *p;
	struct pattern_io io;
	uint64_t top = 0, odd = 0;

	set("rw", "randread");
	set("blockalign", "512");
	p = pattern_new(&job, 1, 256 * K, 2);
	for (int i = 0; i < 64; i++) {
		ck_assert(pattern_next(p, &io));
		ck_assert_uint_eq(io.offset % 512, 0);
		ck_assert_uint_le(io.offset + io.bytes, 256 * K);
		odd += io.offset % 4096 != 0;
		top = io.offset > top ? io.offset : top;
	}
	ck_assert(!pattern_next(p, &io));
	ck_assert_uint_gt(odd, 32);
	ck_assert_uint_gt(top, 128 * K);
	pattern_free(p);
	set("blockalign", "16k");
	p = pattern_new(&job, 1, 256 * K, 2);
	for (int i = 0; i < 64; i++) {
		ck_assert(pattern_next(p, &io));
		ck_assert_uint_eq(io.offset % (16 * K), 0);
		ck_assert_uint_eq(io.bytes, 4 * K);
	}
	pattern_free(p);
}
END_TEST

START_TEST(sizes_by_kind)
{
	struct pattern *p;
	struct pattern_io io;
	uint64_t last = UINT64_MAX;

	set("rw", "randread");
	set("bs", "4k,16k");
	set("bs_is_seq_rand", "1");
	set("percentage_random", "50");
	set("norandommap", "1");
	p = pattern_new(&job, 1, 4 << 20, 2);
	for (int i = 0; i < 200; i++) {
		ck_assert(pattern_next(p, &io));
		ck_assert_uint_eq(io.bytes, io.offset == last ? 4 * K : 16 * K);
		last = io.offset + io.bytes;
	}
	pattern_free(p);
}
END_TEST

START_TEST(extremes)
{
	set("bs", "4k,64k");
	set("rw", "randread");
	ck_assert_uint_eq(blocks_most(&job), 4 * K); /* a job without writes */
	set("rw", "randrw");
	ck_assert_uint_eq(blocks_least(&job), 4 * K);
	ck_assert_uint_eq(blocks_most(&job), 64 * K);
	set("bsrange", "6k-16k");
	ck_assert_uint_eq(blocks_most(&job), 16 * K);
	ck_assert_uint_eq(blocks_unit(&job), 2 * K);
	set("bssplit", "4k/50:12k/50");
	ck_assert_uint_eq(blocks_unit(&job), 4 * K);
	ck_assert_uint_eq(blocks_most(&job), 12 * K);
}
END_TEST

/* fio 3.33 needs 145 to 182 I/Os for this file: gaps are filled from their beginning.
 * One that begins anywhere in a gap cuts it, and needs 240 and more. */
START_TEST(gaps_are_filled_from_their_beginning)
{
	unsigned ios = 0;

	set("rw", "randread");
	set("bsrange", "1k-16k");
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct pattern *p = pattern_new(&job, 1, 1024 * K, seed);
		struct pattern_io io;

		while (pattern_next(p, &io))
			ios++;
		pattern_free(p);
	}
	ck_assert_uint_ge(ios, 20 * 145);
	ck_assert_uint_le(ios, 20 * 205);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("walk");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, sequential_skips);
	tcase_add_test(tc, passes);
	tcase_add_test(tc, passes_can_be_stopped_at);
	tcase_add_test(tc, offset_is_the_threads);
	tcase_add_test(tc, runs);
	tcase_add_test(tc, identical);
	tcase_add_test(tc, some_are_random);
	tcase_add_test(tc, sizes_cover_everything);
	tcase_add_test(tc, weights_are_kept);
	tcase_add_test(tc, gaps_are_filled_from_their_beginning);
	tcase_add_test(tc, aligned);
	tcase_add_test(tc, sizes_by_kind);
	tcase_add_test(tc, extremes);
	return suite_run("walk", tc);
}
