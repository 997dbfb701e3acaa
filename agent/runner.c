/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns run.c's actions into deeds and the worker's words into its events.  All
 * decisions are in run.c; here is only the doing.
 */
#include "agent/runner.h"

#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

#include "agent/facts.h"
#include "agent/helper.h"
#include "agent/run.h"
#include "agent/team.h"
#include "agent/witness.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"

#define PROGRESS_NS UINT64_C(500000000)
#define SLOTS_MAX_NS (UINT64_C(3600) * UINT64_C(1000000000))
#define DRAIN_NS (UINT64_C(60) * UINT64_C(1000000000))
#define MOUNT_S 20u /* a path that nothing is known of for so long is dead */

/* A helper that looks at the path of a run: the worker may hang on it unnoticed. */
struct look {
	struct runner *runner; /* NULL: nobody wants to know any more */
	uint64_t run_id;
	char *path;
};

struct runner {
	struct event_base *base;
	const struct agent_settings *settings;
	const char *worker_program;
	runner_changed_fn *changed;
	void *arg;
	struct run run;
	struct team *team;
	VEC(struct look *) looks; /* those that have not told yet */
	struct tally *result;
	struct agent_logs logs;
	struct witness *witness;
	struct event *timer;
};

static void step(
    struct runner *runner, const struct run_event *event, struct report *ret_refused);

/* The worker is ready, and its mount was tried. */
static void
files_are_ready(void *arg)
{
	struct run_event event = {.kind = RUN_EV_WORKER_READY};

	step(arg, &event, NULL);
}

static void
said(void *arg, enum link_kind kind, const struct err *err)
{
	static const struct {
		enum link_kind kind;
		enum run_event_kind event;
	} map[] = {
	    {LINK_ARMED, RUN_EV_WORKER_ARMED},
	    {LINK_DONE, RUN_EV_WORKER_DONE},
	    {LINK_FAILED, RUN_EV_WORKER_FAILED},
	    {LINK_NOT_STARTED, RUN_EV_WORKER_NOT_STARTED},
	};
	struct runner *runner = arg;

	if (kind == LINK_READY) {
		witness_ready(runner->witness, files_are_ready);
		return;
	}
	for (size_t i = 0; i < sizeof map / sizeof map[0]; i++) {
		if (map[i].kind == kind) {
			struct run_event event = {.kind = map[i].event, .err = err};
			step(runner, &event, NULL);
		}
	}
	if (kind == LINK_ARMED) /* after the report: the start is near */
		witness_armed(runner->witness, runner->run.start_ns);
}

static void
ended(void *arg, const struct err *err)
{
	struct runner *runner = arg;
	struct run_event event = {.kind = RUN_EV_WORKER_EXIT, .err = err};

	step(runner, &event, NULL);
}

static void
logged(void *arg, const char *name, int fd)
{
	struct runner *runner = arg;
	struct err err = ERR_INIT;
	struct run_event failed = {.kind = RUN_EV_WORKER_FAILED, .err = &err};

	if (agent_logs_add(&runner->logs, name, fd, &err) < 0)
		step(runner, &failed, NULL);
}

static const struct worker_ops worker_ops = {
    .said = said, .log = logged, .ended = ended};

static void
drop_team(struct runner *runner)
{
	if (runner->team)
		team_detach(runner->team);
	runner->team = NULL;
}

static void
drop_result(struct runner *runner)
{
	tally_free(runner->result);
	runner->result = NULL;
}

static void
drop_look(struct runner *runner, const struct look *look)
{
	size_t n = 0;

	for (size_t i = 0; i < runner->looks.n; i++)
		if (runner->looks.v[i] != look)
			runner->looks.v[n++] = runner->looks.v[i];
	runner->looks.n = n;
}

/* A worker that is past it cannot be told from one whose path is slow: only one that
 * is not ready yet is given up. */
static void
looked(void *arg, const char *output, const struct err *err)
{
	struct look *look = arg;
	struct runner *runner = look->runner;
	struct err why = ERR_INIT;
	struct run_event event = {.kind = RUN_EV_WORKER_FAILED, .err = &why};

	(void)output;
	if (runner)
		drop_look(runner, look);
	if (runner && err->code == ERR_TIMEOUT && runner->run.run_id == look->run_id &&
	    runner->run.state == REPORT_PREPARING) {
		err_set(&why, ERR_TIMEOUT, "%s: no answer in %u s: the mount hangs",
		    look->path, MOUNT_S);
		step(runner, &event, NULL);
	}
	free(look->path);
	free(look);
}

