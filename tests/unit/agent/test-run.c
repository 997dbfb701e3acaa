/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The agent's side of a run, step by step: what each order, word of the worker and
 * deadline does in each state, and what is said about it.
 */
#include "agent/run.h"

#include <string.h>

#include "tests/unit/suite.h"

#define S UINT64_C(1000000000)
#define MS UINT64_C(1000000)
#define NOW (1000 * S)

static struct run run;
static struct run_actions actions;
static struct report report;

static const char *const action_names[] = {
    [RUN_ACT_SPAWN] = "spawn",
    [RUN_ACT_WORKER_ARM] = "arm",
    [RUN_ACT_WORKER_GO] = "go",
    [RUN_ACT_WORKER_STOP] = "stop",
    [RUN_ACT_WORKER_KILL] = "kill",
    [RUN_ACT_WORKER_ABANDON] = "abandon",
    [RUN_ACT_SNAPSHOT] = "snapshot",
    [RUN_ACT_REPORT] = "report",
    [RUN_ACT_REFUSE] = "refuse",
    [RUN_ACT_CLEAN] = "clean",
};

/* What the step did, "stop report", with the report afterwards in `report`. */
static const char *
step(const struct run_event *event, uint64_t now)
{
	static char text[256];

	run_step(&run, event, now, &actions);
	text[0] = '\0';
	for (unsigned i = 0; i < actions.n; i++) {
		strcat(text, i ? " " : "");
		strcat(text, action_names[actions.v[i].kind]);
	}
	run_report(&run, &report);
	return text;
}

static const char *
order_at(enum order_kind kind, uint64_t run_id, uint64_t start, uint64_t now)
{
	struct order order = {.kind = kind,
	    .run_id = run_id,
	    .start_ns = start,
	    .prepare_timeout_ns = 600 * S,
	    .finish_timeout_ns = 40 * S,
	    .lease_ns = 60 * S};

	return step(&(struct run_event){.kind = RUN_EV_ORDER, .order = &order}, now);
}

static const char *
order(enum order_kind kind, uint64_t run_id)
{
	return order_at(kind, run_id, 0, NOW);
}

static const char *
event_at(enum run_event_kind kind, uint64_t now)
{
	return step(&(struct run_event){.kind = kind}, now);
}

static const char *
worker_fails(enum run_event_kind kind, enum err_code code, const char *msg)
{
	struct err err = ERR_INIT;

	err_set(&err, code, "%s", msg);
	return step(&(struct run_event){.kind = kind, .err = &err}, NOW);
}

#define T (NOW + S)

/* Takes a fresh run 7 to `state`, all at NOW, T one second later. */
static void
reach(enum report_state state)
{
	run_init(&run);
	order(ORDER_PREPARE, 7);
	if (state >= REPORT_READY)
		event_at(RUN_EV_WORKER_READY, NOW);
	if (state >= REPORT_ARMED) {
		order_at(ORDER_ARM, 7, T, NOW);
		event_at(RUN_EV_WORKER_ARMED, NOW);
	}
	if (state >= REPORT_RUNNING)
		order(ORDER_GO, 7);
	if (state == REPORT_FINISHED)
		event_at(RUN_EV_WORKER_DONE, NOW + 20 * S);
	ck_assert_int_eq(run.state, state);
}

