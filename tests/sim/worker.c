/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workers: prepare, park, look at the go flag at T, run, report.  Some fail, exit,
 * hang or are slow; some hang where even SIGKILL does not reach.
 */
#include "tests/sim/sim.h"

enum inside { /* HAPPEN_WORKER */
	INSIDE_PREPARED,
	INSIDE_ARMED,
	INSIDE_GO,
	INSIDE_WAKES,
	INSIDE_DONE,
	INSIDE_STOPPED,
	INSIDE_EXITS
};

static struct worker *
find(struct box *box, uint64_t id)
{
	if (box->worker.id == id)
		return &box->worker;
	for (size_t i = 0; i < sizeof box->ghosts / sizeof box->ghosts[0]; i++)
		if (box->ghosts[i].id == id)
			return &box->ghosts[i];
	return NULL;
}

static void
later(struct sim *sim, unsigned box, const struct worker *worker, enum inside what,
    uint64_t at)
{
	sim_push(sim, (struct happening){.at = at,
			  .kind = HAPPEN_WORKER,
			  .box = box,
			  .what = what,
			  .id = worker->id,
			  .run_id = worker->arms});
}

static void
say(struct sim *sim, unsigned box, struct worker *worker, enum run_event_kind kind,
    enum err_code code)
{
	uint64_t at = sim->now + log_between(sim, US, MS);

	if (!worker->attached)
		return;
	worker->said = at > worker->said ? at : worker->said + 1;
	sim_push(sim, (struct happening){.at = worker->said,
			  .kind = HAPPEN_WORKER_SAID,
			  .box = box,
			  .what = kind,
			  .id = worker->id,
			  .code = code});
}

static void
die(struct sim *sim, unsigned box, struct worker *worker)
{
	worker->phase = WORKER_OVER;
	say(sim, box, worker, RUN_EV_WORKER_EXIT, ERR_INTERNAL);
}

static enum habit
pick_habit(struct sim *sim)
{
	if (chance(sim, sim->early_odds / 2))
		return (enum habit)between(sim, HABIT_GOOD + 1, HABIT_HANGS_ARMING);
	if (chance(sim, sim->late_odds / 2))
		return (enum habit)between(
		    sim, HABIT_HANGS_ARMING + 1, HABIT_COUNT - 1);
	return HABIT_GOOD;
}

void
worker_spawn(struct sim *sim, unsigned box, uint64_t run_id)
{
	struct box *b = &sim->boxes[box];
	struct worker *worker = &b->worker;
	uint64_t takes = log_between(sim, MS, sim->pilot.prepare_timeout / 2);

	if (worker->attached)
		sim_fail(sim, "box %u: a second worker for run %llx", box,
		    (unsigned long long)run_id);
	*worker = (struct worker){.id = ++sim->ids,
	    .run_id = run_id,
	    .attached = true,
	    .habit = pick_habit(sim),
	    .unkillable = chance(sim, 0.5),
	    .wake_late = log_between(sim, US, 10 * MS)};
	worker->number = worker->id;
	if (worker->habit != HABIT_GOOD)
		b->touched = true;
	if (worker->habit != HABIT_HANGS_PREPARING)
		later(sim, box, worker, INSIDE_PREPARED, sim->now + takes);
}

/* Its deeds fall through without effect once it was told to stop or is over. */
void
worker_arm(struct sim *sim, unsigned box)
{
	struct box *b = &sim->boxes[box];
	struct worker *worker = &b->worker;

	if (worker->phase != WORKER_PARKED || worker->stop)
		return;
	worker->arms++;
	worker->arm_start = b->run.start_ns;
	if (worker->habit == HABIT_HANGS_ARMING)
		return;
	later(sim, box, worker, INSIDE_ARMED, sim->now + log_between(sim, US, 5 * MS));
	later(sim, box, worker, INSIDE_WAKES,
	    box_true_time(b, worker->arm_start) + worker->wake_late);
}

/* Its threads see GO a little later, and too late when the node is that busy. */
void
worker_go(struct sim *sim, unsigned box)
{
	struct box *b = &sim->boxes[box];
	uint64_t takes = log_between(sim, US, 4 * MS);

	if (chance(sim, sim->early_odds / 4)) {
		takes = between(sim, 30 * MS, 2 * SEC);
		b->touched = true;
	}
	later(sim, box, &b->worker, INSIDE_GO, sim->now + takes);
}

static bool
hangs(const struct worker *worker)
{
	return (worker->habit == HABIT_HANGS_PREPARING &&
		   worker->phase == WORKER_PREPARES) ||
	       (worker->habit == HABIT_HANGS_ARMING && worker->arms) ||
	       (worker->habit == HABIT_HANGS_RUNNING && worker->phase == WORKER_RUNS);
}

void
worker_stop(struct sim *sim, unsigned box)
{
	struct worker *worker = &sim->boxes[box].worker;

	worker->stop = true;
	if (worker->phase != WORKER_OVER && !hangs(worker))
		later(sim, box, worker, INSIDE_STOPPED,
		    sim->now + log_between(sim, US, 6 * SEC));
}