static void
forget_looks(struct runner *runner)
{
	for (vec_each(struct look **, look, &runner->looks))
		(*look)->runner = NULL;
	runner->looks.n = 0;
}

static void
look_at_path(struct runner *runner, uint64_t run_id, const char *path)
{
	struct facts_argv argv;
	struct look *look;

	for (vec_each(struct look **, other, &runner->looks))
		if (strcmp((*other)->path, path) == 0)
			return;
	look = mem_alloc(sizeof *look);
	*look = (struct look){runner, run_id, mem_strdup(path)};
	vec_push(&runner->looks, look);
	facts_probe_argv(&argv, runner->settings, NULL, path);
	helper_run(runner->base, runner->worker_program, argv.v.v,
	    MOUNT_S * UNITS_NS_PER_S, looked, look);
	facts_argv_free(&argv);
}

static void
look_at_paths(struct runner *runner, const struct order *order)
{
	forget_looks(runner);
	for (size_t i = 0; i < order->njobs; i++) {
		const struct job *job = &order->jobs[i].job;

		if (job->directory || job->filename)
			look_at_path(runner, order->run_id,
			    job->directory ? job->directory : job->filename);
	}
}

/* How long after T slots are kept: the window and its drain. */
static uint64_t
slots_duration(const struct order *order, const struct job *job)
{
	uint64_t duration = job_duration_ns(job);

	if (duration)
		return duration + DRAIN_NS;
	return order->finish_timeout_ns < SLOTS_MAX_NS ? order->finish_timeout_ns
						       : SLOTS_MAX_NS;
}

static int
spawn(struct runner *runner, const struct order *order, struct err *err)
{
	const struct agent_settings *settings = runner->settings;
	struct team_job *jobs = mem_array(order->njobs, sizeof *jobs);
	struct link_spec spec = {.case_id = (char *)order->case_id,
	    .client = (char *)order->client,
	    .key = (char *)order->peer_key,
	    .allow_exec = settings->allow_exec,
	    .logs_to_parent = true,
	    .allow = {.v = settings->allow.v, .n = settings->allow.n},
	    .allow_write = {.v = settings->allow_write.v, .n = settings->allow_write.n}};

	drop_team(runner);
	drop_result(runner);
	agent_logs_drop(&runner->logs);
	runner->logs.run_id = order->run_id;
	for (size_t i = 0; i < order->njobs; i++)
		jobs[i] = (struct team_job){.job = &order->jobs[i],
		    .duration_ns = slots_duration(order, &order->jobs[i].job)};
	int r = team_spawn(&runner->team, runner->base, runner->worker_program, &spec,
	    jobs, order->njobs, &worker_ops, runner, err);
	free(jobs);
	if (r == 0)
		look_at_paths(runner, order);
	witness_begin(runner->witness, order->run_id);
	for (size_t i = 0; i < order->njobs; i++)
		witness_job(runner->witness, &order->jobs[i].job);
	return r;
}

static void
tell(struct runner *runner, enum link_kind kind, uint64_t value)
{
	if (runner->team)
		team_tell(runner->team, kind, value);
}

static void
snapshot(struct runner *runner)
{
	if (!runner->team)
		return;
	drop_result(runner);
	runner->result = team_tally(runner->team);
	witness_ended(runner->witness);
}

static void
act(struct runner *runner, const struct run_event *event,
    const struct run_action *action, struct report *ret_refused)
{
	switch (action->kind) {
	case RUN_ACT_SPAWN: {
		struct err err = ERR_INIT;
		if (spawn(runner, event->order, &err) < 0) {
			struct run_event failed = {
			    .kind = RUN_EV_WORKER_FAILED, .err = &err};
			struct run_event gone = {
			    .kind = RUN_EV_WORKER_EXIT, .err = &err};
			step(runner, &failed, NULL);
			step(runner, &gone, NULL);
		}
		break;
	}
	case RUN_ACT_WORKER_ARM:
		tell(runner, LINK_ARM, runner->run.start_ns);
		break;
	case RUN_ACT_WORKER_GO: tell(runner, LINK_GO, 0); break;
	case RUN_ACT_WORKER_STOP: tell(runner, LINK_STOP, 0); break;
	case RUN_ACT_WORKER_KILL:
		if (runner->team)
			team_kill(runner->team);
		break;
	case RUN_ACT_WORKER_ABANDON: drop_team(runner); break;
	case RUN_ACT_SNAPSHOT: snapshot(runner); break;
	case RUN_ACT_REPORT: runner->changed(runner->arg); break;
	case RUN_ACT_REFUSE:
		if (ret_refused)
			*ret_refused = action->report;
		break;
	case RUN_ACT_CLEAN:
		tell(runner, LINK_CLEAN, 0);
		drop_team(runner);
		drop_result(runner);
		witness_begin(runner->witness, 0);
		break;
	}
}

