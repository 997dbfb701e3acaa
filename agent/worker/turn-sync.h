/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What puts written data onto the storage during a turn; far from its hot path.
 */
#ifndef VOLLEY_WORKER_TURN_SYNC_H
#define VOLLEY_WORKER_TURN_SYNC_H

#include "agent/worker/turn.h"

/* fsync, fdatasync or sync_file_range of one file, timed; a failure ends the turn. */
void turn_sync_file(struct turn *turn, struct io_file *file, enum turn_sync how);
/* A write of a job with sync_file_range was prepared; one may become due. */
void turn_widen_range(struct turn *turn, const struct io *io);

/* turn.c: the first error of the thread; ends submission. */
void turn_fail(struct turn *turn, int errnum, const char *what)
    __attribute__((cold, noinline));

#endif
