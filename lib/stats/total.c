/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adding up clients.  Times of different clients meet on one axis, ns since the
 * common T: a client's own times are moved by what its first I/O differs between
 * its clock and the controller's timebase.  Slots stay on the client's clock,
 * which is off by no more than the stated bound.
 */
#include "lib/stats/total.h"

#include <math.h>

#include "lib/base/units.h"

/* A span since T; times before T are negative. */
struct span {
	int64_t from, to;
};

static int64_t
clip(uint64_t ns)
{
	return ns > INT64_MAX ? INT64_MAX : (int64_t)ns;
}

/* A time of this client, moved to the common timebase. */
static int64_t
on_timebase(const struct total_client *client, uint64_t ns)
{
	int64_t shift = client->first_io_skewed_ns - client->tally->first_io_ns, moved;

	return __builtin_add_overflow(clip(ns), shift, &moved) ? clip(ns) : moved;
}

static double
per_second(uint64_t amount, uint64_t ns)
{
	return ns ? (double)amount * (double)UNITS_NS_PER_S / (double)ns : NAN;
}

/* First I/O (or the ramp's end) to the last completion, on the client's clock; or what
 * of it belonged to the direction. */
static uint64_t
measured_run(const struct tally *tally, enum dir dir)
{
	int64_t from = tally->first_io_ns, ramp = clip(tally->window_from);

	if (tally->dir[dir].times.own)
		return tally->dir[dir].times.busy_ns;

	if (!tally->has_first_io)
		return 0;
	from = from > ramp ? from : ramp;
	return clip(tally->end_ns) > from ? (uint64_t)(clip(tally->end_ns) - from) : 0;
}

static bool
windows_fixed(const struct total_client *clients, size_t n)
{
	const struct tally *first = clients[0].tally;

	for (size_t i = 0; i < n; i++) {
		const struct tally *tally = clients[i].tally;

		if (tally->window_to == UINT64_MAX ||
		    tally->window_from != first->window_from ||
		    (tally->window_to != first->window_to &&
			!(tally->window_own && first->window_own)))
			return false;
	}
	return true;
}

static struct tally *
merge(const struct total_client *clients, size_t n)
{
	struct tally *into = tally_new();

	for (size_t i = 0; i < n; i++)
		tally_merge(into, clients[i].tally, i == 0);
	return into;
}

static void
find_skew(struct total *ret, const struct total_client *clients, size_t n)
{
	int64_t low = INT64_MAX, high = INT64_MIN;
	int64_t lowest = INT64_MAX, highest = INT64_MIN;

	for (size_t i = 0; i < n; i++) {
		int64_t at = clients[i].first_io_skewed_ns;
		int64_t bound = clip(clients[i].bound_ns);

		if (!clients[i].tally->has_first_io)
			continue;
		ret->started++;
		low = at < low ? at : low;
		high = at > high ? at : high;
		lowest = at - bound < lowest ? at - bound : lowest;
		highest = at + bound > highest ? at + bound : highest;
	}
	ret->has_skew = ret->started > 0;
	if (ret->started < 2)
		return;
	ret->skew_ns = (uint64_t)(high - low);
	ret->skew_bound_ns = (uint64_t)(highest - lowest) - ret->skew_ns;
}

/* From the last client's first I/O to the first client's end, against the longest. */
static void
find_overlap(struct total *ret, const struct total_client *clients, size_t n)
{
	struct span common = {INT64_MIN, INT64_MAX};
	int64_t longest = 0, last_done = INT64_MIN;

	for (size_t i = 0; i < n; i++) {
		int64_t from = clients[i].first_io_skewed_ns;
		int64_t to = on_timebase(&clients[i], clients[i].tally->end_ns);

		if (!clients[i].tally->has_first_io)
			continue;
		common.from = from > common.from ? from : common.from;
		common.to = to < common.to ? to : common.to;
		last_done = to > last_done ? to : last_done;
		longest = to - from > longest ? to - from : longest;
	}
	if (ret->started == 0)
		return;
	ret->first_done_ns = common.to > 0 ? (uint64_t)common.to : 0;
	ret->last_done_ns = last_done > 0 ? (uint64_t)last_done : 0;
	if (ret->started == n && common.to > common.from)
		ret->overlap = (double)(common.to - common.from) / (double)longest;
}

