/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The agent's side of a run: tables of what each order, event and deadline does.
 * Deadlines are looked at before every event, so that an order that arrives after
 * its time meets the state that the time had brought about: a GO after T finds
 * NOT_STARTED, whichever the shell saw first.
 */
#include "agent/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define NSEC UINT64_C(1000000000)

struct step {
	struct run *run;
	const struct run_event *event;
	uint64_t now;
	struct run_actions *ret;
};

static struct run_action *
act(struct step *step, enum run_action_kind kind)
{
	struct run_action *action = &step->ret->v[step->ret->n++];

	memset(action, 0, sizeof *action);
	action->kind = kind;
	return action;
}

static bool
is_final(enum report_state state)
{
	return state != REPORT_NONE && report_is_final(state);
}

/* Idle, or holding a result. */
static bool
is_open(const struct run *run)
{
	return run->state != REPORT_NONE && !is_final(run->state);
}

static bool
has_ended(const struct run *run, uint64_t run_id)
{
	for (size_t i = 0; i < RUN_ENDED_MAX; i++)
		if (run->ended[i] == run_id)
			return true;
	return false;
}

/* Late orders of this run will change nothing. */
static void
remember(struct run *run, uint64_t run_id)
{
	if (has_ended(run, run_id))
		return;
	memmove(run->ended + 1, run->ended, sizeof run->ended - sizeof run->ended[0]);
	run->ended[0] = run_id;
}

/* ---- ends ---- */

static void
clean(struct step *step)
{
	struct run *run = step->run;
	uint64_t ended[RUN_ENDED_MAX];

	act(step, RUN_ACT_CLEAN);
	remember(run, run->run_id);
	memcpy(ended, run->ended, sizeof ended);
	run_init(run);
	memcpy(run->ended, ended, sizeof ended);
	act(step, RUN_ACT_REPORT);
}

static void
hold_until(struct step *step)
{
	struct run *run = step->run;
	uint64_t from = step->now, end = run->start_ns + run->finish_timeout_ns;

	if (run->start_ns && end > from)
		from = end;
	run->deadline_ns = from + RUN_HOLD_LEASES * run->lease_ns;
}

static void
become_final(struct step *step, enum report_state state, bool result)
{
	struct run *run = step->run;

	if (result && run->go) {
		act(step, RUN_ACT_SNAPSHOT);
		run->has_result = true;
	}
	/* After the snapshot: the shell lets go of worker and board. */
	if (run->abandoned) {
		act(step, RUN_ACT_WORKER_ABANDON);
		run->worker_alive = false;
	}
	run->state = state;
	run->ending = REPORT_NONE;
	hold_until(step);
	if (run->released)
		clean(step);
	else
		act(step, RUN_ACT_REPORT);
}

/* The worker has no more to do: what was decided before, or `state` for `err`. */
static void
worker_ended(struct step *step, enum report_state state, const struct err *err)
{
	struct run *run = step->run;

	if (run->ending != REPORT_NONE) {
		become_final(step, run->ending, true);
		return;
	}
	if (err && err->code != ERR_NONE)
		run->err = *err;
	else if (state != REPORT_FINISHED)
		err_set(&run->err, ERR_INTERNAL, "the worker ended without a reason");
	become_final(step, state, state != REPORT_NOT_STARTED);
}

static void
kill_worker(struct step *step)
{
	struct run *run = step->run;

	act(step, RUN_ACT_WORKER_KILL);
	run->worker_killed = true;
	run->deadline_ns = step->now + RUN_ABANDON_AFTER_NS;
}

/* Ends an open run; its error is set.  It becomes `state` when the worker ends. */
static void
begin_ending(struct step *step, enum report_state state)
{
	struct run *run = step->run;

	run->ending = state;
	run->worker_stopping = true;
	act(step, RUN_ACT_WORKER_STOP);
	run->deadline_ns = step->now + RUN_KILL_AFTER_NS;
}

static void
stop_is_over(struct step *step)
{
	struct run *run = step->run;

	if (run->state == REPORT_RUNNING && run->ending == REPORT_FAILED) {
		run->ending = REPORT_STALLED;
		err_prefix(&run->err, "the worker did not answer and was killed");
	}
	kill_worker(step);
}

static void
kill_is_over(struct step *step)
{
	struct run *run = step->run;

	run->abandoned = true;
	err_prefix(&run->err, "abandoned, it hangs in the kernel");
	become_final(step, REPORT_STALLED, true);
}

