/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a thread that waits in reap is woken: by a signal (SIGURG, ignored by
 * default and used by nobody else) that the thread blocks except inside the
 * system call that waits.  So a wake is never lost, whether it comes before or
 * during the wait, and it costs no descriptor and no place in a queue.
 */
#ifndef VOLLEY_ENGINE_WAKE_H
#define VOLLEY_ENGINE_WAKE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct wake {
	pid_t tid;	  /* who is woken: the thread that called wake_init */
	bool was_blocked; /* the signal, before wake_init */
	sigset_t waiting; /* the mask for the waiting system call */
};

void wake_init(struct wake *wake);
void wake_fini(struct wake *wake);
/* From any thread or a signal handler. */
void wake_send(const struct wake *wake);

/* Waits for nothing but the clock or a wake: 0 at until_ns, or -EINTR. */
int wake_sleep(uint64_t until_ns);
/* What is left until until_ns (0 when past; about a century for UINT64_MAX). */
struct timespec wake_left(uint64_t until_ns);

#endif
