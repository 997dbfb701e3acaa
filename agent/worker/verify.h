/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verification within one thread: blocks are stamped as they are written (stamp.h),
 * what was written is remembered, and read back
 *
 *   behind every verify_backlog writes, verify_backlog_batch of them, the oldest first;
 *   at the end of each pass over size (do_verify), all that is left.
 *
 * A job that only reads checks each of its reads instead; so does one with verify_only,
 * whose writes become reads.  The reads of a mixed job are not checked: they go where
 * nothing may have been written yet.  A block that was written over, in part or as a
 * whole, is checked as it was written last.
 *
 * What is wrong ends the job at once with verify_fatal, else at its end.
 */
#ifndef VOLLEY_WORKER_VERIFY_H
#define VOLLEY_WORKER_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/engine/engine.h"
#include "lib/base/err.h"
#include "lib/work/job.h"
#include "lib/work/pattern.h"

struct verify;

/* *ret NULL: the job asks for none.  `depth`: I/Os that can be in flight. */
int verify_new(struct verify **ret, const struct job *job, unsigned thread,
	       unsigned depth, uint64_t seed, struct err *err);
void verify_free(struct verify *verify);
/* Does it read back at the end of passes?  Then the pattern has to stop there. */
bool verify_reads_back(const struct verify *verify);

/* Instead of pattern_next. */
bool verify_next(struct verify *verify, struct pattern *pattern, struct pattern_io *ret);
/* The I/O that verify_next chose is about to start and holds its data. */
void verify_prepare(struct verify *verify, struct io *io, uint64_t age_ns);
/* It completed: `bytes` at `offset`.  False: what was read is wrong. */
bool verify_completed(struct verify *verify, const struct io *io, uint64_t offset,
		      uint32_t bytes);

/*
 * The pattern's pass is over and all is home.  True: there is something to read back,
 * which verify_next now gives; syncs the files and drops their cache before.
 */
bool verify_begin(struct verify *verify, const struct io_file *files, unsigned nfiles);
/* That is over; the next pass may begin. */
void verify_end(struct verify *verify);

/* -1 when anything was wrong: how much, and the first of it. */
int verify_result(const struct verify *verify, struct err *err);

#endif
