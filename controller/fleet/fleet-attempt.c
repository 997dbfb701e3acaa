/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The barrier's shell: feeds drive.c with what the links say, carries out what it
 * decides, and writes down what came of it.
 */
#include <event2/event.h>
#include <math.h>
#include <stdlib.h>

#include "controller/fleet/fleet-impl.h"
#include "controller/fleet/fleet.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "lib/base/str.h"
#include "lib/base/units.h"

#define WATCH_MS 500
#define SYNC_LIMIT_S 2

struct fleet_run {
	struct fleet *fleet;
	const struct fleet_order *order;
	struct attempt *attempt;
	struct drive drive;
	struct tally **tallies; /* kept results */
	struct tally *arriving; /* the one that EV_RESULT is about */
	struct counters **counters; /* around the run; NULL: unknown */
	uint64_t began_ns;
	fleet_watch_fn *watch;
	void *watch_arg;
	struct event *timer, *tick, *sync_limit;
	bool done;
};

static void step(struct fleet_run *run, const struct drive_event *event);

/* Of all jobs; 0: one of them is bound by its size. */
static uint64_t
longest_ns(const struct fleet_order *order)
{
	uint64_t longest = 0;

	for (size_t i = 0; i < order->nparts; i++) {
		uint64_t ns = job_duration_ns(order->parts[i].job);

		if (ns == 0)
			return 0;
		longest = ns > longest ? ns : longest;
	}
	return longest;
}

/* ---- what happened ---- */

static void
note(struct fleet_run *run, const struct member *member, char *text)
{
	struct attempt_event *event = vec_add(&run->attempt->events);
	uint64_t from = run->drive.start_ns ? run->drive.start_ns : run->began_ns;

	event->at_ns = (int64_t)(clock_ns() - from);
	event->agent = member ? mem_strdup(member->label) : NULL;
	event->text = text;
}

static bool
takes_part(const struct fleet_run *run, const struct member *member)
{
	return member->index < run->order->clients;
}

/* ---- orders ---- */

static void
send_prepare(struct fleet_run *run, struct member *member, struct order *order)
{
	const struct fleet_share *share = &run->order->shares[member->index];

	order->jobs = share->jobs;
	order->njobs = share->n;
	order->case_id = run->order->case_id;
	order->client = member->label;
	order->peer_key = run->order->peer_key;
	order->prepare_timeout_ns = run->order->prepare_timeout_ns;
	order->finish_timeout_ns = run->order->finish_timeout_ns;
	order->lease_ns = run->order->lease_ns;
	agent_link_order(member->link, order);
}

static void
send_order(struct fleet_run *run, const struct drive_action *action)
{
	struct member *member = run->fleet->members.v[action->client];
	struct order order = {.kind = action->order,
	    .run_id = run->drive.config.run_id,
	    .start_ns = action->start_ns};

	if (action->order == ORDER_COLLECT) {
		agent_link_collect(member->link, order.run_id);
		return;
	}
	if (action->order == ORDER_PREPARE) {
		send_prepare(run, member, &order);
		return;
	}
	agent_link_order(member->link, &order);
	if (action->order == ORDER_GO)
		agent_link_samples(member->link, order.run_id);
}

static void
start_sync(struct fleet_run *run)
{
	struct timeval tv = {.tv_sec = SYNC_LIMIT_S};

	event_add(run->sync_limit, &tv);
	fleet_start_sync(run->fleet, run->order->clients);
}

static void
act(struct fleet_run *run, const struct drive_action *action)
{
	switch (action->kind) {
	case DRIVE_ACT_ORDER: send_order(run, action); break;
	case DRIVE_ACT_SYNC: start_sync(run); break;
	case DRIVE_ACT_KEEP:
		tally_free(run->tallies[action->client]);
		run->tallies[action->client] = run->arriving;
		run->arriving = NULL;
		break;
	case DRIVE_ACT_DONE:
		run->done = true;
		fleet_break(run->fleet);
		break;
	}
}

static void
set_timer(struct fleet_run *run)
{
	uint64_t due = drive_deadline(&run->drive), now = clock_ns();

	if (due == 0) {
		event_del(run->timer);
		return;
	}
	uint64_t wait = due > now ? due - now : 0;
	struct timeval tv = {.tv_sec = (time_t)(wait / UNITS_NS_PER_S),
	    .tv_usec = (suseconds_t)(wait % UNITS_NS_PER_S / 1000 + 1)};
	event_add(run->timer, &tv);
}

