/* SPDX-License-Identifier: Apache-2.0 */
/* The main program of a unit test: one suite, one case, exit status. */
#ifndef VOLLEY_TESTS_UNIT_SUITE_H
#define VOLLEY_TESTS_UNIT_SUITE_H

#include <check.h>
#include <stdlib.h>

/* Runs the tests of one case that is filled already (with a fixture, say). */
static inline int suite_run(const char *name, TCase *tcase)
{
	Suite *suite = suite_create(name);
	SRunner *runner;
	int failed;

	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static inline int suite_main(const char *name, const TTest *const *tests, size_t n)
{
	TCase *tcase = tcase_create(name);

	for (size_t i = 0; i < n; i++)
		tcase_add_test(tcase, tests[i]);
	return suite_run(name, tcase);
}

/* int main(void) { return SUITE_MAIN("hist", test_a, test_b); } */
#define SUITE_MAIN(name, ...)                                                          \
	suite_main(name, (const TTest *const[]){__VA_ARGS__},                          \
		   sizeof((const TTest *const[]){__VA_ARGS__}) / sizeof(TTest *))

#endif
