/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The workers of one run, a process for each of its jobs, as if they were one: ready
 * when all are ready, armed when all are armed, at its end when all are.  A job that
 * fails or does not start stops the others; one that is gone failed.  They are
 * prepared one after the other, as fio does, because they may share files.
 */
#ifndef VOLLEY_AGENT_TEAM_H
#define VOLLEY_AGENT_TEAM_H

#include "agent/worker-link.h"

struct team;

struct team_job {
	const struct order_job *job; /* copied */
	uint64_t duration_ns; /* as for worker_spawn */
};

/*
 * `ops` as for one worker.  FAILED names the job when there are several.  `spec` is
 * what all jobs have in common; its lists and `program` are borrowed for the team's
 * life.
 */
int team_spawn(struct team **ret, struct event_base *base, const char *program,
    const struct link_spec *spec, const struct team_job *jobs, size_t n, const struct worker_ops *ops, void *arg,
    struct err *err);
/* A worker that cannot be told has ended, and its end is told. */
void team_tell(struct team *team, enum link_kind kind, uint64_t value);
void team_kill(struct team *team);
/* No more callbacks; the processes may live on. */
void team_detach(struct team *team);

/* Each job's figures; their sum when there are several. */
struct tally *team_tally(const struct team *team);
void team_sample(const struct team *team, struct sample *ret);
void team_layout(const struct team *team, uint64_t *ret_done, uint64_t *ret_total);

#endif
