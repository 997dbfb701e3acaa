/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The agent's handle on a worker process: starts `volley-io worker`, speaks
 * worker/link.h with it, watches it end, and reads its board at any time.  It
 * never waits for the worker.
 */
#ifndef VOLLEY_AGENT_WORKER_LINK_H
#define VOLLEY_AGENT_WORKER_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/worker/link.h"
#include "lib/base/err.h"
#include "lib/stats/tally.h"
#include "lib/work/job.h"
#include "lib/work/orders.h"

struct event_base;
struct worker;

struct worker_ops {
	/* READY, ARMED, DONE, NOT_STARTED; FAILED with err. */
	void (*said)(void *arg, enum link_kind kind, const struct err *err);
	/* A log of the job, before DONE; `fd` is the callee's.  NULL: not wanted. */
	void (*log)(void *arg, const char *name, int fd);
	/* The process is gone; err tells how when it died of something. */
	void (*ended)(void *arg, const struct err *err);
};

/* `duration_ns`: what slots must cover after T.  The spec is encoded at once. */
int worker_spawn(struct worker **ret, struct event_base *base, const char *program,
    const struct job *job, const struct link_spec *spec, uint64_t duration_ns,
    const struct worker_ops *ops, void *arg, struct err *err);
int worker_tell(
    struct worker *worker, enum link_kind kind, uint64_t value, struct err *err);
void worker_kill(struct worker *worker);
/* No more callbacks: the handle frees itself when the process has ended. */
void worker_detach(struct worker *worker);

struct tally *worker_tally(const struct worker *worker);
void worker_sample(const struct worker *worker, struct sample *ret);
void worker_layout(
    const struct worker *worker, uint64_t *ret_done, uint64_t *ret_total);

#endif