void
worker_kill(struct sim *sim, unsigned box)
{
	struct worker *worker = &sim->boxes[box].worker;

	worker->stop = true;
	if (worker->phase != WORKER_OVER && !(hangs(worker) && worker->unkillable))
		later(sim, box, worker, INSIDE_EXITS,
		    sim->now + log_between(sim, US, SEC));
}

void
worker_leave(struct sim *sim, unsigned box, bool abandoned)
{
	struct box *b = &sim->boxes[box];

	if (!abandoned && b->worker.phase == WORKER_RUNS)
		sim_fail(sim, "box %u: cleaned up under a running worker", box);
	b->worker.attached = false;
	if (abandoned)
		b->ghosts[b->ghost++ % (sizeof b->ghosts / sizeof b->ghosts[0])] =
		    b->worker;
	b->worker = (struct worker){0};
}

static void
prepared(struct sim *sim, unsigned box, struct worker *worker)
{
	if (worker->phase != WORKER_PREPARES || worker->stop)
		return;
	if (worker->habit == HABIT_FAILS_PREPARING) {
		worker->phase = WORKER_OVER;
		say(sim, box, worker, RUN_EV_WORKER_FAILED, ERR_POLICY);
		return;
	}
	if (worker->habit == HABIT_EXITS_PREPARING) {
		die(sim, box, worker);
		return;
	}
	worker->phase = WORKER_PARKED;
	say(sim, box, worker, RUN_EV_WORKER_READY, ERR_NONE);
}

static void
starts(struct sim *sim, unsigned box, struct worker *worker)
{
	uint64_t takes = sim->pilot.duration + log_between(sim, US, 100 * MS);

	worker->phase = WORKER_RUNS;
	worker->started = sim->now;
	watch_start(sim, box, worker);
	if (worker->habit == HABIT_SLOW)
		takes += log_between(sim, SEC, 2 * sim->pilot.finish_timeout);
	if (worker->habit == HABIT_FAILS_RUNNING ||
	    worker->habit == HABIT_EXITS_RUNNING)
		takes = between(sim, 0, takes);
	if (worker->habit != HABIT_HANGS_RUNNING)
		later(sim, box, worker, INSIDE_DONE, sim->now + takes);
}

static void
wakes(struct sim *sim, unsigned box, struct worker *worker, uint64_t arm)
{
	if (worker->phase != WORKER_PARKED || arm != worker->arms || worker->stop)
		return;
	if (worker->go) {
		starts(sim, box, worker);
		return;
	}
	worker->phase = WORKER_OVER;
	say(sim, box, worker, RUN_EV_WORKER_NOT_STARTED, ERR_NONE);
}

static void
done(struct sim *sim, unsigned box, struct worker *worker)
{
	if (worker->phase != WORKER_RUNS || worker->stop)
		return;
	watch_alone(sim, box);
	if (worker->habit == HABIT_EXITS_RUNNING) {
		die(sim, box, worker);
		return;
	}
	worker->phase = WORKER_OVER;
	worker->complete = worker->habit != HABIT_FAILS_RUNNING;
	say(sim, box, worker,
	    worker->complete ? RUN_EV_WORKER_DONE : RUN_EV_WORKER_FAILED, ERR_IO);
}

/* How a stopped worker says so differs with where it was. */
static void
stopped(struct sim *sim, unsigned box, struct worker *worker)
{
	static const enum run_event_kind ways[] = {
	    RUN_EV_WORKER_DONE, RUN_EV_WORKER_DONE, RUN_EV_WORKER_FAILED};

	if (worker->phase == WORKER_OVER)
		return;
	worker->phase = WORKER_OVER;
	if (chance(sim, 0.2))
		say(sim, box, worker, RUN_EV_WORKER_EXIT, ERR_NONE);
	else
		say(sim, box, worker, ways[between(sim, 0, 2)], ERR_CANCELLED);
}

void
worker_happening(struct sim *sim, const struct happening *happening)
{
	struct worker *worker = find(&sim->boxes[happening->box], happening->id);

	if (!worker)
		return;
	switch ((enum inside)happening->what) {
	case INSIDE_PREPARED: prepared(sim, happening->box, worker); break;
	case INSIDE_ARMED:
		if (worker->phase == WORKER_PARKED && !worker->stop)
			say(sim, happening->box, worker, RUN_EV_WORKER_ARMED, ERR_NONE);
		break;
	case INSIDE_GO:
		worker->go = worker->go || worker->phase == WORKER_PARKED;
		break;
	case INSIDE_WAKES: wakes(sim, happening->box, worker, happening->run_id); break;
	case INSIDE_DONE: done(sim, happening->box, worker); break;
	case INSIDE_STOPPED: stopped(sim, happening->box, worker); break;
	case INSIDE_EXITS:
		if (worker->phase != WORKER_OVER)
			die(sim, happening->box, worker);
		break;
	}
}
