/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The meter: phases at their edges, what enters which histogram, slots and
 * heats, what is not placed, layout to the last byte, collecting.
 */
#include "lib/stats/meter.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "lib/stats/tally.h"
#include "tests/unit/suite.h"

#define MS UINT64_C(1000000)
#define T (UINT64_C(77) * 1000 * MS) /* start instant */

/* A meter of exactly its size, so that the sanitizer sees a step too far. */
static struct meter *
meter_made(uint64_t duration_ns, uint64_t from, uint64_t to)
{
	struct meter *meter = malloc(meter_size(duration_ns));

	memset(meter, 0xa5, meter_size(duration_ns));
	meter_init(meter, duration_ns);
	meter_window(meter, T, from, to);
	return meter;
}

/* A read of 4 KiB that was done at T + at: slat 100, clat 900 ns. */
static void
read_done(struct meter *meter, uint64_t at)
{
	struct meter_io io = {.dir = DIR_READ,
	    .bytes = 4096,
	    .has_slat = true,
	    .start = T + at - 1000,
	    .accepted = T + at - 900,
	    .done = T + at};

	meter_record(meter, &io);
}

START_TEST(phases_are_half_open)
{
	struct meter *meter = meter_made(1000 * MS, 200 * MS, 500 * MS);
	const struct meter_dir *dir = &meter->dir[DIR_READ];

	read_done(meter, 0);
	read_done(meter, 200 * MS - 1);
	ck_assert_uint_eq(dir->phase[METER_BEFORE].ios, 2);
	ck_assert_uint_eq(dir->phase[METER_INSIDE].ios, 0);
	read_done(meter, 200 * MS);
	read_done(meter, 500 * MS - 1);
	ck_assert_uint_eq(dir->phase[METER_INSIDE].ios, 2);
	ck_assert_uint_eq(dir->phase[METER_AFTER].ios, 0);
	read_done(meter, 500 * MS);
	read_done(meter, 501 * MS);
	read_done(meter, 502 * MS);
	ck_assert_uint_eq(dir->phase[METER_BEFORE].ios, 2);
	ck_assert_uint_eq(dir->phase[METER_INSIDE].ios, 2);
	ck_assert_uint_eq(dir->phase[METER_AFTER].ios, 3);
	ck_assert_uint_eq(dir->phase[METER_AFTER].bytes, 3 * 4096);
	/* Latency of a result is over the same I/Os as its rate. */
	ck_assert_uint_eq(dir->slat.count, 2);
	ck_assert_uint_eq(dir->clat.count, 2);
	ck_assert_uint_eq(dir->lat.count, 2);
	ck_assert_uint_eq(dir->drain.count, 3);
	ck_assert_uint_eq(dir->response.count, 0);
	ck_assert_uint_eq(meter_ios(meter, DIR_READ), 7);
	ck_assert_uint_eq(meter_bytes(meter, DIR_READ), 7 * 4096);
	ck_assert_uint_eq(meter_lat_sum(meter, DIR_READ), 2000);
	ck_assert_uint_eq(meter_ios(meter, DIR_WRITE), 0);
	free(meter);
}
END_TEST

START_TEST(size_bound_has_no_after)
{
	struct meter *meter = meter_made(1000 * MS, 0, UINT64_MAX);

	read_done(meter, 0);
	read_done(meter, 900 * MS);
	read_done(meter, UINT64_C(100000000) * MS);
	ck_assert_uint_eq(meter->dir[DIR_READ].phase[METER_INSIDE].ios, 3);
	ck_assert_uint_eq(meter->dir[DIR_READ].slot_overflow, 1);
	free(meter);
}
END_TEST

START_TEST(latencies_of_an_io)
{
	struct meter *meter = meter_made(1000 * MS, 0, 1000 * MS);
	struct meter_io io = {.dir = DIR_WRITE,
	    .bytes = 512,
	    .has_slat = true,
	    .intended = T + 10,
	    .start = T + 1000,
	    .accepted = T + 1300,
	    .done = T + 5000};
	const struct meter_dir *dir = &meter->dir[DIR_WRITE];

	meter_record(meter, &io);
	ck_assert_uint_eq(dir->slat.sum, 300);
	ck_assert_uint_eq(dir->clat.sum, 3700);
	ck_assert_uint_eq(dir->lat.sum, 4000);
	ck_assert_uint_eq(dir->response.sum, 4990);
	ck_assert_uint_eq(dir->lat.sumsq_lo, 16000000);
	/* Synchronous: no slat, clat is all of lat, `accepted` is not looked at. */
	io.has_slat = false;
	io.intended = 0;
	io.accepted = 1;
	meter_record(meter, &io);
	ck_assert_uint_eq(dir->slat.count, 1);
	ck_assert_uint_eq(dir->clat.sum, 3700 + 4000);
	ck_assert_uint_eq(dir->clat.min, 3700);
	ck_assert_uint_eq(dir->clat.max, 4000);
	ck_assert_uint_eq(dir->lat.sum, 8000);
	ck_assert_uint_eq(dir->response.count, 1);
	meter_record_sync(meter, T + 5, T + 12350);
	ck_assert_uint_eq(dir->sync.count, 1);
	ck_assert_uint_eq(dir->sync.sum, 12345);
	ck_assert_uint_eq(meter->dir[DIR_READ].sync.count, 0);
	free(meter);
}
END_TEST

