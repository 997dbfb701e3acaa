/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CLOCK_MONOTONIC at half its price: the processor's counter, tied to the clock
 * again after every millisecond, so that it never is more than some tens of ns
 * away from it.  One per thread.  Where the kernel itself does not trust the
 * counter (clocksource other than tsc, no invariant TSC, not x86-64), and whenever
 * the two disagree, every read is a read of the clock.
 *
 * A loop that reads more seldom than that gets the clock itself each time.
 */
#ifndef VOLLEY_WORKER_TICKS_H
#define VOLLEY_WORKER_TICKS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/clock.h"

struct ticks {
	uint64_t base, base_ns; /* one moment on both */
	uint64_t span;		/* counts after base for which mult holds; 0: none */
	uint64_t mult;		/* ns per count, times 2^32 */
	double rate;		/* counts per ns, from the first long interval; 0: unknown */
	bool usable;
};

void ticks_init(struct ticks *ticks);
/* Reads the clock and ties the counter to it. */
uint64_t ticks_tie(struct ticks *ticks);

#ifdef __x86_64__
static inline uint64_t ticks_count(void)
{
	return __builtin_ia32_rdtsc();
}
#else
static inline uint64_t ticks_count(void)
{
	return 0;
}
#endif

static inline uint64_t ticks_now(struct ticks *ticks)
{
	uint64_t passed = ticks_count() - ticks->base;

	if (__builtin_expect(passed >= ticks->span, 0))
		return ticks_tie(ticks);
	return ticks->base_ns + (passed * ticks->mult >> 32);
}

#endif
