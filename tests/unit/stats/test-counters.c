/* SPDX-License-Identifier: Apache-2.0 */
/* Differences of counters: unknown, reset, wrapped, stuck; names and their readings. */
#include "lib/stats/counters.h"

#include "tests/unit/suite.h"

static struct counter_snapshot moments[COUNTER_MOMENTS];
static struct counters *counters;

static void
put(int moment, const char *name, uint64_t value, bool narrow)
{
	counter_snapshot_add(&moments[moment], "rdma/x/1", name, value, narrow);
}

static void
take(void)
{
	for (int i = 0; i < COUNTER_MOMENTS; i++)
		if (moments[i].values.n)
			counter_snapshot_close(
			    &moments[i], (uint64_t)(i + 1) * UINT64_C(1000000000));
	counters = counters_new();
	counters_between(counters, moments);
}

static bool
of_run(const char *name, uint64_t *ret)
{
	return counters_find(counters, COUNTER_RUN, "rdma/x/1", name, ret);
}

static void
release(void)
{
	counters_free(counters);
	for (int i = 0; i < COUNTER_MOMENTS; i++)
		counter_snapshot_free(&moments[i]);
}

/* The idle time does not begin where the trial ends. */
START_TEST(subtracts_span_by_span)
{
	static const uint64_t deltas[COUNTER_SPANS] = {
	    [COUNTER_TRIAL] = 10, [COUNTER_IDLE] = 50, [COUNTER_RUN] = 70};
	uint64_t delta;

	for (int i = 0; i < COUNTER_MOMENTS; i++) {
		put(i, "b", (uint64_t)(i * i * 10), false);
		put(i, "a", 7, false);
	}
	take();
	ck_assert_uint_eq(counters->list.n, 2);
	ck_assert_str_eq(counters->list.v[0].name, "a");
	for (int span = 0; span < COUNTER_SPANS; span++) {
		ck_assert_uint_eq(counters->ns[span], 1000000000);
		ck_assert(counters_find(
		    counters, (enum counter_span)span, "rdma/x/1", "b", &delta));
		ck_assert_uint_eq(delta, deltas[span]);
	}
	ck_assert(of_run("a", &delta));
	ck_assert_uint_eq(delta, 0);
	ck_assert(!of_run("c", &delta));
	ck_assert(!counters_find(counters, COUNTER_RUN, "rdma/x/2", "b", &delta));
	release();
}
END_TEST

START_TEST(what_was_not_there_before_is_unknown)
{
	uint64_t delta;

	put(COUNTER_RUN_FROM, "old", 5, false);
	put(COUNTER_RUN_TO, "old", 9, false);
	put(COUNTER_RUN_TO, "new", 9, false);
	take();
	ck_assert_uint_eq(counters->ns[COUNTER_TRIAL], 0);
	ck_assert_uint_eq(counters->ns[COUNTER_IDLE], 0);
	ck_assert(of_run("old", &delta));
	ck_assert_uint_eq(delta, 4);
	ck_assert(!of_run("new", &delta));
	ck_assert(
	    !counters_find(counters, COUNTER_TRIAL, "rdma/x/1", "old", &delta));
	release();
}
END_TEST

START_TEST(resets_and_ends_are_unknown_and_a_wrap_is_not)
{
	static const struct {
		const char *name;
		uint64_t before, after;
		bool narrow, known;
		uint64_t delta;
	} cases[] = {
	    {"reset", 1000, 3, false, false, 0},
	    {"reset-large", UINT64_C(1) << 40, 3, false, false, 0},
	    {"narrow-reset", 1000, 3, true, false, 0},
	    {"narrow-wrap", UINT32_MAX - 9, 10, true, true, 20},
	    {"narrow-stuck", 5, UINT32_MAX, true, false, 0},
	    {"wide-at-that-value", 5, UINT32_MAX, false, true, UINT32_MAX - 5},
	    {"narrow-in-name-only", UINT64_C(1) << 33, (UINT64_C(1) << 33) + 4, true,
		true, 4},
	    {"narrow-in-name-reset", UINT64_C(1) << 33, 4, true, false, 0},
	};
	uint64_t delta;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		put(COUNTER_RUN_FROM, cases[i].name, cases[i].before, cases[i].narrow);
		put(COUNTER_RUN_TO, cases[i].name, cases[i].after, cases[i].narrow);
	}
	take();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ck_assert_msg(of_run(cases[i].name, &delta) == cases[i].known, "%s",
		    cases[i].name);
		if (cases[i].known)
			ck_assert_uint_eq(delta, cases[i].delta);
	}
	release();
}
END_TEST

START_TEST(the_same_name_of_one_object_adds_up)
{
	uint64_t delta;

	put(COUNTER_RUN_FROM, "rx_bytes", 10, false);
	put(COUNTER_RUN_FROM, "rx_bytes", 5, true);
	put(COUNTER_RUN_TO, "rx_bytes", 100, false);
	put(COUNTER_RUN_TO, "rx_bytes", 50, true);
	take();
	ck_assert_uint_eq(counters->list.n, 1);
	ck_assert(of_run("rx_bytes", &delta));
	ck_assert_uint_eq(delta, 135);
	ck_assert(counters->list.v[0].narrow);
	release();
}
END_TEST

START_TEST(names_have_readings_and_directions)
{
	const struct counter_kind *kind = counter_kind_find("rx_prio3_pause");

	ck_assert_ptr_nonnull(kind);
	/* what the switch sends to us stops what we send */
	ck_assert_int_eq(kind->way, COUNTER_OUT);
	ck_assert_ptr_nonnull(strstr(kind->reading, "the switch paused this host"));
	kind = counter_kind_find("tx_prio3_pause");
	ck_assert_int_eq(kind->way, COUNTER_IN);
	ck_assert_ptr_null(counter_kind_find("rx_prioX_pause"));
	ck_assert_ptr_null(counter_kind_find("rx_prio3_pause_"));
	ck_assert_ptr_null(counter_kind_find("rx_byte"));
	ck_assert_int_eq(counter_kind_find("out_of_sequence")->way, COUNTER_IN);
	ck_assert_int_eq(counter_kind_find("packet_seq_err")->way, COUNTER_OUT);
	ck_assert_ptr_null(counter_kind_find("rx_bytes")->reading);
	ck_assert_str_eq(counter_kind_find("rx_bytes")->unit, "bytes");
	ck_assert_str_eq(counter_way_text(COUNTER_IN), "towards this host");
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("counters", subtracts_span_by_span,
	    what_was_not_there_before_is_unknown,
	    resets_and_ends_are_unknown_and_a_wrap_is_not,
	    the_same_name_of_one_object_adds_up, names_have_readings_and_directions);
}
