/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The controller's barrier, step by step, with three clients: which orders go out
 * when, what each fault makes of the client and of the attempt, and what is said.
 */
#include "controller/fleet/drive.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/suite.h"

#define S UINT64_C(1000000000)
#define MS UINT64_C(1000000)
#define NOW (1000 * S)
#define N 3
#define RUN 77

static struct drive drive;
static struct drive_actions actions;
static uint64_t now;

/* Everything the step did: "ARM0 ARM1 ARM2", "sync", "keep1", "done". */
static const char *
step(const struct drive_event *event)
{
	static char text[512];
	size_t len = 0;

	actions.list.n = 0;
	drive_step(&drive, event, now, &actions);
	text[0] = '\0';
	for (size_t i = 0; i < actions.list.n; i++) {
		const struct drive_action *action = &actions.list.v[i];
		static const char *const words[] = {[DRIVE_ACT_SYNC] = "sync",
		    [DRIVE_ACT_KEEP] = "keep",
		    [DRIVE_ACT_DONE] = "done"};
		bool order = action->kind == DRIVE_ACT_ORDER;

		len += (size_t)sprintf(text + len, "%s%s", i ? " " : "",
		    order ? order_kind_name(action->order) : words[action->kind]);
		if (order || action->kind == DRIVE_ACT_KEEP)
			len += (size_t)sprintf(text + len, "%zu", action->client);
	}
	return text;
}

static const char *
event(enum drive_event_kind kind, size_t client)
{
	return step(
	    &(struct drive_event){.kind = kind, .client = client, .run_id = RUN});
}

static const char *
says(size_t client, enum report_state state)
{
	struct report report = {.run_id = RUN, .state = state};

	if (state >= REPORT_ARMED && state < REPORT_BUSY)
		report.start_ns = drive.clients[client].start_ns;
	report.has_result = state == REPORT_FINISHED;
	return step(&(struct drive_event){
	    .kind = DRIVE_EV_REPORT, .client = client, .report = &report});
}

static const char *
complains(size_t client, enum report_state state, bool has_result, const char *msg)
{
	struct report report = {.run_id = RUN, .state = state, .has_result = has_result};

	err_set(&report.err, ERR_IO, "%s", msg);
	return step(&(struct drive_event){
	    .kind = DRIVE_EV_REPORT, .client = client, .report = &report});
}

static const char *
goes_down(size_t client, bool gone)
{
	struct err err = ERR_INIT;

	err_set(&err, ERR_UNREACHABLE, "connection reset");
	return step(&(struct drive_event){
	    .kind = DRIVE_EV_LINK_DOWN, .client = client, .err = &err, .gone = gone});
}

static const char *
time_is(uint64_t at)
{
	now = at;
	return event(DRIVE_EV_TIME, 0);
}

static struct offset offsets[N];

static const char *
synced(void)
{
	for (size_t i = 0; i < N; i++)
		offsets[i] = (struct offset){.valid = true,
		    .offset_ns = (int64_t)i * (int64_t)S - (int64_t)S,
		    .rtt_ns = 2 * MS * (i + 1),
		    .bound_ns = MS * (i + 1),
		    .at_ns = now};
	return step(
	    &(struct drive_event){.kind = DRIVE_EV_SYNCED, .offsets = offsets});
}

static const char *
all_say(enum report_state state)
{
	const char *did = "";

	for (size_t i = 0; i < N; i++)
		did = says(i, state);
	return did;
}

static void
begin(void)
{
	struct drive_config config = {.run_id = RUN,
	    .clients = N,
	    .duration_ns = 10 * S,
	    .prepare_timeout_ns = 600 * S,
	    .finish_timeout_ns = 40 * S,
	    .lease_ns = 60 * S};

	drive_free(&drive);
	drive_init(&drive, &config);
	now = NOW;
}

