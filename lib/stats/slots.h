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
#define HEAT_PER_OCTAVE 4u
#define HEAT_FIRST_OCTAVE 9u  /* below 512 ns: bucket 0 */
#define HEAT_OCTAVES 32u      /* up to 2^41 ns (36 min): the last bucket */
#define HEAT_BUCKETS (HEAT_OCTAVES * HEAT_PER_OCTAVE)

struct slot {
	uint64_t ios, bytes, lat_ns; /* completed in it; sum of their lat */
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

unsigned heat_index(uint64_t clat_ns);
uint64_t heat_lower(unsigned index);

void slots_merge(struct slots *into, const struct slots *from); /* grows into */
/* Sums over slots that lie wholly inside [from_ns, to_ns) since T. */
struct slot slots_sum(const struct slots *slots, uint64_t from_ns, uint64_t to_ns);
void slots_free(struct slots *slots);
void heats_merge(struct heats *into, const struct heats *from);
void heats_free(struct heats *heats);

#endif
