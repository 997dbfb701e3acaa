/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing, gating and ranking. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "controller/analyze/gate.h"
#include "controller/analyze/rank.h"
#include "tests/unit/analyze/build.h"
#include "tests/unit/suite.h"

#define LIST(...) \
	(const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / 8

static const struct compare_options plain = {.margin = 0.05};
static const struct gate_limits limits = {0.05, 0.10, 0.20, 0.10};

static struct model base, fresh;
static struct comparisons all;
static struct gate gate;

static void
compare(const struct compare_options *options)
{
	/* files of their own: nothing in them is a pair */
	for (vec_each(struct cell *, cell, &fresh.cells))
		for (vec_each(struct sample *, it, &cell->samples))
			it->source = 1;
	model_close(&base);
	model_close(&fresh);
	compare_models(&base, &fresh, options, &all);
}

static enum gate_result
verdict(void)
{
	compare(&plain);
	gate_run(&all, &limits, &gate);
	return gate_verdict(&gate);
}

static void
reset(void)
{
	gate_free(&gate);
	comparisons_free(&all);
	model_free(&base);
	model_free(&fresh);
}

START_TEST(test_compare)
{
	const struct comparison *it;

	build_cell(&base, "S", "read", "tcp", 8, LIST(100, 101, 99, 100, 100));
	build_cell(&fresh, "S", "read", "tcp", 8, LIST(80, 81, 79, 80, 80));
	build_cell(&base, "S", "read", "tcp", 16, LIST(100, 101, 99));
	build_cell(&fresh, "S", "read", "tcp", 16, LIST(100, 99, 101));
	build_cell(&base, "S", "write", "tcp", 16, LIST(1));
	build_cell(&fresh, "S", "other", "tcp", 16, LIST(1));
	compare(&plain);
	ck_assert_uint_eq(all.list.n, 2);
	ck_assert_uint_eq(all.only_base, 1);
	ck_assert_uint_eq(all.only_fresh, 1);
	it = &all.list.v[0];
	ck_assert_uint_eq(it->fresh->clients, 8);
	ck_assert_int_eq(it->c.verdict, VERDICT_WORSE);
	ck_assert_double_eq_tol(it->c.effect, -0.2, 1e-3);
	ck_assert(!it->c.paired && it->c.n == 5);
	ck_assert_double_eq_tol(it->c.mann_whitney, 0.0079, 1e-4);
	ck_assert_double_eq_tol(it->p_holm, 2 * it->c.p, 1e-15);
	it = &all.list.v[1];
	ck_assert_int_eq(it->c.verdict, VERDICT_EQUIVALENT);
	ck_assert(it->detectable > 0.01 && it->detectable < 0.05);
	reset();
}
END_TEST

START_TEST(test_bootstrap)
{
	struct str text = {0};

	build_cell(&base, "S", "read", "tcp", 8,
	    LIST(100, 101, 99, 100, 102, 98, 100, 101, 99, 100));
	build_cell(&fresh, "S", "read", "tcp", 8,
	    LIST(80, 81, 79, 80, 82, 78, 80, 81, 79, 80));
	build_cell(&base, "S", "read", "tcp", 16, LIST(100, 101, 99));
	build_cell(&fresh, "S", "read", "tcp", 16, LIST(100, 101, 99));
	compare(&plain);
	ck_assert(all.list.v[0].hl_low < -0.2 && all.list.v[0].hl_high > -0.2);
	ck_assert(all.list.v[0].hl_high - all.list.v[0].hl_low < 0.03);
	ck_assert(isnan(all.list.v[1].hl_low)); /* three are too few */
	comparisons_json(&all, "test", "a", "b", &text);
	ck_assert(strstr(text.s, "\"hodges_lehmann_bootstrap_pct\": null"));
	ck_assert(strstr(text.s, "\"verdict\": \"worse\""));
	str_free(&text);
	reset();
}
END_TEST

/* Two storages of one file are paired when they ran next to each other. */
START_TEST(test_across)
{
	struct compare_options across = {.across_storages = true, .margin = 0.05};

	build_cell(&base, "A", "read", "tcp", 8, LIST(100, 101, 99));
	build_cell(&fresh, "B", "read", "tcp", 8, LIST(110, 111, 109));
	compare(&plain);
	ck_assert_uint_eq(all.list.n, 0);
	comparisons_free(&all);
	compare_models(&base, &fresh, &across, &all);
	ck_assert_uint_eq(all.list.n, 1);
	ck_assert_int_eq(all.list.v[0].c.verdict, VERDICT_BETTER);
	reset();
	build_cell(&base, "A", "read", "tcp", 8, LIST(100));
	build_cell(&base, "C", "read", "tcp", 8, LIST(100));
	build_cell(&fresh, "B", "read", "tcp", 8, LIST(100));
	compare(&across);
	ck_assert_uint_eq(all.list.n, 0);
	ck_assert_uint_eq(all.twice, 3);
	reset();
}
END_TEST

START_TEST(test_gate)
{
	build_cell(&base, "S", "read", "tcp", 8, LIST(100, 101, 99, 100, 100));
	build_cell(&fresh, "S", "read", "tcp", 8, LIST(99, 100, 98, 99, 99));
	ck_assert_int_eq(verdict(), GATE_PASS);
	reset();
	build_cell(&base, "S", "read", "tcp", 8, LIST(100, 101, 99, 100, 100));
	build_cell(&fresh, "S", "read", "tcp", 8, LIST(90, 91, 89, 90, 90));
	ck_assert_int_eq(verdict(), GATE_REGRESSION);
	reset();
	/* 4 % slower in a spread of 3 %: not shown to be within 5 %, nor beyond */
	build_cell(&base, "S", "read", "tcp", 8, LIST(100, 104, 97, 102, 97));
	build_cell(&fresh, "S", "read", "tcp", 8, LIST(96, 100, 93, 98, 93));
	ck_assert_int_eq(verdict(), GATE_INCONCLUSIVE);
	reset();
	/* one run a side: however bad, and however good, not evaluated, so no pass */
	build_cell(&base, "S", "read", "tcp", 8, LIST(100));
	build_cell(&fresh, "S", "read", "tcp", 8, LIST(50));
	ck_assert_int_eq(verdict(), GATE_INCONCLUSIVE);
	ck_assert_uint_eq(gate.checks.n, 1);
	ck_assert_int_eq(gate.checks.v[0].result, GATE_SKIPPED);
	reset();
	ck_assert_int_eq(verdict(), GATE_INCONCLUSIVE); /* nothing at all */
	reset();
}
END_TEST

/* A cell that passes must not hide one that did not run, or is INVALID throughout. */
START_TEST(test_gate_lost)
{
	for (int how = 0; how < 4; how++) {
		struct cell *cell;

		build_cell(&base, "S", "read", "tcp", 8, LIST(100, 101, 99, 100, 100));
		build_cell(&base, "S", "write", "tcp", 8, LIST(50, 50, 50));
		build_cell(&fresh, "S", "read", "tcp", 8, LIST(100, 101, 99, 100, 100));
		if (how % 2) {
			cell = build_cell(
			    &fresh, "S", "write", "tcp", 8, LIST(50, 50, 50));
			for (vec_each(struct sample *, it, &cell->samples))
				it->state = ATTEMPT_INVALID;
		}
		compare(&plain);
		all.other_plan = how >= 2;
		gate_run(&all, &limits, &gate);
		ck_assert_uint_eq(gate.checks.n, 2);
		ck_assert_str_eq(gate.checks.v[1].what, "throughput");
		ck_assert_str_eq(gate.checks.v[1].text,
		    "50.00 B/s in the base, and nothing VALID in the new");
		ck_assert_str_eq(gate.checks.v[1].cell->workload, "write");
		/* another plan may well leave cells out: said, but no doubt */
		ck_assert_int_eq(gate.checks.v[1].result,
		    how < 2 ? GATE_INCONCLUSIVE : GATE_SKIPPED);
		ck_assert_int_eq(
		    gate_verdict(&gate), how < 2 ? GATE_INCONCLUSIVE : GATE_PASS);
		reset();
	}
	/* what the base does not know is not lost */
	build_cell(&base, "S", "read", "tcp", 8, LIST(100, 101, 99, 100, 100));
	build_cell(&fresh, "S", "read", "tcp", 8, LIST(100, 101, 99, 100, 100));
	build_cell(&fresh, "S", "write", "tcp", 8, LIST(50, 50, 50));
	ck_assert_int_eq(verdict(), GATE_PASS);
	ck_assert_uint_eq(gate.checks.n, 1);
	reset();
}
END_TEST

/* 3 repeats with a deviation of 3 %: inconclusive, and how much would have shown. */
START_TEST(test_detectable_is_said)
{
	struct str text = {0};

	build_cell(&base, "S", "read", "tcp", 8, LIST(100, 103, 97));
	build_cell(&fresh, "S", "read", "tcp", 8, LIST(96, 99, 93));
	compare(&plain);
	ck_assert_int_eq(all.list.v[0].c.verdict, VERDICT_INCONCLUSIVE);
	comparisons_text(&all, &text);
	ck_assert_msg(strstr(text.s, "S read tcp, 8 clients is inconclusive: with 3 "
				     "repeats you could only have seen a drop of "),
	    "%s", text.s);
	str_clear(&text);
	reset();
	build_cell(&base, "S", "read", "tcp", 8, LIST(100, 100.1, 99.9));
	build_cell(&fresh, "S", "read", "tcp", 8, LIST(100, 100.1, 99.9));
	compare(&plain);
	comparisons_text(&all, &text);
	ck_assert(!strstr(text.s, "you could only"));
	str_free(&text);
	reset();
}
END_TEST

static void
set_latency(struct cell *cell, const double *ms)
{
	for (size_t i = 0; i < cell->samples.n; i++)
		cell->samples.v[i].value[METRIC_LAT] = ms[i] * 1e6;
}

START_TEST(test_gate_latency)
{
	struct str text = {0};

	set_latency(build_cell(&base, "S", "read", "tcp", 8, LIST(100, 101, 99)),
	    (const double[]){10, 10.1, 9.9});
	set_latency(build_cell(&fresh, "S", "read", "tcp", 8, LIST(100, 101, 99)),
	    (const double[]){13, 13.1, 12.9});
	ck_assert_int_eq(verdict(), GATE_REGRESSION);
	gate_text(&gate, &text);
	ck_assert_msg(
	    strstr(text.s, "mean latency: 10.00 ms to 13.00 ms, +30.0 %") != NULL, "%s",
	    text.s);
	ck_assert(strstr(text.s, "limit +10.0 %"));
	str_free(&text);
	reset();
}
END_TEST

/* Every scale within its limit, but efficiency fell from 100 % to 87 %. */
START_TEST(test_gate_efficiency)
{
	const struct gate_check *check = NULL;

	build_cell(&base, "S", "read", "tcp", 1, LIST(100, 100.1, 99.9));
	build_cell(&base, "S", "read", "tcp", 4, LIST(400, 400.4, 399.6));
	build_cell(&fresh, "S", "read", "tcp", 1, LIST(112, 112.1, 111.9));
	build_cell(&fresh, "S", "read", "tcp", 4, LIST(390, 390.4, 389.6));
	ck_assert_int_eq(verdict(), GATE_REGRESSION);
	for (vec_each(const struct gate_check *, it, &gate.checks))
		if (it->result == GATE_REGRESSION)
			check = it;
	ck_assert_str_eq(check->what, "efficiency");
	ck_assert(strstr(check->text, "100.0 % to 87.1 %"));
	reset();
}
END_TEST

START_TEST(test_outputs)
{
	struct str text = {0};

	build_cell(&base, "a<&\"b", "read", "tcp", 8, LIST(100, 101, 99));
	build_cell(&fresh, "a<&\"b", "read", "tcp", 8, LIST(80, 81, 79));
	ck_assert_int_eq(verdict(), GATE_REGRESSION);
	gate_junit(&gate, &text);
	ck_assert(
	    strstr(text.s, "tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\""));
	ck_assert(
	    strstr(text.s, "classname=\"a&lt;&amp;&quot;b read tcp, 8 clients\""));
	ck_assert(strstr(text.s, "<failure message=\"100.0 B/s to 80.00 B/s"));
	str_clear(&text);
	gate_github(&gate, &text);
	ck_assert(
	    strstr(text.s, "::error title=regression%3A a<&\"b read tcp%2C 8 clients "
			   "throughput::100.0 B/s to 80.00 B/s"));
	ck_assert(strstr(text.s, " %25"));
	reset();
	str_clear(&text);
	verdict();
	gate_junit(&gate, &text);
	ck_assert(strstr(text.s, "tests=\"1\" failures=\"0\" errors=\"1\""));
	str_free(&text);
	reset();
}
END_TEST

START_TEST(test_rank)
{
	double weight[USES] = {1, 1, 1, 1};
	struct ranking ranking;
	struct err err = ERR_INIT;

	build_cell(&base, "X", "seq-read", "tcp", 8, LIST(100));
	build_cell(&base, "Y", "seq-read", "tcp", 8, LIST(50));
	build_cell(&base, "X", "seq-write", "tcp", 8, LIST(40));
	build_cell(&base, "Y", "seq-write", "tcp", 8, LIST(100));
	build_cell(&base, "Z", "seq-read", "tcp", 8, LIST(30));
	build_cell(&base, "Z", "seq-write", "tcp", 8, LIST(30));
	weight[USE_LOADER] = weight[USE_LOGS] = 0;
	model_close(&base);
	rank_models(&base, weight, 0.05, &ranking);
	ck_assert_uint_eq(ranking.list.n, 3);
	ck_assert_uint_eq(ranking.npareto, 2);
	ck_assert_str_eq(ranking.list.v[0].storage, "Y"); /* √(0.5 × 1) */
	ck_assert_double_eq_tol(ranking.list.v[0].total, sqrt(0.5), 1e-12);
	ck_assert_str_eq(ranking.list.v[2].storage, "Z");
	ck_assert(!ranking.list.v[2].pareto);
	ranking_free(&ranking);
	ck_assert(
	    rank_weight(weight, "restore=3", &err) == 0 && weight[USE_RESTORE] == 3);
	rank_models(&base, weight, 0.05, &ranking);
	ck_assert_str_eq(ranking.list.v[0].storage, "X");
	ranking_free(&ranking);
	ck_assert(rank_weight(weight, "restore", &err) < 0);
	ck_assert(rank_weight(weight, "save=-1", &err) < 0);
	reset();
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("compare", test_compare, test_bootstrap, test_across,
	    test_gate, test_gate_lost, test_detectable_is_said, test_gate_latency,
	    test_gate_efficiency, test_outputs, test_rank);
}