/* As far as `phase`, nothing amiss. */
static void
reach(enum drive_phase phase)
{
	begin();
	event(DRIVE_EV_START, 0);
	if (phase >= DRIVE_SYNCING)
		all_say(REPORT_READY);
	if (phase >= DRIVE_ARMING)
		synced();
	if (phase >= DRIVE_RUNNING)
		all_say(REPORT_ARMED);
	if (phase >= DRIVE_COLLECTING)
		all_say(REPORT_FINISHED);
	ck_assert_int_eq(drive.phase, phase);
}

/* What is left to do after ABORT. */
static void
abort_ends(void)
{
	for (size_t i = 0; i < N && drive.phase == DRIVE_ABORTING; i++)
		complains(i, REPORT_ABORTED, false, "aborted by the controller");
	ck_assert_int_eq(drive.phase, DRIVE_RELEASING);
	for (size_t i = 0; i < N; i++)
		says(i, REPORT_NONE);
	ck_assert_int_eq(drive.phase, DRIVE_DONE);
}

START_TEST(good_attempt)
{
	/* The longest trip is client 2's: 6 ms, so T is 300 + 12 ms from now, and GO
	 * must leave 50 + 3 ms before it. */
	uint64_t t = NOW + 312 * MS;

	begin();
	ck_assert_uint_eq(drive_deadline(&drive), 0);
	ck_assert_str_eq(event(DRIVE_EV_START, 0), "PREPARE0 PREPARE1 PREPARE2");
	ck_assert_uint_eq(drive_deadline(&drive), NOW + 610 * S);
	ck_assert_str_eq(all_say(REPORT_PREPARING), "");
	ck_assert_str_eq(says(1, REPORT_READY), "");
	ck_assert_str_eq(says(0, REPORT_READY), "");
	ck_assert_str_eq(says(2, REPORT_READY), "sync");
	ck_assert_str_eq(synced(), "ARM0 ARM1 ARM2");
	ck_assert_uint_eq(drive.start_ns, t);
	ck_assert_uint_eq(actions.list.v[0].start_ns, t - S);
	ck_assert_uint_eq(actions.list.v[1].start_ns, t);
	ck_assert_uint_eq(actions.list.v[2].start_ns, t + S);
	ck_assert_uint_eq(drive_deadline(&drive), t - 53 * MS);
	ck_assert_str_eq(says(2, REPORT_ARMED), "");
	ck_assert_str_eq(says(0, REPORT_ARMED), "");
	ck_assert(!drive.went);
	ck_assert_str_eq(says(1, REPORT_ARMED), "GO0 GO1 GO2");
	ck_assert(drive.went);
	ck_assert_uint_eq(drive_deadline(&drive), t + 50 * S);
	ck_assert_str_eq(all_say(REPORT_RUNNING), "");
	ck_assert_str_eq(says(0, REPORT_FINISHED), "");
	ck_assert_str_eq(says(1, REPORT_FINISHED), "");
	ck_assert_str_eq(says(2, REPORT_FINISHED), "COLLECT0 COLLECT1 COLLECT2");
	ck_assert_str_eq(event(DRIVE_EV_RESULT, 1), "keep1");
	ck_assert_int_eq(drive.clients[1].outcome, CLIENT_OK);
	ck_assert_int_eq(drive.clients[0].outcome, CLIENT_PENDING);
	ck_assert_str_eq(event(DRIVE_EV_RESULT, 1), "");
	ck_assert_str_eq(event(DRIVE_EV_RESULT, 0), "keep0");
	ck_assert_str_eq(event(DRIVE_EV_RESULT, 2), "keep2 sync");
	now += S;
	ck_assert_str_eq(synced(), "RELEASE0 RELEASE1 RELEASE2");
	ck_assert(drive.clients[2].after.valid);
	ck_assert_uint_eq(drive.clients[2].after.at_ns, NOW + S);
	ck_assert_uint_eq(drive.clients[2].before.at_ns, NOW);
	ck_assert_str_eq(says(0, REPORT_NONE), "");
	ck_assert_str_eq(says(2, REPORT_NONE), "");
	ck_assert_str_eq(says(1, REPORT_NONE), "done");
	ck_assert_int_eq(drive.phase, DRIVE_DONE);
	ck_assert_uint_eq(drive_deadline(&drive), 0);
	ck_assert_int_eq(drive.err.code, ERR_NONE);
	for (size_t i = 0; i < N; i++) {
		ck_assert_int_eq(drive.clients[i].outcome, CLIENT_OK);
		ck_assert_int_eq(drive.clients[i].err.code, ERR_NONE);
	}
	ck_assert_str_eq(event(DRIVE_EV_RESULT, 1), "");
	ck_assert_str_eq(event(DRIVE_EV_INTERRUPT, 0), "");
	ck_assert(!drive.interrupted);
}
END_TEST

