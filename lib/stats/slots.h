/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completions per 100 ms since the start instant T, and a coarse clat heat map
 * per second.  Slots of different clients line up to their clocks' offset error,
 * so they can be added one by one.
 */
#ifndef VOLLEY_STATS_SLOTS_H
#define VOLLEY_STATS_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#define SLOT_NS UINT64_C(100000000)
#define HEAT_NS UINT64_C(1000000000)
#define HEAT_OCTAVE_BITS 2u
#define HEAT_PER_OCTAVE (1u << HEAT_OCTAVE_BITS)
#define HEAT_FIRST_OCTAVE 9u /* below 512 ns: bucket 0, which ends at 640 ns */
#define HEAT_OCTAVES 32u     /* from 2^41 ns (36 min) on: the last bucket */
#define HEAT_BUCKETS (HEAT_OCTAVES * HEAT_PER_OCTAVE)

struct slot {
	uint64_t ios, bytes, lat_ns; /* completed in it; sum of their lat (of another
				      * program's I/Os: 0, unknown) */
};

struct heat {
	uint32_t count[HEAT_BUCKETS]; /* completions by clat, one second */
};

/* n × 100 ms since T.  Owned arrays. */
struct slots {
	struct slot *v;
	size_t n;
};

struct heats {
	struct heat *v;
	size_t n; /* seconds since T */
};

static inline unsigned heat_index(uint64_t clat_ns)
{
	unsigned octave;

	if (clat_ns < UINT64_C(1) << HEAT_FIRST_OCTAVE)
		return 0;
	if (clat_ns >> (HEAT_FIRST_OCTAVE + HEAT_OCTAVES))
		return HEAT_BUCKETS - 1;
	octave = 63u - (unsigned)__builtin_clzll(clat_ns);
	return (octave - HEAT_FIRST_OCTAVE) * HEAT_PER_OCTAVE +
	       (unsigned)((clat_ns >> (octave - HEAT_OCTAVE_BITS)) & (HEAT_PER_OCTAVE - 1));
}

uint64_t heat_lower(unsigned index); /* smallest clat of a bucket */

void slots_merge(struct slots *into, const struct slots *from); /* grows into */
/* Sums over slots that lie wholly inside [from_ns, to_ns) since T. */
struct slot slots_sum(const struct slots *slots, uint64_t from_ns, uint64_t to_ns);
void slots_free(struct slots *slots);
void heats_merge(struct heats *into, const struct heats *from);
void heats_free(struct heats *heats);

#endif
