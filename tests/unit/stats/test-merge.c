/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Percentiles of all clients are those of the pooled samples, to 1 %, however
 * unlike the clients are.  The same check must fail for a variant that averages
 * the clients' percentiles, or it proves nothing.
 */
#include "lib/stats/hist.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "tests/unit/suite.h"

#define CLIENTS 30
#define SAMPLES 40000 /* of the busiest client */
#define WITHIN 0.01

static const double percents[] = {50, 90, 95, 99, 99.9};
#define PERCENTS (sizeof percents / sizeof *percents)

struct pool {
	struct hist *client[CLIENTS];
	uint64_t *sample; /* of all clients, sorted */
	size_t n;
};

static int
by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Client i is slower and does less, the higher i; a few samples are 40 × as slow. */
static struct pool
pool_made(uint64_t seed)
{
	struct pool pool = {.sample = mem_array(CLIENTS * SAMPLES, sizeof(uint64_t))};
	struct rng rng;

	rng_seed(&rng, seed);
	for (unsigned c = 0; c < CLIENTS; c++) {
		double base = 80000 * pow(1.17, c), tail = 0.002 * c;
		size_t own = SAMPLES / (1 + c);

		pool.client[c] = mem_alloc(sizeof *pool.client[c]);
		for (size_t i = 0; i < own; i++) {
			double lat =
			    base * exp(0.4 * (rng_unit(&rng) + rng_unit(&rng)));
			uint64_t ns =
			    (uint64_t)(rng_unit(&rng) < tail ? 40 * lat : lat);

			hist_add(pool.client[c], ns, 1);
			pool.sample[pool.n++] = ns;
		}
	}
	qsort(pool.sample, pool.n, sizeof *pool.sample, by_value);
	return pool;
}

static void
pool_free(struct pool *pool)
{
	for (unsigned c = 0; c < CLIENTS; c++)
		free(pool->client[c]);
	free(pool->sample);
}

/* The way of the product: merge, then read. */
static double
merged(const struct pool *pool, double p)
{
	struct hist *all = mem_alloc(sizeof *all);
	double value;

	for (unsigned c = 0; c < CLIENTS; c++)
		hist_merge(all, pool->client[c]);
	value = hist_percentile(all, p);
	free(all);
	return value;
}

/* The wrong way: read, then average, weighed by what each client did. */
static double
averaged(const struct pool *pool, double p)
{
	double sum = 0, n = 0;

	for (unsigned c = 0; c < CLIENTS; c++) {
		double weight = (double)pool->client[c]->count;

		sum += weight * hist_percentile_any(pool->client[c], p);
		n += weight;
	}
	return sum / n;
}

/* The largest relative distance from the pooled samples, over all percentiles. */
static double
worst(const struct pool *pool, double (*way)(const struct pool *pool, double p))
{
	double most = 0;

	for (size_t i = 0; i < PERCENTS; i++) {
		size_t rank = (size_t)ceil(percents[i] / 100 * (double)pool->n);
		double want = (double)pool->sample[rank - 1];
		double off = fabs(way(pool, percents[i]) - want) / want;

		most = off > most ? off : most;
	}
	return most;
}

START_TEST(merging_is_within_one_percent)
{
	for (uint64_t seed = 0; seed < 5; seed++) {
		struct pool pool = pool_made(seed);
		double off = worst(&pool, merged);

		ck_assert_msg(
		    off <= WITHIN, "seed %" PRIu64 ": off by %.4f", seed, off);
		pool_free(&pool);
	}
}
END_TEST

START_TEST(averaging_is_not)
{
	for (uint64_t seed = 0; seed < 5; seed++) {
		struct pool pool = pool_made(seed);
		double off = worst(&pool, averaged);

		ck_assert_msg(
		    off > 10 * WITHIN, "seed %" PRIu64 ": off by %.4f", seed, off);
		pool_free(&pool);
	}
}
END_TEST

START_TEST(moments_are_exact)
{
	struct pool pool = pool_made(9);
	struct hist *all = mem_alloc(sizeof *all);
	long double sum = 0, about = 0, mean;

	for (unsigned c = 0; c < CLIENTS; c++)
		hist_merge(all, pool.client[c]);
	for (size_t i = 0; i < pool.n; i++)
		sum += pool.sample[i];
	mean = sum / pool.n;
	for (size_t i = 0; i < pool.n; i++)
		about += (pool.sample[i] - mean) * (pool.sample[i] - mean);
	ck_assert_uint_eq(all->count, pool.n);
	ck_assert_uint_eq(all->min, pool.sample[0]);
	ck_assert_uint_eq(all->max, pool.sample[pool.n - 1]);
	ck_assert_double_eq_tol(hist_mean(all) / (double)mean, 1, 1e-12);
	ck_assert_double_eq_tol(
	    hist_stddev(all) / (double)sqrtl(about / (pool.n - 1)), 1, 1e-9);
	free(all);
	pool_free(&pool);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("merge", merging_is_within_one_percent, averaging_is_not,
	    moments_are_exact);
}
