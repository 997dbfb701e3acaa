/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cheap clock never leaves CLOCK_MONOTONIC, read just before and after it.
 */
#include <stdio.h>

#include "agent/worker/ticks.h"
#include "tests/unit/worker/support.h"

#define MS UINT64_C(1000000)
#define TOLERANCE UINT64_C(5000) /* 5 ppm of a second; typically tens of ns */

static struct ticks ticks;

static void
compare_for(uint64_t ns)
{
	uint64_t from = clock_ns(), before, after, now;

	do {
		before = clock_ns();
		now = ticks_now(&ticks);
		after = clock_ns();
		ck_assert_msg(now + TOLERANCE >= before && now <= after + TOLERANCE,
		    "%llu is not within [%llu, %llu]", (unsigned long long)now,
		    (unsigned long long)before, (unsigned long long)after);
	} while (after - from < ns);
}

START_TEST(it_keeps_to_the_clock)
{
	ticks_init(&ticks);
	compare_for(30 * MS);
}
END_TEST

START_TEST(it_works_without_a_counter)
{
	ticks = (struct ticks){0};
	compare_for(1 * MS);
	ck_assert_uint_eq(ticks.span, 0);
}
END_TEST

/* The counter ran at another rate than before: from then on it is not used. */
START_TEST(it_gives_up_when_the_two_disagree)
{
	ticks_init(&ticks);
	compare_for(5 * MS);
	if (!ticks.usable) {
		printf("no usable counter here: not tested\n");
		return;
	}
	ck_assert_uint_gt(ticks.span, 0);
	ticks.rate *= 1.01;
	ticks.base -= ticks.span; /* due now */
	ticks.base_ns -= MS;
	compare_for(5 * MS);
	ck_assert(!ticks.usable);
	ck_assert_uint_eq(ticks.span, 0);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/ticks");
	TCase *tc = tcase_create("ticks");

	tcase_add_test(tc, it_keeps_to_the_clock);
	tcase_add_test(tc, it_works_without_a_counter);
	tcase_add_test(tc, it_gives_up_when_the_two_disagree);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
