/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The controller: does what drive.c decides, one attempt after the other, and is
 * interrupted, put to sleep or killed now and then.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/sim/sim.h"

void
pilot_init(struct sim *sim)
{
	struct pilot *pilot = &sim->pilot;

	*pilot = (struct pilot){.life = 1, .alive = true};
	pilot->ledger = mem_array(sim->n, sizeof *pilot->ledger);
	pilot->attempts_left = (unsigned)between(sim, 1, 3);
	pilot->duration = log_between(sim, 10 * MS, 100 * SEC);
	pilot->prepare_timeout = log_between(sim, 2 * SEC, 600 * SEC);
	pilot->finish_timeout = pilot->duration + log_between(sim, 5 * SEC, 60 * SEC);
	pilot->lease = log_between(sim, SEC, 60 * SEC);
	sim_push(sim, (struct happening){.at = sim->now, .kind = HAPPEN_ATTEMPT});
}

void
pilot_free(struct sim *sim)
{
	if (sim->pilot.on)
		drive_free(&sim->pilot.drive);
	free(sim->pilot.ledger);
}

static bool
is_connected(const struct box *box)
{
	return box->conns.n && box->conns.v[box->conns.n - 1].pilot_open;
}

static void
send(struct sim *sim, size_t client, enum happening_kind kind,
    const struct drive_action *action)
{
	struct box *box = &sim->boxes[client];

	if (!is_connected(box))
		return;
	net_send(sim, TO_AGENT,
	    (struct happening){.kind = kind,
		.box = (unsigned)client,
		.conn = (unsigned)box->conns.n - 1,
		.what = action->order,
		.run_id = sim->pilot.drive.config.run_id,
		.start_ns = action->start_ns});
}

static void
send_order(struct sim *sim, const struct drive_action *action)
{
	if (action->order == ORDER_GO)
		watch_go(sim, action->client);
	send(sim, action->client,
	    action->order == ORDER_COLLECT ? HAPPEN_COLLECT : HAPPEN_ORDER, action);
}

/* Pings take a few round trips; those that get no answer, two seconds. */
static void
begin_sync(struct sim *sim)
{
	uint64_t takes = MS;

	for (size_t i = 0; i < sim->n; i++) {
		const struct box *box = &sim->boxes[i];

		if (is_connected(box) && 10 * box->delay > takes)
			takes = 10 * box->delay;
		if (!is_connected(box) || !box->alive)
			takes = 2 * SEC;
	}
	sim_push(sim, (struct happening){.at = sim->now + takes,
			  .kind = HAPPEN_SYNCED,
			  .conn = sim->pilot.life,
			  .run_id = sim->pilot.drive.config.run_id});
}

static void
plan_fault(struct sim *sim, size_t i, uint64_t at)
{
	sim_push(sim, (struct happening){.at = at,
			  .kind = HAPPEN_FAULT,
			  .box = (unsigned)i,
			  .what = (unsigned)between(sim, 0, 9)});
}

/* At any step of an agent, or at any time. */
static void
plan_early(struct sim *sim)
{
	for (size_t i = 0; i < sim->n; i++) {
		if (!chance(sim, sim->early_odds / 2))
			continue;
		sim->boxes[i].next_fault = (unsigned)between(sim, 0, 9);
		if (chance(sim, 0.5))
			sim->boxes[i].steps_to_fault = (unsigned)between(sim, 1, 14);
		else
			plan_fault(sim, i, sim->now + log_between(sim, MS, 100 * SEC));
	}
}

/* From GO on. */
static void
plan_late(struct sim *sim)
{
	uint64_t long_time = 2 * sim->pilot.duration + 20 * SEC;

	for (size_t i = 0; i < sim->n; i++)
		if (chance(sim, sim->late_odds / 2))
			plan_fault(sim, i, sim->now + log_between(sim, US, long_time));
}

