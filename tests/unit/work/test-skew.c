/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Skewed distributions against their theory, by chi-square over ranks.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/mem.h"
#include "lib/work/skew.h"
#include "tests/unit/suite.h"

#define BLOCKS 1024u
#define DRAWS 200000u
#define CELLS 32u

static struct job job;
static struct skew skew;
static struct rng rng;

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
use(const char *dist, uint64_t blocks)
{
	struct err err = ERR_INIT;

	ck_assert_msg(
	    job_set(&job, "random_distribution", dist, &err) == 0, "%s", err.msg);
	rng_seed(&rng, 4);
	skew_init(&skew, &job, DIR_READ, blocks, 4096, &rng);
}

/* Draws by rank: what the scatter made of a block is undone. */
static unsigned *
draw_ranks(void)
{
	unsigned *n = mem_array(BLOCKS, sizeof *n), *by_rank;

	for (unsigned i = 0; i < DRAWS; i++) {
		uint64_t block = skew_draw(&skew, &rng);

		if (block >= BLOCKS)
			ck_abort();
		n[block]++;
	}
	by_rank = mem_array(BLOCKS, sizeof *by_rank);
	for (unsigned r = 0; r < BLOCKS; r++)
		by_rank[r] = n[skew_place(&skew, r)];
	free(n);
	return by_rank;
}

/* Chi-square of counts against a cumulative probability of ranks, cells of which
 * begin at `from`; over 31 degrees of freedom 71 is exceeded once in 20,000. */
static double
chi_square(const unsigned *n, const unsigned *from, double (*below)(double rank))
{
	double x = 0;

	for (unsigned c = 0; c < CELLS; c++) {
		double expected = DRAWS * (below(from[c + 1]) - below(from[c]));
		double got = 0;

		for (unsigned r = from[c]; r < from[c + 1]; r++)
			got += n[r];
		x += (got - expected) * (got - expected) / expected;
	}
	return x;
}

/* Cells that are single ranks first and wide last. */
static void
rising_cells(unsigned *from)
{
	for (unsigned c = 0; c <= CELLS; c++)
		from[c] = c < 8 ? c : (unsigned)(8 * pow(BLOCKS / 8.0, (c - 8) / 24.0));
	from[CELLS] = BLOCKS;
}

/* Gray's formula solved for u: rank 0 is u·zeta < 1, rank 1 < 1 + 2^-theta, the rest
 * n·(eta·u - eta + 1)^(1/(1 - theta)). */
static double
below_zipf(double rank)
{
	double u = (pow(rank / BLOCKS, 1 - skew.theta) - 1 + skew.eta) / skew.eta;
	double two = (1 + pow(.5, skew.theta)) / skew.zeta;

	if (rank <= 0)
		return 0;
	if (rank <= 1)
		return 1 / skew.zeta;
	if (rank <= 2)
		return two;
	return fmin(1, fmax(u, two));
}

static double
below_pareto(double rank)
{
	double u = pow(rank / (BLOCKS - 1), 1 / skew.power);

	return u < 1 ? u : 1;
}

START_TEST(zipf)
{
	static const char *const thetas[] = {"zipf:0.6", "zipf:0.9", "zipf:1.2", "zipf:2"};
	unsigned from[CELLS + 1];

	rising_cells(from);
	for (size_t i = 0; i < sizeof thetas / sizeof *thetas; i++) {
		unsigned *n;

		use(thetas[i], BLOCKS);
		n = draw_ranks();
		if (i < 3) /* of zipf:2 the far cells are almost empty */
			ck_assert_double_lt(chi_square(n, from, below_zipf), 71);
		/* The definition: the hottest two are 2^theta apart, and 1/zeta. */
		ck_assert_double_eq_tol(
		    (double)n[0] / n[1], pow(2, skew.theta), .08 * pow(2, skew.theta));
		ck_assert_double_eq_tol((double)n[0] / DRAWS, 1 / skew.zeta, .006);
		free(n);
	}
}
END_TEST

/* Σ 1/i^2 is π²/6; of 1/i^0.5 over 4 million terms, by Euler and Maclaurin. */
START_TEST(zeta_of_many_blocks)
{
	use("zipf:2", UINT64_C(1) << 40);
	ck_assert_double_eq_tol(skew.zeta, M_PI * M_PI / 6, 1e-6);
	use("zipf:0.5", 4000000);
	ck_assert_double_eq_tol(skew.zeta, 2 * 2000 - 1.4603545 + .00025, 1e-3);
}
END_TEST

