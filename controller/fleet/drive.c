/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The controller's barrier.  Each phase is a row of one table: what it asks of every
 * client on entry and of one whose connection is back, whether it is complete, and
 * what happens when its time is over.  Events only note what became known; the
 * phase's own look then moves the attempt on.
 */
#include "controller/fleet/drive.h"

struct step {
	struct drive *drive;
	uint64_t now;
	struct drive_actions *ret;
};

typedef void ask_fn(struct step *step, size_t client);
typedef void step_fn(struct step *step);

struct phase {
	const char *name;
	ask_fn *ask, *back; /* every client on entry; one that is connected again */
	step_fn *advance, *expire, *retry;
	bool before_go; /* a client that fails ends the attempt */
	bool waits;	/* for lost connections, until the lease is over */
};

static const struct phase phases[DRIVE_PHASE_COUNT];

/* What a report makes of a client, once it says that nothing more will come. */
static const enum client_outcome outcomes[REPORT_STATE_COUNT] = {
	[REPORT_NONE] = CLIENT_FAILED,
	[REPORT_FAILED] = CLIENT_FAILED,
	[REPORT_STALLED] = CLIENT_STALLED,
	[REPORT_NOT_STARTED] = CLIENT_NOT_STARTED,
	[REPORT_ABORTED] = CLIENT_ABORTED,
	[REPORT_BUSY] = CLIENT_FAILED,
};

/* ---- actions ---- */

static void act(struct step *step, enum drive_action_kind kind, size_t client)
{
	struct drive_action *action = vec_add(&step->ret->list);

	action->kind = kind;
	action->client = client;
}

static void order(struct step *step, size_t client, enum order_kind kind)
{
	if (!step->drive->clients[client].connected)
		return;
	act(step, DRIVE_ACT_ORDER, client);
	struct drive_action *action = &step->ret->list.v[step->ret->list.n - 1];
	action->order = kind;
	if (kind == ORDER_ARM)
		action->start_ns = step->drive->clients[client].start_ns;
}

static void ask_all(struct step *step)
{
	const struct phase *phase = &phases[step->drive->phase];

	for (size_t i = 0; phase->ask && i < step->drive->config.clients; i++)
		phase->ask(step, i);
}

static void enter(struct step *step, enum drive_phase phase, uint64_t deadline_ns)
{
	step->drive->phase = phase;
	step->drive->deadline_ns = deadline_ns;
	step->drive->retry_ns = 0;
	ask_all(step);
}

/* ---- the end ---- */

static void enter_releasing(struct step *step)
{
	enter(step, DRIVE_RELEASING, step->now + DRIVE_RELEASE_NS);
}

static void enter_aborting(struct step *step)
{
	enter(step, DRIVE_ABORTING, step->now + DRIVE_GRACE_NS);
}

static void settle(struct drive_client *client, enum client_outcome outcome,
		   enum err_code code, const char *msg)
{
	client->outcome = outcome;
	if (client->err.code == ERR_NONE)
		err_set(&client->err, code, "%s", msg);
}

static void settle_rest(struct drive *drive)
{
	for (size_t i = 0; i < drive->config.clients; i++) {
		struct drive_client *client = &drive->clients[i];

		if (client->outcome != CLIENT_PENDING)
			continue;
		if (drive->interrupted)
			settle(client, CLIENT_ABORTED, ERR_CANCELLED, "interrupted");
		else if (!client->connected)
			settle(client, CLIENT_LOST, ERR_UNREACHABLE, "connection lost");
		else if (!drive->went)
			settle(client, CLIENT_ABORTED, ERR_CANCELLED,
			       "nothing was started");
		else
			settle(client, CLIENT_LOST, ERR_TIMEOUT,
			       "no word until the deadline");
	}
}

static void done(struct step *step)
{
	settle_rest(step->drive);
	step->drive->phase = DRIVE_DONE;
	step->drive->deadline_ns = 0;
	step->drive->retry_ns = 0;
	act(step, DRIVE_ACT_DONE, 0);
}

/* ---- clients that end otherwise than with a result ---- */

