/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When repeats end, with spreads worked out by hand.
 */
#include <check.h>
#include <math.h>

#include "controller/expand/repeat.h"
#include "tests/unit/suite.h"

static const struct plan_repeat fixed = {5, 5, NAN};
static const struct plan_repeat spread = {5, 8, 0.05};

START_TEST(rsd)
{
	/* mean 100, squares 4 + 0 + 4: sd = sqrt(8 / 2) = 2 */
	ck_assert_double_eq_tol(repeat_rsd((double[]){98, 100, 102}, 3), 0.02, 1e-12);
	ck_assert_double_eq_tol(repeat_rsd((double[]){7, 7, 7, 7}, 4), 0, 1e-12);
	ck_assert(isnan(repeat_rsd((double[]){7}, 1)));
	ck_assert(isnan(repeat_rsd(NULL, 0)));
	ck_assert(isnan(repeat_rsd((double[]){0, 0}, 2)));
	/* no cancellation: differences of 1 on top of 10^12 */
	ck_assert_double_eq_tol(
	    repeat_rsd((double[]){1e12, 1e12 + 2}, 2), sqrt(2) / 1e12, 1e-18);
}
END_TEST

static void
check(const struct plan_repeat *rule, const double *values, size_t valid,
    size_t attempted, bool more, const char *why)
{
	struct repeat_verdict v = repeat_decide(rule, values, valid, attempted);

	ck_assert_str_eq(v.why, why);
	ck_assert_int_eq(v.more, more);
}

START_TEST(fixed_number)
{
	static const double x[] = {98, 100, 102, 100, 100};

	check(&fixed, NULL, 0, 0, true, "0 of at least 5");
	check(&fixed, x, 4, 4, true, "4 of at least 5");
	/* squares 4 + 4: sd = sqrt(8 / 4) */
	check(&fixed, x, 5, 5, false, "5 as planned, rsd 1.41 %");
	check(&fixed, x, 1, 5, false, "5 as planned, rsd unknown");
	check(&(struct plan_repeat){1, 1, NAN}, x, 1, 1, false,
	    "1 as planned, rsd unknown");
}
END_TEST

START_TEST(until_spread)
{
	static const double calm[] = {98, 100, 102, 100, 100};
	static const double wild[] = {80, 120, 80, 120, 100, 100, 100, 100};

	check(&spread, calm, 4, 4, true, "4 of at least 5");
	check(&spread, calm, 5, 5, false, "rsd 1.41 % <= 5 % after 5");
	/* mean 100, squares 4 × 400: sd = sqrt(1600 / 4) = 20 */
	check(&spread, wild, 5, 5, true, "rsd 20 % > 5 % after 5");
	check(&spread, wild, 7, 7, true, "rsd 16.3 % > 5 % after 7");
	check(&spread, wild, 8, 8, false, "max 8 reached, rsd 15.1 %");
	ck_assert_double_eq_tol(repeat_decide(&spread, wild, 5, 5).rsd, 0.2, 1e-12);
}
END_TEST

/* Exactly at the limit is within it. */
START_TEST(at_the_limit)
{
	static const double x[] = {98, 100, 102};
	const struct plan_repeat rule = {3, 4, 0.02};

	check(&rule, x, 3, 3, false, "rsd 2 % <= 2 % after 3");
}
END_TEST

/* Invalid repeats are made up for, but not for ever. */
START_TEST(invalid_repeats)
{
	static const double x[] = {100, 100, 100, 100, 100};

	check(&spread, x, 3, 5, true, "only 3 of 5 valid");
	check(&spread, x, 4, 7, true, "only 4 of 7 valid");
	check(&spread, x, 5, 7, false, "rsd 0 % <= 5 % after 5");
	check(&spread, x, 4, 8, false, "max 8 reached, rsd 0 %");
	check(&spread, x, 0, 8, false, "max 8 reached, rsd unknown");
}
END_TEST

int
main(void)
{
	return SUITE_MAIN(
	    "repeat", rsd, fixed_number, until_spread, at_the_limit, invalid_repeats);
}