START_TEST(pareto)
{
	unsigned from[CELLS + 1], *n;

	rising_cells(from);
	use("pareto:0.2", BLOCKS);
	from[CELLS] = BLOCKS - 1; /* the last rank is never reached */
	n = draw_ranks();
	ck_assert_double_lt(chi_square(n, from, below_pareto), 71);
	/* What the parameter means: 20 % of the ranks have 80 % of the draws. */
	for (unsigned r = 1; r < (BLOCKS - 1) / 5; r++)
		n[0] += n[r];
	ck_assert_double_eq_tol((double)n[0] / DRAWS, .8, .005);
	free(n);
}
END_TEST

START_TEST(normal)
{
	static const struct {
		const char *dist;
		double width;
	} bells[] = {{"normal:1", .01}, {"normal:10", .1}, {"normal:30", .3}};

	for (size_t i = 0; i < sizeof bells / sizeof *bells; i++) {
		double mean = 0, square = 0, sd;
		unsigned *n;

		use(bells[i].dist, BLOCKS);
		n = draw_ranks();
		for (unsigned r = 0; r < BLOCKS; r++) {
			mean += (double)n[r] * r / DRAWS;
			square += (double)n[r] * r * r / DRAWS;
		}
		free(n);
		sd = sqrt(square - mean * mean);
		ck_assert_double_eq_tol(mean, BLOCKS / 2.0 - .5, 1.5);
		ck_assert_double_eq_tol(sd,
		    BLOCKS * sqrt(1 / 144.0 + bells[i].width * bells[i].width / 12), 1);
	}
}
END_TEST

START_TEST(zones)
{
	static const double share[] = {.6, .3, .08, .02};
	static const unsigned upto[] = {102, 307, 614, 1024};
	unsigned n[4] = {0};

	use("zoned:60/10:30/20:8/30:2/40", BLOCKS);
	for (unsigned i = 0; i < DRAWS; i++) {
		uint64_t block = skew_draw(&skew, &rng);
		unsigned z = 0;

		while (block >= upto[z])
			z++;
		n[z]++;
	}
	for (int z = 0; z < 4; z++)
		ck_assert_double_eq_tol((double)n[z] / DRAWS, share[z], .006);
	use("zoned_abs:90/64k:10/128k", BLOCKS);
	memset(n, 0, sizeof n);
	for (unsigned i = 0; i < DRAWS; i++) {
		uint64_t block = skew_draw(&skew, &rng);

		ck_assert_uint_lt(block, 48);
		n[block >= 16]++;
	}
	ck_assert_double_eq_tol((double)n[0] / DRAWS, .9, .006);
}
END_TEST

START_TEST(centers)
{
	use("zipf:1.2:0.25", BLOCKS);
	ck_assert_uint_eq(skew_place(&skew, 0), 256);
	ck_assert_uint_eq(skew_place(&skew, 1), 235); /* as fio 3.33 has it */
	ck_assert_uint_eq(skew_place(&skew, 2), 214);
	use("pareto:0.2:0.75", BLOCKS);
	ck_assert_uint_eq(skew_place(&skew, 0), 768);
	use("normal:10", BLOCKS);
	ck_assert_uint_eq(skew_place(&skew, 0), 0);
	use("normal:10:0.25", BLOCKS);
	ck_assert_uint_eq(skew_place(&skew, 0), 768);
}
END_TEST

START_TEST(few_blocks)
{
	static const char *const all[] = {"zipf:1.2", "pareto:0.2", "normal:10",
	    "zoned:50/1:50/99", "zoned_abs:50/4k:50/1m"};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		for (uint64_t n = 1; n < 5; n++) {
			use(all[i], n);
			for (int k = 0; k < 1000; k++)
				ck_assert_uint_lt(skew_draw(&skew, &rng), n);
		}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("skew");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, zipf);
	tcase_add_test(tc, zeta_of_many_blocks);
	tcase_add_test(tc, pareto);
	tcase_add_test(tc, normal);
	tcase_add_test(tc, zones);
	tcase_add_test(tc, centers);
	tcase_add_test(tc, few_blocks);
	return suite_run("skew", tc);
}
