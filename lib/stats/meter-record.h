/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hot path of meter.h, inline because it runs once per I/O.  There is one
 * writer, so "load, add, store" needs no locked instruction; the relaxed atomics
 * only keep each 64-bit word whole for readers in other threads and processes.
 * Include meter.h instead.
 */
#ifndef VOLLEY_STATS_METER_RECORD_H
#define VOLLEY_STATS_METER_RECORD_H

static inline uint64_t meter_load(const uint64_t *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

static inline void meter_store(uint64_t *p, uint64_t value)
{
	__atomic_store_n(p, value, __ATOMIC_RELAXED);
}

static inline void meter_bump(uint64_t *p, uint64_t by)
{
	meter_store(p, meter_load(p) + by);
}

/* Clocks of one host do not run backwards; if one did, 0 and not 584 years. */
static inline uint64_t meter_span(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

static inline struct slot *meter_slots(const struct meter *meter, enum dir dir)
{
	return (struct slot *)(uintptr_t)meter->tail + dir * meter_load(&meter->slot_cap);
}

static inline struct heat *meter_heats(const struct meter *meter, enum dir dir)
{
	const struct slot *end = meter_slots(meter, DIR_COUNT);

	return (struct heat *)(uintptr_t)end + dir * meter_load(&meter->heat_cap);
}

static inline void meter_hist_add(struct hist *hist, uint64_t value)
{
	unsigned __int128 square = (unsigned __int128)value * value;
	uint64_t count = meter_load(&hist->count), lo;
	bool carry;

	meter_bump(&hist->bucket[hist_index(value)], 1);
	carry = __builtin_add_overflow(meter_load(&hist->sumsq_lo), (uint64_t)square, &lo);
	meter_store(&hist->sumsq_lo, lo);
	meter_bump(&hist->sumsq_hi, (uint64_t)(square >> 64) + carry);
	meter_bump(&hist->sum, value);
	if (count == 0 || value < meter_load(&hist->min))
		meter_store(&hist->min, value);
	if (value > meter_load(&hist->max))
		meter_store(&hist->max, value);
	meter_store(&hist->count, count + 1);
}

static inline void meter_place(struct meter *meter, const struct meter_io *io,
			       uint64_t since, uint64_t clat, uint64_t lat)
{
	uint64_t second = since / HEAT_NS, index = since / SLOT_NS;
	struct slot *slot;
	uint32_t *count;

	if (second < meter_load(&meter->heat_cap)) {
		count = &meter_heats(meter, io->dir)[second].count[heat_index(clat)];
		__atomic_store_n(count, __atomic_load_n(count, __ATOMIC_RELAXED) + 1,
				 __ATOMIC_RELAXED);
	}
	if (index >= meter_load(&meter->slot_cap)) {
		meter_bump(&meter->dir[io->dir].slot_overflow, 1);
		return;
	}
	slot = &meter_slots(meter, io->dir)[index];
	meter_bump(&slot->ios, 1);
	meter_bump(&slot->bytes, io->bytes);
	meter_bump(&slot->lat_ns, lat);
}

static inline void meter_record(struct meter *meter, const struct meter_io *io)
{
	uint64_t start_ns = meter_load(&meter->start_ns);
	/* Before T no slot exists: a time beyond all of them. */
	uint64_t since = io->done >= start_ns ? io->done - start_ns : UINT64_MAX;
	uint64_t lat = meter_span(io->start, io->done);
	uint64_t clat = io->has_slat ? meter_span(io->accepted, io->done) : lat;
	struct meter_dir *dir = &meter->dir[io->dir];
	enum meter_phase phase = METER_AFTER;

	if (io->done < start_ns || since < meter_load(&meter->window_from))
		phase = METER_BEFORE;
	else if (since < meter_load(&meter->window_to))
		phase = METER_INSIDE;
	meter_bump(&dir->phase[phase].ios, 1);
	meter_bump(&dir->phase[phase].bytes, io->bytes);
	meter_place(meter, io, since, clat, lat);
	if (phase == METER_AFTER)
		meter_hist_add(&dir->drain, lat);
	if (phase != METER_INSIDE)
		return;
	if (io->has_slat)
		meter_hist_add(&dir->slat, meter_span(io->start, io->accepted));
	meter_hist_add(&dir->clat, clat);
	meter_hist_add(&dir->lat, lat);
	if (io->intended)
		meter_hist_add(&dir->response, meter_span(io->intended, io->done));
}

#endif