START_TEST(another_run)
{
	struct report report = {.run_id = RUN - 1, .state = REPORT_FAILED};
	struct drive_event late = {.kind = DRIVE_EV_REPORT, .report = &report};

	err_set(&report.err, ERR_IO, "of the run before");
	reach(DRIVE_RUNNING);
	ck_assert_str_eq(step(&late), "");
	ck_assert_int_eq(drive.clients[0].outcome, CLIENT_PENDING);
	ck_assert_int_eq(drive.clients[0].state, REPORT_ARMED);
	reach(DRIVE_COLLECTING);
	ck_assert_str_eq(
	    step(&(struct drive_event){.kind = DRIVE_EV_RESULT, .run_id = RUN - 1}), "");
	ck_assert(!drive.clients[0].has_result);
	/* Idle agents say NONE of run 0. */
	report = (struct report){.state = REPORT_NONE};
	reach(DRIVE_ARMING);
	ck_assert_str_eq(step(&late), "");
	ck_assert_int_eq(drive.phase, DRIVE_ARMING);
}
END_TEST

/* A client that fails before GO: nothing starts. */
START_TEST(fails_before_go)
{
	static const struct {
		enum report_state state;
		enum client_outcome outcome;
	} ends[] = {{REPORT_FAILED, CLIENT_FAILED}, {REPORT_STALLED, CLIENT_STALLED},
	    {REPORT_ABORTED, CLIENT_ABORTED}, {REPORT_NOT_STARTED, CLIENT_NOT_STARTED},
	    {REPORT_BUSY, CLIENT_FAILED}};

	for (int phase = DRIVE_PREPARING; phase <= DRIVE_ARMING; phase++) {
		for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
			reach((enum drive_phase)phase);
			ck_assert_str_eq(
			    complains(1, ends[i].state, false, "no space left"),
			    "ABORT0 ABORT2");
			ck_assert_int_eq(drive.clients[1].outcome, ends[i].outcome);
			ck_assert_uint_eq(drive_deadline(&drive), NOW + 10 * S);
			abort_ends();
			ck_assert(!drive.went);
			ck_assert_str_eq(drive.err.msg, "no space left");
			ck_assert_uint_eq(drive.err_client, 1);
			ck_assert_int_eq(drive.clients[0].outcome, CLIENT_ABORTED);
			ck_assert_str_eq(
			    drive.clients[0].err.msg, "aborted by the controller");
		}
	}
	reach(DRIVE_ARMING);
	says(2, REPORT_RUNNING);
	ck_assert_str_eq(drive.err.msg, "it started without GO");
}
END_TEST

