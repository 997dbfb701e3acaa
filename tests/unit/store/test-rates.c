/* SPDX-License-Identifier: Apache-2.0 */
/* A client's rates and those of both directions, against values worked out by hand. */
#include <math.h>

#include "controller/store/results.h"
#include "tests/unit/suite.h"

#define S UINT64_C(1000000000)

/* 4,000 writes in 4 s, half a second of nothing, 2,000 reads in 1.5 s; 1 KiB each. */
static struct tally *
one_after_the_other(void)
{
	struct tally *tally = tally_new();
	struct dir_tally *reads = &tally->dir[DIR_READ];
	struct dir_tally *writes = &tally->dir[DIR_WRITE];

	tally->window_to = UINT64_MAX;
	tally->has_first_io = true;
	tally->first_end_ns = tally->end_ns = 6 * S;
	writes->phase[METER_INSIDE].ios = 4000;
	writes->phase[METER_INSIDE].bytes = 4000 * 1024;
	writes->times = (struct dir_times){true, 0, 4 * S, 4 * S};
	reads->phase[METER_INSIDE].ios = 2000;
	reads->phase[METER_INSIDE].bytes = 2000 * 1024;
	reads->times = (struct dir_times){true, 4 * S + S / 2, 6 * S, S + S / 2};
	return tally;
}

START_TEST(of_a_client)
{
	struct tally *tally = one_after_the_other();
	double bytes_per_s, iops;

	results_client_rate(tally, DIR_WRITE, &bytes_per_s, &iops);
	ck_assert_double_eq(iops, 1000);
	ck_assert_double_eq(bytes_per_s, 1000 * 1024);
	results_client_rate(tally, DIR_READ, &bytes_per_s, &iops);
	ck_assert_double_eq_tol(iops, 2000 / 1.5, 1e-9);
	results_client_rate_both(tally, &bytes_per_s, &iops);
	ck_assert_double_eq(iops, 1000); /* 6,000 in 6 s, and not 2,333 */
	ck_assert_double_eq(bytes_per_s, 1000 * 1024);
	/* Side by side they add up. */
	tally->dir[DIR_READ].times.own = tally->dir[DIR_WRITE].times.own = false;
	results_client_rate_both(tally, &bytes_per_s, &iops);
	ck_assert_double_eq_tol(iops, 4000 / 6.0 + 2000 / 6.0, 1e-9);
	tally_free(tally);
}
END_TEST

static struct total_dir
figures(uint64_t from, uint64_t ns, uint64_t ios)
{
	double iops = ns ? (double)ios * 1e9 / (double)ns : NAN;

	return (struct total_dir){.present = true,
	    .window_from = from,
	    .window_ns = ns,
	    .ios = ios,
	    .bytes = ios * 1024,
	    .iops = iops,
	    .bytes_per_s = iops * 1024};
}

START_TEST(of_all_clients)
{
	struct total total = {0};
	double bytes_per_s, iops;

	results_rate_both(&total, &bytes_per_s, &iops);
	ck_assert(isnan(iops));
	total.dir[DIR_WRITE] = figures(0, 4 * S, 4000);
	results_rate_both(&total, &bytes_per_s, &iops);
	ck_assert_double_eq(iops, 1000);
	total.dir[DIR_READ] = figures(0, 4 * S, 2000);
	results_rate_both(&total, &bytes_per_s, &iops);
	ck_assert_double_eq(iops, 1500);
	/* Their own windows, apart: 6,000 in 4 s and 1 s. */
	total.dir[DIR_READ] = figures(5 * S, S, 2000);
	results_rate_both(&total, &bytes_per_s, &iops);
	ck_assert_double_eq(iops, 1200);
	ck_assert_double_eq(bytes_per_s, 1200 * 1024);
	/* One reaches into the other: 6,000 in 5 s. */
	total.dir[DIR_READ] = figures(2 * S, 3 * S, 2000);
	results_rate_both(&total, &bytes_per_s, &iops);
	ck_assert_double_eq(iops, 1200);
	/* The clients never read together: what is left are the writes. */
	total.dir[DIR_READ] = figures(0, 0, 0);
	results_rate_both(&total, &bytes_per_s, &iops);
	ck_assert_double_eq(iops, 1000);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("rates", of_a_client, of_all_clients);
}
