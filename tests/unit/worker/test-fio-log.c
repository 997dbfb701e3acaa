/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fio's averaged logs as slots: shares from the log, sums from the counts, times on
 * volley's axis.
 */
#include "agent/worker/fio-log.h"

#include "tests/unit/suite.h"

#define MS UINT64_C(1000000)

static struct dir_tally tally;

static void
spread(enum dir dir, uint64_t ios, uint64_t begin_ms, uint64_t ramp_ms,
    uint64_t runtime_ms, const char *log)
{
	struct fiolog_env env = {.begin_ns = begin_ms * MS,
	    .ramp_ms = ramp_ms,
	    .runtime_ms = runtime_ms,
	    .line_ms = 100,
	    .iops = log,
	    .bw = log};

	dir_tally_free(&tally);
	tally = (struct dir_tally){0};
	tally.phase[METER_INSIDE].ios = ios;
	tally.phase[METER_INSIDE].bytes = ios * 4096;
	fiolog_slots(&tally, dir, &env);
}

static void
slots_are(size_t n, const uint64_t *ios)
{
	uint64_t sum = 0;

	ck_assert_uint_eq(tally.slots.n, n);
	for (size_t i = 0; i < n; i++) {
		ck_assert_msg(tally.slots.v[i].ios == ios[i], "slot %zu: %llu", i,
		    (unsigned long long)tally.slots.v[i].ios);
		ck_assert_uint_eq(tally.slots.v[i].lat_ns, 0);
		sum += tally.slots.v[i].bytes;
	}
	ck_assert_uint_eq(sum, tally.phase[METER_INSIDE].bytes);
}

START_TEST(even)
{
	spread(DIR_READ, 60, 0, 0, 300,
	    "100, 200, 0, 0, 0\n200, 200, 0, 0, 0\n300, 200, 0, 0, 0\n");
	slots_are(3, (const uint64_t[]){20, 20, 20});
}
END_TEST

/* The clock of fio began 50 ms into a slot. */
START_TEST(moved)
{
	spread(DIR_READ, 60, 150, 0, 300,
	    "100, 200, 0, 0, 0\n200, 200, 0, 0, 0\n300, 200, 0, 0, 0\n");
	slots_are(5, (const uint64_t[]){0, 10, 20, 20, 10});
}
END_TEST

/* What fio did not log goes on at the last rate; the rest is no end of its own. */
START_TEST(unlogged_end)
{
	spread(DIR_READ, 50, 0, 0, 250, "100, 200, 0, 0, 0\n200, 200, 0, 0, 0\n");
	slots_are(3, (const uint64_t[]){20, 20, 10});
}
END_TEST

START_TEST(silence)
{
	spread(DIR_READ, 40, 0, 0, 400, "100, 200, 0, 0, 0\n400, 200, 0, 0, 0\n");
	slots_are(4, (const uint64_t[]){20, 0, 0, 20});
}
END_TEST

START_TEST(only_this_direction)
{
	const char *log = "100, 100, 0, 0, 0\n100, 900, 1, 0, 0\n200, 300, 0, 0, 0\n";

	spread(DIR_READ, 40, 0, 0, 200, log);
	slots_are(2, (const uint64_t[]){10, 30});
	spread(DIR_WRITE, 90, 0, 0, 100, log);
	slots_are(1, (const uint64_t[]){90});
}
END_TEST

/* With a ramp of 1 s some versions count from its end, some from its begin. */
START_TEST(both_ways_of_a_ramp)
{
	spread(DIR_READ, 40, 1000, 1000, 200, "100, 100, 0, 0, 0, 0\n200, 300, 0, 0\n");
	ck_assert_uint_eq(tally.slots.n, 12);
	ck_assert_uint_eq(tally.slots.v[10].ios, 10);
	ck_assert_uint_eq(tally.slots.v[11].ios, 30);
	spread(DIR_READ, 40, 1000, 1000, 200, "1100, 100, 0, 0, 0\n1200, 300, 0, 0\n");
	ck_assert_uint_eq(tally.slots.n, 12);
	ck_assert_uint_eq(tally.slots.v[10].ios, 10);
	ck_assert_uint_eq(tally.slots.v[11].ios, 30);
}
END_TEST

