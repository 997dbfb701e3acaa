/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patterns: each block once, everything covered, alignment, the read/write mix,
 * determinism by seed, and that random looks random.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/work/pattern.h"

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

START_TEST(sequential_one_file)
{
	struct pattern *p = pattern_new(&job, 1, 10 * 4096 + 100, 1);
	struct pattern_io io;

	for (uint64_t i = 0; i < 10; i++) {
		ck_assert(pattern_next(p, &io));
		ck_assert_int_eq(io.dir, DIR_READ);
		ck_assert_uint_eq(io.file, 0);
		ck_assert_uint_eq(io.offset, i * 4096);
		ck_assert_uint_eq(io.bytes, 4096);
	}
	ck_assert(!pattern_next(p, &io));
	ck_assert(!pattern_next(p, &io));
	pattern_free(p);
}
END_TEST

START_TEST(sequential_round_the_files)
{
	struct pattern *p;
	struct pattern_io io;

	job.rw = JOB_WRITE;
	job.offset = 1 << 20;
	p = pattern_new(&job, 3, 2 * 4096, 1);
	for (uint64_t i = 0; i < 6; i++) {
		ck_assert(pattern_next(p, &io));
		ck_assert_int_eq(io.dir, DIR_WRITE);
		ck_assert_uint_eq(io.file, i % 3);
		ck_assert_uint_eq(io.offset, (1 << 20) + i / 3 * 4096);
	}
	ck_assert(!pattern_next(p, &io));
	pattern_free(p);
}
END_TEST

START_TEST(sequential_wraps)
{
	struct pattern *p;
	struct pattern_io io;

	/* As in fio, the last I/O is a whole one, but begins no pass for less. */
	for (uint64_t blocks = 6; blocks <= 7; blocks++) {
		job.io_size = blocks * 4096 + 1;
		p = pattern_new(&job, 1, 3 * 4096, 1);
		for (uint64_t i = 0; i < (blocks == 6 ? 6 : 8); i++) {
			ck_assert(pattern_next(p, &io));
			ck_assert_uint_eq(io.offset, i % 3 * 4096);
		}
		ck_assert(!pattern_next(p, &io));
		pattern_free(p);
	}
	job.time_based = true; /* io_size does not end it */
	p = pattern_new(&job, 1, 3 * 4096, 1);
	for (uint64_t i = 0; i < 100; i++) {
		ck_assert(pattern_next(p, &io));
		ck_assert_uint_eq(io.offset, i % 3 * 4096);
	}
	pattern_free(p);
}
END_TEST

static uint64_t
ios_until_end(struct pattern *p)
{
	struct pattern_io io;
	uint64_t n = 0;

	while (n < 1000 && pattern_next(p, &io))
		n++;
	return n;
}

/* What fio 3.33 does: it bounds all passes together, so many times as there are loops. */
START_TEST(number_ios_bounds_all_passes)
{
	static const struct {
		uint64_t number, io_blocks;
		unsigned loops;
		uint64_t want;
	} rows[] = {{5, 0, 1, 5}, {5, 30, 1, 5}, {15, 30, 1, 15}, {15, 0, 1, 10},
	    {15, 30, 2, 30}, {12, 30, 2, 24}, {3, 30, 5, 15}, {3, 5, 3, 9}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int random = 0; random < 2; random++) {
			struct pattern *p;

			job.rw = random ? JOB_RANDREAD : JOB_READ;
			job.amount.number_ios = rows[i].number;
			job.amount.loops = rows[i].loops;
			job.io_size = rows[i].io_blocks * 4096;
			p = pattern_new(&job, 1, 10 * 4096, 1);
			ck_assert_uint_eq(ios_until_end(p), rows[i].want);
			pattern_free(p);
		}
}
END_TEST

/* The ramp's are not counted, those of a job that ends by time neither. */
START_TEST(number_ios_begins_after_the_ramp)
{
	struct pattern *p;
	struct pattern_io io;

	job.amount.number_ios = 3;
	job.io_size = 50 * 4096;
	job.ramp_ns = 1;
	p = pattern_new(&job, 1, 10 * 4096, 1);
	for (int i = 0; i < 25; i++)
		ck_assert(pattern_next(p, &io));
	pattern_count_anew(p);
	ck_assert_uint_eq(ios_until_end(p), 3);
	pattern_free(p);
	job.ramp_ns = 0;
	job.time_based = true;
	p = pattern_new(&job, 1, 10 * 4096, 1);
	ck_assert_uint_eq(ios_until_end(p), 1000);
	pattern_free(p);
}
END_TEST

/* Of 15, ten are written and as many read back: there is no second pass. */
START_TEST(number_ios_counts_what_is_read_back)
{
	struct pattern *p;

	job.amount.number_ios = 15;
	job.io_size = 30 * 4096;
	p = pattern_new(&job, 1, 10 * 4096, 1);
	pattern_stop_at_passes(p);
	ck_assert_uint_eq(ios_until_end(p), 10);
	ck_assert(!pattern_again(p));
	pattern_free(p);
}
END_TEST

