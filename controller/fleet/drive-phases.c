/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The phases of the controller's barrier.  Each is a row of one table: what it asks
 * of every client on entry and of one whose connection is back, whether it is
 * complete, and what happens when its time is over.
 */
#include "controller/fleet/drive-impl.h"

/* ---- actions ---- */

void
drive_act(struct step *step, enum drive_action_kind kind, size_t client)
{
	struct drive_action *action = vec_add(&step->ret->list);

	action->kind = kind;
	action->client = client;
}

static void
order(struct step *step, size_t client, enum order_kind kind)
{
	if (!step->drive->clients[client].connected)
		return;
	drive_act(step, DRIVE_ACT_ORDER, client);
	struct drive_action *action = &step->ret->list.v[step->ret->list.n - 1];
	action->order = kind;
	if (kind == ORDER_ARM)
		action->start_ns = step->drive->clients[client].start_ns;
}

static void
ask_all(struct step *step)
{
	const struct phase *phase = drive_phase(step->drive);

	for (size_t i = 0; phase->ask && i < step->drive->config.clients; i++)
		phase->ask(step, i);
}

static void
enter(struct step *step, enum drive_phase phase, uint64_t deadline_ns)
{
	step->drive->phase = phase;
	step->drive->deadline_ns = deadline_ns;
	step->drive->retry_ns = 0;
	ask_all(step);
}

/* ---- the end ---- */

void
drive_release(struct step *step)
{
	enter(step, DRIVE_RELEASING, step->now + DRIVE_RELEASE_NS);
}

void
drive_abort(struct step *step)
{
	enter(step, DRIVE_ABORTING, step->now + DRIVE_GRACE_NS);
}

void
drive_settle(struct drive_client *client, enum client_outcome outcome,
    enum err_code code, const char *msg)
{
	client->outcome = outcome;
	if (client->err.code == ERR_NONE)
		err_set(&client->err, code, "%s", msg);
}

static void
settle_rest(struct drive *drive)
{
	for (size_t i = 0; i < drive->config.clients; i++) {
		struct drive_client *client = &drive->clients[i];

		if (client->outcome != CLIENT_PENDING)
			continue;
		if (drive->interrupted)
			drive_settle(
			    client, CLIENT_ABORTED, ERR_CANCELLED, "interrupted");
		else if (!client->connected)
			drive_settle(
			    client, CLIENT_LOST, ERR_UNREACHABLE, "connection lost");
		else if (!drive->went)
			drive_settle(client, CLIENT_ABORTED, ERR_CANCELLED,
			    "nothing was started");
		else
			drive_settle(client, CLIENT_LOST, ERR_TIMEOUT,
			    "no word until the deadline");
	}
}

void
drive_done(struct step *step)
{
	settle_rest(step->drive);
	step->drive->phase = DRIVE_DONE;
	step->drive->deadline_ns = 0;
	step->drive->retry_ns = 0;
	drive_act(step, DRIVE_ACT_DONE, 0);
}

/* ---- clients that end otherwise than with a result ---- */

void
drive_client_fails(
    struct step *step, size_t i, enum client_outcome outcome, const struct err *err)
{
	struct drive *drive = step->drive;
	struct drive_client *client = &drive->clients[i];

	client->outcome = outcome;
	client->err = *err;
	if (client->err.code == ERR_NONE)
		err_set(&client->err, ERR_INTERNAL, "ended without a reason");
	if (!drive_phase(drive)->before_go)
		return;
	drive->err = client->err;
	drive->err_client = i;
	drive_abort(step);
}

/* A connection that stays away for the lease: its agent stops on its own. */
static void
lose(struct step *step, size_t i)
{
	struct drive_client *client = &step->drive->clients[i];
	struct err err = client->err;

	client->result_waits = false;
	if (client->outcome != CLIENT_PENDING)
		return;
	if (err.code == ERR_NONE)
		err_set(&err, ERR_UNREACHABLE, "connection lost");
	drive_client_fails(step, i, CLIENT_LOST, &err);
}

static bool
is_away(const struct step *step, const struct drive_client *client)
{
	return !client->connected &&
	       (client->gone ||
		   step->now >= client->lost_at_ns + step->drive->config.lease_ns);
}

void
drive_look_for_lost(struct step *step)
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

static void
ask_prepare(struct step *step, size_t i)
{
	/* Once it spoke of the run, it must not begin it again: only ask. */
	order(step, i,
	    step->drive->clients[i].state == REPORT_NONE ? ORDER_PREPARE : ORDER_WATCH);
}

void
drive_prepare(struct step *step)
{
	enter(step, DRIVE_PREPARING,
	    step->now + step->drive->config.prepare_timeout_ns + DRIVE_GRACE_NS);
}