/* Lines of half a second, and times of 1970. */
START_TEST(longer_lines)
{
	static const char log[] = "1796103073500, 100, 0, 0, 0\n1796103074000, 300, 0, 0";
	struct fiolog_env env = {.runtime_ms = 1000,
	    .ramp_ms = 5000,
	    .line_ms = 500,
	    .zero_ms = UINT64_C(1796103073000),
	    .iops = log,
	    .bw = log};

	dir_tally_free(&tally);
	tally = (struct dir_tally){.phase[METER_INSIDE] = {.ios = 40, .bytes = 4000}};
	fiolog_slots(&tally, DIR_READ, &env);
	slots_are(10, (const uint64_t[]){2, 2, 2, 2, 2, 6, 6, 6, 6, 6});
	ck_assert_uint_eq(tally.slots.v[9].bytes, 600);
}
END_TEST

/* Single I/Os are counted, whatever the value is; their bytes are the fourth field. */
START_TEST(single_ios)
{
	static const char log[] = "3, 77, 0, 4096, 0, 0\n99, 88, 0, 8192, 4096, 0\n"
				  "100, 1, 1, 512, 0, 0\n120, 99, 0, 4096, 0, 0\n"
				  "321, 9, 0, 4096, 0, 0\n";
	struct fiolog_env env = {.runtime_ms = 330, .iops = log, .bw = log};

	dir_tally_free(&tally);
	tally = (struct dir_tally){.phase[METER_INSIDE] = {.ios = 4, .bytes = 20480}};
	fiolog_slots(&tally, DIR_READ, &env);
	slots_are(4, (const uint64_t[]){2, 1, 0, 1});
	ck_assert_uint_eq(tally.slots.v[0].bytes, 12288);
	ck_assert_uint_eq(tally.slots.v[1].bytes, 4096);
}
END_TEST

/* What was done within seconds is rather unknown than smooth. */
START_TEST(lines_that_are_too_long)
{
	static const char log[] = "1000, 10, 0, 0, 0\n2000, 30, 0, 0, 0\n";
	struct fiolog_env env = {
	    .runtime_ms = 2000, .line_ms = 1000, .iops = log, .bw = log};

	dir_tally_free(&tally);
	tally = (struct dir_tally){.phase[METER_INSIDE] = {.ios = 40, .bytes = 163840}};
	fiolog_slots(&tally, DIR_READ, &env);
	ck_assert_uint_eq(tally.slots.n, 20);
	ck_assert_uint_eq(tally.slots.v[0].ios, 1);
	ck_assert_uint_eq(tally.slots.v[19].ios, 3);
	dir_tally_free(&tally);
	env.line_ms = 1001;
	fiolog_slots(&tally, DIR_READ, &env);
	ck_assert_uint_eq(tally.slots.n, 0);
}
END_TEST

/* Rounding takes nothing away: 7 I/Os over 3 slots. */
START_TEST(sums_are_exact)
{
	spread(DIR_READ, 7, 0, 0, 300,
	    "100, 10, 0, 0, 0\n200, 10, 0, 0, 0\n300, 10, 0, 0, 0\n");
	slots_are(3, (const uint64_t[]){2, 3, 2});
}
END_TEST

START_TEST(no_log)
{
	spread(DIR_READ, 7, 0, 0, 300, "");
	ck_assert_uint_eq(tally.slots.n, 0);
	spread(DIR_READ, 7, 0, 0, 300, "garbage\n\n1,\n");
	ck_assert_uint_eq(tally.slots.n, 0);
	spread(DIR_READ, 7, 0, 0, 300, NULL);
	ck_assert_uint_eq(tally.slots.n, 0);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("fio-log", even, moved, unlogged_end, silence,
	    only_this_direction, both_ways_of_a_ramp, longer_lines, single_ios,
	    lines_that_are_too_long, sums_are_exact, no_log);
}
