/* SPDX-License-Identifier: Apache-2.0 */
/* The published proof of concept: exactly what its article says, no more, no less. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/analyze/build.h"
#include "tests/unit/suite.h"

struct name {
	const char *storage, *workload;
};

static struct model model;
static struct findings findings;

static void
load(void)
{
	char *path = mem_printf("%s/tests/analysis/poc.csv", getenv("abs_top_srcdir"));

	build_table(&model, path);
	build_analyze(&model, &findings);
	free(path);
}

static void
done(void)
{
	findings_free(&findings);
	model_free(&model);
}

/* Each of these has its finding, and there are no others. */
static void
check_exactly(const char *rule, const struct name *names, size_t n)
{
	ck_assert_uint_eq(found(&findings, rule), n);
	for (size_t i = 0; i < n; i++)
		ck_assert_msg(found_for(&findings, rule, names[i].storage,
				  names[i].workload) != NULL,
		    "no %s for %s %s", rule, names[i].storage, names[i].workload);
}

#define EXACTLY(rule, ...) \
	check_exactly(rule, (const struct name[]){__VA_ARGS__}, \
	    sizeof((const struct name[]){__VA_ARGS__}) / sizeof(struct name))

START_TEST(test_inversions)
{
	static const char multi[] = "multi-file-rand-read-128k";
	const struct finding *it;

	load();
	EXACTLY("rdma-inversion", {"D", "seq-read-1m"}, {"D", "seq-write-1m"},
	    {"D", multi}, {"A", "seq-write-1m"});
	for (size_t i = 0; (it = found_at(&findings, "rdma-inversion", i)); i++) {
		ck_assert_int_eq(it->severity, SEVERITY_WARNING);
		ck_assert_int_eq(it->verdict, VERDICT_SUSPECT);
		ck_assert_uint_eq(it->onset, 16);
		ck_assert_uint_eq(it->cells.v[0].n, 1);
		ck_assert(isnan(it->cells.v[0].low));
	}
	it = found_for(&findings, "rdma-inversion", "D", "seq-read-1m");
	ck_assert_double_eq_tol(it->cells.v[0].effect, -0.64, 1e-9);
	ck_assert(
	    says(&it->evidence, "normal up to 8 clients (+3.0 %), collapses at 16"));
	it = found_for(&findings, "rdma-inversion", "A", "seq-write-1m");
	ck_assert_str_eq(
	    it->scope, "write path only: reads of the same storage are normal");
	ck_assert_uint_eq(it->cells.n, 2); /* 16 and 30 clients */
	done();
}
END_TEST

START_TEST(test_scale)
{
	const struct finding *it;

	load();
	EXACTLY("scale-inversion", {"D", "multi-file-rand-read-128k"},
	    {"D", "rand-write-4k"}, {"A", "rand-write-4k"});
	it = found_for(&findings, "scale-inversion", "D", "multi-file-rand-read-128k");
	ck_assert_uint_eq(it->onset, 16);
	ck_assert_double_eq_tol(it->depth, 0.525, 1e-9);
	EXACTLY("late-rise", {"A", "seq-read-1m"}, {"A", "multi-file-rand-read-128k"});
	for (size_t i = 0; (it = found_at(&findings, "late-rise", i)); i++)
		ck_assert_uint_eq(it->onset, 30);
	done();
}
END_TEST

START_TEST(test_ceilings)
{
	const struct finding *it;

	load();
	/* C's 49 GiB/s, which the article gives as a bound, does not fit a link either */
	EXACTLY("above-ceiling", {"E", "seq-read-1m"},
	    {"A", "multi-file-rand-read-128k"}, {"C", "multi-file-rand-read-128k"});
	it = found_for(&findings, "above-ceiling", "E", "seq-read-1m");
	ck_assert_int_eq(it->severity, SEVERITY_WARNING);
	ck_assert(says(&it->evidence, "108.5 % of the 46.10 GiB/s"));
	it = found_for(&findings, "ceiling", "C", "seq-read-1m");
	ck_assert(it && it->severity == SEVERITY_INFO);
	ck_assert(says(&it->evidence, "94.2 %"));
	done();
}
END_TEST

/* One run proves nothing: nothing here is critical. */
START_TEST(test_nothing_critical)
{
	enum severity worst;

	load();
	ck_assert(findings_worst(&findings, &worst) && worst == SEVERITY_WARNING);
	ck_assert_uint_eq(found(&findings, "validity"), 0);
	ck_assert_uint_eq(found(&findings, "noise"), 0);
	ck_assert(
	    says(&found_at(&findings, "balance", 0)->evidence, "1. E 50.00 GiB/s"));
	done();
}
END_TEST

int
main(void)
{
	if (!getenv("abs_top_srcdir"))
		setenv("abs_top_srcdir", ".", 0);
	return SUITE_MAIN(
	    "poc", test_inversions, test_scale, test_ceilings, test_nothing_critical);
}
