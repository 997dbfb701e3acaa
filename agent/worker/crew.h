/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All threads of one client: prepared and parked, armed for an instant, started
 * by the word GO, stopped, and counted at the end.
 */
#ifndef VOLLEY_WORKER_CREW_H
#define VOLLEY_WORKER_CREW_H

#include "agent/worker/board.h"
#include "agent/worker/files.h"
#include "agent/worker/guard.h"

struct crew;

struct crew_env {
	const struct job *job;
	struct guard *guard;
	const struct files *files; /* ignored by engines without files */
	struct board *board;
	unsigned first_number;	   /* of the threads, in seeds and names of logs; from 1 */
	struct logs *logs;	   /* NULL: logs are files, where the worker was started */
	const char *key;	   /* of the target, for engines that have one */
	/* Makes n files anew (unlink_each_loop); one call at a time. */
	int (*renew)(void *arg, size_t first, size_t n, struct err *err);
	void *renew_arg;
	int event_fd;		   /* gets 1 when the last thread has ended */
};

enum crew_end {
	CREW_RUNNING,	  /* not over yet */
	CREW_DONE,	  /* ran (or was stopped), no error */
	CREW_FAILED,	  /* at least one thread met an error */
	CREW_NOT_STARTED, /* T came without GO */
};

/* What a client asks of whoever does its I/O; `self` is what make() gave.  The calls
 * are those below. */
struct crew_ops {
	int (*make)(void **ret, const struct crew_env *env, struct err *err);
	void (*arm)(void *self, uint64_t start_ns);
	void (*go)(void *self);
	void (*stop)(void *self);
	enum crew_end (*poll)(void *self);
	unsigned (*failures)(void *self, struct err *ret_first);
	void (*free)(void *self);
};

extern const struct crew_ops crew_native; /* threads of this process */
extern const struct crew_ops crew_fio;	  /* the fio that is installed here */

/* Opens the files, makes the threads, returns when all are parked. */
int crew_new(struct crew **ret, const struct crew_env *env, struct err *err);
/* May be repeated with another T as long as none has started. */
void crew_arm(struct crew *crew, uint64_t start_ns);
void crew_go(struct crew *crew);
/* No more submits; threads that wait are woken. */
void crew_stop(struct crew *crew);
enum crew_end crew_poll(struct crew *crew);
/* After the end: how many threads failed, and the first error. */
unsigned crew_failures(struct crew *crew, struct err *ret_first);
/* Only when it has ended or never was armed; joins the threads. */
void crew_free(struct crew *crew);

#endif