static void
step(struct fleet_run *run, const struct drive_event *event)
{
	struct drive_actions actions = {0};

	if (run->done)
		return;
	unsigned tries = run->drive.arm_tries;
	drive_step(&run->drive, event, clock_ns(), &actions);
	if (run->drive.arm_tries != tries)
		note(run, NULL,
		    mem_printf("arming took too long; T was set anew (try %u)",
			run->drive.arm_tries + 1));
	for (size_t i = 0; i < actions.list.n; i++)
		act(run, &actions.list.v[i]);
	vec_free(&actions.list);
	set_timer(run);
}

/* ---- events from the links ---- */

void
fleet_run_up(struct fleet_run *run, struct member *member)
{
	struct drive_event event = {.kind = DRIVE_EV_LINK_UP, .client = member->index};

	if (!takes_part(run, member))
		return;
	note(run, member, mem_strdup("connected again"));
	step(run, &event);
	if (run->drive.phase == DRIVE_RUNNING)
		agent_link_samples(member->link, run->drive.config.run_id);
}

void
fleet_run_down(struct fleet_run *run, struct member *member, const struct err *err)
{
	struct drive_event event = {.kind = DRIVE_EV_LINK_DOWN,
	    .client = member->index,
	    .err = err,
	    .gone = member->hopeless};

	if (!takes_part(run, member) || !run->drive.clients[member->index].connected)
		return;
	note(run, member, mem_printf("connection lost: %s", err->msg));
	step(run, &event);
}

void
fleet_run_report(
    struct fleet_run *run, struct member *member, const struct report *report)
{
	struct drive_event event = {
	    .kind = DRIVE_EV_REPORT, .client = member->index, .report = report};

	if (takes_part(run, member))
		step(run, &event);
}

void
fleet_run_counters(struct fleet_run *run, struct member *member, uint64_t run_id,
    struct counters *counters)
{
	if (takes_part(run, member) && run_id == run->drive.config.run_id) {
		counters_free(run->counters[member->index]);
		run->counters[member->index] = counters;
	} else {
		counters_free(counters);
	}
}

void
fleet_run_result(struct fleet_run *run, struct member *member, uint64_t run_id,
    struct tally *tally, const struct err *err)
{
	struct drive_event event = {
	    .kind = tally ? DRIVE_EV_RESULT : DRIVE_EV_COLLECT_FAILED,
	    .client = member->index,
	    .run_id = run_id,
	    .err = err};

	run->arriving = tally;
	if (takes_part(run, member))
		step(run, &event);
	tally_free(run->arriving);
	run->arriving = NULL;
}

void
fleet_run_synced(struct fleet_run *run)
{
	size_t n = run->order->clients;
	struct offset *offsets = mem_array(n, sizeof *offsets);
	struct drive_event event = {.kind = DRIVE_EV_SYNCED, .offsets = offsets};

	event_del(run->sync_limit);
	run->fleet->waiting = 0;
	for (size_t i = 0; i < n; i++)
		offsets[i] = run->fleet->members.v[i]->offset;
	step(run, &event);
	free(offsets);
}

void
fleet_run_interrupt(struct fleet_run *run)
{
	struct drive_event event = {.kind = DRIVE_EV_INTERRUPT};

	step(run, &event);
}

static void
on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct drive_event event = {.kind = DRIVE_EV_TIME};

	(void)fd;
	(void)what;
	step(arg, &event);
}

static void
on_sync_limit(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	fleet_run_synced(arg);
}

/* ---- the live view ---- */

struct rates {
	double bytes_per_s, iops, lat_sum_ns;
	uint64_t lat_count;
};

/* What one client did between its last two samples. */
static struct rates
client_rates(const struct member *member, uint64_t run_id, enum dir dir)
{
	const struct sample *now = &member->sample, *before = &member->sample_before;
	struct rates ret = {NAN, NAN, 0, 0};

	if (now->run_id != run_id || before->run_id != run_id ||
	    now->at_ns <= before->at_ns)
		return ret;
	double s = (double)(now->at_ns - before->at_ns) / (double)UNITS_NS_PER_S;
	ret.bytes_per_s = (double)(now->dir[dir].bytes - before->dir[dir].bytes) / s;
	ret.iops = (double)(now->dir[dir].ios - before->dir[dir].ios) / s;
	ret.lat_sum_ns =
	    (double)(now->dir[dir].lat_sum_ns - before->dir[dir].lat_sum_ns);
	ret.lat_count = now->dir[dir].lat_count - before->dir[dir].lat_count;
	return ret;
}

