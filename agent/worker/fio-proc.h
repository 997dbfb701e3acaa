/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The real fio as a child process, in a process group of its own that ends with it,
 * and the folder in which it runs.
 */
#ifndef VOLLEY_WORKER_FIO_PROC_H
#define VOLLEY_WORKER_FIO_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "lib/base/err.h"
#include "lib/base/str.h"

struct fioproc {
	pid_t pid;	      /* 0: none */
	int pidfd;	      /* readable when it has ended */
	int out_fd, err_fd;   /* its output, non-blocking; -1: closed */
};

#define FIOPROC_INIT ((struct fioproc){.pidfd = -1, .out_fd = -1, .err_fd = -1})

/* The whole path of a program in PATH; caller frees. */
char *fioproc_find(const char *name, struct err *err);

/* Starts it.  It keeps the descriptors `keep`, runs in `folder` (-1: here), and is
 * killed when the calling *thread* ends, however that comes. */
int fioproc_start(struct fioproc *ret, char *const argv[], int folder, const int *keep,
		  size_t nkeep, struct err *err);
/* Adds what there is to read; closes at the end of file. */
void fioproc_read(int *fd, struct str *into);
/* Kills the whole group, waits for fio, reads the rest.  The status as of wait(). */
int fioproc_end(struct fioproc *proc, struct str *out, struct str *errors);
/* "status 1", "signal 9 (Killed)" behind "ended with" or "was killed by". */
void fioproc_describe(int status, struct str *ret);

/* What `fio --version` prints, within ten seconds; caller frees. */
char *fioproc_version(const char *path, struct err *err);

/* A private folder, locked as long as its descriptor is open; removes those of
 * workers that were killed. */
int fioproc_folder(char **ret_path, int *ret_fd, struct err *err);
/* With everything in it. */
void fioproc_remove_folder(const char *path);

#endif
