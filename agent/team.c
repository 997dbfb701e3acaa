/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several workers as one.  What they say is counted; what follows from it is told once.
 */
#include "agent/team.h"

#include <stdlib.h>
#include <unistd.h>

#include "lib/base/mem.h"

struct mate {
	struct team *team;
	struct worker *worker; /* NULL: those before it are not ready yet */
	struct order_job job;
	uint64_t duration_ns;
	bool ready, gone;
	unsigned arms;	    /* instants it confirmed */
	enum link_kind end; /* DONE, FAILED or NOT_STARTED; READY: none yet */
};

struct team {
	struct mate *mates;
	size_t n;
	struct event_base *base;
	const char *program;
	struct link_spec spec;
	const struct worker_ops *ops; /* NULL: detached */
	void *arg;
	unsigned arms;	/* instants that all confirmed */
	unsigned calls; /* callbacks under way: it is not freed below them */
	bool stopping, end_told;
	struct err first; /* of FAILED */
};

static void
release(struct team *team)
{
	for (size_t i = 0; i < team->n; i++)
		job_free(&team->mates[i].job.job);
	free(team->mates);
	free(team->spec.case_id);
	free(team->spec.client);
	free(team->spec.key);
	free(team);
}

static void
say(struct team *team, enum link_kind kind)
{
	if (team->ops)
		team->ops->said(team->arg, kind, kind == LINK_FAILED ? &team->first : NULL);
}

static bool
all_ready(const struct team *team)
{
	for (size_t i = 0; i < team->n; i++)
		if (!team->mates[i].ready)
			return false;
	return true;
}

static unsigned
least_arms(const struct team *team)
{
	unsigned least = team->mates[0].arms;

	for (size_t i = 1; i < team->n; i++)
		least = team->mates[i].arms < least ? team->mates[i].arms : least;
	return least;
}

/* How it ended as a whole; READY: it has not yet. */
static enum link_kind
whole_end(const struct team *team)
{
	bool failed = false, not_started = false, open = false;

	for (size_t i = 0; i < team->n; i++) {
		failed = failed || team->mates[i].end == LINK_FAILED;
		not_started = not_started || team->mates[i].end == LINK_NOT_STARTED;
		open = open || (team->mates[i].end == LINK_READY &&
				   (team->mates[i].worker || !team->stopping));
	}
	/* Nothing was counted: nobody has to wait for the others' drain. */
	if (failed && !all_ready(team))
		return LINK_FAILED;
	if (open)
		return LINK_READY;
	if (failed)
		return LINK_FAILED;
	return not_started ? LINK_NOT_STARTED : LINK_DONE;
}

static void
stop_others(struct team *team, const struct mate *but)
{
	struct err err = ERR_INIT;

	for (size_t i = 0; i < team->n; i++)
		if (&team->mates[i] != but && team->mates[i].worker)
			worker_tell(team->mates[i].worker, LINK_STOP, 0, &err);
}

static void
take_end(struct mate *mate, enum link_kind end, const struct err *err)
{
	struct team *team = mate->team;
	bool stops = end != LINK_DONE ? true : mate->job.job.process.exitall;

	if (mate->end != LINK_READY)
		return;
	mate->end = end;
	if (end == LINK_FAILED && team->first.code == ERR_NONE) {
		team->first = *err;
		if (team->n > 1)
			err_prefix(&team->first, "job %s", mate->job.job.name);
	}
	if (stops)
		stop_others(team, mate);
	end = whole_end(team);
	if (end == LINK_READY || team->end_told)
		return;
	team->end_told = true;
	say(team, end);
}

static const struct worker_ops mate_ops;

static int
spawn(struct team *team, struct mate *mate, struct err *err)
{
	struct link_spec spec = team->spec;
	struct str text = {0};
	int rc;

	job_format(&mate->job.job, &text);
	spec.job = text.s ? text.s : (char[]){""};
	spec.client_index = mate->job.client_index;
	spec.client_count = mate->job.client_count;
	spec.first_number = mate->job.first_number;
	rc = worker_spawn(&mate->worker, team->base, team->program, &mate->job.job, &spec,
	    mate->duration_ns, &mate_ops, mate, err);
	str_free(&text);
	return rc;
}

/* Then it is the next one's turn. */
static void
take_ready(struct mate *mate)
{
	struct team *team = mate->team;
	struct mate *next = mate + 1;
	struct err err = ERR_INIT;

	mate->ready = true;
	if (team->end_told)
		return;
	if (all_ready(team))
		say(team, LINK_READY);
	else if (!team->stopping && spawn(team, next, &err) < 0)
		take_end(next, LINK_FAILED, &err);
}