START_TEST(good_run)
{
	run_init(&run);
	ck_assert_uint_eq(run_deadline(&run), 0);
	ck_assert_str_eq(order(ORDER_PREPARE, 7), "spawn report");
	ck_assert_int_eq(report.state, REPORT_PREPARING);
	ck_assert_uint_eq(report.run_id, 7);
	ck_assert_uint_eq(run_deadline(&run), NOW + 600 * S);
	ck_assert_str_eq(
	    step(&(struct run_event){.kind = RUN_EV_WORKER_PROGRESS,
		     .layout_done = 3,
		     .layout_total = 8},
		NOW),
	    "report");
	ck_assert_uint_eq(report.layout_done, 3);
	ck_assert_uint_eq(report.layout_total, 8);
	ck_assert_str_eq(event_at(RUN_EV_WORKER_READY, NOW), "report");
	ck_assert_int_eq(report.state, REPORT_READY);
	ck_assert_str_eq(order_at(ORDER_ARM, 7, T, NOW), "arm report");
	ck_assert_int_eq(report.state, REPORT_READY);
	ck_assert_uint_eq(report.start_ns, 0);
	ck_assert_str_eq(event_at(RUN_EV_WORKER_ARMED, NOW), "report");
	ck_assert_int_eq(report.state, REPORT_ARMED);
	ck_assert_uint_eq(report.start_ns, T);
	ck_assert_uint_eq(run_deadline(&run), T);
	ck_assert_str_eq(order(ORDER_GO, 7), "go report");
	ck_assert_int_eq(report.state, REPORT_RUNNING);
	ck_assert_uint_eq(run_deadline(&run), T + 40 * S);
	ck_assert(!report.has_result);
	ck_assert_str_eq(event_at(RUN_EV_WORKER_DONE, NOW + 20 * S), "snapshot report");
	ck_assert_int_eq(report.state, REPORT_FINISHED);
	ck_assert(report.has_result);
	ck_assert_int_eq(report.err.code, ERR_NONE);
	ck_assert_str_eq(order(ORDER_COLLECT, 7), "");
	ck_assert_str_eq(order(ORDER_RELEASE, 7), "clean report");
	ck_assert_int_eq(report.state, REPORT_NONE);
	ck_assert_uint_eq(report.run_id, 7);
	ck_assert_uint_eq(run_deadline(&run), 0);
}
END_TEST

START_TEST(orders_repeated)
{
	reach(REPORT_PREPARING);
	ck_assert_str_eq(order(ORDER_PREPARE, 7), "report");
	reach(REPORT_ARMED);
	ck_assert_str_eq(order_at(ORDER_ARM, 7, T, NOW), "report");
	ck_assert_int_eq(report.state, REPORT_ARMED);
	ck_assert_str_eq(order(ORDER_PREPARE, 7), "report");
	reach(REPORT_RUNNING);
	ck_assert_str_eq(order(ORDER_GO, 7), "report");
	ck_assert_str_eq(order_at(ORDER_ARM, 7, T + S, NOW), "report");
	ck_assert_uint_eq(run.start_ns, T);
	reach(REPORT_FINISHED);
	ck_assert_str_eq(order(ORDER_GO, 7), "report");
	ck_assert_str_eq(order(ORDER_ABORT, 7), "report");
	ck_assert_str_eq(order(ORDER_PREPARE, 7), "report");
	ck_assert_int_eq(report.state, REPORT_FINISHED);
	ck_assert_str_eq(order(ORDER_WATCH, 7), "report");
}
END_TEST

START_TEST(busy)
{
	struct order other = {.kind = ORDER_PREPARE, .run_id = 9};
	struct order first = {
	    .kind = ORDER_PREPARE, .run_id = 0xab, .prepare_timeout_ns = 600 * S};
	struct run before;

	reach(REPORT_RUNNING);
	before = run;
	ck_assert_str_eq(order_at(ORDER_PREPARE, 9, 0, NOW + S / 2), "refuse");
	ck_assert_int_eq(memcmp(&before, &run, sizeof run), 0);
	ck_assert_uint_eq(actions.v[0].report.run_id, 9);
	ck_assert_int_eq(actions.v[0].report.state, REPORT_BUSY);
	ck_assert_int_eq(actions.v[0].report.err.code, ERR_BUSY);
	ck_assert_str_eq(
	    actions.v[0].report.err.msg, "busy with run 0000000000000007 for 0 s");
	/* With wall time known, it is told; and that the other side may be gone. */
	run_init(&run);
	step(&(struct run_event){.kind = RUN_EV_ORDER,
		 .order = &first,
		 .wall_ns = UINT64_C(1796069700) * S},
	    NOW);
	step(&(struct run_event){.kind = RUN_EV_ORDER, .order = &other}, NOW);
	ck_assert_str_eq(actions.v[0].report.err.msg,
	    "busy with run 00000000000000ab since 2026-11-30T20:15:00Z");
	reach(REPORT_RUNNING);
	event_at(RUN_EV_LINK_DOWN, NOW);
	order_at(ORDER_PREPARE, 9, 0, NOW + S);
	ck_assert_str_eq(actions.v[0].report.err.msg,
	    "busy with run 0000000000000007 for 1 s, whose controller is away: it "
	    "ends in 59 s unless that comes back");
}
END_TEST

