/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Snapshots at the right moments.  RDMA drivers cache their counters for 10 ms
 * (hw_counters/lifespan), so each snapshot waits until what came before is in it.  When
 * a run is armed, all its clients are ready: from then until the start, some 300 ms
 * later, none of them does anything, and what moves is others' doing.
 */
#include "agent/witness.h"

#include <event2/event.h>
#include <stdlib.h>

#include "agent/helper.h"
#include "agent/probe/counters.h"
#include "agent/settings.h"
#include "agent/worker/files.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"

#define SETTLE_NS (20 * UNITS_NS_PER_MS)
#define LEAD_NS (100 * UNITS_NS_PER_MS) /* the start has the host for itself */
#define TRIAL_NS (10 * UNITS_NS_PER_S) /* a read that takes longer proves nothing */

/* A calibrating read under way; it may outlive the witness. */
struct trial {
	struct witness *witness; /* NULL: nobody wants to know any more */
};

struct witness {
	struct event_base *base;
	const struct agent_settings *settings;
	const char *program, *root;
	witness_fn *settled, *ready;
	void *arg;
	struct event *timer; /* one thing at a time has to settle */
	struct trial *trial; /* NULL: none */
	uint64_t run_id, start_ns;
	char *path; /* of the first job; NULL: none */
	struct counters_mount mount;
	bool several; /* mounts */
	uint64_t trial_bytes;
	bool idling, ending; /* what the timer is for, if not for being ready */
	struct counter_snapshot moments[COUNTER_MOMENTS];
	struct counters *counters; /* NULL: not known (yet) */
};

static void
take(struct witness *witness, enum counter_moment moment)
{
	counters_read(witness->root, witness->several ? NULL : &witness->mount,
	    &witness->moments[moment]);
}

static void
drop(struct witness *witness)
{
	if (witness->trial)
		witness->trial->witness = NULL;
	witness->trial = NULL;
	event_del(witness->timer);
	free(witness->path);
	counters_mount_free(&witness->mount);
	for (int i = 0; i < COUNTER_MOMENTS; i++)
		counter_snapshot_free(&witness->moments[i]);
	counters_free(witness->counters);
	witness->path = NULL;
	witness->counters = NULL;
	witness->ready = NULL;
	witness->several = witness->idling = witness->ending = false;
	witness->trial_bytes = 0;
}

/* ---- the calibrating read ---- */

static void
is_ready(struct witness *witness)
{
	witness_fn *ready = witness->ready;

	take(witness, COUNTER_TRIAL_TO);
	witness->ready = NULL;
	ready(witness->arg);
}

static void
set_timer(struct witness *witness, uint64_t ns)
{
	struct timeval tv = {.tv_sec = (time_t)(ns / UNITS_NS_PER_S),
	    .tv_usec = (suseconds_t)(ns % UNITS_NS_PER_S / 1000)};

	event_add(witness->timer, &tv);
}

static void
tried(void *arg, const char *output, const struct err *err)
{
	struct trial *trial = arg;
	struct witness *witness = trial->witness;

	if (witness) {
		witness->trial = NULL;
		if (err->code == ERR_NONE)
			witness->trial_bytes = strtoull(output, NULL, 10);
		set_timer(witness, SETTLE_NS);
	}
	free(trial);
}

static void
try_path(struct witness *witness)
{
	const struct agent_settings *settings = witness->settings;
	VEC(char *) argv = {0};

	vec_push(&argv, mem_strdup("volley-io"));
	vec_push(&argv, mem_strdup("trial"));
	for (size_t i = 0; i < settings->allow.n; i++)
		vec_push(&argv, mem_printf("--allow=%s", settings->allow.v[i]));
	vec_push(&argv, mem_strdup("--"));
	vec_push(&argv, mem_strdup(witness->path));
	vec_push(&argv, NULL);
	witness->trial = mem_alloc(sizeof *witness->trial);
	witness->trial->witness = witness;
	helper_run(
	    witness->base, witness->program, argv.v, TRIAL_NS, tried, witness->trial);
	for (vec_each(char **, it, &argv))
		free(*it);
	vec_free(&argv);
}

void
witness_ready(struct witness *witness, witness_fn *done)
{
	witness->ready = done;
	if (!witness->path || witness->several ||
	    !counters_mount_is_remote(witness->root, &witness->mount)) {
		is_ready(witness);
		return;
	}
	take(witness, COUNTER_TRIAL_FROM);
	try_path(witness);
}