START_TEST(fails_after_go)
{
	reach(DRIVE_RUNNING);
	ck_assert_str_eq(complains(1, REPORT_FAILED, true, "EIO"), "");
	ck_assert_str_eq(complains(2, REPORT_NOT_STARTED, false, "no GO"), "");
	ck_assert_int_eq(drive.phase, DRIVE_RUNNING);
	/* The partial result is fetched, and does not make it OK. */
	ck_assert_str_eq(says(0, REPORT_FINISHED), "COLLECT0 COLLECT1");
	ck_assert_str_eq(event(DRIVE_EV_RESULT, 2), "");
	ck_assert_str_eq(event(DRIVE_EV_RESULT, 1), "keep1");
	ck_assert_str_eq(event(DRIVE_EV_RESULT, 0), "keep0 sync");
	synced();
	all_say(REPORT_NONE);
	ck_assert_int_eq(drive.phase, DRIVE_DONE);
	ck_assert_int_eq(drive.err.code, ERR_NONE);
	ck_assert_int_eq(drive.clients[0].outcome, CLIENT_OK);
	ck_assert_int_eq(drive.clients[1].outcome, CLIENT_FAILED);
	ck_assert(drive.clients[1].has_result);
	ck_assert_str_eq(drive.clients[1].err.msg, "EIO");
	ck_assert_int_eq(drive.clients[2].outcome, CLIENT_NOT_STARTED);
	ck_assert(!drive.clients[2].has_result);
}
END_TEST

START_TEST(agent_restarted)
{
	reach(DRIVE_RUNNING);
	goes_down(1, false);
	ck_assert_str_eq(event(DRIVE_EV_LINK_UP, 1), "GO1 WATCH1");
	ck_assert_str_eq(says(1, REPORT_NONE), "");
	ck_assert_int_eq(drive.clients[1].outcome, CLIENT_FAILED);
	ck_assert_str_eq(drive.clients[1].err.msg, "agent restarted");
	/* Before GO it ends the attempt … */
	reach(DRIVE_PREPARING);
	says(1, REPORT_PREPARING);
	goes_down(1, false);
	ck_assert_str_eq(event(DRIVE_EV_LINK_UP, 1), "WATCH1");
	ck_assert_str_eq(says(1, REPORT_NONE), "ABORT0 ABORT2");
	ck_assert_str_eq(drive.err.msg, "agent restarted");
	/* … but not when it never heard of the run: PREPARE goes out again. */
	reach(DRIVE_PREPARING);
	goes_down(1, false);
	ck_assert_str_eq(event(DRIVE_EV_LINK_UP, 1), "PREPARE1");
	ck_assert_str_eq(says(1, REPORT_NONE), "");
	ck_assert_int_eq(drive.phase, DRIVE_PREPARING);
}
END_TEST

START_TEST(reconnects)
{
	reach(DRIVE_SYNCING);
	goes_down(1, false);
	ck_assert_str_eq(event(DRIVE_EV_LINK_UP, 1), "WATCH1");
	reach(DRIVE_ARMING);
	goes_down(1, false);
	ck_assert_str_eq(event(DRIVE_EV_LINK_UP, 1), "WATCH1 ARM1");
	reach(DRIVE_RUNNING);
	says(1, REPORT_RUNNING);
	goes_down(1, false);
	ck_assert_str_eq(event(DRIVE_EV_LINK_UP, 1), "WATCH1");
	reach(DRIVE_COLLECTING);
	goes_down(1, false);
	ck_assert_str_eq(event(DRIVE_EV_LINK_UP, 1), "WATCH1");
	ck_assert_str_eq(says(1, REPORT_FINISHED), "COLLECT1");
	ck_assert_str_eq(says(1, REPORT_FINISHED), "");
	reach(DRIVE_RUNNING);
	event(DRIVE_EV_INTERRUPT, 0);
	goes_down(1, false);
	ck_assert_str_eq(event(DRIVE_EV_LINK_UP, 1), "ABORT1");
}
END_TEST

/* No GO while one is away; tries do not count then. */
START_TEST(away_while_arming)
{
	uint64_t t;

	reach(DRIVE_ARMING);
	says(0, REPORT_ARMED);
	says(2, REPORT_ARMED);
	says(1, REPORT_ARMED - 1);
	goes_down(1, false);
	for (int i = 0; i < 10; i++) {
		t = drive.start_ns;
		ck_assert_str_eq(time_is(drive_deadline(&drive)), "ARM0 ARM2");
		ck_assert_uint_eq(drive.start_ns, now + 312 * MS);
		ck_assert(drive.start_ns > t);
		says(0, REPORT_ARMED);
		says(2, REPORT_ARMED);
	}
	ck_assert_uint_eq(drive.arm_tries, 0);
	ck_assert_str_eq(event(DRIVE_EV_LINK_UP, 1), "WATCH1 ARM1");
	ck_assert_str_eq(says(1, REPORT_READY), "");
	ck_assert_str_eq(says(1, REPORT_ARMED), "GO0 GO1 GO2");
}
END_TEST