/* ---- deadlines ---- */

static void
preparing_is_over(struct step *step)
{
	err_set(&step->run->err, ERR_TIMEOUT, "not ready within %" PRIu64 " s",
	    (step->now - step->run->since_ns) / NSEC);
	begin_ending(step, REPORT_FAILED);
}

static void
armed_is_over(struct step *step)
{
	err_set(&step->run->err, ERR_TIMEOUT, "no GO before the start");
	become_final(step, REPORT_NOT_STARTED, false);
}

static void
ready_is_over(struct step *step)
{
	struct run *run = step->run;

	if (run->start_ns) {
		err_set(&run->err, ERR_TIMEOUT, "not armed before the start");
		become_final(step, REPORT_NOT_STARTED, false);
		return;
	}
	err_set(&run->err, ERR_TIMEOUT, "ready, but never armed");
	begin_ending(step, REPORT_ABORTED);
}

static void
running_is_over(struct step *step)
{
	err_set(&step->run->err, ERR_TIMEOUT,
	    "not finished %" PRIu64 " s after the start, stopped",
	    step->run->finish_timeout_ns / NSEC);
	begin_ending(step, REPORT_FAILED);
}

typedef void step_fn(struct step *step);

static step_fn *const state_is_over[REPORT_STATE_COUNT] = {
    [REPORT_PREPARING] = preparing_is_over,
    [REPORT_READY] = ready_is_over,
    [REPORT_ARMED] = armed_is_over,
    [REPORT_RUNNING] = running_is_over,
    [REPORT_FINISHED] = clean,
    [REPORT_FAILED] = clean,
    [REPORT_STALLED] = clean,
    [REPORT_NOT_STARTED] = clean,
    [REPORT_ABORTED] = clean,
};

static bool
lease_counts(const struct run *run)
{
	return run->lease_until_ns && is_open(run) && run->ending == REPORT_NONE;
}

static void
look_at_deadlines(struct step *step)
{
	struct run *run = step->run;

	if (run->deadline_ns && step->now >= run->deadline_ns) {
		if (run->worker_killed && is_open(run))
			kill_is_over(step);
		else if (run->ending != REPORT_NONE)
			stop_is_over(step);
		else
			state_is_over[run->state](step);
	}
	if (lease_counts(run) && step->now >= run->lease_until_ns) {
		err_set(&run->err, ERR_UNREACHABLE,
		    "the controller was gone for %" PRIu64 " s", run->lease_ns / NSEC);
		begin_ending(step, REPORT_ABORTED);
	}
}

/* ---- orders ---- */

static void
refuse(struct step *step, enum report_state state, enum err_code code, const char *msg)
{
	struct report *report = &act(step, RUN_ACT_REFUSE)->report;

	report->run_id = step->event->order->run_id;
	report->state = state;
	err_set(&report->err, code, "%s", msg);
}

static void
refuse_unknown(struct step *step)
{
	char msg[64];

	snprintf(
	    msg, sizeof msg, "no run %016" PRIx64 " here", step->event->order->run_id);
	refuse(step, REPORT_NONE, ERR_USAGE, msg);
}

static void
refuse_busy(struct step *step)
{
	const struct run *run = step->run;
	char msg[256], since[64], away[96] = "";
	time_t wall = (time_t)(run->since_wall_ns / NSEC);
	struct tm tm;

	if (run->since_wall_ns && gmtime_r(&wall, &tm))
		strftime(since, sizeof since, "since %Y-%m-%dT%H:%M:%SZ", &tm);
	else
		snprintf(since, sizeof since, "for %" PRIu64 " s",
		    (step->now - run->since_ns) / NSEC);
	if (lease_counts(run))
		snprintf(away, sizeof away,
		    ", whose controller is away: it ends in %" PRIu64
		    " s unless that comes back",
		    (run->lease_until_ns - step->now + NSEC - 1) / NSEC);
	snprintf(msg, sizeof msg, "busy with run %016" PRIx64 " %s%s", run->run_id,
	    since, away);
	refuse(step, REPORT_BUSY, ERR_BUSY, msg);
}

