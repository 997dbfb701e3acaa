/* SPDX-License-Identifier: Apache-2.0 */
/* Slots and heat maps: bounds, growing merges, whole slots only. */
#include "lib/stats/slots.h"

#include <stdlib.h>

#include "lib/base/mem.h"
#include "tests/unit/suite.h"

START_TEST(every_heat_bucket_round_trips)
{
	ck_assert_uint_eq(HEAT_BUCKETS, 128);
	for (unsigned i = 0; i < HEAT_BUCKETS; i++) {
		ck_assert_uint_eq(heat_index(heat_lower(i)), i);
		if (i > 0)
			ck_assert_uint_eq(heat_index(heat_lower(i) - 1), i - 1);
	}
	ck_assert_uint_eq(heat_lower(0), 0);
	ck_assert_uint_eq(heat_lower(1), 640);
	ck_assert_uint_eq(heat_lower(4), 1024);
	ck_assert_uint_eq(heat_lower(5), 1280);
	ck_assert_uint_eq(heat_index(511), 0);
	ck_assert_uint_eq(heat_index(639), 0);
	ck_assert_uint_eq(heat_index((UINT64_C(1) << 41) - 1), HEAT_BUCKETS - 1);
	ck_assert_uint_eq(heat_index(UINT64_C(1) << 41), HEAT_BUCKETS - 1);
	ck_assert_uint_eq(heat_index(UINT64_MAX), HEAT_BUCKETS - 1);
}
END_TEST

/* n slots: slot i holds i+1 I/Os of 10 bytes and 100 ns. */
static struct slots
made(size_t n)
{
	struct slots slots = {mem_array(n, sizeof *slots.v), n};

	for (size_t i = 0; i < n; i++)
		slots.v[i] = (struct slot){i + 1, 10 * (i + 1), 100 * (i + 1)};
	return slots;
}

START_TEST(merge_grows)
{
	struct slots into = made(2), longer = made(5), none = {0};

	slots_merge(&into, &longer);
	ck_assert_uint_eq(into.n, 5);
	ck_assert_uint_eq(into.v[1].ios, 4);
	ck_assert_uint_eq(into.v[1].bytes, 40);
	ck_assert_uint_eq(into.v[1].lat_ns, 400);
	ck_assert_uint_eq(into.v[4].ios, 5);
	slots_merge(&into, &none);
	ck_assert_uint_eq(into.n, 5);
	slots_merge(&none, &into);
	ck_assert_uint_eq(none.n, 5);
	ck_assert_uint_eq(none.v[4].lat_ns, 500);
	/* A shorter one leaves the tail. */
	slots_free(&longer);
	longer = made(1);
	slots_merge(&into, &longer);
	ck_assert_uint_eq(into.v[0].ios, 3);
	ck_assert_uint_eq(into.v[4].ios, 5);
	slots_free(&into);
	slots_free(&longer);
	slots_free(&none);
	ck_assert(!none.v && !none.n);
}
END_TEST

START_TEST(sums_whole_slots_only)
{
	struct slots slots = made(10);
	uint64_t ms = 1000000;

	ck_assert_uint_eq(slots_sum(&slots, 0, 1000 * ms).ios, 55);
	ck_assert_uint_eq(slots_sum(&slots, 0, UINT64_MAX).bytes, 550);
	ck_assert_uint_eq(slots_sum(&slots, 200 * ms, 400 * ms).ios, 3 + 4);
	/* Inward at both ends, by a nanosecond or by all but one. */
	ck_assert_uint_eq(slots_sum(&slots, 200 * ms + 1, 400 * ms).ios, 4);
	ck_assert_uint_eq(slots_sum(&slots, 200 * ms, 400 * ms - 1).ios, 3);
	ck_assert_uint_eq(slots_sum(&slots, 100 * ms + 1, 499 * ms).lat_ns, 700);
	ck_assert_uint_eq(slots_sum(&slots, 210 * ms, 390 * ms).ios, 0);
	ck_assert_uint_eq(slots_sum(&slots, 400 * ms, 200 * ms).ios, 0);
	ck_assert_uint_eq(slots_sum(&slots, 900 * ms, 5000 * ms).ios, 10);
	ck_assert_uint_eq(slots_sum(&slots, 5000 * ms, 9000 * ms).ios, 0);
	ck_assert_uint_eq(slots_sum(&slots, UINT64_MAX - 5, UINT64_MAX).ios, 0);
	slots_free(&slots);
	ck_assert_uint_eq(slots_sum(&slots, 0, 1000 * ms).ios, 0);
}
END_TEST

START_TEST(heats_add_and_saturate)
{
	struct heats into = {0}, from = {mem_array(2, sizeof *from.v), 2};

	from.v[0].count[3] = 7;
	from.v[1].count[127] = UINT32_MAX - 1;
	heats_merge(&into, &from);
	heats_merge(&into, &from);
	ck_assert_uint_eq(into.n, 2);
	ck_assert_uint_eq(into.v[0].count[3], 14);
	ck_assert_uint_eq(into.v[1].count[127], UINT32_MAX);
	heats_merge(&into, &from);
	ck_assert_uint_eq(into.v[1].count[127], UINT32_MAX);
	from.n = 1;
	heats_merge(&into, &from);
	ck_assert_uint_eq(into.n, 2);
	ck_assert_uint_eq(into.v[0].count[3], 28);
	heats_free(&into);
	heats_free(&from);
	ck_assert(!into.v && !into.n);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("slots", every_heat_bucket_round_trips, merge_grows,
	    sums_whole_slots_only, heats_add_and_saturate);
}
