/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two clocks.  Everything is measured on CLOCK_MONOTONIC; wall time is only
 * printed.  The clock is never set.
 */
#ifndef VOLLEY_BASE_CLOCK_H
#define VOLLEY_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * UINT64_C(1000000000) + (uint64_t)ts.tv_nsec;
}

uint64_t clock_wall_ns(void); /* since 1970, UTC */
/* "2026-11-30T20:15:00Z" into buf. */
#define CLOCK_UTC_BUF 32
const char *clock_utc(char buf[CLOCK_UTC_BUF], uint64_t wall_ns);

#endif