static void
order_prepare(struct step *step)
{
	struct run *run = step->run;
	const struct order *order = step->event->order;

	if (run->state != REPORT_NONE && run->run_id == order->run_id) {
		act(step, RUN_ACT_REPORT);
		return;
	}
	if (has_ended(run, order->run_id)) {
		refuse(step, REPORT_NONE, ERR_USAGE, "that run is over");
		return;
	}
	/* A result whose controller is gone gives way; anything else does not. */
	if (run->state != REPORT_NONE) {
		if (is_open(run) || !run->lease_until_ns) {
			refuse_busy(step);
			return;
		}
		clean(step);
	}
	run->run_id = order->run_id;
	run->state = REPORT_PREPARING;
	run->lease_ns = order->lease_ns;
	run->finish_timeout_ns = order->finish_timeout_ns;
	run->since_ns = step->now;
	run->since_wall_ns = step->event->wall_ns;
	run->deadline_ns = step->now + order->prepare_timeout_ns;
	run->worker_alive = true;
	act(step, RUN_ACT_SPAWN);
	act(step, RUN_ACT_REPORT);
}

/*
 * T only ever moves on, and only while the present one is still ahead: an ARM that
 * a later one overtook is stale, and threads that wake now may not look again.
 */
static void
order_arm(struct step *step)
{
	struct run *run = step->run;
	uint64_t start = step->event->order->start_ns;
	uint64_t too_late = step->now + RUN_GO_MARGIN_NS;
	bool armable = (run->state == REPORT_READY || run->state == REPORT_ARMED) &&
		       run->ending == REPORT_NONE &&
		       (!run->start_ns || run->start_ns > too_late);

	if (armable && start > run->start_ns && start > too_late) {
		run->state = REPORT_READY;
		run->start_ns = start;
		run->deadline_ns = start;
		run->arms++;
		act(step, RUN_ACT_WORKER_ARM);
	}
	act(step, RUN_ACT_REPORT);
}

static void
order_go(struct step *step)
{
	struct run *run = step->run;

	if (run->state == REPORT_ARMED && run->ending == REPORT_NONE) {
		if (step->now + RUN_GO_MARGIN_NS > run->start_ns) {
			err_set(&run->err, ERR_TIMEOUT, "GO came too late");
			become_final(step, REPORT_NOT_STARTED, false);
			return;
		}
		run->go = true;
		run->state = REPORT_RUNNING;
		run->deadline_ns = run->start_ns + run->finish_timeout_ns;
		act(step, RUN_ACT_WORKER_GO);
	}
	act(step, RUN_ACT_REPORT);
}

static void
order_watch(struct step *step)
{
	act(step, RUN_ACT_REPORT);
}

static void
order_collect(struct step *step)
{
	(void)step; /* the shell has the result; run_report() says whether */
}

static void
order_abort(struct step *step)
{
	struct run *run = step->run;

	if (is_open(run) && run->ending == REPORT_NONE) {
		err_set(&run->err, ERR_CANCELLED, "aborted by the controller");
		begin_ending(step, REPORT_ABORTED);
	}
	act(step, RUN_ACT_REPORT);
}

/* Nobody wants the result of a run that is still open: no time for a drain. */
static void
order_release(struct step *step)
{
	struct run *run = step->run;

	if (!is_open(run)) {
		clean(step);
		return;
	}
	run->released = true;
	if (run->ending == REPORT_NONE) {
		err_set(&run->err, ERR_CANCELLED, "released by the controller");
		run->ending = REPORT_ABORTED;
	}
	if (!run->worker_killed)
		kill_worker(step);
}

/* An order of a run that is not here starts nothing.  That it is over is worth
 * knowing, should its PREPARE still be on the way on another connection. */
static const struct order_rule {
	step_fn *known;
	bool ends;
} order_rules[ORDER_KIND_COUNT] = {
    [ORDER_PREPARE] = {order_prepare, false},
    [ORDER_ARM] = {order_arm, false},
    [ORDER_GO] = {order_go, false},
    [ORDER_WATCH] = {order_watch, false},
    [ORDER_COLLECT] = {order_collect, false},
    [ORDER_ABORT] = {order_abort, true},
    [ORDER_RELEASE] = {order_release, true},
};

static void
on_order(struct step *step)
{
	struct run *run = step->run;
	const struct order *order = step->event->order;
	const struct order_rule *rule = &order_rules[order->kind];
	bool known = run->state != REPORT_NONE && run->run_id == order->run_id;

	if (known || order->kind == ORDER_PREPARE) {
		rule->known(step);
		return;
	}
	if (rule->ends)
		remember(run, order->run_id);
	refuse_unknown(step);
}

