/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An agent: does what run.c decides, and keeps to what run.h asks of a shell.
 */
#include "tests/sim/sim.h"

#define NO_CONN (~0u)      /* an event that is no order */
#define FOREIGN_CONN (~1u) /* the other controller's */

uint64_t
box_clock(const struct box *box, uint64_t now)
{
	return now + (uint64_t)box->offset +
	       (uint64_t)(int64_t)((double)(now - EPOCH) * box->drift);
}

uint64_t
box_true_time(const struct box *box, uint64_t local)
{
	uint64_t since = local - (EPOCH + (uint64_t)box->offset);
	uint64_t at = EPOCH + (uint64_t)((double)since / (1 + box->drift));

	if ((int64_t)since < 0)
		return EPOCH;
	while (box_clock(box, at) < local)
		at += local - box_clock(box, at);
	return at;
}

void
box_init(struct sim *sim, struct box *box)
{
	*box = (struct box){.alive = true};
	run_init(&box->run);
	box->offset = (int64_t)between(sim, 0, 100 * SEC) - (int64_t)(50 * SEC);
	box->drift = ((double)between(sim, 0, 200) - 100) * 1e-6;
	box->delay = log_between(sim, 20 * US, 20 * MS);
}

void
box_free(struct box *box)
{
	vec_free(&box->conns);
	vec_free(&box->over);
}

static void
set_timer(struct sim *sim, unsigned i)
{
	struct box *box = &sim->boxes[i];
	uint64_t deadline = run_deadline(&box->run), at;

	if (!deadline)
		return;
	at = box_true_time(box, deadline) + log_between(sim, US, 2 * MS);
	if (at < sim->now)
		at = sim->now;
	if (box->timer_at && box->timer_at <= at)
		return;
	box->timer_at = at;
	sim_push(sim,
	    (struct happening){
		.at = at, .kind = HAPPEN_AGENT_TIMER, .box = i, .conn = box->boot});
}

void
box_say_report(
    struct sim *sim, unsigned box, unsigned conn, const struct report *report)
{
	net_send(sim, TO_PILOT,
	    (struct happening){.kind = HAPPEN_REPORT,
		.box = box,
		.conn = conn,
		.run_id = report->run_id,
		.state = report->state,
		.start_ns = report->start_ns,
		.code = report->err.code,
		.has_result = report->has_result});
}

static void
note_armed(struct sim *sim, unsigned box)
{
	const struct run *run = &sim->boxes[box].run;

	if (run->state == REPORT_ARMED && sim->pilot.on &&
	    run->run_id == sim->pilot.drive.config.run_id)
		sim->pilot.ledger[box].armed_for = run->start_ns;
}

static void
report_to_all(struct sim *sim, unsigned i)
{
	struct box *box = &sim->boxes[i];
	struct report report;

	note_armed(sim, i);
	run_report(&box->run, &report);
	for (unsigned conn = 0; conn < box->conns.n; conn++)
		if (box->conns.v[conn].agent_open)
			box_say_report(sim, i, conn, &report);
}

static void
take_snapshot(struct box *box)
{
	box->result.run_id = box->worker.run_id;
	box->result.number = box->worker.number;
	box->result.complete = box->worker.complete;
}

static void
spawn(struct sim *sim, unsigned i, uint64_t run_id)
{
	struct box *box = &sim->boxes[i];

	watch_spawn(sim, i, run_id);
	box->spawned_run = run_id;
	box->prepared_at = sim->now;
	box->alone_since = 0;
	worker_spawn(sim, i, run_id);
}

static void
clean(struct sim *sim, unsigned i)
{
	struct box *box = &sim->boxes[i];

	vec_push(&box->over, box->spawned_run);
	if (box->worker.id)
		worker_leave(sim, i, false);
	box->result.number = 0;
}

static void
act(struct sim *sim, unsigned i, const struct run_action *action,
    const struct run_event *event)
{
	switch (action->kind) {
	case RUN_ACT_SPAWN: spawn(sim, i, event->order->run_id); break;
	case RUN_ACT_WORKER_ARM: worker_arm(sim, i); break;
	case RUN_ACT_WORKER_GO: worker_go(sim, i); break;
	case RUN_ACT_WORKER_STOP: worker_stop(sim, i); break;
	case RUN_ACT_WORKER_KILL: worker_kill(sim, i); break;
	case RUN_ACT_WORKER_ABANDON: worker_leave(sim, i, true); break;
	case RUN_ACT_SNAPSHOT: take_snapshot(&sim->boxes[i]); break;
	case RUN_ACT_REPORT: report_to_all(sim, i); break;
	case RUN_ACT_CLEAN: clean(sim, i); break;
	case RUN_ACT_REFUSE: break; /* box_event answers */
	}
}

static bool
is_owned(const struct box *box)
{
	if (box->run.state == REPORT_NONE)
		return false;
	for (size_t i = 0; i < box->conns.n; i++)
		if (box->conns.v[i].agent_open &&
		    box->conns.v[i].owns_run == box->run.run_id)
			return true;
	return box->foreign_up && box->foreign_run == box->run.run_id;
}