/* Neither those of the ramp nor of the drain. */
START_TEST(syncs_of_the_window)
{
	struct meter *meter = meter_made(1000 * MS, 100 * MS, 500 * MS);
	const struct hist *sync = &meter->dir[DIR_WRITE].sync;

	meter_record_sync(meter, T, T + 100 * MS - 1);
	meter_record_sync(meter, T + 490 * MS, T + 500 * MS);
	ck_assert_uint_eq(sync->count, 0);
	meter_record_sync(meter, T + 99 * MS, T + 100 * MS);
	meter_record_sync(meter, T + 490 * MS, T + 500 * MS - 1);
	ck_assert_uint_eq(sync->count, 2);
	ck_assert_uint_eq(sync->sum, 11 * MS - 1);
	free(meter);
}
END_TEST

START_TEST(no_negative_latency)
{
	struct meter *meter = meter_made(1000 * MS, 0, 1000 * MS);
	struct meter_io io = {.dir = DIR_READ,
	    .bytes = 1,
	    .has_slat = true,
	    .start = T + 100,
	    .accepted = T + 90,
	    .done = T + 80};

	meter_record(meter, &io);
	ck_assert_uint_eq(meter->dir[DIR_READ].slat.max, 0);
	ck_assert_uint_eq(meter->dir[DIR_READ].clat.max, 0);
	ck_assert_uint_eq(meter->dir[DIR_READ].lat.max, 0);
	free(meter);
}
END_TEST

START_TEST(before_the_instant)
{
	struct meter *meter = meter_made(1000 * MS, 0, UINT64_MAX);
	struct meter_io io = {
	    .dir = DIR_READ, .bytes = 9, .start = T - 50, .done = T - 1};

	meter_record(meter, &io);
	ck_assert_uint_eq(meter->dir[DIR_READ].phase[METER_BEFORE].ios, 1);
	ck_assert_uint_eq(meter->dir[DIR_READ].slot_overflow, 1);
	ck_assert_uint_eq(meter->dir[DIR_WRITE].slot_overflow, 0);
	ck_assert_uint_eq(meter_bytes(meter, DIR_READ), 9);
	ck_assert_uint_eq(meter->dir[DIR_READ].lat.count, 0);
	free(meter);
}
END_TEST

START_TEST(slots_and_heats_by_completion)
{
	struct meter *meter = meter_made(2500 * MS, 0, 2000 * MS);
	struct dir_tally *tally = mem_alloc(sizeof *tally);

	ck_assert_uint_eq(meter->slot_cap, 25);
	ck_assert_uint_eq(meter->heat_cap, 3);
	read_done(meter, 100 * MS - 1);
	read_done(meter, 100 * MS);
	read_done(meter, 100 * MS + 5);
	read_done(meter, 1000 * MS);
	read_done(meter, 2300 * MS); /* drain, in slots all the same */
	read_done(meter, 2500 * MS); /* beyond them */
	meter_collect(meter, DIR_READ, tally);
	ck_assert_uint_eq(tally->slots.n, 24);
	ck_assert_uint_eq(tally->slots.v[0].ios, 1);
	ck_assert_uint_eq(tally->slots.v[1].ios, 2);
	ck_assert_uint_eq(tally->slots.v[1].bytes, 8192);
	ck_assert_uint_eq(tally->slots.v[1].lat_ns, 2000);
	ck_assert_uint_eq(tally->slots.v[2].ios, 0);
	ck_assert_uint_eq(tally->slots.v[10].ios, 1);
	ck_assert_uint_eq(tally->slots.v[23].ios, 1);
	ck_assert_uint_eq(tally->slot_overflow, 1);
	/* clat 900 lies in [896, 1024): bucket 3.  The last heat reaches to 3 s. */
	ck_assert_uint_eq(heat_index(900), 3);
	ck_assert_uint_eq(tally->heats.n, 3);
	ck_assert_uint_eq(tally->heats.v[0].count[3], 3);
	ck_assert_uint_eq(tally->heats.v[1].count[3], 1);
	ck_assert_uint_eq(tally->heats.v[2].count[3], 2);
	dir_tally_free(tally);
	free(tally);
	free(meter);
}
END_TEST