/* A result that waits is kept from others while its controller is there. */
START_TEST(result_gives_way)
{
	reach(REPORT_FINISHED);
	ck_assert_str_eq(order(ORDER_PREPARE, 9), "refuse");
	ck_assert_int_eq(actions.v[0].report.state, REPORT_BUSY);
	event_at(RUN_EV_LINK_DOWN, NOW);
	ck_assert_str_eq(order(ORDER_PREPARE, 9), "clean report spawn report");
	ck_assert_uint_eq(report.run_id, 9);
	ck_assert_int_eq(report.state, REPORT_PREPARING);
	ck_assert(!report.has_result);
	/* The link is up: no lease is left from before. */
	ck_assert_uint_eq(run_deadline(&run), NOW + 600 * S);
}
END_TEST

START_TEST(unknown_runs)
{
	static const enum order_kind kinds[] = {ORDER_ARM, ORDER_GO, ORDER_WATCH,
	    ORDER_COLLECT, ORDER_ABORT, ORDER_RELEASE};

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		reach(REPORT_ARMED);
		ck_assert_str_eq(order_at(kinds[i], 9, T + S, NOW), "refuse");
		ck_assert_uint_eq(actions.v[0].report.run_id, 9);
		ck_assert_int_eq(actions.v[0].report.state, REPORT_NONE);
		ck_assert_str_eq(
		    actions.v[0].report.err.msg, "no run 0000000000000009 here");
		ck_assert_int_eq(run.state, REPORT_ARMED);
		ck_assert_uint_eq(run.start_ns, T);
		run_init(&run);
		ck_assert_str_eq(order(kinds[i], 9), "refuse");
	}
}
END_TEST

/* A PREPARE that its own RELEASE or ABORT overtook begins nothing. */
START_TEST(late_prepare)
{
	reach(REPORT_FINISHED);
	order(ORDER_RELEASE, 7);
	ck_assert_str_eq(order(ORDER_PREPARE, 7), "refuse");
	ck_assert_int_eq(actions.v[0].report.state, REPORT_NONE);
	ck_assert_str_eq(actions.v[0].report.err.msg, "that run is over");
	run_init(&run);
	order(ORDER_RELEASE, 8);
	order(ORDER_ABORT, 9);
	ck_assert_str_eq(order(ORDER_PREPARE, 8), "refuse");
	ck_assert_str_eq(order(ORDER_PREPARE, 9), "refuse");
	/* Only so many are remembered. */
	for (uint64_t id = 10; id < 10 + RUN_ENDED_MAX; id++)
		order(ORDER_RELEASE, id);
	ck_assert_str_eq(order(ORDER_PREPARE, 8), "spawn report");
}
END_TEST

START_TEST(go_in_time_only)
{
	reach(REPORT_ARMED);
	ck_assert_str_eq(order_at(ORDER_GO, 7, 0, T - RUN_GO_MARGIN_NS), "go report");
	reach(REPORT_ARMED);
	ck_assert_str_eq(order_at(ORDER_GO, 7, 0, T - RUN_GO_MARGIN_NS + 1), "report");
	ck_assert_int_eq(report.state, REPORT_NOT_STARTED);
	ck_assert_str_eq(report.err.msg, "GO came too late");
	ck_assert(!report.has_result);
	/* After T even when no timer was there first. */
	reach(REPORT_ARMED);
	ck_assert_str_eq(order_at(ORDER_GO, 7, 0, T), "report report");
	ck_assert_int_eq(report.state, REPORT_NOT_STARTED);
	ck_assert_str_eq(report.err.msg, "no GO before the start");
	/* Not armed: not at all. */
	reach(REPORT_READY);
	ck_assert_str_eq(order(ORDER_GO, 7), "report");
	order_at(ORDER_ARM, 7, T, NOW);
	ck_assert_str_eq(order(ORDER_GO, 7), "report");
	ck_assert_int_eq(report.state, REPORT_READY);
}
END_TEST