static void
set_timer(struct sim *sim)
{
	struct pilot *pilot = &sim->pilot;
	uint64_t at = drive_deadline(&pilot->drive);

	if (!at || (pilot->timer_at && pilot->timer_at <= at))
		return;
	if (at < sim->now)
		at = sim->now;
	pilot->timer_at = at;
	sim_push(sim, (struct happening){.at = at + between(sim, 0, MS),
			  .kind = HAPPEN_PILOT_TIMER,
			  .conn = pilot->life,
			  .id = at});
}

static void
next_attempt(struct sim *sim, uint64_t wait)
{
	struct pilot *pilot = &sim->pilot;

	drive_free(&pilot->drive);
	pilot->on = false;
	pilot->timer_at = 0;
	if (pilot->attempts_left)
		sim_push(sim, (struct happening){.at = sim->now + wait,
				  .kind = HAPPEN_ATTEMPT,
				  .conn = pilot->life});
}

void
pilot_event(struct sim *sim, struct drive_event *event)
{
	struct pilot *pilot = &sim->pilot;
	enum drive_phase before = pilot->drive.phase;
	bool over = false;

	sim->actions.list.n = 0;
	drive_step(&pilot->drive, event, sim->now, &sim->actions);
	watch_undone(sim);
	if (pilot->drive.phase != before && pilot->drive.phase == DRIVE_RUNNING)
		plan_late(sim);
	if (pilot->drive.phase != before)
		sim_trace(sim, "controller: %s", drive_phase_name(pilot->drive.phase));
	for (size_t i = 0; i < sim->actions.list.n; i++) {
		const struct drive_action *action = &sim->actions.list.v[i];

		if (action->kind == DRIVE_ACT_ORDER)
			send_order(sim, action);
		else if (action->kind == DRIVE_ACT_SYNC)
			begin_sync(sim);
		else if (action->kind == DRIVE_ACT_DONE)
			over = true;
	}
	if (!over) {
		set_timer(sim);
		return;
	}
	watch_done(sim);
	next_attempt(sim, log_between(sim, US, 5 * SEC));
}

/* ---- what happens to it ---- */

static void
plan_others(struct sim *sim)
{
	static const struct {
		enum happening_kind kind;
		double odds;
	} others[] = {
	    {HAPPEN_INTERRUPT, 0.1},
	    {HAPPEN_INTERRUPT, 0.02},
	    {HAPPEN_PILOT_PAUSE, 0.1},
	    {HAPPEN_PILOT_DIES, 0.07},
	    {HAPPEN_FOREIGN, 0.1},
	    {HAPPEN_FOREIGN, 0.1},
	    {HAPPEN_WATCH, 0.3},
	    {HAPPEN_WATCH, 0.3},
	};
	uint64_t long_time = 2 * sim->pilot.duration + 20 * SEC;

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (chance(sim, others[i].odds))
			sim_push(
			    sim, (struct happening){
				     .at = sim->now + log_between(sim, MS, long_time),
				     .kind = others[i].kind,
				     .conn = sim->pilot.life,
				     .box = (unsigned)between(sim, 0, sim->n - 1)});
}

static void
on_attempt(struct sim *sim, const struct happening *h)
{
	struct pilot *pilot = &sim->pilot;
	struct drive_config config = {.run_id = ++sim->ids,
	    .clients = sim->n,
	    .duration_ns = pilot->duration,
	    .prepare_timeout_ns = pilot->prepare_timeout,
	    .finish_timeout_ns = pilot->finish_timeout,
	    .lease_ns = pilot->lease};

	(void)h;
	pilot->alive = true;
	pilot->attempts_left--;
	pilot->began = sim->now;
	pilot->paused = 0;
	pilot->interrupts = 0;
	memset(pilot->ledger, 0, sim->n * sizeof *pilot->ledger);
	drive_init(&pilot->drive, &config);
	pilot->on = true;
	sim->count.attempts++;
	sim_trace(sim, "controller: attempt %llx", (unsigned long long)config.run_id);
	if (!sim->calm) {
		plan_early(sim);
		plan_others(sim);
	}
	for (size_t i = 0; i < sim->n; i++) {
		if (is_connected(&sim->boxes[i]))
			continue;
		pilot_event(sim,
		    &(struct drive_event){.kind = DRIVE_EV_LINK_DOWN, .client = i});
		net_try_later(sim, (unsigned)i);
	}
	pilot_event(sim, &(struct drive_event){.kind = DRIVE_EV_START});
}

