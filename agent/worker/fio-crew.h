/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The real fio in the place of a client's threads.  One thread of the worker, the
 * minder, starts fio, holds it at its gates (fio-gate.h), lets it go at T, listens to
 * it and writes what it says to the board.  Only fio-*.c use this header; everybody
 * else has crew_fio (crew.h).
 */
#ifndef VOLLEY_WORKER_FIO_CREW_H
#define VOLLEY_WORKER_FIO_CREW_H

#include <pthread.h>

#include "agent/worker/crew.h"
#include "agent/worker/fio-out.h"
#include "agent/worker/fio-proc.h"
#include "agent/worker/iolog.h"
#include "lib/base/str.h"
#include "lib/base/vec.h"
#include "lib/work/runner-fio.h"

#define FIOCREW_LOG_PREFIX "log" /* of fio's logs in its folder */

/* What the gates said of one thread; 0: nothing yet. */
struct fiocrew_thread {
	uint64_t here_ns, let_go_ns, after_ns;
};

struct fiocrew {
	struct crew_env env;
	pthread_t minder;
	bool has_minder;
	uint32_t word;	/* counts commands; the minder waits for it to change */
	int stop_fd;	/* eventfd: readable after a stop */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool prepared;	/* or failed to */
	enum crew_end end;
	struct err err; /* of FAILED, or of preparing; ERR_NONE: nothing failed */

	/* The minder's alone: */
	char *program, *folder;
	char name[RUNNER_FIO_NAME_MAX]; /* "fio-3.33" */
	struct runner_fio_version version;
	int folder_fd, exe_fd, job_fd;
	int gate_fd[2];	  /* [0] is fio's */
	int report_fd[2]; /* [1] is fio's */
	VEC(int) files;	  /* one for each of env.files->paths; fio has them too */
	bool direct;
	struct fioproc proc;
	struct str out, chatter, errors; /* json; the other lines; stderr */
	struct fioout last;		 /* what the last document said */
	bool stopping, killed;
	struct fiocrew_thread *threads;
	uint64_t released_ns, ended_ns;	 /* the bytes were written; fio was gone */
	bool fifo;
};

/* fio-prepare.c: starts fio; it will come to its gates. */
int fiocrew_prepare(struct fiocrew *crew, struct err *err);
void fiocrew_release(struct fiocrew *crew);
/* Descriptors of files in a text of fio's become the names of the files. */
char *fiocrew_translate(const struct fiocrew *crew, const char *text);

/* fio-board.c: the planned window, counts while fio runs, everything at the end. */
void fiocrew_post_window(const struct fiocrew *crew, uint64_t start_ns);
void fiocrew_post_counts(const struct fiocrew *crew, const struct fioout *out);
/* fio-keep.c: its logs, whose names are of `kind` and thread; -1: there is none. */
int fiocrew_open_log(const struct fiocrew *crew, enum iolog_kind kind, unsigned t);
/* What the job wants of them goes where and under the name that volley's own would. */
int fiocrew_keep_logs(const struct fiocrew *crew, struct err *err);
/* fio-board.c too.  Adds slots to `out`, which it releases in the end. */
void fiocrew_post_end(const struct fiocrew *crew, struct fioout *out);

#endif