static void client_fails(struct step *step, size_t i, enum client_outcome outcome,
			 const struct err *err)
{
	struct drive *drive = step->drive;
	struct drive_client *client = &drive->clients[i];

	client->outcome = outcome;
	client->err = *err;
	if (client->err.code == ERR_NONE)
		err_set(&client->err, ERR_INTERNAL, "ended without a reason");
	if (!phases[drive->phase].before_go)
		return;
	drive->err = client->err;
	drive->err_client = i;
	enter_aborting(step);
}

/* A connection that stays away for the lease: its agent stops on its own. */
static void lose(struct step *step, size_t i)
{
	struct drive_client *client = &step->drive->clients[i];
	struct err err = client->err;

	client->result_waits = false;
	if (client->outcome != CLIENT_PENDING)
		return;
	if (err.code == ERR_NONE)
		err_set(&err, ERR_UNREACHABLE, "connection lost");
	client_fails(step, i, CLIENT_LOST, &err);
}

static bool is_away(const struct step *step, const struct drive_client *client)
{
	return !client->connected &&
	       (client->gone ||
		step->now >= client->lost_at_ns + step->drive->config.lease_ns);
}

static void look_for_lost(struct step *step)
{
	struct drive *drive = step->drive;
	enum drive_phase phase = drive->phase;

	for (size_t i = 0; drive->disconnected && i < drive->config.clients; i++) {
		if (is_away(step, &drive->clients[i]))
			lose(step, i);
		if (drive->phase != phase)
			return;
	}
}

/* ---- PREPARING ---- */

static void ask_prepare(struct step *step, size_t i)
{
	/* Once it spoke of the run, NONE means that it forgot it: ask, do not repeat. */
	order(step, i,
	      step->drive->clients[i].state == REPORT_NONE ? ORDER_PREPARE
							   : ORDER_WATCH);
}

static void enter_syncing(struct step *step)
{
	enter(step, DRIVE_SYNCING,
	      step->now + step->drive->config.lease_ns + DRIVE_GRACE_NS);
	act(step, DRIVE_ACT_SYNC, 0);
}

static bool all_in(const struct drive *drive, enum report_state state)
{
	for (size_t i = 0; i < drive->config.clients; i++)
		if (drive->clients[i].state != state)
			return false;
	return true;
}

static void advance_preparing(struct step *step)
{
	if (all_in(step->drive, REPORT_READY))
		enter_syncing(step);
}

/* Client `i` was too late, and answers for the attempt. */
static void too_late(struct step *step, size_t i, const char *msg)
{
	struct err err = ERR_INIT;

	if (!step->drive->clients[i].connected) {
		lose(step, i);
		return;
	}
	err_set(&err, ERR_TIMEOUT, "%s", msg);
	client_fails(step, i, CLIENT_LOST, &err);
}

/* That was the first client not yet in `state`. */
static void expire_waiting(struct step *step, enum report_state state, const char *msg)
{
	const struct drive *drive = step->drive;
	size_t i = 0;

	while (i + 1 < drive->config.clients && drive->clients[i].state == state)
		i++;
	too_late(step, i, msg);
}

static void expire_preparing(struct step *step)
{
	expire_waiting(step, REPORT_READY, "not ready in time");
}

/* ---- SYNCING ---- */

static void ask_watch(struct step *step, size_t i)
{
	order(step, i, ORDER_WATCH);
}

static void retry_sync(struct step *step)
{
	act(step, DRIVE_ACT_SYNC, 0);
}

static void expire_syncing(struct step *step)
{
	const struct drive *drive = step->drive;
	size_t i = 0;

	while (i + 1 < drive->config.clients && drive->clients[i].before.valid)
		i++;
	too_late(step, i, "its clock could not be compared");
}

/* ---- ARMING ---- */

static uint64_t longest_trip(const struct drive *drive)
{
	uint64_t rtt = 0;

	for (size_t i = 0; i < drive->config.clients; i++)
		if (drive->clients[i].before.rtt_ns > rtt)
			rtt = drive->clients[i].before.rtt_ns;
	return rtt;
}

static void ask_arm(struct step *step, size_t i)
{
	order(step, i, ORDER_ARM);
}

static void ask_arm_again(struct step *step, size_t i)
{
	order(step, i, ORDER_WATCH);
	order(step, i, ORDER_ARM);
}