/* ---- a run ---- */

void
witness_begin(struct witness *witness, uint64_t run_id)
{
	drop(witness);
	witness->run_id = run_id;
}

/* The first file that it names, or the folder of its files; NULL: it has none. */
static char *
path_of(const struct job *job)
{
	struct files_names names;
	char *ret = NULL;

	if (!job->filename)
		return mem_strdup(job->directory);
	files_names(&names, job);
	if (names.v.n && names.v.v[0][0] == '/')
		ret = mem_strdup(names.v.v[0]);
	else if (names.v.n && job->directory)
		ret = mem_printf("%s/%s", job->directory, names.v.v[0]);
	files_names_free(&names);
	return ret;
}

void
witness_job(struct witness *witness, const struct job *job)
{
	char *path = path_of(job);
	struct counters_mount mount;

	if (!path)
		return;
	if (!witness->path) {
		witness->path = path;
		counters_mount_of(witness->root, path, &witness->mount);
		return;
	}
	counters_mount_of(witness->root, path, &mount);
	if (!mount.point || !witness->mount.point ||
	    strcmp(mount.point, witness->mount.point) != 0)
		witness->several = true;
	counters_mount_free(&mount);
	free(path);
}

void
witness_armed(struct witness *witness, uint64_t start_ns)
{
	uint64_t at = start_ns - LEAD_NS, now;

	take(witness, COUNTER_IDLE_FROM);
	now = clock_ns();
	witness->start_ns = start_ns;
	witness->idling = true;
	set_timer(witness, at > now ? at - now : 0);
}

/* Too late for a look before the start: the idle time is a part of the run then, and
 * nothing is known of it. */
static void
begin_run(struct witness *witness)
{
	struct counter_snapshot *idle = &witness->moments[COUNTER_IDLE_FROM];
	struct counter_snapshot *run = &witness->moments[COUNTER_RUN_FROM];

	witness->idling = false;
	take(witness, COUNTER_RUN_FROM);
	if (run->at_ns < witness->start_ns)
		return;
	counter_snapshot_free(run);
	*run = *idle;
	*idle = (struct counter_snapshot){0};
}

void
witness_ended(struct witness *witness)
{
	if (witness->idling)
		begin_run(witness);
	if (!witness->moments[COUNTER_RUN_FROM].at_ns || witness->counters)
		return;
	witness->ending = true;
	set_timer(witness, SETTLE_NS);
}

static void
conclude(struct witness *witness)
{
	struct counters *counters = counters_new();

	take(witness, COUNTER_RUN_TO);
	witness->ending = false;
	counters_between(counters, witness->moments);
	counters->rdma_ports = counters_rdma_ports(witness->root);
	counters->trial_bytes = witness->trial_bytes;
	if (!witness->several) {
		counters->mount_point = mem_strdup(witness->mount.point);
		counters->mount_fstype = mem_strdup(witness->mount.fstype);
		counters->protocols =
		    counters_protocols(witness->root, &witness->mount);
	}
	witness->counters = counters;
	witness->settled(witness->arg);
}

static void
on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct witness *witness = arg;

	(void)fd;
	(void)what;
	if (witness->ready)
		is_ready(witness);
	else if (witness->idling)
		begin_run(witness);
	else if (witness->ending)
		conclude(witness);
}

bool
witness_is_settling(const struct witness *witness, uint64_t run_id)
{
	return witness->run_id == run_id && witness->ending;
}

const struct counters *
witness_counters(const struct witness *witness, uint64_t run_id)
{
	return witness->run_id == run_id ? witness->counters : NULL;
}

struct witness *
witness_new(struct event_base *base, const struct agent_settings *settings,
    const char *program, witness_fn *settled, void *arg)
{
	struct witness *witness = mem_alloc(sizeof *witness);

	*witness = (struct witness){.base = base,
	    .settings = settings,
	    .program = program,
	    .root = settings->probe_root ? settings->probe_root : "",
	    .settled = settled,
	    .arg = arg};
	witness->timer = event_new(base, -1, 0, on_timer, witness);
	return witness;
}

void
witness_free(struct witness *witness)
{
	drop(witness);
	event_free(witness->timer);
	free(witness);
}