/* One pass visits each of nfiles × per_file blocks exactly once. */
static void
check_pass(struct pattern *p, unsigned nfiles, uint64_t per_file, uint64_t *ret_order)
{
	uint64_t n = nfiles * per_file;
	unsigned char *seen = mem_alloc(n);
	struct pattern_io io;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t block;

		/* One assertion for all: each costs a write to the parent. */
		if (!pattern_next(p, &io) || io.file >= nfiles || io.offset % 4096 ||
		    io.offset / 4096 >= per_file)
			ck_abort_msg("I/O %lu of %lu is wrong", i, n);
		block = io.file * per_file + io.offset / 4096;
		if (seen[block])
			ck_abort_msg("block %lu twice of %lu", block, n);
		seen[block] = 1;
		if (ret_order)
			ret_order[i] = block;
	}
	free(seen);
}

START_TEST(random_is_a_permutation)
{
	static const uint64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 100, 255,
	    256, 257, 1000, 4095, 4097, 65537};

	job.rw = JOB_RANDREAD;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		for (unsigned files = 1; files <= 3; files++) {
			uint64_t seed = 1000 * i + files;
			struct pattern *p =
			    pattern_new(&job, files, sizes[i] * 4096 + 4095, seed);
			struct pattern_io io;

			check_pass(p, files, sizes[i], NULL);
			ck_assert(!pattern_next(p, &io));
			pattern_free(p);
		}
	}
}
END_TEST

START_TEST(each_pass_has_its_order)
{
	enum { N = 500 };
	uint64_t first[N], second[N], other[N];
	struct pattern *p;
	int same = 0, same_seed = 0;

	job.rw = JOB_RANDREAD;
	job.time_based = true;
	p = pattern_new(&job, 1, N * 4096, 7);
	check_pass(p, 1, N, first);
	check_pass(p, 1, N, second);
	pattern_free(p);
	p = pattern_new(&job, 1, N * 4096, 7);
	check_pass(p, 1, N, other);
	ck_assert_mem_eq(first, other, sizeof first);
	check_pass(p, 1, N, other);
	ck_assert_mem_eq(second, other, sizeof second);
	pattern_free(p);
	p = pattern_new(&job, 1, N * 4096, 8);
	check_pass(p, 1, N, other);
	pattern_free(p);
	for (int i = 0; i < N; i++) {
		same += first[i] == second[i];
		same_seed += first[i] == other[i];
	}
	/* Of two unrelated permutations about one place agrees. */
	ck_assert_int_lt(same, 10);
	ck_assert_int_lt(same_seed, 10);
}
END_TEST

/*
 * Chi-square over 64 cells (63 degrees of freedom): above 120 happens once in
 * 20,000 by chance; the seeds are fixed, so this does not flicker.
 */
static double
chi_square(const unsigned *cells, double expected)
{
	double x = 0;

	for (int i = 0; i < 64; i++)
		x += (cells[i] - expected) * (cells[i] - expected) / expected;
	return x;
}

START_TEST(random_is_uniform)
{
	enum { BLOCKS = 1 << 20, DRAWS = 64000 };

	job.rw = JOB_RANDREAD;
	job.time_based = true;
	for (int map = 0; map < 2; map++) {
		unsigned where[64] = {0}, step[64] = {0};
		struct pattern *p;
		struct pattern_io io;
		uint64_t last = 0;

		job.norandommap = !map;
		p = pattern_new(&job, 1, (uint64_t)BLOCKS * 4096, 5);
		for (int i = 0; i < DRAWS; i++) {
			uint64_t block;

			if (!pattern_next(p, &io))
				ck_abort();
			block = io.offset / 4096;
			where[block / (BLOCKS / 64)]++;
			step[(block - last) % BLOCKS / (BLOCKS / 64)]++;
			last = block;
		}
		pattern_free(p);
		ck_assert_double_lt(chi_square(where, DRAWS / 64.0), 120);
		ck_assert_double_lt(chi_square(step, DRAWS / 64.0), 120);
	}
}
END_TEST

START_TEST(norandommap_repeats_blocks)
{
	unsigned char seen[1000] = {0};
	struct pattern *p;
	struct pattern_io io;
	int distinct = 0;

	job.rw = JOB_RANDREAD;
	job.norandommap = true;
	p = pattern_new(&job, 1, 1000 * 4096, 3);
	for (int i = 0; i < 1000; i++) {
		ck_assert(pattern_next(p, &io));
		ck_assert_uint_lt(io.offset / 4096, 1000);
		distinct += !seen[io.offset / 4096];
		seen[io.offset / 4096] = 1;
	}
	ck_assert(!pattern_next(p, &io));
	pattern_free(p);
	/* 1 − 1/e of 1000 are expected, ± 5 standard deviations of 10. */
	ck_assert_int_gt(distinct, 632 - 50);
	ck_assert_int_lt(distinct, 632 + 50);
}
END_TEST

static void
check_mix(unsigned percent)
{
	struct pattern *p;
	struct pattern_io io;
	unsigned reads = 0;

	job.rwmixread = percent;
	p = pattern_new(&job, 2, 1 << 20, percent);
	for (unsigned i = 1; i <= 1000; i++) {
		ck_assert(pattern_next(p, &io));
		reads += io.dir == DIR_READ;
		if (i % 100 == 0)
			ck_assert_uint_eq(reads, i / 100 * percent);
	}
	pattern_free(p);
}

