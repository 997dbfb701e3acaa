/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The controller's barrier: what events mean.  They only note what became known; the
 * phase that is on then looks whether it can move on, and at the time.
 */
#include "controller/fleet/drive-impl.h"

/* What a report makes of a client, once it says that nothing more will come. */
static const enum client_outcome outcomes[REPORT_STATE_COUNT] = {
    [REPORT_NONE] = CLIENT_FAILED,
    [REPORT_FAILED] = CLIENT_FAILED,
    [REPORT_STALLED] = CLIENT_STALLED,
    [REPORT_NOT_STARTED] = CLIENT_NOT_STARTED,
    [REPORT_ABORTED] = CLIENT_ABORTED,
    [REPORT_BUSY] = CLIENT_FAILED,
};

/* ---- events ---- */

static void
on_start(struct step *step, const struct drive_event *event)
{
	(void)event;
	if (step->drive->phase == DRIVE_IDLE)
		drive_prepare(step);
}

/* The agent does not have this run. */
static void
said_none(struct step *step, size_t i)
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
		drive_client_fails(step, i, CLIENT_FAILED, &err);
	} else if (step->drive->phase == DRIVE_ABORTING) {
		drive_settle(
		    client, CLIENT_ABORTED, ERR_CANCELLED, "nothing was started");
	}
	/* Else its PREPARE is on the way. */
}

/* Given up, but here before the results are in: it may still have one. */
static void
find_again(const struct drive *drive, struct drive_client *client)
{
	if (client->outcome == CLIENT_LOST && drive_phase(drive)->waits)
		client->outcome = CLIENT_PENDING;
	if (client->outcome == CLIENT_PENDING)
		client->err = ERR_INIT;
}

static void
said_state(struct step *step, size_t i, const struct report *report)
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
		drive_client_fails(step, i, outcome, &report->err);
	} else if (report->state >= REPORT_RUNNING && !drive->went) {
		err_set(&err, ERR_INTERNAL, "it started without GO");
		drive_client_fails(step, i, CLIENT_FAILED, &err);
	} else if (report->state == REPORT_FINISHED && !report->has_result) {
		err_set(&err, ERR_INTERNAL, "it finished without a result");
		drive_client_fails(step, i, CLIENT_FAILED, &err);
	}
}

static void
on_report(struct step *step, const struct drive_event *event)
{
	struct drive *drive = step->drive;

	if (event->report->run_id != drive->config.run_id)
		return;
	if (event->report->state == REPORT_NONE)
		said_none(step, event->client);
	else if (drive->phase != DRIVE_RELEASING)
		said_state(step, event->client, event->report);
	if (drive->phase == DRIVE_COLLECTING)
		drive_ask_collect(step, event->client);
}

static void
on_result(struct step *step, const struct drive_event *event)
{
	struct drive *drive = step->drive;
	struct drive_client *client = &drive->clients[event->client];

	if (event->run_id != drive->config.run_id || drive->phase != DRIVE_COLLECTING ||
	    !drive_wants_result(client))
		return;
	client->has_result = true;
	drive_act(step, DRIVE_ACT_KEEP, event->client);
	if (client->outcome == CLIENT_PENDING && client->state == REPORT_FINISHED) {
		client->outcome = CLIENT_OK;
		client->err = ERR_INIT;
	}
}

static bool
may_pass(enum err_code code)
{
	return code == ERR_UNREACHABLE || code == ERR_TIMEOUT || code == ERR_CANCELLED;
}

static void
on_collect_failed(struct step *step, const struct drive_event *event)
{
	struct drive *drive = step->drive;
	struct drive_client *client = &drive->clients[event->client];
	struct err err = *event->err;

	client->collect_sent = false;
	if (drive->phase != DRIVE_COLLECTING || !drive_wants_result(client))
		return;
	if (may_pass(err.code)) {
		drive->retry_ns = step->now + DRIVE_RETRY_NS;
		return;
	}
	client->result_waits = false;
	err_prefix(&err, "finished, but its result could not be collected");
	if (client->outcome == CLIENT_PENDING)
		drive_client_fails(step, event->client, CLIENT_FAILED, &err);
}

static void
on_link_down(struct step *step, const struct drive_event *event)
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

static void
on_link_up(struct step *step, const struct drive_event *event)
{
	struct drive *drive = step->drive;
	struct drive_client *client = &drive->clients[event->client];
	const struct phase *phase = drive_phase(drive);

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

static void
on_synced(struct step *step, const struct drive_event *event)
{
	struct drive *drive = step->drive;
	bool all = true;

	if (drive->phase == DRIVE_RESYNCING) {
		for (size_t i = 0; i < drive->config.clients; i++)
			drive->clients[i].after = event->offsets[i];
		drive_release(step);
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
	drive_arm(step);
}

/* Once more means: do not wait. */
static void
on_interrupt(struct step *step, const struct drive_event *event)
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
		drive_done(step);
	else if (drive->phase <= DRIVE_RUNNING)
		drive_abort(step);
	else if (drive->phase != DRIVE_RELEASING &&
		 (drive->phase != DRIVE_ABORTING || again))
		drive_release(step);
}

static void
on_time(struct step *step, const struct drive_event *event)
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

static void
look_at_time(struct step *step)
{
	struct drive *drive = step->drive;
	const struct phase *phase = drive_phase(drive);

	if (drive->deadline_ns && step->now >= drive->deadline_ns) {
		phase->expire(step);
		return;
	}
	if (drive->retry_ns && step->now >= drive->retry_ns) {
		drive->retry_ns = 0;
		phase->retry(step);
	}
	if (phase->waits)
		drive_look_for_lost(step);
}

static void
advance(struct step *step)
{
	const struct phase *phase = drive_phase(step->drive);

	if (phase->advance)
		phase->advance(step);
}

/* What is complete moves on before its time is looked at, and after that what the
 * time decided. */
static void
move_on(struct step *step)
{
	struct drive *drive = step->drive;
	enum drive_phase before;

	do {
		before = drive->phase;
		advance(step);
		if (drive->phase != before)
			continue;
		look_at_time(step);
		if (drive->phase == before)
			advance(step);
	} while (drive->phase != before);
}

void
drive_init(struct drive *drive, const struct drive_config *config)
{
	*drive = (struct drive){.config = *config, .err_client = SIZE_MAX};
	drive->clients = mem_array(config->clients, sizeof *drive->clients);
	for (size_t i = 0; i < config->clients; i++)
		drive->clients[i].connected = true;
}

void
drive_free(struct drive *drive)
{
	free(drive->clients);
	drive->clients = NULL;
}

void
drive_step(struct drive *drive, const struct drive_event *event, uint64_t now,
    struct drive_actions *ret)
{
	struct step step = {.drive = drive, .now = now, .ret = ret};

	if (drive->phase == DRIVE_DONE)
		return;
	event_rules[event->kind](&step, event);
	move_on(&step);
}

static void
sooner(uint64_t *deadline, uint64_t other)
{
	if (other && (!*deadline || other < *deadline))
		*deadline = other;
}

uint64_t
drive_deadline(const struct drive *drive)
{
	uint64_t deadline = drive->deadline_ns;

	sooner(&deadline, drive->retry_ns);
	if (!drive_phase(drive)->waits || !drive->disconnected)
		return deadline;
	for (size_t i = 0; i < drive->config.clients; i++) {
		const struct drive_client *client = &drive->clients[i];

		if (!client->connected &&
		    (client->outcome == CLIENT_PENDING || client->result_waits))
			sooner(&deadline, client->lost_at_ns + drive->config.lease_ns);
	}
	return deadline;
}
