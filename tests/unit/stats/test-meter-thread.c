/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread records while another reads: what the reader sees only grows and
 * hangs together, and nothing is lost.  Meant for ThreadSanitizer as well.
 */
#include "lib/stats/meter.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "lib/base/mem.h"
#include "lib/stats/tally.h"
#include "tests/unit/suite.h"

#define MS UINT64_C(1000000)
#define IOS UINT64_C(300000)
#define STEP UINT64_C(10000) /* ns between completions: 3 s in all */
#define READS 20             /* at least; the writer waits for the reader's first */

struct shared {
	struct meter *meter;
	atomic_bool reading; /* the reader has seen its first copy */
	atomic_bool done;
};

static void *
writer(void *arg)
{
	struct shared *shared = arg;

	for (uint64_t i = 0; i < IOS; i++) {
		struct meter_io io = {.dir = i % 2 ? DIR_WRITE : DIR_READ,
		    .bytes = 100,
		    .has_slat = true,
		    .start = i * STEP,
		    .accepted = i * STEP + 10,
		    .done = i * STEP + 1000 + i % 977};

		meter_record(shared->meter, &io);
		/* Not over before the reader took part. */
		while (i == IOS / 2 && !atomic_load(&shared->reading))
			sched_yield();
	}
	atomic_store(&shared->done, true);
	return NULL;
}

static uint64_t
buckets(const struct hist *hist)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		sum += hist->bucket[i];
	return sum;
}

/* One copy: consistent with itself, and not behind the one before. */
static void
look(const struct meter *meter, uint64_t *last_count, uint64_t *last_ios)
{
	struct dir_tally *tally = mem_alloc(sizeof *tally);
	uint64_t ios = meter_ios(meter, DIR_READ), bytes;

	meter_collect(meter, DIR_READ, tally);
	bytes = meter_bytes(meter, DIR_READ);
	ck_assert_uint_eq(tally->lat.count, buckets(&tally->lat));
	ck_assert_uint_ge(tally->lat.count, *last_count);
	ck_assert_uint_ge(ios, *last_ios);
	ck_assert_uint_ge(bytes + 100, ios * 100);
	ck_assert_uint_le(tally->lat.count, IOS / 2);
	if (tally->lat.count) {
		ck_assert(hist_percentile_any(&tally->lat, 50) >= 1000);
		ck_assert(hist_percentile_any(&tally->lat, 100) <= 1977);
	}
	*last_count = tally->lat.count;
	*last_ios = ios;
	dir_tally_free(tally);
	free(tally);
}

START_TEST(read_while_written)
{
	struct shared shared = {.meter = malloc(meter_size(4000 * MS))};
	struct dir_tally *tally = mem_alloc(sizeof *tally);
	uint64_t count = 0, ios = 0, sum = 0;
	pthread_t thread;

	meter_init(shared.meter, 4000 * MS);
	meter_window(shared.meter, 0, 0, 4000 * MS);
	ck_assert_int_eq(pthread_create(&thread, NULL, writer, &shared), 0);
	for (int i = 0; i < READS || !atomic_load(&shared.done); i++) {
		look(shared.meter, &count, &ios);
		if (count > 0)
			atomic_store(&shared.reading, true);
	}
	pthread_join(thread, NULL);
	for (uint64_t i = 0; i < IOS; i += 2)
		sum += 1000 + i % 977;
	meter_collect(shared.meter, DIR_READ, tally);
	ck_assert_uint_eq(tally->phase[METER_INSIDE].ios, IOS / 2);
	ck_assert_uint_eq(tally->phase[METER_INSIDE].bytes, IOS / 2 * 100);
	ck_assert_uint_eq(tally->lat.count, IOS / 2);
	ck_assert_uint_eq(tally->lat.sum, sum);
	ck_assert_uint_eq(tally->slat.sum, IOS / 2 * 10);
	ck_assert_uint_eq(slots_sum(&tally->slots, 0, UINT64_MAX).ios, IOS / 2);
	ck_assert_uint_eq(tally->slot_overflow, 0);
	dir_tally_free(tally);
	free(tally);
	free(shared.meter);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("meter-thread", read_while_written);
}