/* The first connection of the run's controller makes LINK_UP. */
static void
own(struct sim *sim, unsigned i, unsigned conn, const struct report *report)
{
	struct box *box = &sim->boxes[i];
	bool was_owned = is_owned(box);

	if (report->state == REPORT_NONE || report->state == REPORT_BUSY)
		return;
	if (conn == FOREIGN_CONN)
		box->foreign_up = true;
	else
		box->conns.v[conn].owns_run = report->run_id;
	box->alone_since = 0;
	if (!was_owned)
		box_event(sim, i, &(struct run_event){.kind = RUN_EV_LINK_UP}, NO_CONN);
}

/* Its last one makes LINK_DOWN. */
static void
disown(struct sim *sim, unsigned i, bool was_owned)
{
	struct box *box = &sim->boxes[i];

	if (!was_owned || is_owned(box))
		return;
	box->alone_since = sim->now;
	box_event(sim, i, &(struct run_event){.kind = RUN_EV_LINK_DOWN}, NO_CONN);
}

static void
answer(struct sim *sim, unsigned i, unsigned conn, const struct run_actions *actions)
{
	struct box *box = &sim->boxes[i];
	struct report report;

	run_report(&box->run, &report);
	for (unsigned a = 0; a < actions->n; a++)
		if (actions->v[a].kind == RUN_ACT_REFUSE)
			report = actions->v[a].report;
	if (conn != FOREIGN_CONN)
		box_say_report(sim, i, conn, &report);
	own(sim, i, conn, &report);
}

/* One step, with what it does.  An order's deadlines are looked at first on their
 * own, so that the watchers see what the order alone did. */
void
box_event(struct sim *sim, unsigned i, struct run_event *event, unsigned conn)
{
	struct box *box = &sim->boxes[i];
	uint64_t local = box_clock(box, sim->now);
	struct run_actions actions;
	struct run before;

	watch_alone(sim, i);
	if (event->kind == RUN_EV_ORDER)
		box_event(sim, i, &(struct run_event){.kind = RUN_EV_TIME}, NO_CONN);
	before = box->run;
	run_step(&box->run, event, local, &actions);
	for (unsigned a = 0; a < actions.n; a++)
		act(sim, i, &actions.v[a], event);
	if (box->run.state != before.state)
		sim_trace(sim, "box %u: run %llx %s (%s)", i,
		    (unsigned long long)box->run.run_id,
		    report_state_name(box->run.state), box->run.err.msg);
	if (event->kind == RUN_EV_ORDER) {
		watch_order(sim, i, &before, event->order, &actions);
		answer(sim, i, conn, &actions);
	}
	watch_box(sim, i);
	if (run_deadline(&box->run) && run_deadline(&box->run) <= local)
		sim_fail(sim, "box %u: waits for what has passed", i);
	set_timer(sim, i);
}

void
box_crash(struct sim *sim, unsigned i)
{
	struct box *box = &sim->boxes[i];

	sim_trace(sim, "box %u: crashes", i);
	box->alive = box->foreign_up = false;
	box->worker = (struct worker){0};
	box->result.number = 0;
	box->over.n = 0;
	box->timer_at = 0;
	run_init(&box->run);
	for (unsigned conn = 0; conn < box->conns.n; conn++) {
		struct conn *c = &box->conns.v[conn];

		if (c->agent_open && chance(sim, 0.2))
			c->dead[TO_PILOT] = true; /* a host that is gone says nothing */
		if (c->agent_open)
			net_close(sim, i, conn, TO_AGENT);
	}
	if (chance(sim, 0.9))
		sim_push(sim, (struct happening){
				  .at = sim->now + log_between(sim, 20 * MS, 60 * SEC),
				  .kind = HAPPEN_RESTART,
				  .box = i});
}

/* ---- what happens to it ---- */

static void
on_order(struct sim *sim, const struct happening *h)
{
	struct order order = {.kind = (enum order_kind)h->what,
	    .run_id = h->run_id,
	    .start_ns = h->start_ns,
	    .prepare_timeout_ns = sim->pilot.prepare_timeout,
	    .finish_timeout_ns = sim->pilot.finish_timeout,
	    .lease_ns = sim->pilot.lease};
	struct run_event event = {.kind = RUN_EV_ORDER, .order = &order};

	if (!net_delivers(net_conn(sim, h->box, h->conn), TO_AGENT))
		return;
	sim_trace(sim, "box %u: gets %s of %llx on connection %u", h->box,
	    order_kind_name(order.kind), (unsigned long long)order.run_id, h->conn);
	box_event(sim, h->box, &event, h->conn);
}

static enum err_code
collect_error(struct sim *sim, struct box *box, uint64_t run_id)
{
	if (!box->result.number || box->result.run_id != run_id)
		return ERR_USAGE;
	if (!chance(sim, sim->late_odds / 4))
		return ERR_NONE;
	box->touched = true;
	return chance(sim, 0.7) ? ERR_TIMEOUT : ERR_PROTOCOL;
}