START_TEST(armed_for_another_t)
{
	struct report report = {.run_id = RUN, .state = REPORT_ARMED};
	struct drive_event late = {
	    .kind = DRIVE_EV_REPORT, .client = 0, .report = &report};

	reach(DRIVE_ARMING);
	says(1, REPORT_ARMED);
	says(2, REPORT_ARMED);
	report.start_ns = drive.clients[0].start_ns;
	time_is(drive_deadline(&drive));
	ck_assert_uint_eq(drive.arm_tries, 1);
	/* Twice the lead at the second try. */
	ck_assert_uint_eq(drive.start_ns, now + 612 * MS);
	/* All three are ARMED, but none for this T. */
	ck_assert_str_eq(step(&late), "");
	ck_assert_str_eq(says(1, REPORT_ARMED), "");
	ck_assert_str_eq(says(2, REPORT_ARMED), "");
	ck_assert_str_eq(says(0, REPORT_ARMED), "GO0 GO1 GO2");
}
END_TEST

START_TEST(armed_too_late)
{
	reach(DRIVE_ARMING);
	says(0, REPORT_ARMED);
	says(1, REPORT_ARMED);
	now = drive_deadline(&drive) + 1;
	ck_assert_str_eq(says(2, REPORT_ARMED), "ARM0 ARM1 ARM2");
	all_say(REPORT_READY);
	ck_assert_str_eq(time_is(drive_deadline(&drive)), "ARM0 ARM1 ARM2");
	says(0, REPORT_ARMED);
	ck_assert_str_eq(time_is(drive_deadline(&drive)), "ABORT0 ABORT2");
	ck_assert_uint_eq(drive.err_client, 1);
	ck_assert_int_eq(drive.err.code, ERR_TIMEOUT);
	ck_assert_str_eq(drive.err.msg, "not armed in time");
}
END_TEST

START_TEST(sync_fails)
{
	reach(DRIVE_SYNCING);
	synced(); /* fills offsets */
	reach(DRIVE_SYNCING);
	offsets[1].valid = false;
	ck_assert_str_eq(
	    step(&(struct drive_event){.kind = DRIVE_EV_SYNCED, .offsets = offsets}), "");
	ck_assert_uint_eq(drive_deadline(&drive), NOW + DRIVE_RETRY_NS);
	ck_assert_str_eq(time_is(NOW + DRIVE_RETRY_NS), "sync");
	/* What was measured before stays. */
	offsets[1].valid = true;
	offsets[0].valid = false;
	ck_assert_str_eq(
	    step(&(struct drive_event){.kind = DRIVE_EV_SYNCED, .offsets = offsets}),
	    "ARM0 ARM1 ARM2");
	reach(DRIVE_SYNCING);
	ck_assert_str_eq(time_is(NOW + 70 * S), "ABORT1 ABORT2");
	ck_assert_str_eq(drive.err.msg, "its clock could not be compared");
}
END_TEST

START_TEST(not_ready_in_time)
{
	reach(DRIVE_PREPARING);
	says(0, REPORT_READY);
	says(1, REPORT_PREPARING);
	ck_assert_str_eq(time_is(NOW + 610 * S - 1), "");
	ck_assert_str_eq(time_is(NOW + 610 * S), "ABORT0 ABORT2");
	ck_assert_uint_eq(drive.err_client, 1);
	ck_assert_str_eq(drive.err.msg, "not ready in time");
	ck_assert_int_eq(drive.clients[1].outcome, CLIENT_LOST);
}
END_TEST