/* First and last slot and heat of both directions; none touches another. */
START_TEST(layout)
{
	struct meter *meter = meter_made(1000 * MS, 0, 1000 * MS);
	struct meter_io io = {.bytes = 1, .start = T};

	ck_assert_uint_eq(meter_size(1000 * MS) % 64, 0);
	ck_assert_uint_ge(meter_size(1000 * MS), sizeof *meter + 2 * 10 * 24 + 2 * 512);
	ck_assert_uint_lt(
	    meter_size(1000 * MS), sizeof *meter + 2 * 10 * 24 + 2 * 512 + 64);
	for (int dir = 0; dir < DIR_COUNT; dir++) {
		io.dir = (enum dir)dir;
		io.done = T;
		meter_record(meter, &io);
		io.done = T + 1000 * MS - 1;
		meter_record(meter, &io);
	}
	for (int dir = 0; dir < DIR_COUNT; dir++) {
		struct dir_tally *tally = mem_alloc(sizeof *tally);
		uint64_t heat = 0;

		meter_collect(meter, (enum dir)dir, tally);
		ck_assert_uint_eq(tally->slots.n, 10);
		ck_assert_uint_eq(tally->slots.v[0].ios, 1);
		ck_assert_uint_eq(tally->slots.v[9].ios, 1);
		ck_assert_uint_eq(tally->heats.n, 1);
		for (unsigned i = 0; i < HEAT_BUCKETS; i++)
			heat += tally->heats.v[0].count[i];
		ck_assert_uint_eq(heat, 2);
		ck_assert_uint_eq(tally->phase[METER_INSIDE].ios, 2);
		dir_tally_free(tally);
		free(tally);
	}
	free(meter);
}
END_TEST

START_TEST(shortest_meter)
{
	struct meter *meter = meter_made(0, 0, UINT64_MAX);

	ck_assert_uint_eq(meter->slot_cap, 1);
	ck_assert_uint_eq(meter->heat_cap, 1);
	ck_assert_uint_eq(meter_size(1), meter_size(100 * MS));
	read_done(meter, 50);
	read_done(meter, 100 * MS);
	ck_assert_uint_eq(meter->dir[DIR_READ].slot_overflow, 1);
	free(meter);
}
END_TEST

START_TEST(nothing_collected_of_nothing)
{
	struct meter *meter = meter_made(1000 * MS, 0, 1000 * MS);
	struct dir_tally *tally = mem_alloc(sizeof *tally);

	meter_collect(meter, DIR_READ, tally);
	ck_assert_uint_eq(tally->slots.n, 0);
	ck_assert_uint_eq(tally->heats.n, 0);
	ck_assert_uint_eq(tally->lat.count, 0);
	dir_tally_free(tally);
	free(tally);
	free(meter);
}
END_TEST

/* Random I/Os into a meter and, by the plain code, into a reference. */
START_TEST(equals_the_plain_code)
{
	struct meter *meter = meter_made(5000 * MS, 1000 * MS, 4000 * MS);
	struct dir_tally *got = mem_alloc(sizeof *got), *want = mem_alloc(sizeof *want);
	struct rng rng;

	rng_seed(&rng, 31);
	for (int i = 0; i < 50000; i++) {
		uint64_t at = rng_below(&rng, 5000 * MS);
		uint64_t lat = rng_u64(&rng) >> (29 + rng_below(&rng, 30));
		struct meter_io io = {.dir = DIR_WRITE, .bytes = 1 + (uint32_t)i};
		enum meter_phase phase = at < 1000 * MS   ? METER_BEFORE
					 : at < 4000 * MS ? METER_INSIDE
							  : METER_AFTER;

		io.done = T + at;
		io.start = io.done - lat;
		meter_record(meter, &io);
		want->phase[phase].ios++;
		want->phase[phase].bytes += io.bytes;
		if (phase == METER_INSIDE) {
			hist_add(&want->clat, lat, 1);
			hist_add(&want->lat, lat, 1);
		} else if (phase == METER_AFTER)
			hist_add(&want->drain, lat, 1);
	}
	meter_collect(meter, DIR_WRITE, got);
	ck_assert_int_eq(memcmp(got->phase, want->phase, sizeof got->phase), 0);
	ck_assert_int_eq(memcmp(&got->lat, &want->lat, sizeof got->lat), 0);
	ck_assert_int_eq(memcmp(&got->clat, &want->clat, sizeof got->clat), 0);
	ck_assert_int_eq(memcmp(&got->drain, &want->drain, sizeof got->drain), 0);
	ck_assert_uint_ne(got->lat.sumsq_hi, 0);
	ck_assert_uint_eq(slots_sum(&got->slots, 1000 * MS, 4000 * MS).ios,
	    want->phase[METER_INSIDE].ios);
	ck_assert_uint_eq(slots_sum(&got->slots, 1000 * MS, 4000 * MS).bytes,
	    want->phase[METER_INSIDE].bytes);
	ck_assert_uint_eq(
	    slots_sum(&got->slots, 1000 * MS, 4000 * MS).lat_ns, want->lat.sum);
	dir_tally_free(got);
	free(got);
	free(want);
	free(meter);
}
END_TEST

