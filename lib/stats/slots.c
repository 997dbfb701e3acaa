/* SPDX-License-Identifier: Apache-2.0 */
/* Adding up slots and heat maps of different lengths. */
#include "lib/stats/slots.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"

uint64_t
heat_lower(unsigned index)
{
	unsigned octave = HEAT_FIRST_OCTAVE + index / HEAT_PER_OCTAVE;

	if (index == 0)
		return 0;
	return (uint64_t)(HEAT_PER_OCTAVE + index % HEAT_PER_OCTAVE)
	       << (octave - HEAT_OCTAVE_BITS);
}

/* Lengthens an array of n items to `want`, the new ones zero. */
static void *
lengthen(void *v, size_t n, size_t want, size_t size)
{
	char *grown = mem_grow(v, want, size);

	memset(grown + n * size, 0, (want - n) * size);
	return grown;
}

void
slots_merge(struct slots *into, const struct slots *from)
{
	if (from->n > into->n) {
		into->v = lengthen(into->v, into->n, from->n, sizeof *into->v);
		into->n = from->n;
	}
	for (size_t i = 0; i < from->n; i++) {
		into->v[i].ios += from->v[i].ios;
		into->v[i].bytes += from->v[i].bytes;
		into->v[i].lat_ns += from->v[i].lat_ns;
	}
}

struct slot
slots_sum(const struct slots *slots, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t first = from_ns / SLOT_NS + (from_ns % SLOT_NS != 0);
	uint64_t end = to_ns / SLOT_NS;
	struct slot sum = {0};

	for (uint64_t i = first; i < end && i < slots->n; i++) {
		sum.ios += slots->v[i].ios;
		sum.bytes += slots->v[i].bytes;
		sum.lat_ns += slots->v[i].lat_ns;
	}
	return sum;
}

void
slots_free(struct slots *slots)
{
	free(slots->v);
	*slots = (struct slots){0};
}

/* A full counter stays full; it does not start again at 0. */
static void
heat_add(uint32_t *count, uint32_t more)
{
	if (__builtin_add_overflow(*count, more, count))
		*count = UINT32_MAX;
}

void
heats_merge(struct heats *into, const struct heats *from)
{
	if (from->n > into->n) {
		into->v = lengthen(into->v, into->n, from->n, sizeof *into->v);
		into->n = from->n;
	}
	for (size_t i = 0; i < from->n; i++)
		for (unsigned j = 0; j < HEAT_BUCKETS; j++)
			heat_add(&into->v[i].count[j], from->v[i].count[j]);
}

void
heats_free(struct heats *heats)
{
	free(heats->v);
	*heats = (struct heats){0};
}