/* A lost connection fails nobody before its lease is over. */
START_TEST(lost)
{
	reach(DRIVE_RUNNING);
	goes_down(1, false);
	ck_assert_uint_eq(drive_deadline(&drive), NOW + 312 * MS + 50 * S);
	says(0, REPORT_FINISHED);
	says(2, REPORT_FINISHED);
	drive.deadline_ns = NOW + 500 * S;
	ck_assert_uint_eq(drive_deadline(&drive), NOW + 60 * S);
	ck_assert_str_eq(time_is(NOW + 60 * S - 1), "");
	ck_assert_str_eq(time_is(NOW + 60 * S), "COLLECT0 COLLECT2");
	ck_assert_int_eq(drive.clients[1].outcome, CLIENT_LOST);
	ck_assert_str_eq(drive.clients[1].err.msg, "connection reset");
	/* Back before the results are in. */
	event(DRIVE_EV_RESULT, 0);
	ck_assert_str_eq(event(DRIVE_EV_LINK_UP, 1), "WATCH1");
	event(DRIVE_EV_RESULT, 2);
	ck_assert_str_eq(says(1, REPORT_FINISHED), "COLLECT1");
	ck_assert_str_eq(event(DRIVE_EV_RESULT, 1), "keep1 sync");
	ck_assert_int_eq(drive.clients[1].outcome, CLIENT_OK);
	ck_assert_int_eq(drive.clients[1].err.code, ERR_NONE);
	/* Before GO the attempt is over with it. */
	reach(DRIVE_PREPARING);
	goes_down(1, false);
	ck_assert_str_eq(time_is(NOW + 60 * S), "ABORT0 ABORT2");
	ck_assert_uint_eq(drive.err_client, 1);
	/* Nobody tries again: at once. */
	reach(DRIVE_PREPARING);
	ck_assert_str_eq(goes_down(1, true), "ABORT0 ABORT2");
	reach(DRIVE_RUNNING);
	says(0, REPORT_FINISHED);
	says(2, REPORT_FINISHED);
	ck_assert_str_eq(goes_down(1, true), "COLLECT0 COLLECT2");
}
END_TEST

START_TEST(silent_until_the_deadline)
{
	reach(DRIVE_RUNNING);
	says(0, REPORT_FINISHED);
	ck_assert_str_eq(time_is(drive_deadline(&drive)), "COLLECT0");
	ck_assert_int_eq(drive.clients[1].outcome, CLIENT_LOST);
	ck_assert_str_eq(drive.clients[1].err.msg, "no word until the deadline");
	reach(DRIVE_COLLECTING);
	event(DRIVE_EV_RESULT, 0);
	ck_assert_str_eq(time_is(NOW + 70 * S), "sync");
	ck_assert_int_eq(drive.clients[1].outcome, CLIENT_LOST);
	ck_assert_str_eq(drive.clients[1].err.msg,
	    "finished, but its result did not arrive in time");
	/* It comes after all: too late. */
	ck_assert_str_eq(event(DRIVE_EV_RESULT, 1), "");
	ck_assert(!drive.clients[1].has_result);
	ck_assert_str_eq(time_is(NOW + 75 * S), "RELEASE0 RELEASE1 RELEASE2");
	ck_assert_str_eq(time_is(NOW + 80 * S), "done");
}
END_TEST

START_TEST(collect_fails)
{
	struct err err = ERR_INIT;
	struct drive_event failed = {
	    .kind = DRIVE_EV_COLLECT_FAILED, .client = 1, .err = &err};

	err_set(&err, ERR_UNREACHABLE, "connection reset");
	reach(DRIVE_COLLECTING);
	ck_assert_str_eq(step(&failed), "");
	ck_assert_uint_eq(drive_deadline(&drive), NOW + DRIVE_RETRY_NS);
	ck_assert_str_eq(time_is(NOW + DRIVE_RETRY_NS), "COLLECT1");
	err_set(&err, ERR_USAGE, "no result of that run");
	ck_assert_str_eq(step(&failed), "");
	ck_assert_int_eq(drive.clients[1].outcome, CLIENT_FAILED);
	ck_assert_str_eq(drive.clients[1].err.msg,
	    "finished, but its result could not be collected: no result of that run");
	/* Nor is it asked for again. */
	ck_assert_str_eq(says(1, REPORT_FINISHED), "");
	event(DRIVE_EV_RESULT, 0);
	ck_assert_str_eq(event(DRIVE_EV_RESULT, 2), "keep2 sync");
}
END_TEST

