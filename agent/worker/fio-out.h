/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the real fio prints, as counts: its json+ documents (the final one, and those
 * it prints in between when asked).  Pure.
 */
#ifndef VOLLEY_WORKER_FIO_OUT_H
#define VOLLEY_WORKER_FIO_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/stats/tally.h"

/* One job of the document.  fio does not say which I/Os it drained: everything that
 * it counted after its ramp is INSIDE. */
struct fioout_thread {
	int error;		 /* errno of what ended it; 0: nothing did */
	uint64_t errors;	 /* I/Os that failed */
	uint64_t runtime_ms[DIR_COUNT]; /* drain included */
	uint64_t job_runtime_ms; /* what the CPU shares refer to */
	double user, sys;	 /* of one CPU, 1 is all of it; NAN: unknown */
	struct tally_usage usage;
	uint64_t latency_depth;	 /* which its latency_target found; 0: none */
	struct dir_tally dir[DIR_COUNT]; /* no slots, no heats */
};

struct fioout {
	size_t n;
	struct fioout_thread *threads;
};

/* Finds the first whole top-level object that begins a line: [*ret_from, *ret_to).
 * False: there is none yet; then everything before *ret_from is no part of one. */
bool fioout_next(const char *text, size_t len, size_t *ret_from, size_t *ret_to);
int fioout_parse(struct fioout *ret, const char *text, size_t len, struct err *err);
void fioout_free(struct fioout *out);

#endif
