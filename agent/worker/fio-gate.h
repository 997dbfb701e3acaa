/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The gate that holds a thread of fio until the start instant.  fio runs it as the
 * thread's exec_prerun: after the files, the memory and the random map of the thread
 * are set up, right before its clock starts.  As exec_postrun it tells when the
 * thread was through.
 *
 *   fio thread ── system() ──▶ volley-io fio-gate before 3 IN OUT
 *                                  │ "3 is here" ──▶ OUT ──▶ worker
 *                                  │ waits for a byte from IN
 *                                  ◀── one byte a thread, written at T
 *                                  │ "3 was let go at …" ──▶ OUT
 *   fio thread ◀── exit 0 ─────────┘
 *
 * Without its byte (the worker is gone, or let nobody start) it ends with 1, and fio
 * ends that thread without any I/O.
 */
#ifndef VOLLEY_WORKER_FIO_GATE_H
#define VOLLEY_WORKER_FIO_GATE_H

#include <stdint.h>

enum fiogate_what { FIOGATE_HERE, FIOGATE_LET_GO, FIOGATE_AFTER };

/* What goes through OUT. */
struct fiogate_word {
	uint32_t what, thread;
	uint64_t at_ns; /* CLOCK_MONOTONIC */
};

/* volley-io fio-gate before|after THREAD IN OUT; the exit status. */
int fiogate_main(int argc, char **argv);

#endif