static void
view_rates(const struct fleet_run *run, struct fleet_view *view)
{
	size_t n = run->order->clients, counted = 0;
	double slowest = INFINITY, sum = 0, lat_sum[DIR_COUNT] = {0};
	uint64_t lat_count[DIR_COUNT] = {0};

	for (int dir = 0; dir < DIR_COUNT; dir++)
		view->dir[dir].bytes_per_s = view->dir[dir].iops = 0;
	for (size_t i = 0; i < n; i++) {
		const struct member *member = run->fleet->members.v[i];
		double bytes = 0;
		for (int dir = 0; dir < DIR_COUNT; dir++) {
			struct rates rates =
			    client_rates(member, run->drive.config.run_id, dir);
			if (isnan(rates.iops))
				continue;
			counted += dir == 0;
			bytes += rates.bytes_per_s;
			view->dir[dir].bytes_per_s += rates.bytes_per_s;
			view->dir[dir].iops += rates.iops;
			lat_sum[dir] += rates.lat_sum_ns;
			lat_count[dir] += rates.lat_count;
		}
		sum += bytes;
		if (bytes < slowest && member->sample_before.run_id) {
			slowest = bytes;
			view->slowest = member->label;
		}
	}
	view->slowest_share =
	    counted > 1 && sum > 0 ? slowest * (double)counted / sum : NAN;
	for (int dir = 0; dir < DIR_COUNT; dir++)
		view->dir[dir].lat_mean_ns =
		    lat_count[dir] ? lat_sum[dir] / (double)lat_count[dir] : NAN;
}

static void
on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct fleet_run *run = arg;
	struct fleet_view view = {.phase = run->drive.phase,
	    .clients = run->order->clients,
	    .duration_ns = longest_ns(run->order)};

	(void)fd;
	(void)what;
	if (!run->watch)
		return;
	if (run->drive.start_ns)
		view.since_start_ns = (int64_t)(clock_ns() - run->drive.start_ns);
	for (size_t i = 0; i < run->order->clients; i++) {
		const struct drive_client *client = &run->drive.clients[i];
		view.ready += client->state >= REPORT_READY;
		view.layout_done += client->layout_done;
		view.layout_total += client->layout_total;
	}
	view_rates(run, &view);
	run->watch(run->watch_arg, &view);
}

/* ---- the result ---- */

/* "reader, writer"; NULL when the case has one job. */
static char *
job_names(const struct fleet_order *order, size_t client)
{
	const struct fleet_share *share = &order->shares[client];
	struct str names = {0};

	if (order->nparts < 2 || share->n == 0)
		return NULL;
	for (size_t i = 0; i < share->n; i++)
		str_addf(&names, "%s%s", i ? ", " : "", share->jobs[i].job.name);
	return str_take(&names);
}

static void
number_jobs(struct tally *tally, const struct fleet_share *share)
{
	tally->job = share->numbers[0];
	for (size_t i = 0; i < tally->njobs && i < share->n; i++)
		tally->jobs[i]->job = share->numbers[i];
}

static void
fill_client(struct fleet_run *run, size_t i)
{
	const struct drive_client *from = &run->drive.clients[i];
	struct attempt_client *to = vec_add(&run->attempt->clients);

	to->agent = mem_strdup(run->fleet->members.v[i]->label);
	to->outcome = from->outcome;
	to->jobs = job_names(run->order, i);
	to->error = from->err.code ? mem_strdup(from->err.msg) : NULL;
	to->tally = run->tallies[i];
	run->tallies[i] = NULL;
	if (to->tally)
		number_jobs(to->tally, &run->order->shares[i]);
	to->counters = run->counters[i];
	run->counters[i] = NULL;
	to->offset = offset_between(&from->before, &from->after, run->drive.start_ns);
	if (to->tally && to->tally->has_first_io) {
		/* T on its clock was set with the offset known before; the offset at T
		 * is known better now that it was measured on both sides of it. */
		int64_t start_error = (int64_t)from->start_ns - to->offset.offset_ns -
				      (int64_t)run->drive.start_ns;
		to->first_io_ns = to->tally->first_io_ns + start_error;
	}
}