/* Where this client's slots end because more completions found no room. */
static int64_t
slots_end(const struct tally *tally)
{
	int64_t end = INT64_MAX;

	for (int dir = 0; dir < DIR_COUNT; dir++) {
		int64_t covered = clip(tally->dir[dir].slots.n * SLOT_NS);

		if (tally->dir[dir].slot_overflow && covered < end)
			end = covered;
	}
	return end;
}

/* When the client was at it, on the common timebase: in one direction, or in any. */
static struct span
active(const struct total_client *client, enum dir dir)
{
	const struct tally *tally = client->tally;
	struct span ret = {client->first_io_skewed_ns,
	    on_timebase(client, tally->first_end_ns)};

	if (dir < DIR_COUNT && tally->dir[dir].times.own)
		ret = (struct span){
		    on_timebase(client, tally->dir[dir].times.last_from_ns),
		    on_timebase(client, tally->dir[dir].times.first_to_ns)};
	if (ret.from < clip(tally->window_from))
		ret.from = clip(tally->window_from);
	if (ret.to > clip(tally->window_to))
		ret.to = clip(tally->window_to);
	if (ret.to > slots_end(tally))
		ret.to = slots_end(tally);
	return ret;
}

struct common {
	uint64_t from_ns, ns; /* since T, whole slots; ns 0: none */
	uint64_t bound_ns;
};

/* Of one direction, or (DIR_COUNT) of all. */
static struct common
find_common(const struct total_client *clients, size_t n, enum dir dir)
{
	struct span common = {0, INT64_MAX};
	uint64_t start_bound = 0, end_bound = 0, from, to;
	struct common ret = {0};
	bool started = true;

	for (size_t i = 0; i < n; i++) {
		struct span own = active(&clients[i], dir);

		started = started && clients[i].tally->has_first_io;
		if (i == 0 || own.from > common.from) {
			common.from = own.from > 0 ? own.from : 0;
			start_bound = clients[i].bound_ns;
		}
		if (i == 0 || own.to < common.to) {
			common.to = own.to;
			end_bound = clients[i].bound_ns;
		}
	}
	ret.bound_ns = SLOT_NS + start_bound + end_bound;
	if (!started || common.to <= common.from)
		return ret;
	from = ((uint64_t)common.from + SLOT_NS - 1) / SLOT_NS * SLOT_NS;
	to = (uint64_t)common.to / SLOT_NS * SLOT_NS;
	ret.from_ns = from;
	ret.ns = to > from ? to - from : 0;
	return ret;
}

static void
find_window(struct total *ret, const struct total_client *clients, size_t n)
{
	struct common common = find_common(clients, n, DIR_COUNT);

	ret->window_bound_ns = common.bound_ns;
	ret->common_from_ns = common.from_ns;
	ret->common_ns = common.ns;
	if (!windows_fixed(clients, n)) {
		ret->window_kind = TOTAL_WINDOW_COMMON;
		ret->window_from = ret->common_from_ns;
		ret->window_ns = ret->common_ns;
		return;
	}
	ret->window_kind = TOTAL_WINDOW_FIXED;
	ret->latency_in_window = true;
	ret->window_from = clients[0].tally->window_from;
	ret->window_bound_ns = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t to = clients[i].tally->window_to;

		/* Windows of their own: over the longest, no rate is too high. */
		to = to > ret->window_from ? to - ret->window_from : 0;
		ret->window_ns = to > ret->window_ns ? to : ret->window_ns;
		if (clients[i].bound_ns > ret->window_bound_ns)
			ret->window_bound_ns = clients[i].bound_ns;
	}
}

/* The two figures that others call "all clients", of one direction. */
static void
add_unaligned(
    struct total_dir *ret, enum dir dir, const struct total_client *clients, size_t n)
{
	uint64_t ios = 0, bytes = 0, longest = 0;

