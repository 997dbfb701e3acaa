/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When fio's I/Os completed: its bandwidth and IOPS logs as slots of 100 ms.  Pure.
 */
#ifndef VOLLEY_WORKER_FIO_LOG_H
#define VOLLEY_WORKER_FIO_LOG_H

#include <stdint.h>

#include "lib/stats/tally.h"

/* Of longer lines a series would look smoother than the I/O was. */
#define FIOLOG_LINE_MAX_MS 1000

struct fiolog_env {
	uint64_t begin_ns; /* since T: where the measured time of this thread begins */
	uint64_t ramp_ms, runtime_ms;
	uint64_t line_ms;      /* that a line averages; 0: a line is an I/O */
	uint64_t zero_ms;      /* of 1970: what the logs call begin_ns; 0: they do not */
	const char *iops, *bw; /* the logs' texts; of single I/Os any logs */
};

/*
 * Spreads the I/Os and bytes INSIDE over slots as the logs say: they give shares, the
 * counts are exact.  Nothing when there is no log of this direction, or its lines are
 * too long.
 */
void fiolog_slots(struct dir_tally *tally, enum dir dir, const struct fiolog_env *env);

#endif
