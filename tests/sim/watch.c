/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What must hold, looked at when a step touches it.  The watchers know what is true
 * (clocks, workers, results); the state machines only what they were told.
 */
#include <inttypes.h>

#include "tests/sim/sim.h"

#define DRIFT_MAX 250 /* ppm: both clocks */

/* ---- no start without GO, and none but at T ---- */

void
watch_start(struct sim *sim, unsigned box, const struct worker *worker)
{
	const struct box *b = &sim->boxes[box];
	const struct pilot *pilot = &sim->pilot;
	struct ledger *ledger = &pilot->ledger[box];
	bool ours = pilot->on && worker->run_id == pilot->drive.config.run_id;

	sim_trace(
	    sim, "box %u: starts run %llx", box, (unsigned long long)worker->run_id);
	if (b->run.run_id != worker->run_id || b->run.state != REPORT_RUNNING)
		sim_fail(sim, "box %u: a start while its run is %s", box,
		    report_state_name(b->run.state));
	if (box_clock(b, sim->now) < worker->arm_start)
		sim_fail(sim, "box %u: a start before T", box);
	if (!worker->go)
		sim_fail(sim, "box %u: a start without GO at the worker", box);
	if (!ours)
		return; /* its controller died since; watch_order saw GO */
	if (!ledger->go_for)
		sim_fail(sim, "box %u: a start without GO from the controller", box);
	else if (ledger->go_for != worker->arm_start)
		sim_fail(sim, "box %u: a start at another T than GO was for", box);
	ledger->started = sim->now;
	ledger->wake_late = worker->wake_late;
}

/* GO is sent when everybody said ARMED for the very T that GO is about. */
void
watch_go(struct sim *sim, size_t client)
{
	struct pilot *pilot = &sim->pilot;
	const struct drive *drive = &pilot->drive;

	for (size_t i = 0; !pilot->ledger[client].go_for && i < sim->n; i++)
		if (pilot->ledger[i].armed_for != drive->clients[i].start_ns)
			sim_fail(sim, "GO, but box %zu is not armed for its T", i);
	if (drive->start_ns < sim->now + DRIVE_GO_LEAD_NS &&
	    !pilot->ledger[client].go_for)
		sim_fail(sim, "GO %" PRId64 " ns before T",
		    (int64_t)(drive->start_ns - sim->now));
	pilot->ledger[client].go_for = drive->clients[client].start_ns;
}

/* ---- orders of another run, or of a dead one ---- */

static bool
acts(const struct run_actions *actions, enum run_action_kind kind)
{
	for (unsigned i = 0; i < actions->n; i++)
		if (actions->v[i].kind == kind)
			return true;
	return false;
}

static bool
same(const struct run *a, const struct run *b)
{
	return a->run_id == b->run_id && a->state == b->state &&
	       a->start_ns == b->start_ns && a->go == b->go && a->ending == b->ending &&
	       a->deadline_ns == b->deadline_ns && a->released == b->released &&
	       a->has_result == b->has_result && a->worker_killed == b->worker_killed;
}

void
watch_order(struct sim *sim, unsigned box, const struct run *before,
    const struct order *order, const struct run_actions *actions)
{
	const struct box *b = &sim->boxes[box];

	if (acts(actions, RUN_ACT_WORKER_GO) &&
	    (order->kind != ORDER_GO || before->state != REPORT_ARMED ||
		box_clock(b, sim->now) >= before->start_ns))
		sim_fail(sim, "box %u: GO to the worker of a run that is %s", box,
		    report_state_name(before->state));
	if (before->run_id == order->run_id || order->kind == ORDER_PREPARE)
		return;
	if (!same(before, &b->run) || !acts(actions, RUN_ACT_REFUSE) || actions->n != 1)
		sim_fail(sim, "box %u: %s of run %llx changed run %llx", box,
		    order_kind_name(order->kind), (unsigned long long)order->run_id,
		    (unsigned long long)before->run_id);
}

