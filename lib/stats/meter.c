/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Laying out a meter, and reading it.  Everything that a reader touches is
 * loaded as a relaxed atomic: the writer may be at work.
 */
#include "lib/stats/meter.h"

#include <string.h>

#include "lib/base/mem.h"
#include "lib/stats/tally.h"

#define CACHE_LINE 64u

static uint64_t
parts_of(uint64_t duration_ns, uint64_t part_ns)
{
	uint64_t parts = duration_ns / part_ns + (duration_ns % part_ns != 0);

	return parts ? parts : 1;
}

size_t
meter_size(uint64_t duration_ns)
{
	size_t size = sizeof(struct meter);

	size += DIR_COUNT * parts_of(duration_ns, SLOT_NS) * sizeof(struct slot);
	size += DIR_COUNT * parts_of(duration_ns, HEAT_NS) * sizeof(struct heat);
	return (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

void
meter_init(struct meter *meter, uint64_t duration_ns)
{
	memset(meter, 0, meter_size(duration_ns));
	meter_store(&meter->window_to, UINT64_MAX);
	meter_store(&meter->slot_cap, parts_of(duration_ns, SLOT_NS));
	meter_store(&meter->heat_cap, parts_of(duration_ns, HEAT_NS));
}

void
meter_window(
    struct meter *meter, uint64_t start_ns, uint64_t window_from, uint64_t window_to)
{
	meter_store(&meter->start_ns, start_ns);
	meter_store(&meter->window_from, window_from);
	meter_store(&meter->window_to, window_to);
}

void
meter_record_sync(struct meter *meter, uint64_t from, uint64_t to)
{
	uint64_t since = meter_span(meter_load(&meter->start_ns), to);

	if (since >= meter_load(&meter->window_from) &&
	    since < meter_load(&meter->window_to))
		meter_hist_add(&meter->dir[DIR_WRITE].sync, meter_span(from, to));
}

static void
set_hist(struct hist *live, const struct hist *from)
{
	meter_store(&live->sum, from->sum);
	meter_store(&live->sumsq_lo, from->sumsq_lo);
	meter_store(&live->sumsq_hi, from->sumsq_hi);
	meter_store(&live->min, from->min);
	meter_store(&live->max, from->max);
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		meter_store(&live->bucket[i], from->bucket[i]);
	meter_store(&live->count, from->count);
}

static void
set_slots(struct meter *meter, enum dir dir, const struct dir_tally *from)
{
	struct slot *live = meter_slots(meter, dir);
	uint64_t cap = meter_load(&meter->slot_cap), beyond = from->slot_overflow;

	for (size_t i = 0; i < from->slots.n; i++) {
		if (i >= cap) {
			beyond += from->slots.v[i].ios;
			continue;
		}
		meter_store(&live[i].ios, from->slots.v[i].ios);
		meter_store(&live[i].bytes, from->slots.v[i].bytes);
		meter_store(&live[i].lat_ns, from->slots.v[i].lat_ns);
	}
	meter_store(&meter->dir[dir].slot_overflow, beyond);
}

void
meter_set(struct meter *meter, enum dir dir, const struct dir_tally *from)
{
	struct meter_dir *live = &meter->dir[dir];

	for (int i = 0; i < METER_PHASES; i++) {
		meter_store(&live->phase[i].ios, from->phase[i].ios);
		meter_store(&live->phase[i].bytes, from->phase[i].bytes);
	}
	set_hist(&live->slat, &from->slat);
	set_hist(&live->clat, &from->clat);
	set_hist(&live->lat, &from->lat);
	set_hist(&live->drain, &from->drain);
	set_hist(&live->response, &from->response);
	set_hist(&live->sync, &from->sync);
	set_slots(meter, dir, from);
	meter_store(&live->from_ns, from->times.last_from_ns);
	meter_store(&live->to_ns, from->times.first_to_ns);
	meter_store(&live->busy_ns, from->times.busy_ns);
}

void
meter_record_stage(struct meter *meter, enum dir dir, uint64_t from, uint64_t to)
{
	struct meter_dir *live = &meter->dir[dir];
	uint64_t since_from = meter_span(meter->start_ns, from);
	uint64_t since_to = meter_span(meter->start_ns, to);
	uint64_t inside_from = since_from, inside_to = since_to;

	if (inside_from < meter->window_from)
		inside_from = meter->window_from;
	if (inside_to > meter->window_to)
		inside_to = meter->window_to;
	if (live->to_ns == 0)
		meter_store(&live->from_ns, since_from);
	meter_bump(&live->busy_ns, meter_span(inside_from, inside_to));
	meter_store(&live->to_ns, since_to);
}

uint64_t
meter_ios(const struct meter *meter, enum dir dir)
{
	uint64_t ios = 0;

	for (int i = 0; i < METER_PHASES; i++)
		ios += meter_load(&meter->dir[dir].phase[i].ios);
	return ios;
}

uint64_t
meter_bytes(const struct meter *meter, enum dir dir)
{
	uint64_t bytes = 0;

	for (int i = 0; i < METER_PHASES; i++)
		bytes += meter_load(&meter->dir[dir].phase[i].bytes);
	return bytes;
}

uint64_t
meter_lat_sum(const struct meter *meter, enum dir dir)
{
	return meter_load(&meter->dir[dir].lat.sum);
}

static void
collect_hist(const struct hist *live, struct hist *into)
{
	struct hist copy;

	if (meter_load(&live->count) == 0)
		return;
	copy.sum = meter_load(&live->sum);
	copy.sumsq_lo = meter_load(&live->sumsq_lo);
	copy.sumsq_hi = meter_load(&live->sumsq_hi);
	copy.min = meter_load(&live->min);
	copy.max = meter_load(&live->max);
	copy.count = 0;
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		copy.bucket[i] = meter_load(&live->bucket[i]);
		copy.count += copy.bucket[i];
	}
	/* Another program may know no more than the sums. */
	if (copy.count == 0)
		copy.count = meter_load(&live->count);
	hist_merge(into, &copy);
}

static void
collect_slots(const struct meter *meter, enum dir dir, struct slots *into)
{
	const struct slot *live = meter_slots(meter, dir);
	struct slots copy = {.n = meter_load(&meter->slot_cap)};

	while (copy.n && meter_load(&live[copy.n - 1].ios) == 0)
		copy.n--;
	copy.v = mem_array(copy.n, sizeof *copy.v);
	for (size_t i = 0; i < copy.n; i++) {
		copy.v[i].ios = meter_load(&live[i].ios);
		copy.v[i].bytes = meter_load(&live[i].bytes);
		copy.v[i].lat_ns = meter_load(&live[i].lat_ns);
	}
	slots_merge(into, &copy);
	slots_free(&copy);
}

/* Copies one second; how many completions it holds. */
static uint64_t
copy_heat(const struct heat *live, struct heat *ret)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < HEAT_BUCKETS; i++) {
		ret->count[i] = __atomic_load_n(&live->count[i], __ATOMIC_RELAXED);
		sum += ret->count[i];
	}
	return sum;
}