START_TEST(mix_is_exact)
{
	job.time_based = true;
	for (unsigned percent = 0; percent <= 100; percent++) {
		job.rw = JOB_RANDRW;
		check_mix(percent);
		job.rw = JOB_RW;
		check_mix(percent);
	}
}
END_TEST

START_TEST(mix_is_shuffled)
{
	struct pattern *p;
	struct pattern_io io;
	int changes = 0, last = -1;

	job.rw = JOB_RANDRW;
	job.time_based = true;
	p = pattern_new(&job, 1, 1 << 20, 9);
	for (int i = 0; i < 10000; i++) {
		ck_assert(pattern_next(p, &io));
		changes += (int)io.dir != last;
		last = (int)io.dir;
	}
	pattern_free(p);
	/* Half of the neighbours differ by chance (a little more within a deck). */
	ck_assert_int_gt(changes, 4800);
	ck_assert_int_lt(changes, 5300);
}
END_TEST

/* Reads and writes of one size share the permutation: no block twice. */
START_TEST(mixed_random_shares_blocks)
{
	struct pattern *p;

	job.rw = JOB_RANDRW;
	p = pattern_new(&job, 2, 300 * 4096, 11);
	check_pass(p, 2, 300, NULL);
	pattern_free(p);
}
END_TEST

START_TEST(mixed_sizes)
{
	struct pattern *p;
	struct pattern_io io;
	uint64_t bytes = 0;

	job.rw = JOB_RANDRW;
	job.bs[DIR_WRITE] = 65536;
	p = pattern_new(&job, 1, 1 << 20, 4);
	while (pattern_next(p, &io)) {
		ck_assert_uint_eq(io.bytes, job.bs[io.dir]);
		ck_assert_uint_eq(io.offset % io.bytes, 0);
		ck_assert_uint_le(io.offset + io.bytes, 1 << 20);
		bytes += io.bytes;
	}
	ck_assert_uint_le(bytes, 1 << 20);
	ck_assert_uint_gt(bytes + 65536, 1 << 20);
	pattern_free(p);
}
END_TEST

/* Sequential reads and writes advance on their own, as in fio. */
START_TEST(sequential_mix)
{
	uint64_t at[DIR_COUNT] = {0};
	struct pattern *p;
	struct pattern_io io;

	job.rw = JOB_RW;
	p = pattern_new(&job, 1, 100 * 4096, 4);
	for (int i = 0; i < 100; i++) {
		ck_assert(pattern_next(p, &io));
		ck_assert_uint_eq(io.offset, at[io.dir]);
		at[io.dir] += 4096;
	}
	ck_assert(!pattern_next(p, &io));
	ck_assert_uint_eq(at[DIR_READ], 50 * 4096);
	pattern_free(p);
}
END_TEST

START_TEST(no_block_fits)
{
	struct pattern_io io;
	struct pattern *p;

	job.time_based = true;
	for (int rw = JOB_READ; rw <= JOB_RANDRW; rw++) {
		job.rw = (enum job_rw)rw;
		p = pattern_new(&job, 4, 4095, 1);
		ck_assert(!pattern_next(p, &io));
		pattern_free(p);
	}
}
END_TEST

/* 2^50 blocks: constant memory, offsets in range. */
START_TEST(huge_region)
{
	struct pattern_io io;
	struct pattern *p;
	uint64_t top = 0;

	job.rw = JOB_RANDREAD;
	job.bs[DIR_READ] = 512;
	p = pattern_new(&job, 1, UINT64_C(1) << 59, 1);
	for (int i = 0; i < 1000; i++) {
		ck_assert(pattern_next(p, &io));
		ck_assert_uint_lt(io.offset, UINT64_C(1) << 59);
		top = io.offset > top ? io.offset : top;
	}
	ck_assert_uint_gt(top, UINT64_C(1) << 58);
	pattern_free(p);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("pattern");
	TCase *tc = tcase_create("pattern");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, sequential_one_file);
	tcase_add_test(tc, sequential_round_the_files);
	tcase_add_test(tc, sequential_wraps);
	tcase_add_test(tc, number_ios_bounds_all_passes);
	tcase_add_test(tc, number_ios_begins_after_the_ramp);
	tcase_add_test(tc, number_ios_counts_what_is_read_back);
	tcase_add_test(tc, random_is_a_permutation);
	tcase_add_test(tc, each_pass_has_its_order);
	tcase_add_test(tc, random_is_uniform);
	tcase_add_test(tc, norandommap_repeats_blocks);
	tcase_add_test(tc, mix_is_exact);
	tcase_add_test(tc, mix_is_shuffled);
	tcase_add_test(tc, mixed_random_shares_blocks);
	tcase_add_test(tc, mixed_sizes);
	tcase_add_test(tc, sequential_mix);
	tcase_add_test(tc, no_block_fits);
	tcase_add_test(tc, huge_region);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
