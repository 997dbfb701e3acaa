/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of one thread of which only some are open at a time (openfiles below
 * nrfiles): one that is needed is opened, and the one that was not needed for
 * longest is closed for it.  A file with I/O in flight is never closed; while all
 * are busy, more than `limit` may be open.
 */
#ifndef VOLLEY_WORKER_OPENER_H
#define VOLLEY_WORKER_OPENER_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/engine/engine.h"
#include "lib/base/err.h"

struct opener;

struct opener_env {
	struct engine *engine;
	struct io_file *files;
	unsigned nfiles, limit;
	bool syncs; /* fsync before a close */
	/* Sets files[file].fd, or fails. */
	int (*open)(void *arg, unsigned file, struct err *err);
	void *arg;
};

/* None of the files is open.  Opens the first `limit` of them. */
int opener_new(struct opener **ret, const struct opener_env *env, struct err *err);
/* Another I/O goes to the file: it is open from here on. */
int opener_use(struct opener *opener, unsigned file, struct err *err);
/* It came home. */
void opener_done(struct opener *opener, unsigned file);
unsigned opener_open_files(const struct opener *opener);
/* Closes all. */
void opener_free(struct opener *opener);

#endif
