/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watches the host's counters around a run: a snapshot before and after a calibrating
 * read once the files are there, one when the run is armed, one a little before its
 * start, one when it has ended and the counters had time to settle.
 */
#ifndef VOLLEY_AGENT_WITNESS_H
#define VOLLEY_AGENT_WITNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/stats/counters.h"
#include "lib/work/job.h"

struct agent_settings;
struct event_base;
struct witness;

typedef void witness_fn(void *arg);

/* `program` is volley-io; `settled` is called when the counters of a run are known.
 * What is given is borrowed for the witness's life. */
struct witness *witness_new(struct event_base *base,
    const struct agent_settings *settings, const char *program, witness_fn *settled,
    void *arg);
void witness_free(struct witness *witness);

/* A run begins; what was known of the one before is dropped. */
void witness_begin(struct witness *witness, uint64_t run_id);
/* One of its jobs. */
void witness_job(struct witness *witness, const struct job *job);
/* Its files are there.  `done` is called with the same `arg` as `settled`: at once, or
 * after the calibrating read of a mount whose data crosses a network; never when
 * another run has begun. */
void witness_ready(struct witness *witness, witness_fn *done);
/* For a start at `start_ns` of clock_ns(); again when it is another one. */
void witness_armed(struct witness *witness, uint64_t start_ns);
void witness_ended(struct witness *witness);

/* It has ended, and its counters are not known yet. */
bool witness_is_settling(const struct witness *witness, uint64_t run_id);
/* NULL: unknown. */
const struct counters *witness_counters(const struct witness *witness, uint64_t run_id);

#endif