void
watch_spawn(struct sim *sim, unsigned box, uint64_t run_id)
{
	const struct box *b = &sim->boxes[box];

	for (size_t i = 0; i < b->over.n; i++)
		if (b->over.v[i] == run_id)
			sim_fail(sim, "box %u: run %llx begins again", box,
			    (unsigned long long)run_id);
}

void
watch_stale(
    struct sim *sim, const struct happening *report, const struct drive_client *before)
{
	const struct drive_client *now = &sim->pilot.drive.clients[report->box];

	if (sim->actions.list.n || now->state != before->state ||
	    now->outcome != before->outcome || now->has_result != before->has_result ||
	    now->result_waits != before->result_waits ||
	    now->released != before->released)
		sim_fail(sim, "box %u: a report of run %llx counted", report->box,
		    (unsigned long long)report->run_id);
}

/* ---- every run ends ---- */

/* An open run is final by its deadlines, STOP and SIGKILL included. */
void
watch_box(struct sim *sim, unsigned box)
{
	const struct box *b = &sim->boxes[box];
	const struct pilot *pilot = &sim->pilot;
	uint64_t by = b->prepared_at + pilot->prepare_timeout + pilot->lease;

	if (b->run.state == REPORT_NONE || report_is_final(b->run.state))
		return;
	if (b->run.start_ns && box_true_time(b, b->run.start_ns) > by)
		by = box_true_time(b, b->run.start_ns);
	if (b->run.go)
		by = box_true_time(b, b->run.start_ns) + pilot->finish_timeout;
	if (by < b->paused_until)
		by = b->paused_until;
	by += RUN_KILL_AFTER_NS + RUN_ABANDON_AFTER_NS + 2 * SEC;
	if (sim->now > by)
		sim_fail(sim, "box %u: run %llx is still %s", box,
		    (unsigned long long)b->run.run_id, report_state_name(b->run.state));
}

/* Load without a controller ends with the lease. */
void
watch_alone(struct sim *sim, unsigned box)
{
	const struct box *b = &sim->boxes[box];
	uint64_t by = b->alone_since + sim->pilot.lease;

	if (!b->alone_since || b->worker.phase != WORKER_RUNS || b->worker.stop)
		return;
	if (by < b->paused_until)
		by = b->paused_until;
	if (sim->now > by + SEC)
		sim_fail(sim, "box %u: its load outlives the lease", box);
}

/* A lost connection alone fails nobody. */
void
watch_lost(struct sim *sim, unsigned box, enum client_outcome before)
{
	if (sim->pilot.on && !sim->pilot.touched && before == CLIENT_PENDING &&
	    sim->pilot.drive.clients[box].outcome == CLIENT_LOST)
		sim_fail(sim, "box %u: given up with its connection", box);
}

/* A step leaves nothing undone: the time alone, looked at again, changes nothing. */
void
watch_undone(struct sim *sim)
{
	struct drive *drive = &sim->pilot.drive;
	enum drive_phase before = drive->phase;
	size_t n = sim->actions.list.n;

	drive_step(drive, &(struct drive_event){.kind = DRIVE_EV_TIME}, sim->now,
	    &sim->actions);
	if (drive->phase != before || sim->actions.list.n != n)
		sim_fail(sim, "the controller was still %s for no reason",
		    drive_phase_name(before));
	if (drive_deadline(drive) && drive_deadline(drive) <= sim->now)
		sim_fail(sim, "the controller waits for what has passed");
}

/* ---- results ---- */

void
watch_keep(struct sim *sim, const struct happening *result)
{
	struct ledger *ledger = &sim->pilot.ledger[result->box];

	for (size_t i = 0; i < sim->kept.n; i++)
		if (sim->kept.v[i] == result->id)
			sim_fail(sim, "box %u: a result is kept twice", result->box);
	if (ledger->kept)
		sim_fail(sim, "box %u: two results are kept", result->box);
	if (result->run_id != sim->pilot.drive.config.run_id)
		sim_fail(sim, "box %u: the result of another run is kept", result->box);
	vec_push(&sim->kept, result->id);
	ledger->kept = result->id;
	ledger->kept_complete = result->has_result;
}