	ret->sum_iops = ret->sum_bytes_per_s = 0;
	for (size_t i = 0; i < n; i++) {
		const struct dir_tally *own = &clients[i].tally->dir[dir];
		uint64_t run = measured_run(clients[i].tally, dir);
		uint64_t own_ios = own->phase[METER_INSIDE].ios;
		uint64_t own_bytes = own->phase[METER_INSIDE].bytes;

		if (!own->times.own) {
			own_ios += own->phase[METER_AFTER].ios;
			own_bytes += own->phase[METER_AFTER].bytes;
		}
		longest = run > longest ? run : longest;
		if (own_ios == 0)
			continue;
		ios += own_ios;
		bytes += own_bytes;
		ret->sum_iops += per_second(own_ios, run);
		ret->sum_bytes_per_s += per_second(own_bytes, run);
	}
	ret->fio_iops = per_second(ios, longest);
	ret->fio_bytes_per_s = per_second(bytes, longest);
}

/* Has completions, so it has slots, unless whoever did the I/O does not tell when. */
static bool
dir_has_slots(const struct dir_tally *dir)
{
	uint64_t ios = 0;

	for (int i = 0; i < METER_PHASES; i++)
		ios += dir->phase[i].ios;
	return ios == 0 || dir->slots.n > 0 || dir->slot_overflow > 0;
}

/* The window of a direction: that of all, unless a client has times of its own. */
static struct common
find_window_of(const struct total *total, enum dir dir,
    const struct total_client *clients, size_t n)
{
	bool own = false;

	for (size_t i = 0; i < n; i++)
		for (int d = 0; d < DIR_COUNT; d++)
			own = own || clients[i].tally->dir[d].times.own;
	if (own && total->window_kind == TOTAL_WINDOW_COMMON)
		return find_common(clients, n, dir);
	return (struct common){total->common_from_ns, total->common_ns, 0};
}

static void
total_direction(
    struct total *total, enum dir dir, const struct total_client *clients, size_t n)
{
	const struct dir_tally *all = &total->merged->dir[dir];
	struct total_dir *ret = &total->dir[dir];
	struct common window = find_window_of(total, dir, clients, n);
	struct slot common = slots_sum(
	    &all->slots, window.from_ns, window.from_ns + window.ns);
	bool slots_known = true;

	for (size_t i = 0; i < n; i++)
		slots_known = slots_known && dir_has_slots(&clients[i].tally->dir[dir]);
	ret->present = tally_has(total->merged, dir);
	ret->slat = &all->slat;
	ret->clat = &all->clat;
	ret->lat = &all->lat;
	ret->common_ios = common.ios;
	ret->common_bytes = common.bytes;
	ret->common_iops = slots_known ? per_second(common.ios, window.ns) : NAN;
	ret->common_bytes_per_s =
	    slots_known ? per_second(common.bytes, window.ns) : NAN;
	ret->window_from = total->window_from;
	ret->window_ns = total->window_ns;
	ret->ios = all->phase[METER_INSIDE].ios;
	ret->bytes = all->phase[METER_INSIDE].bytes;
	if (total->window_kind == TOTAL_WINDOW_COMMON) {
		ret->window_from = window.from_ns;
		ret->window_ns = window.ns;
		ret->ios = common.ios;
		ret->bytes = common.bytes;
	}
	ret->iops = per_second(ret->ios, ret->window_ns);
	ret->bytes_per_s = per_second(ret->bytes, ret->window_ns);
	if (total->window_kind == TOTAL_WINDOW_COMMON && !slots_known)
		ret->iops = ret->bytes_per_s = NAN;
	add_unaligned(ret, dir, clients, n);
}

void
total_compute(struct total *ret, const struct total_client *clients, size_t n)
{
	uint64_t inside = 0;

	*ret = (struct total){.clients = n, .merged = merge(clients, n)};
	find_skew(ret, clients, n);
	find_overlap(ret, clients, n);
	find_window(ret, clients, n);
	for (int dir = 0; dir < DIR_COUNT; dir++) {
		total_direction(ret, (enum dir)dir, clients, n);
		inside += ret->merged->dir[dir].phase[METER_INSIDE].ios;
	}
	ret->outstanding = ret->merged->outstanding;
	ret->outstanding_share = NAN;
	if (inside + ret->outstanding > 0)
		ret->outstanding_share =
		    (double)ret->outstanding / (double)(inside + ret->outstanding);
}

void
total_free(struct total *total)
{
	tally_free(total->merged);
	*total = (struct total){0};
}