/* ---- the link and the worker ---- */

static void
on_link_up(struct step *step)
{
	step->run->lease_until_ns = 0;
	if (step->run->state != REPORT_NONE)
		act(step, RUN_ACT_REPORT);
}

static void
on_link_down(struct step *step)
{
	struct run *run = step->run;

	if (run->state != REPORT_NONE && !run->lease_until_ns)
		run->lease_until_ns = step->now + run->lease_ns;
}

static void
on_worker_ready(struct step *step)
{
	struct run *run = step->run;

	if (run->state != REPORT_PREPARING || run->ending != REPORT_NONE)
		return;
	run->state = REPORT_READY;
	/* The others may take as long as this one might have, and then a bit. */
	run->deadline_ns += run->lease_ns;
	act(step, RUN_ACT_REPORT);
}

static void
on_worker_armed(struct step *step)
{
	struct run *run = step->run;

	if (!run->arms || --run->arms)
		return;
	if (run->state != REPORT_READY || run->ending != REPORT_NONE)
		return;
	run->state = REPORT_ARMED;
	act(step, RUN_ACT_REPORT);
}

static void
on_worker_progress(struct step *step)
{
	struct run *run = step->run;

	if (run->state != REPORT_PREPARING)
		return;
	run->layout_done = step->event->layout_done;
	run->layout_total = step->event->layout_total;
	act(step, RUN_ACT_REPORT);
}

static void
on_worker_done(struct step *step)
{
	if (is_open(step->run))
		worker_ended(
		    step, step->run->go ? REPORT_FINISHED : REPORT_FAILED, NULL);
}

static void
on_worker_failed(struct step *step)
{
	if (is_open(step->run))
		worker_ended(step, REPORT_FAILED, step->event->err);
}

static void
on_worker_not_started(struct step *step)
{
	struct err err = ERR_INIT;

	if (!is_open(step->run))
		return;
	err_set(&err, ERR_TIMEOUT,
	    step->run->go ? "GO reached the worker after the start"
			  : "no GO before the start");
	worker_ended(step, REPORT_NOT_STARTED, &err);
}

static void
on_worker_exit(struct step *step)
{
	step->run->worker_alive = false;
	if (is_open(step->run))
		worker_ended(step, REPORT_FAILED, step->event->err);
}

static void
on_time(struct step *step)
{
	(void)step; /* the deadlines were looked at already */
}

static step_fn *const event_rules[] = {
    [RUN_EV_ORDER] = on_order,
    [RUN_EV_LINK_UP] = on_link_up,
    [RUN_EV_LINK_DOWN] = on_link_down,
    [RUN_EV_WORKER_READY] = on_worker_ready,
    [RUN_EV_WORKER_ARMED] = on_worker_armed,
    [RUN_EV_WORKER_PROGRESS] = on_worker_progress,
    [RUN_EV_WORKER_DONE] = on_worker_done,
    [RUN_EV_WORKER_FAILED] = on_worker_failed,
    [RUN_EV_WORKER_NOT_STARTED] = on_worker_not_started,
    [RUN_EV_WORKER_EXIT] = on_worker_exit,
    [RUN_EV_TIME] = on_time,
};

void
run_init(struct run *run)
{
	memset(run, 0, sizeof *run);
}

void
run_step(struct run *run, const struct run_event *event, uint64_t now,
    struct run_actions *ret)
{
	struct step step = {.run = run, .event = event, .now = now, .ret = ret};

	ret->n = 0;
	look_at_deadlines(&step);
	event_rules[event->kind](&step);
}

void
run_report(const struct run *run, struct report *ret)
{
	memset(ret, 0, sizeof *ret);
	ret->state = run->state;
	ret->run_id = run->state == REPORT_NONE ? run->ended[0] : run->run_id;
	ret->start_ns = run->state < REPORT_ARMED ? 0 : run->start_ns;
	ret->has_result = run->has_result;
	ret->layout_done = run->layout_done;
	ret->layout_total = run->layout_total;
	if (is_final(run->state))
		ret->err = run->err;
}

uint64_t
run_deadline(const struct run *run)
{
	uint64_t deadline = run->deadline_ns;

	if (lease_counts(run) && (!deadline || run->lease_until_ns < deadline))
		deadline = run->lease_until_ns;
	return deadline;
}