static void
enter_syncing(struct step *step)
{
	enter(step, DRIVE_SYNCING,
	    step->now + step->drive->config.lease_ns + DRIVE_GRACE_NS);
	drive_act(step, DRIVE_ACT_SYNC, 0);
}

static bool
all_in(const struct drive *drive, enum report_state state)
{
	for (size_t i = 0; i < drive->config.clients; i++)
		if (drive->clients[i].state != state)
			return false;
	return true;
}

static void
advance_preparing(struct step *step)
{
	if (all_in(step->drive, REPORT_READY))
		enter_syncing(step);
}

/* Client `i` was too late, and answers for the attempt. */
static void
too_late(struct step *step, size_t i, const char *msg)
{
	struct err err = ERR_INIT;

	if (!step->drive->clients[i].connected) {
		lose(step, i);
		return;
	}
	err_set(&err, ERR_TIMEOUT, "%s", msg);
	drive_client_fails(step, i, CLIENT_LOST, &err);
}

/* That was the first client that is not there in `state`. */
static void
expire_waiting(struct step *step, enum report_state state, const char *msg)
{
	const struct drive *drive = step->drive;
	size_t i = 0;

	while (i + 1 < drive->config.clients && drive->clients[i].state == state &&
	       drive->clients[i].connected)
		i++;
	too_late(step, i, msg);
}

static void
expire_preparing(struct step *step)
{
	expire_waiting(step, REPORT_READY, "not ready in time");
}

/* ---- SYNCING ---- */

static void
ask_watch(struct step *step, size_t i)
{
	order(step, i, ORDER_WATCH);
}

static void
retry_sync(struct step *step)
{
	drive_act(step, DRIVE_ACT_SYNC, 0);
}

static void
expire_syncing(struct step *step)
{
	const struct drive *drive = step->drive;
	size_t i = 0;

	while (i + 1 < drive->config.clients && drive->clients[i].before.valid)
		i++;
	too_late(step, i, "its clock could not be compared");
}

/* ---- ARMING ---- */

static uint64_t
longest_trip(const struct drive *drive)
{
	uint64_t rtt = 0;

	for (size_t i = 0; i < drive->config.clients; i++)
		if (drive->clients[i].before.rtt_ns > rtt)
			rtt = drive->clients[i].before.rtt_ns;
	return rtt;
}

static void
ask_arm(struct step *step, size_t i)
{
	order(step, i, ORDER_ARM);
}

static void
ask_arm_again(struct step *step, size_t i)
{
	order(step, i, ORDER_WATCH);
	order(step, i, ORDER_ARM);
}

/* Sets T, later with each try; the deadline is the last moment for GO. */
void
drive_arm(struct step *step)
{
	struct drive *drive = step->drive;
	uint64_t rtt = longest_trip(drive);

	drive->start_ns = step->now + (DRIVE_ARM_LEAD_NS << drive->arm_tries) + 2 * rtt;
	for (size_t i = 0; i < drive->config.clients; i++) {
		struct drive_client *client = &drive->clients[i];

		client->start_ns = drive->start_ns + (uint64_t)client->before.offset_ns;
		if (client->state == REPORT_ARMED)
			client->state = REPORT_READY; /* not for this T */
	}
	enter(step, DRIVE_ARMING, drive->start_ns - DRIVE_GO_LEAD_NS - (rtt + 1) / 2);
}

static void
advance_arming(struct step *step)
{
	struct drive *drive = step->drive;

	if (drive->disconnected || step->now > drive->deadline_ns ||
	    !all_in(drive, REPORT_ARMED))
		return;
	drive->went = true;
	enter(step, DRIVE_RUNNING,
	    drive->start_ns + drive->config.finish_timeout_ns + DRIVE_GRACE_NS);
}

static void
expire_arming(struct step *step)
{
	struct drive *drive = step->drive;

	if ((!drive->disconnected && ++drive->arm_tries >= DRIVE_ARM_TRIES) ||
	    step->now >= drive->arm_until_ns) {
		expire_waiting(step, REPORT_ARMED, "not armed in time");
		return;
	}
	drive_arm(step);
}

/* ---- RUNNING ---- */

static void
ask_go(struct step *step, size_t i)
{
	step->drive->clients[i].go_sent = true;
	order(step, i, ORDER_GO);
}

/* A GO that may have been lost is sent again: the agent knows whether it is late. */
static void
ask_running(struct step *step, size_t i)
{
	if (step->drive->clients[i].state == REPORT_ARMED)
		order(step, i, ORDER_GO);
	order(step, i, ORDER_WATCH);
}

static void
enter_collecting(struct step *step)
{
	enter(step, DRIVE_COLLECTING,
	    step->now + step->drive->config.lease_ns + DRIVE_GRACE_NS);
}