START_TEST(armed_anew)
{
	reach(REPORT_ARMED);
	ck_assert_str_eq(order_at(ORDER_ARM, 7, T + S, NOW), "arm report");
	ck_assert_int_eq(report.state, REPORT_READY);
	ck_assert_str_eq(event_at(RUN_EV_WORKER_ARMED, NOW), "report");
	ck_assert_int_eq(report.state, REPORT_ARMED);
	ck_assert_uint_eq(report.start_ns, T + S);
	/* An earlier T is a stale one. */
	ck_assert_str_eq(order_at(ORDER_ARM, 7, T, NOW), "report");
	ck_assert_uint_eq(report.start_ns, T + S);
	/* Two at once: ARMED only when the worker confirmed the second. */
	reach(REPORT_READY);
	order_at(ORDER_ARM, 7, T, NOW);
	order_at(ORDER_ARM, 7, T + S, NOW);
	ck_assert_str_eq(event_at(RUN_EV_WORKER_ARMED, NOW), "");
	ck_assert_int_eq(report.state, REPORT_READY);
	event_at(RUN_EV_WORKER_ARMED, NOW);
	ck_assert_int_eq(report.state, REPORT_ARMED);
	/* Too late for a new T: threads are about to look. */
	reach(REPORT_ARMED);
	ck_assert_str_eq(order_at(ORDER_ARM, 7, T + S, T - MS), "report");
	ck_assert_uint_eq(run.start_ns, T);
	/* A T in the past is none. */
	reach(REPORT_READY);
	ck_assert_str_eq(order_at(ORDER_ARM, 7, NOW + MS, NOW), "report");
	ck_assert_int_eq(report.state, REPORT_READY);
	ck_assert_uint_eq(run.start_ns, 0);
}
END_TEST

START_TEST(no_go)
{
	reach(REPORT_ARMED);
	ck_assert_str_eq(event_at(RUN_EV_TIME, T - 1), "");
	ck_assert_str_eq(event_at(RUN_EV_TIME, T), "report");
	ck_assert_int_eq(report.state, REPORT_NOT_STARTED);
	ck_assert_int_eq(report.err.code, ERR_TIMEOUT);
	ck_assert_str_eq(report.err.msg, "no GO before the start");
	reach(REPORT_READY);
	order_at(ORDER_ARM, 7, T, NOW);
	event_at(RUN_EV_TIME, T);
	ck_assert_int_eq(report.state, REPORT_NOT_STARTED);
	ck_assert_str_eq(report.err.msg, "not armed before the start");
	/* The worker saw it first; or GO reached us, but not the worker. */
	reach(REPORT_ARMED);
	event_at(RUN_EV_WORKER_NOT_STARTED, T - 1);
	ck_assert_str_eq(report.err.msg, "no GO before the start");
	reach(REPORT_RUNNING);
	ck_assert_str_eq(event_at(RUN_EV_WORKER_NOT_STARTED, T + MS), "report");
	ck_assert_int_eq(report.state, REPORT_NOT_STARTED);
	ck_assert_str_eq(report.err.msg, "GO reached the worker after the start");
	ck_assert(!report.has_result);
}
END_TEST

START_TEST(worker_fails_in_each_state)
{
	for (int state = REPORT_PREPARING; state <= REPORT_RUNNING; state++) {
		bool ran = state == REPORT_RUNNING;
		const char *did = ran ? "snapshot report" : "report";

		reach((enum report_state)state);
		ck_assert_str_eq(
		    worker_fails(RUN_EV_WORKER_FAILED, ERR_POLICY, "not under /mnt"), did);
		ck_assert_int_eq(report.state, REPORT_FAILED);
		ck_assert_int_eq(report.err.code, ERR_POLICY);
		ck_assert_str_eq(report.err.msg, "not under /mnt");
		ck_assert_int_eq(report.has_result, ran);
		reach((enum report_state)state);
		ck_assert_str_eq(
		    worker_fails(RUN_EV_WORKER_EXIT, ERR_INTERNAL, "killed by signal 9"),
		    did);
		ck_assert_int_eq(report.state, REPORT_FAILED);
		ck_assert_str_eq(report.err.msg, "killed by signal 9");
		ck_assert(!run.worker_alive);
	}
	reach(REPORT_FINISHED);
	ck_assert_str_eq(worker_fails(RUN_EV_WORKER_EXIT, ERR_INTERNAL, "x"), "");
	ck_assert_int_eq(report.state, REPORT_FINISHED);
	reach(REPORT_READY);
	event_at(RUN_EV_WORKER_EXIT, NOW);
	ck_assert_str_eq(report.err.msg, "the worker ended without a reason");
}
END_TEST

