/* SPDX-License-Identifier: Apache-2.0 */
/* The main program of a unit test: one suite, one case, exit status. */
#ifndef VOLLEY_TESTS_UNIT_SUITE_H
#define VOLLEY_TESTS_UNIT_SUITE_H

#include <check.h>
#include <stdlib.h>

static inline int suite_main(const char *name, const TTest *const *tests, size_t n)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);
	SRunner *runner;
	int failed;

	for (size_t i = 0; i < n; i++)
		tcase_add_test(tcase, tests[i]);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* int main(void) { return SUITE_MAIN("hist", test_a, test_b); } */
#define SUITE_MAIN(name, ...)                                                          \
	suite_main(name, (const TTest *const[]){__VA_ARGS__},                          \
		   sizeof((const TTest *const[]){__VA_ARGS__}) / sizeof(TTest *))

#endif