static void
set_timer(struct runner *runner)
{
	uint64_t due = run_deadline(&runner->run), now = clock_ns();

	if (runner->run.state == REPORT_PREPARING) {
		uint64_t progress = now + PROGRESS_NS;
		due = due == 0 || progress < due ? progress : due;
	}
	if (due == 0) {
		event_del(runner->timer);
		return;
	}
	uint64_t wait = due > now ? due - now : 0;
	struct timeval tv = {.tv_sec = (time_t)(wait / UNITS_NS_PER_S),
	    .tv_usec = (suseconds_t)(wait % UNITS_NS_PER_S / 1000 + 1)};
	event_add(runner->timer, &tv);
}

static void
step(struct runner *runner, const struct run_event *event, struct report *ret_refused)
{
	struct run_actions actions = {0};

	run_step(&runner->run, event, clock_ns(), &actions);
	for (unsigned i = 0; i < actions.n; i++)
		act(runner, event, &actions.v[i], ret_refused);
	set_timer(runner);
}

static void
on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct runner *runner = arg;
	struct run_event event = {.kind = RUN_EV_TIME};

	(void)fd;
	(void)what;
	if (runner->run.state == REPORT_PREPARING && runner->team) {
		struct run_event progress = {.kind = RUN_EV_WORKER_PROGRESS};
		team_layout(
		    runner->team, &progress.layout_done, &progress.layout_total);
		step(runner, &progress, NULL);
	}
	step(runner, &event, NULL);
}

/* The counters of a run are known. */
static void
witnessed(void *arg)
{
	struct runner *runner = arg;

	runner->changed(runner->arg);
}

struct runner *
runner_new(struct event_base *base, const struct agent_settings *settings,
    const char *worker_program, runner_changed_fn *changed, void *arg)
{
	struct runner *runner = mem_alloc(sizeof *runner);

	*runner = (struct runner){.base = base,
	    .settings = settings,
	    .worker_program = worker_program,
	    .changed = changed,
	    .arg = arg};
	run_init(&runner->run);
	runner->witness = witness_new(base, settings, worker_program, witnessed, runner);
	runner->timer = event_new(base, -1, 0, on_timer, runner);
	return runner;
}

void
runner_stop(struct runner *runner)
{
	if (runner->team) {
		tell(runner, LINK_STOP, 0);
		team_kill(runner->team);
	}
	drop_team(runner);
}

void
runner_free(struct runner *runner)
{
	if (!runner)
		return;
	runner_stop(runner);
	forget_looks(runner);
	vec_free(&runner->looks);
	drop_result(runner);
	agent_logs_drop(&runner->logs);
	witness_free(runner->witness);
	event_free(runner->timer);
	free(runner);
}

void
runner_order(struct runner *runner, const struct order *order, struct report *ret)
{
	struct run_event event = {
	    .kind = RUN_EV_ORDER, .order = order, .wall_ns = clock_wall_ns()};
	struct report refused = {0};

	step(runner, &event, &refused);
	if (refused.run_id)
		*ret = refused;
	else
		run_report(&runner->run, ret);
}

void
runner_link(struct runner *runner, bool up)
{
	struct run_event event = {.kind = up ? RUN_EV_LINK_UP : RUN_EV_LINK_DOWN};

	step(runner, &event, NULL);
}

void
runner_report(const struct runner *runner, struct report *ret)
{
	run_report(&runner->run, ret);
}

const struct tally *
runner_result(const struct runner *runner, uint64_t run_id)
{
	return runner->run.run_id == run_id ? runner->result : NULL;
}

int
runner_log(struct runner *runner, const struct log_request *request,
    struct log_part *ret, uint8_t *buf, struct err *err)
{
	if (agent_logs_read(&runner->logs, request, ret, buf, err) < 0)
		return -1;
	if (!ret->name)
		agent_logs_drop(&runner->logs);
	return 0;
}

bool
runner_is_settling(const struct runner *runner, uint64_t run_id)
{
	return witness_is_settling(runner->witness, run_id);
}

const struct counters *
runner_counters(const struct runner *runner, uint64_t run_id)
{
	return witness_counters(runner->witness, run_id);
}

bool
runner_sample(const struct runner *runner, uint64_t run_id, struct sample *ret)
{
	if (!runner->team || runner->run.run_id != run_id ||
	    runner->run.state != REPORT_RUNNING)
		return false;
	team_sample(runner->team, ret);
	ret->run_id = run_id;
	return true;
}
