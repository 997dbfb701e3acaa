/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections between the controller and each agent.  Within one connection and
 * direction the order is kept; different ones overtake each other.  An end that
 * closed hears nothing more; the other end learns of it with delay, and when that
 * direction is dead only when its pings go unanswered.
 */
#include "tests/sim/sim.h"

enum net_fault_kind { NET_CUT, NET_HALF_OPEN, NET_STALL, NET_SLOW, NET_FAULTS };

struct conn *
net_conn(struct sim *sim, unsigned box, unsigned conn)
{
	return &sim->boxes[box].conns.v[conn];
}

bool
net_delivers(const struct conn *conn, enum side side)
{
	return !conn->dead[side] &&
	       (side == TO_AGENT ? conn->agent_open : conn->pilot_open);
}

static void
send_on(struct sim *sim, enum side side, struct happening happening)
{
	struct box *box = &sim->boxes[happening.box];
	struct conn *conn = net_conn(sim, happening.box, happening.conn);
	uint64_t at = sim->now + box->delay + log_between(sim, US, 5 * MS);

	if (conn->dead[side])
		return;
	if (at < conn->stalled[side])
		at = conn->stalled[side];
	if (at <= conn->last[side])
		at = conn->last[side] + 1;
	conn->last[side] = at;
	happening.at = at;
	heap_push(&sim->heap, &happening);
}

void
net_send(struct sim *sim, enum side side, struct happening happening)
{
	send_on(sim, side, happening);
}

static void
notice(struct sim *sim, unsigned box, unsigned conn, enum side end, uint64_t at)
{
	sim_push(sim,
	    (struct happening){.at = at,
		.kind = end == TO_AGENT ? HAPPEN_AGENT_CLOSED : HAPPEN_PILOT_CLOSED,
		.box = box,
		.conn = conn});
}

void
net_close(struct sim *sim, unsigned box, unsigned conn, enum side closed_by)
{
	struct conn *c = net_conn(sim, box, conn);
	enum side other = closed_by == TO_AGENT ? TO_PILOT : TO_AGENT;

	if (closed_by == TO_AGENT)
		c->agent_open = false;
	else
		c->pilot_open = false;
	send_on(sim, other,
	    (struct happening){
		.kind = other == TO_AGENT ? HAPPEN_AGENT_CLOSED : HAPPEN_PILOT_CLOSED,
		.box = box,
		.conn = conn});
	notice(sim, box, conn, other, sim->now + between(sim, 5 * SEC, 20 * SEC));
}

void
net_try_later(struct sim *sim, unsigned box)
{
	sim_push(
	    sim, (struct happening){.at = sim->now + log_between(sim, 50 * MS, 5 * SEC),
		     .kind = HAPPEN_CONNECT,
		     .box = box,
		     .conn = sim->pilot.life});
}

/* The controller's attempt to connect; `conn` says for which of its lives. */
void
net_connect(struct sim *sim, const struct happening *happening)
{
	struct box *box = &sim->boxes[happening->box];
	struct report report;
	struct conn *conn;

	if (happening->conn != sim->pilot.life ||
	    (!sim->pilot.on && sim->pilot.attempts_left == 0))
		return;
	if (box->conns.n && box->conns.v[box->conns.n - 1].pilot_open)
		return;
	if (!box->alive || sim->now < box->unreachable_until ||
	    sim->now < box->paused_until) {
		net_try_later(sim, happening->box);
		return;
	}
	conn = vec_add(&box->conns);
	conn->agent_open = conn->pilot_open = true;
	sim_trace(sim, "box %u: connection %zu", happening->box, box->conns.n - 1);
	run_report(&box->run, &report);
	box_say_report(sim, happening->box, (unsigned)box->conns.n - 1, &report);
	if (sim->pilot.on)
		pilot_event(sim, &(struct drive_event){.kind = DRIVE_EV_LINK_UP,
				     .client = happening->box});
}

static void
cut(struct sim *sim, unsigned box, unsigned conn)
{
	struct conn *c = net_conn(sim, box, conn);

	c->dead[TO_AGENT] = c->dead[TO_PILOT] = true;
	notice(sim, box, conn, TO_AGENT, sim->now + log_between(sim, US, 15 * SEC));
	notice(sim, box, conn, TO_PILOT, sim->now + log_between(sim, US, 15 * SEC));
}

static void
half_open(struct sim *sim, unsigned box, unsigned conn)
{
	struct conn *c = net_conn(sim, box, conn);

	c->dead[between(sim, 0, 1)] = true;
	notice(sim, box, conn, TO_AGENT, sim->now + between(sim, 3 * SEC, 15 * SEC));
	notice(sim, box, conn, TO_PILOT, sim->now + between(sim, 3 * SEC, 15 * SEC));
}

/* Held up and delivered late: perhaps after the controller has a new connection. */
static void
stall(struct sim *sim, unsigned box, unsigned conn)
{
	struct conn *c = net_conn(sim, box, conn);
	uint64_t until = sim->now + log_between(sim, 20 * MS, 60 * SEC);

	c->stalled[between(sim, 0, 1)] = until;
	if (chance(sim, 0.5))
		c->stalled[TO_AGENT] = until;
	if (until - sim->now > 5 * SEC || chance(sim, 0.5))
		notice(
		    sim, box, conn, TO_PILOT, sim->now + log_between(sim, MS, 5 * SEC));
}

void
net_fault(struct sim *sim, unsigned box, unsigned fault)
{
	struct box *b = &sim->boxes[box];
	unsigned conn = (unsigned)b->conns.n - 1;

	if (b->conns.n == 0)
		return;
	if (fault % NET_FAULTS != NET_SLOW && chance(sim, 0.5))
		b->unreachable_until = sim->now + log_between(sim, MS, 200 * SEC);
	sim_trace(sim, "box %u: net fault %u on connection %u", box, fault % NET_FAULTS,
	    conn);
	if (fault % NET_FAULTS == NET_CUT)
		cut(sim, box, conn);
	else if (fault % NET_FAULTS == NET_HALF_OPEN)
		half_open(sim, box, conn);
	else if (fault % NET_FAULTS == NET_STALL)
		stall(sim, box, conn);
	else
		b->delay = log_between(sim, MS, 2 * SEC);
}