static void
leave(struct team *team)
{
	if (--team->calls == 0 && !team->ops)
		release(team);
}

static void
said(void *arg, enum link_kind kind, const struct err *err)
{
	struct mate *mate = arg;
	struct team *team = mate->team;

	team->calls++;
	switch (kind) {
	case LINK_READY:
		take_ready(mate);
		break;
	case LINK_ARMED:
		mate->arms++;
		if (least_arms(team) > team->arms) {
			team->arms++;
			say(team, LINK_ARMED);
		}
		break;
	case LINK_DONE:
	case LINK_FAILED:
	case LINK_NOT_STARTED: take_end(mate, kind, err); break;
	default: break;
	}
	leave(team);
}

static void
ended(void *arg, const struct err *err)
{
	struct mate *mate = arg;
	struct team *team = mate->team;
	struct err why = *err;
	bool all_gone = true;

	team->calls++;
	mate->gone = true;
	if (why.code == ERR_NONE)
		err_set(&why, ERR_INTERNAL, "the worker ended without a reason");
	take_end(mate, LINK_FAILED, &why);
	for (size_t i = 0; i < team->n; i++)
		all_gone = all_gone && (team->mates[i].gone || !team->mates[i].worker);
	if (all_gone && team->ops)
		team->ops->ended(team->arg, err);
	leave(team);
}

static void
logged(void *arg, const char *name, int fd)
{
	struct mate *mate = arg;
	struct team *team = mate->team;

	team->calls++;
	if (team->ops && team->ops->log)
		team->ops->log(team->arg, name, fd);
	else
		close(fd);
	leave(team);
}

static const struct worker_ops mate_ops = {
    .said = said, .log = logged, .ended = ended};

int
team_spawn(struct team **ret, struct event_base *base, const char *program,
    const struct link_spec *spec, const struct team_job *jobs, size_t n,
    const struct worker_ops *ops, void *arg, struct err *err)
{
	struct team *team = mem_alloc(sizeof *team);

	*team = (struct team){.mates = mem_array(n, sizeof(struct mate)),
	    .n = n,
	    .base = base,
	    .program = program,
	    .spec = *spec,
	    .ops = ops,
	    .arg = arg};
	team->spec.case_id = mem_strdup(spec->case_id);
	team->spec.client = mem_strdup(spec->client);
	team->spec.key = mem_strdup(spec->key);
	for (size_t i = 0; i < n; i++) {
		team->mates[i] = (struct mate){.team = team,
		    .job = *jobs[i].job,
		    .duration_ns = jobs[i].duration_ns,
		    .end = LINK_READY};
		job_copy(&team->mates[i].job.job, &jobs[i].job->job);
	}
	if (spawn(team, &team->mates[0], err) < 0) {
		team_detach(team);
		return -1;
	}
	*ret = team;
	return 0;
}

void
team_tell(struct team *team, enum link_kind kind, uint64_t value)
{
	struct err err = ERR_INIT;

	team->stopping = team->stopping || kind == LINK_STOP;
	for (size_t i = 0; i < team->n; i++)
		if (team->mates[i].worker)
			worker_tell(team->mates[i].worker, kind, value, &err);
}

void
team_kill(struct team *team)
{
	for (size_t i = 0; i < team->n; i++)
		if (team->mates[i].worker)
			worker_kill(team->mates[i].worker);
}

void
team_detach(struct team *team)
{
	team->ops = NULL;
	for (size_t i = 0; i < team->n; i++) {
		if (team->mates[i].worker)
			worker_detach(team->mates[i].worker);
		team->mates[i].worker = NULL;
	}
	if (team->calls == 0)
		release(team);
}

struct tally *
team_tally(const struct team *team)
{
	struct tally **jobs = mem_array(team->n, sizeof *jobs), *ret;

	for (size_t i = 0; i < team->n; i++)
		jobs[i] = worker_tally(team->mates[i].worker);
	ret = tally_of_jobs(jobs, team->n);
	free(jobs);
	return ret;
}

void
team_sample(const struct team *team, struct sample *ret)
{
	*ret = (struct sample){0};
	for (size_t i = 0; i < team->n; i++) {
		struct sample one;

		worker_sample(team->mates[i].worker, &one);
		sample_add(ret, &one);
	}
}

void
team_layout(const struct team *team, uint64_t *ret_done, uint64_t *ret_total)
{
	*ret_done = *ret_total = 0;
	for (size_t i = 0; i < team->n; i++) {
		uint64_t done, total;

		if (!team->mates[i].worker)
			break;
		worker_layout(team->mates[i].worker, &done, &total);
		*ret_done += done;
		*ret_total += total;
	}
}