/* Sets T, later with each try; the deadline is the last moment for GO. */
static void enter_arming(struct step *step)
{
	struct drive *drive = step->drive;
	uint64_t rtt = longest_trip(drive);

	drive->start_ns =
		step->now + (DRIVE_ARM_LEAD_NS << drive->arm_tries) + 2 * rtt;
	for (size_t i = 0; i < drive->config.clients; i++) {
		struct drive_client *client = &drive->clients[i];

		client->start_ns =
			drive->start_ns + (uint64_t)client->before.offset_ns;
		if (client->state == REPORT_ARMED)
			client->state = REPORT_READY; /* not for this T */
	}
	enter(step, DRIVE_ARMING, drive->start_ns - DRIVE_GO_LEAD_NS - (rtt + 1) / 2);
}

static void advance_arming(struct step *step)
{
	struct drive *drive = step->drive;

	if (drive->disconnected || step->now > drive->deadline_ns ||
	    !all_in(drive, REPORT_ARMED))
		return;
	drive->went = true;
	enter(step, DRIVE_RUNNING,
	      drive->start_ns + drive->config.finish_timeout_ns + DRIVE_GRACE_NS);
}

static void expire_arming(struct step *step)
{
	struct drive *drive = step->drive;

	if ((!drive->disconnected && ++drive->arm_tries >= DRIVE_ARM_TRIES) ||
	    step->now >= drive->arm_until_ns) {
		expire_waiting(step, REPORT_ARMED, "not armed in time");
		return;
	}
	enter_arming(step);
}

/* ---- RUNNING ---- */

static void ask_go(struct step *step, size_t i)
{
	step->drive->clients[i].go_sent = true;
	order(step, i, ORDER_GO);
}

/* A GO that may have been lost is sent again: the agent knows whether it is late. */
static void ask_running(struct step *step, size_t i)
{
	if (step->drive->clients[i].state == REPORT_ARMED)
		order(step, i, ORDER_GO);
	order(step, i, ORDER_WATCH);
}

static void enter_collecting(struct step *step)
{
	enter(step, DRIVE_COLLECTING,
	      step->now + step->drive->config.lease_ns + DRIVE_GRACE_NS);
}

static void advance_running(struct step *step)
{
	struct drive *drive = step->drive;

	for (size_t i = 0; i < drive->config.clients; i++)
		if (drive->clients[i].outcome == CLIENT_PENDING &&
		    drive->clients[i].state != REPORT_FINISHED)
			return;
	enter_collecting(step);
}

static void expire_running(struct step *step)
{
	struct drive *drive = step->drive;
	struct err err = ERR_INIT;

	err_set(&err, ERR_TIMEOUT, "no word until the deadline");
	for (size_t i = 0; i < drive->config.clients; i++)
		if (drive->clients[i].outcome == CLIENT_PENDING &&
		    drive->clients[i].state != REPORT_FINISHED)
			client_fails(step, i, CLIENT_LOST, &err);
	enter_collecting(step);
}

/* ---- COLLECTING ---- */

static bool wants_result(const struct drive_client *client)
{
	return client->result_waits && !client->has_result;
}

static void ask_collect(struct step *step, size_t i)
{
	struct drive_client *client = &step->drive->clients[i];

	if (!client->connected || !wants_result(client) || client->collect_sent)
		return;
	client->collect_sent = true;
	order(step, i, ORDER_COLLECT);
}

static void enter_resyncing(struct step *step)
{
	enter(step, DRIVE_RESYNCING, step->now + DRIVE_RESYNC_NS);
	act(step, DRIVE_ACT_SYNC, 0);
}

static void advance_collecting(struct step *step)
{
	struct drive *drive = step->drive;

	for (size_t i = 0; i < drive->config.clients; i++)
		if (drive->clients[i].outcome == CLIENT_PENDING ||
		    wants_result(&drive->clients[i]))
			return;
	enter_resyncing(step);
}

static void expire_collecting(struct step *step)
{
	struct drive *drive = step->drive;
	struct err err = ERR_INIT;

	err_set(&err, ERR_TIMEOUT, "finished, but its result did not arrive in time");
	for (size_t i = 0; i < drive->config.clients; i++) {
		drive->clients[i].result_waits = false;
		if (drive->clients[i].outcome == CLIENT_PENDING)
			client_fails(step, i, CLIENT_LOST, &err);
	}
	enter_resyncing(step);
}

