/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tying the counter to the clock.  The rate of the next millisecond is the one
 * measured over the last interval, which follows the kernel when it slews the clock.
 */
#include "agent/worker/ticks.h"

#include <stdio.h>
#include <string.h>

#ifdef __x86_64__
#include <cpuid.h>
#endif

#define TICKS_SPAN_NS 1e6     /* how long a rate holds */
#define TICKS_SHORTEST_NS 1e6 /* a rate is not taken from less */
#define TICKS_TOLERANCE 0.001 /* twice what the kernel may slew (500 ppm) */
#define TICKS_TRIES 5
#define TICKS_PAIR_MAX 600 /* counts between which the clock was read undisturbed */
#define TICKS_SOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

#ifdef __x86_64__
static bool
ticks_are_invariant(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
}
#else
static bool
ticks_are_invariant(void)
{
	return false;
}
#endif

static bool
ticks_kernel_trusts(void)
{
	FILE *f = fopen(TICKS_SOURCE, "re");
	char name[16];
	bool trusts = false;

	if (!f)
		return false;
	if (fgets(name, sizeof name, f))
		trusts = strcmp(name, "tsc\n") == 0;
	fclose(f);
	return trusts;
}

/* The clock, and the counter at the same moment; false: interrupted each time. */
static bool
ticks_pair(uint64_t *ret_count, uint64_t *ret_ns)
{
	for (int i = 0; i < TICKS_TRIES; i++) {
		uint64_t before = ticks_count(), after;

		*ret_ns = clock_ns();
		after = ticks_count();
		*ret_count = before + (after - before) / 2;
		if (after - before <= TICKS_PAIR_MAX)
			return true;
	}
	return false;
}

void
ticks_init(struct ticks *ticks)
{
	*ticks = (struct ticks){0};
	ticks->usable = ticks_are_invariant() && ticks_kernel_trusts();
	(void)ticks_tie(ticks);
}

uint64_t
ticks_tie(struct ticks *ticks)
{
	uint64_t count, ns;
	double passed_ns, rate;

	if (!ticks->usable)
		return clock_ns();
	if (!ticks_pair(&count, &ns))
		return ns;
	if (ticks->base_ns == 0) { /* the first of all */
		ticks->base = count;
		ticks->base_ns = ns;
		return ns;
	}
	passed_ns = (double)(ns - ticks->base_ns);
	if (passed_ns < TICKS_SHORTEST_NS)
		return ns;
	rate = (double)(count - ticks->base) / passed_ns;
	ticks->base = count;
	ticks->base_ns = ns;
	if (ticks->rate == 0)
		ticks->rate = rate;
	ticks->usable = rate > ticks->rate * (1 - TICKS_TOLERANCE) &&
			rate < ticks->rate * (1 + TICKS_TOLERANCE);
	ticks->span = ticks->usable ? (uint64_t)(rate * TICKS_SPAN_NS) : 0;
	ticks->mult = (uint64_t)(4294967296.0 / rate);
	return ns;
}