START_TEST(finished_without_result)
{
	reach(DRIVE_RUNNING);
	complains(1, REPORT_FINISHED, false, "");
	ck_assert_int_eq(drive.clients[1].outcome, CLIENT_FAILED);
	ck_assert_str_eq(drive.clients[1].err.msg, "it finished without a result");
}
END_TEST

START_TEST(interrupted)
{
	for (int phase = DRIVE_PREPARING; phase <= DRIVE_RUNNING; phase++) {
		reach((enum drive_phase)phase);
		ck_assert_str_eq(event(DRIVE_EV_INTERRUPT, 0), "ABORT0 ABORT1 ABORT2");
		abort_ends();
		ck_assert(drive.interrupted);
		ck_assert_int_eq(drive.err.code, ERR_CANCELLED);
		ck_assert_str_eq(drive.err.msg, "interrupted");
		ck_assert_uint_eq(drive.err_client, SIZE_MAX);
		ck_assert_int_eq(drive.clients[2].outcome, CLIENT_ABORTED);
		ck_assert(!drive.clients[2].has_result);
	}
	/* Nobody answers ABORT. */
	reach(DRIVE_RUNNING);
	event(DRIVE_EV_INTERRUPT, 0);
	ck_assert_str_eq(time_is(NOW + 10 * S), "RELEASE0 RELEASE1 RELEASE2");
	ck_assert_str_eq(time_is(NOW + 15 * S), "done");
	ck_assert_str_eq(drive.clients[0].err.msg, "interrupted");
	/* Impatience. */
	reach(DRIVE_RUNNING);
	event(DRIVE_EV_INTERRUPT, 0);
	ck_assert_str_eq(event(DRIVE_EV_INTERRUPT, 0), "RELEASE0 RELEASE1 RELEASE2");
	ck_assert_str_eq(event(DRIVE_EV_INTERRUPT, 0), "done");
	/* While collecting: what is not here is not waited for. */
	reach(DRIVE_COLLECTING);
	event(DRIVE_EV_RESULT, 0);
	ck_assert_str_eq(event(DRIVE_EV_INTERRUPT, 0), "RELEASE0 RELEASE1 RELEASE2");
	all_say(REPORT_NONE);
	ck_assert_int_eq(drive.clients[0].outcome, CLIENT_OK);
	ck_assert_int_eq(drive.clients[1].outcome, CLIENT_ABORTED);
	/* All is here: the attempt is complete. */
	reach(DRIVE_COLLECTING);
	for (size_t i = 0; i < N; i++)
		event(DRIVE_EV_RESULT, i);
	event(DRIVE_EV_INTERRUPT, 0);
	all_say(REPORT_NONE);
	ck_assert(drive.interrupted);
	ck_assert_int_eq(drive.err.code, ERR_NONE);
	begin();
	ck_assert_str_eq(event(DRIVE_EV_INTERRUPT, 0), "done");
}
END_TEST

START_TEST(phase_names)
{
	static const char *const names[] = {"idle", "preparing", "syncing", "arming",
	    "running", "collecting", "resyncing", "aborting", "releasing", "done"};

	for (int i = 0; i < DRIVE_PHASE_COUNT; i++)
		ck_assert_str_eq(drive_phase_name((enum drive_phase)i), names[i]);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("drive", good_attempt, another_run, fails_before_go,
	    fails_after_go, agent_restarted, reconnects, away_while_arming,
	    armed_for_another_t, armed_too_late, sync_fails, not_ready_in_time, lost,
	    silent_until_the_deadline, collect_fails, finished_without_result,
	    interrupted, phase_names);
}