static void
on_collect(struct sim *sim, const struct happening *h)
{
	struct box *box = &sim->boxes[h->box];
	enum err_code code = collect_error(sim, box, h->run_id);
	bool has = code == ERR_NONE;

	if (!net_delivers(net_conn(sim, h->box, h->conn), TO_AGENT))
		return;
	net_send(sim, TO_PILOT,
	    (struct happening){.kind = HAPPEN_RESULT,
		.box = h->box,
		.conn = h->conn,
		.run_id = h->run_id,
		.id = has ? box->result.number : 0,
		.has_result = has && box->result.complete,
		.code = code});
}

static void
on_closed(struct sim *sim, const struct happening *h)
{
	struct box *box = &sim->boxes[h->box];
	bool was_owned = is_owned(box);

	if (!net_conn(sim, h->box, h->conn)->agent_open)
		return;
	sim_trace(sim, "box %u: sees connection %u gone", h->box, h->conn);
	net_close(sim, h->box, h->conn, TO_AGENT);
	disown(sim, h->box, was_owned);
}

static void
on_timer(struct sim *sim, const struct happening *h)
{
	struct box *box = &sim->boxes[h->box];

	if (h->conn != box->boot)
		return;
	box->timer_at = 0;
	box_event(sim, h->box, &(struct run_event){.kind = RUN_EV_TIME}, NO_CONN);
}

static void
on_said(struct sim *sim, const struct happening *h)
{
	struct err err = {.code = h->code};
	struct run_event event = {.kind = (enum run_event_kind)h->what, .err = &err};

	if (sim->boxes[h->box].worker.id == h->id)
		box_event(sim, h->box, &event, NO_CONN);
}

static void
on_restart(struct sim *sim, const struct happening *h)
{
	struct box *box = &sim->boxes[h->box];

	sim_trace(sim, "box %u: is back", h->box);
	box->alive = true;
	box->boot++;
}

static void
on_foreign(struct sim *sim, const struct happening *h)
{
	struct box *box = &sim->boxes[h->box];
	struct order order = {.kind = ORDER_PREPARE,
	    .run_id = ++sim->ids << 32,
	    .prepare_timeout_ns = sim->pilot.prepare_timeout,
	    .finish_timeout_ns = sim->pilot.finish_timeout,
	    .lease_ns = sim->pilot.lease};
	struct run_event event = {.kind = RUN_EV_ORDER, .order = &order};

	if (box->foreign_up)
		return;
	sim_trace(sim, "box %u: another controller", h->box);
	box->foreign_run = order.run_id;
	box_event(sim, h->box, &event, FOREIGN_CONN);
	if (box->run.run_id == order.run_id)
		box->touched = true; /* busy with something else */
	sim_push(
	    sim, (struct happening){.at = sim->now + log_between(sim, MS, 10 * SEC),
		     .kind = HAPPEN_FOREIGN_GONE,
		     .box = h->box,
		     .run_id = order.run_id});
}

static void
on_foreign_gone(struct sim *sim, const struct happening *h)
{
	struct box *box = &sim->boxes[h->box];
	bool was_owned = is_owned(box);

	if (box->foreign_run != h->run_id)
		return;
	box->foreign_up = false;
	disown(sim, h->box, was_owned);
}

static void
on_fault(struct sim *sim, const struct happening *h)
{
	struct box *box = &sim->boxes[h->box];
	uint64_t until;

	box->touched = true;
	if (h->what == 0) {
		box_crash(sim, h->box);
	} else if (h->what == 1) {
		until = sim->now + log_between(sim, MS, 100 * SEC);
		if (until > box->paused_until)
			box->paused_until = until;
		sim_trace(sim, "box %u: sleeps", h->box);
	} else {
		net_fault(sim, h->box, h->what);
	}
}

void
box_happening(struct sim *sim, const struct happening *happening)
{
	static void (*const rules[])(struct sim *, const struct happening *) = {
	    [HAPPEN_ORDER] = on_order,
	    [HAPPEN_COLLECT] = on_collect,
	    [HAPPEN_AGENT_CLOSED] = on_closed,
	    [HAPPEN_AGENT_TIMER] = on_timer,
	    [HAPPEN_WORKER] = worker_happening,
	    [HAPPEN_WORKER_SAID] = on_said,
	    [HAPPEN_RESTART] = on_restart,
	    [HAPPEN_FOREIGN] = on_foreign,
	    [HAPPEN_FOREIGN_GONE] = on_foreign_gone,
	    [HAPPEN_FAULT] = on_fault,
	};
	struct box *box = &sim->boxes[happening->box];
	struct happening again = *happening;

	if (!box->alive && happening->kind != HAPPEN_RESTART)
		return;
	/* A stopped process finds everything waiting; its worker is not stopped. */
	if (sim->now < box->paused_until && happening->kind != HAPPEN_WORKER &&
	    happening->kind != HAPPEN_FAULT) {
		again.at = box->paused_until;
		heap_push(&sim->heap, &again);
		return;
	}
	if (box->steps_to_fault && --box->steps_to_fault == 0) {
		sim_push(sim, (struct happening){.at = sim->now,
				  .kind = HAPPEN_FAULT,
				  .box = happening->box,
				  .what = box->next_fault});
	}
	rules[happening->kind](sim, happening);
}