/* Clients that the case wants and that were not there from the start. */
static void
fill_missing(struct fleet_run *run)
{
	const struct fleet *fleet = run->fleet;

	for (size_t i = 0; i < fleet->missing.n &&
			   run->order->clients + i < run->order->expected;
	     i++) {
		struct attempt_client *to = vec_add(&run->attempt->clients);
		to->agent = mem_strdup(fleet->missing.v[i].label);
		to->outcome = CLIENT_LOST;
		to->jobs = job_names(run->order, run->order->clients + i);
		to->error = mem_printf("from the start: %s", fleet->missing.v[i].err.msg);
	}
}

static void
fill_attempt(struct fleet_run *run)
{
	struct attempt *attempt = run->attempt;

	attempt->ended_wall_ns = clock_wall_ns();
	for (size_t i = 0; i < run->order->clients; i++)
		fill_client(run, i);
	fill_missing(run);
	if (run->drive.err.code != ERR_NONE) {
		size_t who = run->drive.err_client;
		attempt->error = mem_strdup(run->drive.err.msg);
		if (who < run->order->clients)
			attempt->error_agent =
			    mem_strdup(run->fleet->members.v[who]->label);
	}
	attempt_judge(attempt, run->order->parts, run->order->nparts);
}

static void
run_init(struct fleet_run *run, fleet_watch_fn *watch, void *arg)
{
	struct event_base *base = run->fleet->base;
	struct timeval tick = {.tv_usec = WATCH_MS * 1000};
	struct drive_config config = {.run_id = rng_entropy() | 1,
	    .clients = run->order->clients,
	    .duration_ns = longest_ns(run->order),
	    .prepare_timeout_ns = run->order->prepare_timeout_ns,
	    .finish_timeout_ns = run->order->finish_timeout_ns,
	    .lease_ns = run->order->lease_ns};

	run->began_ns = clock_ns();
	run->watch = watch;
	run->watch_arg = arg;
	run->tallies = mem_array(run->order->clients, sizeof *run->tallies);
	run->counters = mem_array(run->order->clients, sizeof *run->counters);
	run->attempt->run_id = config.run_id;
	run->attempt->clients_expected = (unsigned)run->order->expected;
	run->attempt->started_wall_ns = clock_wall_ns();
	drive_init(&run->drive, &config);
	run->timer = event_new(base, -1, 0, on_timer, run);
	run->sync_limit = event_new(base, -1, 0, on_sync_limit, run);
	run->tick = event_new(base, -1, EV_PERSIST, on_tick, run);
	event_add(run->tick, &tick);
}

static void
run_release(struct fleet_run *run)
{
	event_free(run->timer);
	event_free(run->sync_limit);
	event_free(run->tick);
	for (size_t i = 0; i < run->order->clients; i++) {
		tally_free(run->tallies[i]);
		counters_free(run->counters[i]);
	}
	free(run->tallies);
	free(run->counters);
	drive_free(&run->drive);
	run->fleet->run = NULL;
}

/* Did every client finish, whatever was interrupted after that? */
static bool
is_complete(const struct drive *drive)
{
	for (size_t i = 0; i < drive->config.clients; i++)
		if (drive->clients[i].outcome != CLIENT_OK)
			return false;
	return drive->err.code == ERR_NONE;
}

/* Was it an attempt at all? */
static int
run_verdict(const struct fleet_run *run, struct err *err)
{
	const struct drive *drive = &run->drive;

	if (drive->interrupted && !is_complete(drive))
		return err_set(err, ERR_CANCELLED, "interrupted");
	if (drive->err.code == ERR_BUSY)
		return err_set(err, ERR_BUSY, "%s: %s; this case was not started",
		    run->fleet->members.v[drive->err_client]->label, drive->err.msg);
	return 0;
}

int
fleet_attempt(struct fleet *fleet, const struct fleet_order *order, struct attempt *ret,
    fleet_watch_fn *watch, void *arg, struct err *err)
{
	struct fleet_run run = {.fleet = fleet, .order = order, .attempt = ret};
	struct drive_event start = {.kind = DRIVE_EV_START};

	run_init(&run, watch, arg);
	fleet->run = &run;
	/* Members that are away now are told to the machine as what they are. */
	step(&run, &start);
	for (size_t i = 0; i < order->clients && !run.done; i++)
		if (!fleet->members.v[i]->up)
			fleet_run_down(
			    &run, fleet->members.v[i], &fleet->members.v[i]->err);
	while (!run.done)
		fleet_loop(fleet, 0);
	int r = run_verdict(&run, err);
	if (r == 0)
		fill_attempt(&run);
	run_release(&run);
	return r;
}