/* ---- ABORTING, RELEASING ---- */

static void ask_abort(struct step *step, size_t i)
{
	if (step->drive->clients[i].outcome == CLIENT_PENDING)
		order(step, i, ORDER_ABORT);
}

static void advance_aborting(struct step *step)
{
	struct drive *drive = step->drive;

	for (size_t i = 0; i < drive->config.clients; i++) {
		const struct drive_client *client = &drive->clients[i];

		if (client->connected && client->outcome == CLIENT_PENDING &&
		    client->state != REPORT_FINISHED)
			return;
	}
	enter_releasing(step);
}

static void ask_release(struct step *step, size_t i)
{
	if (!step->drive->clients[i].released)
		order(step, i, ORDER_RELEASE);
}

static void advance_releasing(struct step *step)
{
	struct drive *drive = step->drive;

	for (size_t i = 0; i < drive->config.clients; i++)
		if (drive->clients[i].connected && !drive->clients[i].released)
			return;
	done(step);
}

static const struct phase phases[DRIVE_PHASE_COUNT] = {
	[DRIVE_IDLE] = {.name = "idle"},
	[DRIVE_PREPARING] = {"preparing", ask_prepare, ask_prepare, advance_preparing,
			     expire_preparing, NULL, true, true},
	[DRIVE_SYNCING] = {"syncing", NULL, ask_watch, NULL, expire_syncing, retry_sync,
			   true, true},
	[DRIVE_ARMING] = {"arming", ask_arm, ask_arm_again, advance_arming,
			  expire_arming, NULL, true, true},
	[DRIVE_RUNNING] = {"running", ask_go, ask_running, advance_running,
			   expire_running, NULL, false, true},
	[DRIVE_COLLECTING] = {"collecting", ask_collect, ask_watch, advance_collecting,
			      expire_collecting, ask_all, false, true},
	[DRIVE_RESYNCING] = {"resyncing", NULL, NULL, NULL, enter_releasing, NULL,
			     false, false},
	[DRIVE_ABORTING] = {"aborting", ask_abort, ask_abort, advance_aborting,
			    enter_releasing, NULL, false, false},
	[DRIVE_RELEASING] = {"releasing", ask_release, ask_release, advance_releasing,
			     done, NULL, false, false},
	[DRIVE_DONE] = {.name = "done"},
};

/* ---- events ---- */

static void on_start(struct step *step, const struct drive_event *event)
{
	struct drive *drive = step->drive;

	(void)event;
	if (drive->phase == DRIVE_IDLE)
		enter(step, DRIVE_PREPARING,
		      step->now + drive->config.prepare_timeout_ns + DRIVE_GRACE_NS);
}

/* The agent does not have this run. */
static void said_none(struct step *step, size_t i)
{
	struct drive_client *client = &step->drive->clients[i];
	bool knew = client->state != REPORT_NONE;
	struct err err = ERR_INIT;

	client->result_waits = false;
	if (step->drive->phase == DRIVE_RELEASING) {
		client->released = true;
	} else if (client->outcome != CLIENT_PENDING) {
		client->state = REPORT_NONE;
	} else if (knew) {
		client->state = REPORT_NONE;
		err_set(&err, ERR_UNREACHABLE, "agent restarted");
		client_fails(step, i, CLIENT_FAILED, &err);
	} else if (step->drive->phase == DRIVE_ABORTING) {
		settle(client, CLIENT_ABORTED, ERR_CANCELLED, "nothing was started");
	}
	/* Else its PREPARE is on the way. */
}

/* Given up, but here before the results are in: it may still have one. */
static void find_again(const struct drive *drive, struct drive_client *client)
{
	if (client->outcome == CLIENT_LOST && phases[drive->phase].waits)
		client->outcome = CLIENT_PENDING;
	if (client->outcome == CLIENT_PENDING)
		client->err = ERR_INIT;
}

