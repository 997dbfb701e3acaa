/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shell around run.c: carries out the state machine's actions with a real
 * worker, real timers and the real clock.  One runner per agent, one run at a time.
 */
#ifndef VOLLEY_AGENT_RUNNER_H
#define VOLLEY_AGENT_RUNNER_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/logs.h"
#include "agent/settings.h"
#include "lib/base/err.h"
#include "lib/stats/counters.h"
#include "lib/stats/tally.h"
#include "lib/work/orders.h"

struct event_base;
struct runner;

/* `changed` is called whenever the report is a new one. */
typedef void runner_changed_fn(void *arg);

/* `settings` and `worker_program` are borrowed for the runner's life. */
struct runner *runner_new(struct event_base *base,
    const struct agent_settings *settings, const char *worker_program,
    runner_changed_fn *changed, void *arg);
void runner_free(struct runner *runner); /* kills a worker that still runs */

/* Feeds an order; *ret is the answer to it (BUSY or NONE when refused). */
void runner_order(struct runner *runner, const struct order *order, struct report *ret);
/* The connection of the controller that owns the run came or went. */
void runner_link(struct runner *runner, bool up);
void runner_report(const struct runner *runner, struct report *ret);
/* NULL unless this run has a result. */
const struct tally *runner_result(const struct runner *runner, uint64_t run_id);
/* Part of a log of this run; a request past the last one drops them. */
int runner_log(struct runner *runner, const struct log_request *request,
    struct log_part *ret, uint8_t *buf, struct err *err);
/* The run has ended, and its counters come in a moment; `changed` tells. */
bool runner_is_settling(const struct runner *runner, uint64_t run_id);
/* NULL: unknown. */
const struct counters *runner_counters(const struct runner *runner, uint64_t run_id);
/* False unless this run is RUNNING. */
bool runner_sample(const struct runner *runner, uint64_t run_id, struct sample *ret);
/* Stops load and kills the worker at once: the daemon is ending. */
void runner_stop(struct runner *runner);

#endif
