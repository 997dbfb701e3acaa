/* SPDX-License-Identifier: Apache-2.0 */
/* Courses with and without a period; one hump and two. */
#include "controller/analyze/series.h"

#include <math.h>

#include "tests/unit/analyze/build.h"
#include "tests/unit/suite.h"

START_TEST(test_course)
{
	struct sample_course course;
	double seconds[60];
	struct rng rng;

	rng_seed(&rng, 9);
	for (int i = 0; i < 60; i++)
		seconds[i] = 100 + build_normal(&rng);
	series_course_of(seconds, 60, &course);
	ck_assert(course.rsd > 0.005 && course.rsd < 0.02);
	ck_assert(fabs(course.rise) < 0.01 && isnan(course.period_s));
	for (int i = 0; i < 60; i++) /* every ten seconds three slow ones */
		seconds[i] = (i % 10 < 3 ? 60 : 100) + build_normal(&rng);
	series_course_of(seconds, 60, &course);
	ck_assert_double_eq(course.period_s, 10);
	ck_assert(course.period_depth > 0.8 && course.rsd > 0.15);
	for (int i = 0; i < 60; i++)
		seconds[i] = 100 + i;
	series_course_of(seconds, 60, &course);
	ck_assert_double_eq_tol(course.rise, 149.5 / 109.5 - 1, 1e-12);
	ck_assert(isnan(course.period_s)); /* a trend is no period */
	series_course_of(seconds, SERIES_SECONDS_MIN - 1, &course);
	ck_assert(isnan(course.rsd) && isnan(course.rise));
}
END_TEST

START_TEST(test_slots)
{
	struct slots slots = {.n = 250, .v = mem_array(250, sizeof *slots.v)};
	struct sample_course course;

	for (size_t i = 0; i < slots.n; i++)
		slots.v[i] = (struct slot){.ios = 1, .bytes = i < 50 ? 1 : 1000};
	series_course(&slots, 5 * HEAT_NS, 25 * HEAT_NS, false, &course);
	ck_assert_double_eq(course.rsd, 0); /* the ramp is outside of the window */
	series_course(&slots, 0, 25 * HEAT_NS, false, &course);
	ck_assert(course.rsd > 0.3);
	series_course(&slots, 0, 25 * HEAT_NS, true, &course);
	ck_assert_double_eq(course.rsd, 0);
	slots_free(&slots);
}
END_TEST

START_TEST(test_modes)
{
	struct hist *hist = mem_alloc(sizeof *hist);
	struct sample_modes modes;
	struct rng rng;

	rng_seed(&rng, 4);
	for (int i = 0; i < 20000; i++)
		hist_add(hist, (uint64_t)(1e6 * exp(0.3 * build_normal(&rng))), 1);
	series_modes(hist, &modes);
	ck_assert(!modes.two);
	for (int i = 0; i < 8000; i++)
		hist_add(hist, (uint64_t)(20e6 * exp(0.3 * build_normal(&rng))), 1);
	series_modes(hist, &modes);
	ck_assert(modes.two);
	ck_assert_double_eq_tol(modes.high_share, 8.0 / 28, 0.02);
	ck_assert(modes.low_ns > 0.6e6 && modes.low_ns < 1.4e6);
	ck_assert(modes.high_ns > 12e6 && modes.high_ns < 28e6);
	hist_reset(hist);
	for (int i = 0; i < 20000; i++) /* a rare second hump is a tail */
		hist_add(hist,
		    (uint64_t)((i % 20 ? 1e6 : 20e6) * exp(0.3 * build_normal(&rng))),
		    1);
	series_modes(hist, &modes);
	ck_assert(!modes.two);
	free(hist);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("series", test_course, test_slots, test_modes);
}