static bool
is_latest(struct sim *sim, const struct happening *h)
{
	return sim->pilot.on && h->conn + 1 == sim->boxes[h->box].conns.n &&
	       net_delivers(net_conn(sim, h->box, h->conn), TO_PILOT);
}

static void
on_report(struct sim *sim, const struct happening *h)
{
	struct report report = {.run_id = h->run_id,
	    .state = h->state,
	    .start_ns = h->start_ns,
	    .has_result = h->has_result,
	    .err = {.code = h->code, .msg = "said so"}};
	struct drive_client before;

	if (!is_latest(sim, h))
		return;
	sim_trace(sim, "controller: box %u says %s of %llx", h->box,
	    report_state_name(h->state), (unsigned long long)h->run_id);
	if (h->run_id == sim->pilot.drive.config.run_id) {
		pilot_event(sim,
		    &(struct drive_event){
			.kind = DRIVE_EV_REPORT, .client = h->box, .report = &report});
		return;
	}
	/* What is due happens first, so that the watchers see what the report did. */
	pilot_event(sim, &(struct drive_event){.kind = DRIVE_EV_TIME});
	if (!sim->pilot.on)
		return;
	before = sim->pilot.drive.clients[h->box];
	sim->actions.list.n = 0;
	drive_step(&sim->pilot.drive,
	    &(struct drive_event){
		.kind = DRIVE_EV_REPORT, .client = h->box, .report = &report},
	    sim->now, &sim->actions);
	watch_stale(sim, h, &before);
}

static void
on_result(struct sim *sim, const struct happening *h)
{
	struct err err = {.code = h->code, .msg = "no such result"};

	if (!is_latest(sim, h))
		return;
	sim_trace(sim, "controller: box %u: result %llu (%s)", h->box,
	    (unsigned long long)h->id, err_code_name(h->code));
	pilot_event(sim, h->id ? &(struct drive_event){.kind = DRIVE_EV_RESULT,
				     .client = h->box,
				     .run_id = h->run_id}
			       : &(struct drive_event){.kind = DRIVE_EV_COLLECT_FAILED,
				     .client = h->box,
				     .err = &err});
	for (size_t i = 0; i < sim->actions.list.n; i++)
		if (sim->actions.list.v[i].kind == DRIVE_ACT_KEEP)
			watch_keep(sim, h);
}

static void
on_closed(struct sim *sim, const struct happening *h)
{
	struct err err = ERR_INIT;

	if (!net_conn(sim, h->box, h->conn)->pilot_open)
		return;
	sim_trace(sim, "controller: box %u: connection %u gone", h->box, h->conn);
	net_close(sim, h->box, h->conn, TO_PILOT);
	net_try_later(sim, h->box);
	err_set(&err, ERR_UNREACHABLE, "connection lost");
	/* A call that was open fails with its connection. */
	if (sim->pilot.on && sim->pilot.drive.clients[h->box].collect_sent)
		pilot_event(sim, &(struct drive_event){.kind = DRIVE_EV_COLLECT_FAILED,
				     .client = h->box,
				     .err = &err});
	if (!sim->pilot.on)
		return;
	enum client_outcome before = sim->pilot.drive.clients[h->box].outcome;
	pilot_event(sim,
	    &(struct drive_event){
		.kind = DRIVE_EV_LINK_DOWN, .client = h->box, .err = &err});
	watch_lost(sim, h->box, before);
}

