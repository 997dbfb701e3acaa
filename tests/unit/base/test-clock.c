/* SPDX-License-Identifier: Apache-2.0 */
/* The clocks: units, direction, and the text of wall times. */
#include "lib/base/clock.h"

#include "tests/unit/suite.h"

START_TEST(monotonic_is_the_kernels)
{
	struct timespec ts;
	uint64_t before, after, now;

	before = clock_ns();
	clock_gettime(CLOCK_MONOTONIC, &ts);
	after = clock_ns();
	now = (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
	ck_assert(before <= now && now <= after);
}
END_TEST

START_TEST(wall_is_after_2026)
{
	ck_assert(clock_wall_ns() > UINT64_C(1767225600) * 1000000000u);
}
END_TEST

START_TEST(utc_text)
{
	char buf[CLOCK_UTC_BUF];

	ck_assert_str_eq(clock_utc(buf, 0), "1970-01-01T00:00:00Z");
	ck_assert_str_eq(
	    clock_utc(buf, UINT64_C(1796069700) * 1000000000u), "2026-11-30T20:15:00Z");
	/* Cut, not rounded; and a leap day. */
	ck_assert_str_eq(
	    clock_utc(buf, UINT64_C(1709251199) * 1000000000u + 999999999u),
	    "2024-02-29T23:59:59Z");
	ck_assert_str_eq(clock_utc(buf, UINT64_MAX), "2554-07-21T23:34:33Z");
}
END_TEST

int
main(void)
{
	return SUITE_MAIN(
	    "clock", monotonic_is_the_kernels, wall_is_after_2026, utc_text);
}