START_TEST(aborted_in_each_state)
{
	for (int state = REPORT_PREPARING; state <= REPORT_RUNNING; state++) {
		bool ran = state == REPORT_RUNNING;

		reach((enum report_state)state);
		ck_assert_str_eq(order(ORDER_ABORT, 7), "stop report");
		ck_assert_int_eq(report.state, state);
		ck_assert_str_eq(order(ORDER_ABORT, 7), "report");
		ck_assert_uint_eq(run_deadline(&run), NOW + RUN_KILL_AFTER_NS);
		/* Nothing else brings it forward now. */
		event_at(RUN_EV_WORKER_READY, NOW);
		order_at(ORDER_ARM, 7, T + S, NOW);
		order(ORDER_GO, 7);
		ck_assert_int_eq(run.state, state);
		ck_assert_str_eq(event_at(RUN_EV_WORKER_DONE, NOW),
		    ran ? "snapshot report" : "report");
		ck_assert_int_eq(report.state, REPORT_ABORTED);
		ck_assert_int_eq(report.err.code, ERR_CANCELLED);
		ck_assert_str_eq(report.err.msg, "aborted by the controller");
		ck_assert_int_eq(report.has_result, ran);
	}
}
END_TEST

/* STOP, SIGKILL, abandoned: each with its time. */
START_TEST(stop_kill_abandon)
{
	uint64_t end = T + 40 * S;

	reach(REPORT_RUNNING);
	ck_assert_str_eq(event_at(RUN_EV_TIME, end), "stop");
	ck_assert_int_eq(report.state, REPORT_RUNNING);
	ck_assert_uint_eq(run_deadline(&run), end + RUN_KILL_AFTER_NS);
	end += RUN_KILL_AFTER_NS;
	ck_assert_str_eq(event_at(RUN_EV_TIME, end), "kill");
	ck_assert_uint_eq(run_deadline(&run), end + RUN_ABANDON_AFTER_NS);
	end += RUN_ABANDON_AFTER_NS;
	ck_assert_str_eq(event_at(RUN_EV_TIME, end), "snapshot abandon report");
	ck_assert_int_eq(report.state, REPORT_STALLED);
	ck_assert(report.has_result);
	ck_assert_int_eq(report.err.code, ERR_TIMEOUT);
	ck_assert_str_eq(report.err.msg,
	    "abandoned, it hangs in the kernel: the worker did not answer and was "
	    "killed: not finished 40 s after the start, stopped");
	/* The next run is taken. */
	order_at(ORDER_RELEASE, 7, 0, end);
	ck_assert_str_eq(order_at(ORDER_PREPARE, 8, 0, end), "spawn report");
}
END_TEST

START_TEST(stopped_or_killed_at_the_deadline)
{
	uint64_t end = T + 40 * S;

	reach(REPORT_RUNNING);
	event_at(RUN_EV_TIME, end);
	ck_assert_str_eq(event_at(RUN_EV_WORKER_DONE, end + S), "snapshot report");
	ck_assert_int_eq(report.state, REPORT_FAILED);
	ck_assert_str_eq(report.err.msg, "not finished 40 s after the start, stopped");
	reach(REPORT_RUNNING);
	event_at(RUN_EV_TIME, end);
	event_at(RUN_EV_TIME, end + RUN_KILL_AFTER_NS);
	event_at(RUN_EV_WORKER_EXIT, end + RUN_KILL_AFTER_NS);
	ck_assert_int_eq(report.state, REPORT_STALLED);
	ck_assert_str_eq(report.err.msg,
	    "the worker did not answer and was killed: not finished 40 s after the "
	    "start, stopped");
	ck_assert(report.has_result);
}
END_TEST

START_TEST(not_ready_in_time)
{
	reach(REPORT_PREPARING);
	ck_assert_str_eq(event_at(RUN_EV_TIME, NOW + 600 * S), "stop");
	event_at(RUN_EV_WORKER_EXIT, NOW + 601 * S);
	ck_assert_int_eq(report.state, REPORT_FAILED);
	ck_assert_str_eq(report.err.msg, "not ready within 600 s");
	ck_assert(!report.has_result);
	reach(REPORT_READY);
	ck_assert_uint_eq(run_deadline(&run), NOW + 660 * S);
	event_at(RUN_EV_TIME, NOW + 660 * S);
	event_at(RUN_EV_WORKER_EXIT, NOW + 661 * S);
	ck_assert_int_eq(report.state, REPORT_ABORTED);
	ck_assert_str_eq(report.err.msg, "ready, but never armed");
}
END_TEST

