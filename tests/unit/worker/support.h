/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the worker's tests share: a scratch folder, small files, and one client
 * that runs a job given as "name=value" lines to its end.
 */
#ifndef VOLLEY_TEST_WORKER_SUPPORT_H
#define VOLLEY_TEST_WORKER_SUPPORT_H

#include <check.h>

#include "agent/worker/board.h"
#include "agent/worker/client.h"
#include "agent/worker/link.h"

/* Runs the suite; the exit status. */
int suite_run(Suite *suite);

/* A fresh folder on a disk file system (O_DIRECT works there), removed at exit of
 * the test by scratch_remove. */
extern char scratch[256];
void scratch_make(void);
void scratch_remove(void);
/* "SCRATCH/name"; four static buffers in turn. */
const char *scratch_path(const char *name);
/* A file of `bytes` bytes of noise; returns its path. */
const char *scratch_file(const char *name, size_t bytes);

/* Spec that allows the scratch folder; `job` text is copied. */
struct link_spec spec_for(const char *job);

/* One client, driven by hand. */
struct trial {
	struct board board;
	struct client *client;
	struct err err;
	enum client_state state;
};

/* Starts and waits until it is ready or failed. */
void trial_prepare(struct trial *trial, struct link_spec spec);
/* Waits for the end. */
enum client_state trial_wait(struct trial *trial);
/* prepare, arm at once, go, wait; the tally is the caller's (tally_free). */
struct tally *trial_run(struct trial *trial, const char *job);
void trial_end(struct trial *trial);

#endif
