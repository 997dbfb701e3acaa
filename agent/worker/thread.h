/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The life of one job thread: prepare, park, wait for the instant, run.  It tells
 * its crew through the calls at the end of this header.
 */
#ifndef VOLLEY_WORKER_THREAD_H
#define VOLLEY_WORKER_THREAD_H

#include <pthread.h>

#include "agent/worker/crew.h"
#include "agent/worker/steadywatch.h"
#include "agent/worker/turn.h"

struct thread {
	struct crew *crew;
	unsigned index;
	pthread_t id;
	struct io_file *files; /* opened by the crew */
	unsigned nfiles, nopen; /* nopen: known to the engine */
	uint64_t delay_ns;     /* after T: startdelay */
	uint64_t append;       /* file_append: where its files end */
	bool running;	       /* turn.engine may be woken */
	struct steadywatch *watch; /* of the first thread, if the job wants one */
	struct turn turn;
};

/* The start routine; `arg` is a struct thread. */
void *thread_main(void *arg);

enum thread_end { THREAD_DONE, THREAD_FAILED, THREAD_NOT_STARTED };

/* Only some of its files are open at a time; it opens them itself. */
bool thread_opens_late(const struct thread *thread);

/* crew.c, called by threads: */
/* Opens a file of the thread as the job asks. */
int crew_open_file(struct crew *crew, struct thread *thread, unsigned file,
		   struct err *err);
/* The thread's files, closed, are made anew and opened. */
int crew_renew_files(struct crew *crew, struct thread *thread, struct err *err);
const struct crew_env *crew_env(const struct crew *crew);
uint32_t *crew_word(struct crew *crew); /* changes with every command */
void crew_prepared(struct crew *crew, const struct err *failure);
/* T came: was there a GO?  The same answer for every thread. */
bool crew_may_start(struct crew *crew);
/* Marks the thread's engine as one that a stop has to wake, or no longer. */
void crew_set_running(struct crew *crew, struct thread *thread, bool running);
void crew_ended(struct crew *crew, enum thread_end end, const struct err *failure);

#endif