START_TEST(lease)
{
	reach(REPORT_RUNNING);
	ck_assert_str_eq(event_at(RUN_EV_LINK_DOWN, NOW), "");
	event_at(RUN_EV_LINK_DOWN, NOW + 9 * S);
	ck_assert_uint_eq(run_deadline(&run), T + 40 * S);
	run.finish_timeout_ns = 400 * S;
	run.deadline_ns = T + 400 * S;
	ck_assert_uint_eq(run_deadline(&run), NOW + 60 * S);
	ck_assert_str_eq(event_at(RUN_EV_LINK_UP, NOW + 59 * S), "report");
	ck_assert_uint_eq(run_deadline(&run), T + 400 * S);
	event_at(RUN_EV_LINK_DOWN, NOW + 60 * S);
	ck_assert_str_eq(event_at(RUN_EV_TIME, NOW + 120 * S - 1), "");
	ck_assert_str_eq(event_at(RUN_EV_TIME, NOW + 120 * S), "stop");
	/* Back too late: it ends all the same. */
	event_at(RUN_EV_LINK_UP, NOW + 121 * S);
	ck_assert_str_eq(event_at(RUN_EV_WORKER_DONE, NOW + 122 * S), "snapshot report");
	ck_assert_int_eq(report.state, REPORT_ABORTED);
	ck_assert_int_eq(report.err.code, ERR_UNREACHABLE);
	ck_assert_str_eq(report.err.msg, "the controller was gone for 60 s");
	/* Nothing to stop any more: the result just waits. */
	reach(REPORT_FINISHED);
	event_at(RUN_EV_LINK_DOWN, NOW + 20 * S);
	ck_assert_str_eq(event_at(RUN_EV_TIME, NOW + 90 * S), "");
	ck_assert_int_eq(report.state, REPORT_FINISHED);
	run_init(&run);
	ck_assert_str_eq(event_at(RUN_EV_LINK_DOWN, NOW), "");
	ck_assert_str_eq(event_at(RUN_EV_LINK_UP, NOW), "");
	ck_assert_uint_eq(run_deadline(&run), 0);
}
END_TEST

/* A result nobody collects is dropped: ten leases after the run's deadline. */
START_TEST(hold_ends)
{
	uint64_t end = T + 40 * S + RUN_HOLD_LEASES * 60 * S;

	reach(REPORT_FINISHED);
	ck_assert_uint_eq(run_deadline(&run), end);
	ck_assert_str_eq(event_at(RUN_EV_TIME, end - 1), "");
	ck_assert_str_eq(event_at(RUN_EV_TIME, end), "clean report");
	ck_assert_int_eq(report.state, REPORT_NONE);
	reach(REPORT_PREPARING);
	worker_fails(RUN_EV_WORKER_FAILED, ERR_IO, "x");
	ck_assert_uint_eq(run_deadline(&run), NOW + RUN_HOLD_LEASES * 60 * S);
}
END_TEST

START_TEST(released_while_open)
{
	reach(REPORT_RUNNING);
	ck_assert_str_eq(order(ORDER_RELEASE, 7), "kill");
	ck_assert_int_eq(report.state, REPORT_RUNNING);
	ck_assert_str_eq(order(ORDER_RELEASE, 7), "");
	ck_assert_str_eq(order(ORDER_PREPARE, 8), "refuse");
	ck_assert_str_eq(event_at(RUN_EV_WORKER_EXIT, NOW), "snapshot clean report");
	ck_assert_int_eq(report.state, REPORT_NONE);
	ck_assert_str_eq(order(ORDER_PREPARE, 7), "refuse");
	ck_assert_str_eq(order(ORDER_PREPARE, 8), "spawn report");
	/* And where SIGKILL does not reach. */
	ck_assert_str_eq(order(ORDER_RELEASE, 8), "kill");
	ck_assert_str_eq(
	    event_at(RUN_EV_TIME, NOW + RUN_ABANDON_AFTER_NS), "abandon clean report");
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("run", good_run, orders_repeated, busy, result_gives_way,
	    unknown_runs, late_prepare, go_in_time_only, armed_anew, no_go,
	    worker_fails_in_each_state, aborted_in_each_state, stop_kill_abandon,
	    stopped_or_killed_at_the_deadline, not_ready_in_time, lease, hold_ends,
	    released_while_open);
}