static void said_state(struct step *step, size_t i, const struct report *report)
{
	struct drive *drive = step->drive;
	struct drive_client *client = &drive->clients[i];
	enum client_outcome outcome = outcomes[report->state];
	struct err err = ERR_INIT;

	find_again(drive, client);
	client->layout_done = report->layout_done;
	client->layout_total = report->layout_total;
	client->state = report->state;
	if (client->state == REPORT_ARMED && report->start_ns != client->start_ns)
		client->state = REPORT_READY; /* for a T that was given up */
	if (client->outcome != CLIENT_PENDING)
		return;
	if (report_is_final(report->state))
		client->result_waits = report->has_result;
	if (outcome != CLIENT_PENDING) {
		client_fails(step, i, outcome, &report->err);
	} else if (report->state >= REPORT_RUNNING && !drive->went) {
		err_set(&err, ERR_INTERNAL, "it started without GO");
		client_fails(step, i, CLIENT_FAILED, &err);
	} else if (report->state == REPORT_FINISHED && !report->has_result) {
		err_set(&err, ERR_INTERNAL, "it finished without a result");
		client_fails(step, i, CLIENT_FAILED, &err);
	}
}

static void on_report(struct step *step, const struct drive_event *event)
{
	struct drive *drive = step->drive;

	if (event->report->run_id != drive->config.run_id)
		return;
	if (event->report->state == REPORT_NONE)
		said_none(step, event->client);
	else if (drive->phase != DRIVE_RELEASING)
		said_state(step, event->client, event->report);
	if (drive->phase == DRIVE_COLLECTING)
		ask_collect(step, event->client);
}

static void on_result(struct step *step, const struct drive_event *event)
{
	struct drive *drive = step->drive;
	struct drive_client *client = &drive->clients[event->client];

	if (event->run_id != drive->config.run_id || drive->phase != DRIVE_COLLECTING ||
	    !wants_result(client))
		return;
	client->has_result = true;
	act(step, DRIVE_ACT_KEEP, event->client);
	if (client->outcome == CLIENT_PENDING && client->state == REPORT_FINISHED) {
		client->outcome = CLIENT_OK;
		client->err = ERR_INIT;
	}
}

static bool may_pass(enum err_code code)
{
	return code == ERR_UNREACHABLE || code == ERR_TIMEOUT || code == ERR_CANCELLED;
}

static void on_collect_failed(struct step *step, const struct drive_event *event)
{
	struct drive *drive = step->drive;
	struct drive_client *client = &drive->clients[event->client];
	struct err err = *event->err;

	client->collect_sent = false;
	if (drive->phase != DRIVE_COLLECTING || !wants_result(client))
		return;
	if (may_pass(err.code)) {
		drive->retry_ns = step->now + DRIVE_RETRY_NS;
		return;
	}
	client->result_waits = false;
	err_prefix(&err, "finished, but its result could not be collected");
	if (client->outcome == CLIENT_PENDING)
		client_fails(step, event->client, CLIENT_FAILED, &err);
}

static void on_link_down(struct step *step, const struct drive_event *event)
{
	struct drive *drive = step->drive;
	struct drive_client *client = &drive->clients[event->client];

	client->gone = event->gone;
	if (!client->connected)
		return;
	client->connected = false;
	client->lost_at_ns = step->now;
	client->collect_sent = false;
	drive->disconnected++;
	if (client->outcome == CLIENT_PENDING && event->err)
		client->err = *event->err;
}

static void on_link_up(struct step *step, const struct drive_event *event)
{
	struct drive *drive = step->drive;
	struct drive_client *client = &drive->clients[event->client];
	const struct phase *phase = &phases[drive->phase];

	if (!client->connected)
		drive->disconnected--;
	client->connected = true;
	client->gone = false;
	client->lost_at_ns = 0;
	client->collect_sent = false;
	find_again(drive, client);
	if (phase->back)
		phase->back(step, event->client);
}

static void on_synced(struct step *step, const struct drive_event *event)
{
	struct drive *drive = step->drive;
	bool all = true;

	if (drive->phase == DRIVE_RESYNCING) {
		for (size_t i = 0; i < drive->config.clients; i++)
			drive->clients[i].after = event->offsets[i];
		enter_releasing(step);
	}
	if (drive->phase != DRIVE_SYNCING)
		return;
	for (size_t i = 0; i < drive->config.clients; i++) {
		if (event->offsets[i].valid)
			drive->clients[i].before = event->offsets[i];
		all = all && drive->clients[i].before.valid;
	}
	if (!all) {
		drive->retry_ns = step->now + DRIVE_RETRY_NS;
		return;
	}
	drive->arm_until_ns = step->now + drive->config.lease_ns + DRIVE_GRACE_NS;
	enter_arming(step);
}