static void
advance_running(struct step *step)
{
	struct drive *drive = step->drive;

	for (size_t i = 0; i < drive->config.clients; i++)
		if (drive->clients[i].outcome == CLIENT_PENDING &&
		    drive->clients[i].state != REPORT_FINISHED)
			return;
	enter_collecting(step);
}

static void
expire_running(struct step *step)
{
	struct drive *drive = step->drive;
	struct err err = ERR_INIT;

	err_set(&err, ERR_TIMEOUT, "no word until the deadline");
	for (size_t i = 0; i < drive->config.clients; i++)
		if (drive->clients[i].outcome == CLIENT_PENDING &&
		    drive->clients[i].state != REPORT_FINISHED)
			drive_client_fails(step, i, CLIENT_LOST, &err);
	enter_collecting(step);
}

/* ---- COLLECTING ---- */

bool
drive_wants_result(const struct drive_client *client)
{
	return client->result_waits && !client->has_result;
}

void
drive_ask_collect(struct step *step, size_t i)
{
	struct drive_client *client = &step->drive->clients[i];

	if (!client->connected || !drive_wants_result(client) || client->collect_sent)
		return;
	client->collect_sent = true;
	order(step, i, ORDER_COLLECT);
}

static void
enter_resyncing(struct step *step)
{
	enter(step, DRIVE_RESYNCING, step->now + DRIVE_RESYNC_NS);
	drive_act(step, DRIVE_ACT_SYNC, 0);
}

static void
advance_collecting(struct step *step)
{
	struct drive *drive = step->drive;

	for (size_t i = 0; i < drive->config.clients; i++)
		if (drive->clients[i].outcome == CLIENT_PENDING ||
		    drive_wants_result(&drive->clients[i]))
			return;
	enter_resyncing(step);
}

static void
expire_collecting(struct step *step)
{
	struct drive *drive = step->drive;
	struct err err = ERR_INIT;

	err_set(&err, ERR_TIMEOUT, "finished, but its result did not arrive in time");
	for (size_t i = 0; i < drive->config.clients; i++) {
		drive->clients[i].result_waits = false;
		if (drive->clients[i].outcome == CLIENT_PENDING)
			drive_client_fails(step, i, CLIENT_LOST, &err);
	}
	enter_resyncing(step);
}

/* ---- ABORTING, RELEASING ---- */

static void
ask_abort(struct step *step, size_t i)
{
	if (step->drive->clients[i].outcome == CLIENT_PENDING)
		order(step, i, ORDER_ABORT);
}

static void
advance_aborting(struct step *step)
{
	struct drive *drive = step->drive;

	for (size_t i = 0; i < drive->config.clients; i++) {
		const struct drive_client *client = &drive->clients[i];

		if (client->connected && client->outcome == CLIENT_PENDING &&
		    client->state != REPORT_FINISHED)
			return;
	}
	drive_release(step);
}

static void
ask_release(struct step *step, size_t i)
{
	if (!step->drive->clients[i].released)
		order(step, i, ORDER_RELEASE);
}

static void
advance_releasing(struct step *step)
{
	struct drive *drive = step->drive;

	for (size_t i = 0; i < drive->config.clients; i++)
		if (drive->clients[i].connected && !drive->clients[i].released)
			return;
	drive_done(step);
}

static const struct phase phases[DRIVE_PHASE_COUNT] = {
    [DRIVE_IDLE] = {.name = "idle"},
    [DRIVE_PREPARING] = {"preparing", ask_prepare, ask_prepare, advance_preparing,
	expire_preparing, NULL, true, true},
    [DRIVE_SYNCING] = {"syncing", NULL, ask_watch, NULL, expire_syncing, retry_sync,
	true, true},
    [DRIVE_ARMING] = {"arming", ask_arm, ask_arm_again, advance_arming, expire_arming,
	NULL, true, true},
    [DRIVE_RUNNING] = {"running", ask_go, ask_running, advance_running, expire_running,
	NULL, false, true},
    [DRIVE_COLLECTING] = {"collecting", drive_ask_collect, ask_watch,
	advance_collecting, expire_collecting, ask_all, false, true},
    [DRIVE_RESYNCING] = {"resyncing", NULL, NULL, NULL, drive_release, NULL, false,
	false},
    [DRIVE_ABORTING] = {"aborting", ask_abort, ask_abort, advance_aborting,
	drive_release, NULL, false, false},
    [DRIVE_RELEASING] = {"releasing", ask_release, ask_release, advance_releasing,
	drive_done, NULL, false, false},
    [DRIVE_DONE] = {.name = "done"},
};

const struct phase *
drive_phase(const struct drive *drive)
{
	return &phases[drive->phase];
}

const char *
drive_phase_name(enum drive_phase phase)
{
	return phases[phase].name;
}