/* Threads of a client add up. */
START_TEST(collect_adds)
{
	struct meter *a = meter_made(1000 * MS, 0, 1000 * MS);
	struct meter *b = meter_made(1000 * MS, 0, 1000 * MS);
	struct dir_tally *tally = mem_alloc(sizeof *tally);

	read_done(a, 50 * MS);
	read_done(b, 50 * MS);
	read_done(b, 950 * MS);
	meter_collect(a, DIR_READ, tally);
	meter_collect(b, DIR_READ, tally);
	ck_assert_uint_eq(tally->phase[METER_INSIDE].ios, 3);
	ck_assert_uint_eq(tally->lat.count, 3);
	ck_assert_uint_eq(tally->slots.n, 10);
	ck_assert_uint_eq(tally->slots.v[0].ios, 2);
	ck_assert_uint_eq(tally->slots.v[9].ios, 1);
	dir_tally_free(tally);
	free(tally);
	free(a);
	free(b);
}
END_TEST

/* What another program counted is read as if the meter had counted it; set again, it
 * is replaced.  Sums without buckets stay sums. */
START_TEST(set_takes_the_place)
{
	struct meter *meter = meter_made(300 * MS, 0, 300 * MS);
	struct dir_tally *from = mem_alloc(sizeof *from);
	struct dir_tally *got = mem_alloc(sizeof *got);

	from->phase[METER_INSIDE].ios = 5;
	from->phase[METER_INSIDE].bytes = 5 * 4096;
	hist_add(&from->clat, 1000, 5);
	from->lat = (struct hist){.count = 5, .sum = 6000, .min = 1000, .max = 2000};
	from->slots = (struct slots){mem_array(4, sizeof(struct slot)), 4};
	from->slots.v[1].ios = 4;
	from->slots.v[3].ios = 1; /* there is room for 300 ms */
	meter_set(meter, DIR_READ, from);
	meter_set(meter, DIR_READ, from);
	meter_collect(meter, DIR_READ, got);
	ck_assert_int_eq(memcmp(got->phase, from->phase, sizeof got->phase), 0);
	ck_assert_int_eq(memcmp(&got->clat, &from->clat, sizeof got->clat), 0);
	ck_assert_uint_eq(got->lat.count, 5);
	ck_assert_uint_eq(got->lat.sum, 6000);
	ck_assert(!hist_has_buckets(&got->lat));
	ck_assert_uint_eq(got->slots.n, 2);
	ck_assert_uint_eq(got->slots.v[1].ios, 4);
	ck_assert_uint_eq(got->slot_overflow, 1);
	ck_assert_uint_eq(meter_ios(meter, DIR_READ), 5);
	ck_assert_uint_eq(meter_lat_sum(meter, DIR_READ), 6000);
	dir_tally_free(from);
	dir_tally_free(got);
	free(from);
	free(got);
	free(meter);
}
END_TEST

/* Two passes, each inside its direction; the ramp and what is beyond do not count. */
START_TEST(stages_add_up)
{
	struct meter *meter = meter_made(10000 * MS, 100 * MS, 900 * MS);
	struct dir_tally *got = mem_alloc(sizeof *got);

	meter_collect(meter, DIR_WRITE, got);
	ck_assert(!got->times.own);
	meter_record_stage(meter, DIR_WRITE, meter->start_ns, meter->start_ns + 300 * MS);
	meter_record_stage(
	    meter, DIR_WRITE, meter->start_ns + 700 * MS, meter->start_ns + 1000 * MS);
	meter_collect(meter, DIR_WRITE, got);
	ck_assert(got->times.own);
	ck_assert_uint_eq(got->times.last_from_ns, 0);
	ck_assert_uint_eq(got->times.first_to_ns, 1000 * MS);
	ck_assert_uint_eq(got->times.busy_ns, (200 + 200) * MS);
	dir_times_merge(&got->times, &(struct dir_times){true, 7, 8, 9});
	ck_assert_uint_eq(got->times.last_from_ns, 7);
	ck_assert_uint_eq(got->times.first_to_ns, 8);
	ck_assert_uint_eq(got->times.busy_ns, 400 * MS);
	dir_tally_free(got);
	free(got);
	free(meter);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("meter", phases_are_half_open, size_bound_has_no_after,
	    latencies_of_an_io, no_negative_latency, syncs_of_the_window, before_the_instant,
	    slots_and_heats_by_completion, layout, shortest_meter,
	    nothing_collected_of_nothing, equals_the_plain_code, collect_adds,
	    stages_add_up, set_takes_the_place);
}