/* Once more means: do not wait. */
static void on_interrupt(struct step *step, const struct drive_event *event)
{
	struct drive *drive = step->drive;
	bool again = drive->interrupted;

	(void)event;
	if (drive->phase == DRIVE_DONE)
		return;
	drive->interrupted = true;
	if (drive->phase < DRIVE_RESYNCING && drive->err.code == ERR_NONE)
		err_set(&drive->err, ERR_CANCELLED, "interrupted");
	if (drive->phase == DRIVE_IDLE || (drive->phase == DRIVE_RELEASING && again))
		done(step);
	else if (drive->phase <= DRIVE_RUNNING)
		enter_aborting(step);
	else if (drive->phase != DRIVE_RELEASING && (drive->phase != DRIVE_ABORTING || again))
		enter_releasing(step);
}

static void on_time(struct step *step, const struct drive_event *event)
{
	(void)step;
	(void)event;
}

static void (*const event_rules[])(struct step *, const struct drive_event *) = {
	[DRIVE_EV_START] = on_start,
	[DRIVE_EV_REPORT] = on_report,
	[DRIVE_EV_RESULT] = on_result,
	[DRIVE_EV_COLLECT_FAILED] = on_collect_failed,
	[DRIVE_EV_LINK_DOWN] = on_link_down,
	[DRIVE_EV_LINK_UP] = on_link_up,
	[DRIVE_EV_SYNCED] = on_synced,
	[DRIVE_EV_INTERRUPT] = on_interrupt,
	[DRIVE_EV_TIME] = on_time,
};

static void look_at_time(struct step *step)
{
	struct drive *drive = step->drive;
	const struct phase *phase = &phases[drive->phase];

	if (drive->deadline_ns && step->now >= drive->deadline_ns) {
		phase->expire(step);
		return;
	}
	if (drive->retry_ns && step->now >= drive->retry_ns) {
		drive->retry_ns = 0;
		phase->retry(step);
	}
	if (phase->waits)
		look_for_lost(step);
}

static void move_on(struct step *step)
{
	struct drive *drive = step->drive;
	enum drive_phase before;

	do {
		before = drive->phase;
		if (phases[before].advance)
			phases[before].advance(step);
		if (drive->phase == before)
			look_at_time(step);
	} while (drive->phase != before);
}

void drive_init(struct drive *drive, const struct drive_config *config)
{
	*drive = (struct drive){.config = *config, .err_client = SIZE_MAX};
	drive->clients = mem_array(config->clients, sizeof *drive->clients);
	for (size_t i = 0; i < config->clients; i++)
		drive->clients[i].connected = true;
}

void drive_free(struct drive *drive)
{
	free(drive->clients);
	drive->clients = NULL;
}

void drive_step(struct drive *drive, const struct drive_event *event, uint64_t now,
		struct drive_actions *ret)
{
	struct step step = {.drive = drive, .now = now, .ret = ret};

	if (drive->phase == DRIVE_DONE)
		return;
	event_rules[event->kind](&step, event);
	move_on(&step);
}

static void sooner(uint64_t *deadline, uint64_t other)
{
	if (other && (!*deadline || other < *deadline))
		*deadline = other;
}

uint64_t drive_deadline(const struct drive *drive)
{
	uint64_t deadline = drive->deadline_ns;

	sooner(&deadline, drive->retry_ns);
	if (!phases[drive->phase].waits || !drive->disconnected)
		return deadline;
	for (size_t i = 0; i < drive->config.clients; i++) {
		const struct drive_client *client = &drive->clients[i];

		if (!client->connected &&
		    (client->outcome == CLIENT_PENDING || client->result_waits))
			sooner(&deadline, client->lost_at_ns + drive->config.lease_ns);
	}
	return deadline;
}

const char *drive_phase_name(enum drive_phase phase)
{
	return phases[phase].name;
}