static void
on_synced(struct sim *sim, const struct happening *h)
{
	if (!sim->pilot.on || h->run_id != sim->pilot.drive.config.run_id)
		return;
	for (size_t i = 0; i < sim->n; i++) {
		const struct box *box = &sim->boxes[i];
		struct offset *offset = &sim->offsets[i];
		uint64_t rtt = 2 * box->delay + log_between(sim, US, 100 * US);
		const struct conn *conn;

		*offset = (struct offset){.rtt_ns = rtt, .bound_ns = (rtt + 1) / 2};
		if (!is_connected(box) || !box->alive || sim->now < box->paused_until)
			continue;
		conn = &box->conns.v[box->conns.n - 1];
		if (!net_delivers(conn, TO_AGENT) || !net_delivers(conn, TO_PILOT))
			continue;
		offset->valid = true;
		offset->at_ns = sim->now;
		offset->offset_ns = (int64_t)(box_clock(box, sim->now) - sim->now) +
				    (int64_t)between(sim, 0, rtt) - (int64_t)(rtt / 2);
	}
	pilot_event(sim,
	    &(struct drive_event){.kind = DRIVE_EV_SYNCED, .offsets = sim->offsets});
}

static void
on_timer(struct sim *sim, const struct happening *h)
{
	struct pilot *pilot = &sim->pilot;

	if (h->id != pilot->timer_at)
		return;
	pilot->timer_at = 0;
	if (pilot->on)
		pilot_event(sim, &(struct drive_event){.kind = DRIVE_EV_TIME});
}

static void
on_interrupt(struct sim *sim, const struct happening *h)
{
	(void)h;
	if (!sim->pilot.on)
		return;
	sim->pilot.touched = true;
	sim->count.interrupted++;
	pilot_event(sim, &(struct drive_event){.kind = DRIVE_EV_INTERRUPT});
}

static void
on_watch(struct sim *sim, const struct happening *h)
{
	if (sim->pilot.on)
		send(sim, h->box, HAPPEN_ORDER,
		    &(struct drive_action){.order = ORDER_WATCH});
}

static void
on_pause(struct sim *sim, const struct happening *h)
{
	uint64_t takes = log_between(sim, MS, 100 * SEC);

	(void)h;
	sim_trace(sim, "controller: sleeps");
	sim->pilot.touched = true;
	sim->pilot.paused += takes;
	if (sim->now + takes > sim->pilot.paused_until)
		sim->pilot.paused_until = sim->now + takes;
}

static void
on_death(struct sim *sim, const struct happening *h)
{
	struct pilot *pilot = &sim->pilot;

	(void)h;
	if (!pilot->on)
		return;
	sim_trace(sim, "controller: dies");
	pilot->touched = true;
	pilot->alive = false;
	pilot->life++;
	for (unsigned i = 0; i < sim->n; i++)
		if (is_connected(&sim->boxes[i]))
			net_close(
			    sim, i, (unsigned)sim->boxes[i].conns.n - 1, TO_PILOT);
	next_attempt(sim, log_between(sim, 10 * MS, 3 * pilot->lease));
}

void
pilot_happening(struct sim *sim, const struct happening *happening)
{
	static void (*const rules[])(struct sim *, const struct happening *) = {
	    [HAPPEN_ATTEMPT] = on_attempt,
	    [HAPPEN_REPORT] = on_report,
	    [HAPPEN_RESULT] = on_result,
	    [HAPPEN_PILOT_CLOSED] = on_closed,
	    [HAPPEN_CONNECT] = net_connect,
	    [HAPPEN_SYNCED] = on_synced,
	    [HAPPEN_PILOT_TIMER] = on_timer,
	    [HAPPEN_INTERRUPT] = on_interrupt,
	    [HAPPEN_WATCH] = on_watch,
	    [HAPPEN_PILOT_PAUSE] = on_pause,
	    [HAPPEN_PILOT_DIES] = on_death,
	};
	struct happening again = *happening;

	if (!sim->pilot.alive && happening->kind != HAPPEN_ATTEMPT)
		return;
	if (sim->now < sim->pilot.paused_until &&
	    happening->kind != HAPPEN_PILOT_DIES) {
		again.at = sim->pilot.paused_until;
		heap_push(&sim->heap, &again);
		return;
	}
	rules[happening->kind](sim, happening);
}