static void
judge_start(struct sim *sim, size_t i)
{
	const struct pilot *pilot = &sim->pilot;
	const struct drive *drive = &pilot->drive;
	const struct offset *offset = &drive->clients[i].before;
	int64_t off = (int64_t)(pilot->ledger[i].started - pilot->ledger[i].wake_late -
				drive->start_ns);
	uint64_t away = (uint64_t)(off < 0 ? -off : off);
	uint64_t age = drive->start_ns - offset->at_ns;

	if (away > offset->bound_ns + age / 1000000 * DRIFT_MAX + US)
		sim_fail(
		    sim, "box %zu: OK, but it started %" PRId64 " ns from T", i, off);
}

static void
judge_client(struct sim *sim, size_t i)
{
	const struct drive *drive = &sim->pilot.drive;
	const struct drive_client *client = &drive->clients[i];
	const struct ledger *ledger = &sim->pilot.ledger[i];
	bool ok = client->outcome == CLIENT_OK;

	if (client->outcome == CLIENT_PENDING)
		sim_fail(sim, "box %zu: no outcome", i);
	if (ok && (!ledger->kept || !ledger->kept_complete || !client->has_result))
		sim_fail(sim, "box %zu: OK without a complete result", i);
	if (!ok && ledger->kept && ledger->kept_complete &&
	    client->state == REPORT_FINISHED)
		sim_fail(sim, "box %zu: its complete result is not counted (%s: %s)", i,
		    client_outcome_name(client->outcome), client->err.msg);
	if (!ok && (client->err.code == ERR_NONE || !client->err.msg[0]))
		sim_fail(sim, "box %zu: not OK, and nobody says why", i);
	if (ok && ledger->started)
		judge_start(sim, i);
	else if (ok)
		sim_fail(sim, "box %zu: OK, but it never started", i);
	if (!ok && drive->went && !sim->boxes[i].touched && !sim->pilot.touched)
		sim_fail(sim, "box %zu: nothing was wrong with it, yet: %s", i,
		    client->err.msg);
	sim->count.ok += ok;
	sim->count.lost += !ok;
}

void
watch_done(struct sim *sim)
{
	const struct pilot *pilot = &sim->pilot;
	uint64_t by = pilot->began + pilot->prepare_timeout + 3 * pilot->lease +
		      pilot->finish_timeout + pilot->paused + 5 * DRIVE_GRACE_NS +
		      DRIVE_RESYNC_NS + DRIVE_RELEASE_NS + 10 * SEC;
	bool all = true;

	for (size_t i = 0; i < sim->n; i++) {
		judge_client(sim, i);
		all = all && pilot->drive.clients[i].outcome == CLIENT_OK;
	}
	sim->count.went += pilot->drive.went;
	sim->count.partial += pilot->drive.went && !all;
	if (sim->now > by)
		sim_fail(sim, "the attempt ended too late");
	if (sim->calm && !(all && pilot->drive.err.code == ERR_NONE))
		sim_fail(sim, "nothing was wrong, yet: %s", pilot->drive.err.msg);
	if (pilot->drive.went == (pilot->drive.err.code != ERR_NONE) &&
	    !pilot->drive.interrupted)
		sim_fail(sim, "went and why not contradict each other");
}

/* Nothing will happen any more. */
void
watch_end(struct sim *sim)
{
	if (sim->pilot.on || sim->pilot.attempts_left)
		sim_fail(sim, "the controller waits for ever, %s",
		    drive_phase_name(sim->pilot.drive.phase));
	for (size_t i = 0; i < sim->n; i++) {
		const struct box *box = &sim->boxes[i];

		if (box->alive && box->run.state != REPORT_NONE)
			sim_fail(sim, "box %zu: %s for ever", i,
			    report_state_name(box->run.state));
		if (box->worker.id)
			sim_fail(sim, "box %zu: a worker is left", i);
	}
}