static void
collect_heats(const struct meter *meter, enum dir dir, struct heats *into)
{
	const struct heat *live = meter_heats(meter, dir);
	size_t cap = meter_load(&meter->heat_cap);
	struct heats copy = {.v = mem_array(cap, sizeof *copy.v)};

	for (size_t i = 0; i < cap; i++)
		if (copy_heat(&live[i], &copy.v[i]) > 0)
			copy.n = i + 1;
	heats_merge(into, &copy);
	heats_free(&copy);
}

static void
collect_times(const struct meter_dir *live, struct dir_times *into)
{
	struct dir_times times = {.last_from_ns = meter_load(&live->from_ns),
	    .first_to_ns = meter_load(&live->to_ns),
	    .busy_ns = meter_load(&live->busy_ns)};

	times.own = times.first_to_ns != 0;
	dir_times_merge(into, &times);
}

void
meter_collect(const struct meter *meter, enum dir dir, struct dir_tally *into)
{
	const struct meter_dir *live = &meter->dir[dir];

	for (int i = 0; i < METER_PHASES; i++) {
		into->phase[i].ios += meter_load(&live->phase[i].ios);
		into->phase[i].bytes += meter_load(&live->phase[i].bytes);
	}
	collect_hist(&live->slat, &into->slat);
	collect_hist(&live->clat, &into->clat);
	collect_hist(&live->lat, &into->lat);
	collect_hist(&live->drain, &into->drain);
	collect_hist(&live->response, &into->response);
	collect_hist(&live->sync, &into->sync);
	collect_slots(meter, dir, &into->slots);
	collect_heats(meter, dir, &into->heats);
	into->slot_overflow += meter_load(&live->slot_overflow);
	collect_times(live, &into->times);
}
