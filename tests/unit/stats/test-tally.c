/* SPDX-License-Identifier: Apache-2.0 */
/* Tallies: presence of a direction, adding every part. */
#include "lib/stats/tally.h"

#include <stdlib.h>

#include "lib/base/mem.h"
#include "tests/unit/suite.h"

START_TEST(a_direction_is_there_with_any_io)
{
	for (int phase = 0; phase < METER_PHASES; phase++) {
		struct tally *tally = tally_new();

		ck_assert(!tally_has(tally, DIR_READ));
		tally->dir[DIR_READ].phase[phase].ios = 1;
		ck_assert(tally_has(tally, DIR_READ));
		ck_assert(!tally_has(tally, DIR_WRITE));
		tally_free(tally);
	}
	tally_free(NULL);
}
END_TEST

START_TEST(every_part_is_added)
{
	struct tally *a = tally_new(), *b = tally_new();
	struct dir_tally *into = &a->dir[0], *from = &b->dir[0];
	struct hist *hists[] = {&from->slat, &from->clat, &from->lat, &from->drain,
	    &from->response, &from->sync};

	for (int i = 0; i < METER_PHASES; i++) {
		from->phase[i].ios = 10 + (uint64_t)i;
		from->phase[i].bytes = 100 + (uint64_t)i;
	}
	for (size_t i = 0; i < 6; i++)
		hist_add(hists[i], 1 + i, 1 + i);
	from->slots = (struct slots){mem_array(3, sizeof(struct slot)), 3};
	from->slots.v[2].ios = 5;
	from->heats = (struct heats){mem_array(1, sizeof(struct heat)), 1};
	from->heats.v[0].count[9] = 6;
	from->slot_overflow = 7;
	dir_tally_merge(into, from);
	dir_tally_merge(into, from);
	for (int i = 0; i < METER_PHASES; i++) {
		ck_assert_uint_eq(into->phase[i].ios, 2 * (10 + (uint64_t)i));
		ck_assert_uint_eq(into->phase[i].bytes, 2 * (100 + (uint64_t)i));
	}
	ck_assert_uint_eq(into->slat.count, 2);
	ck_assert_uint_eq(into->clat.count, 4);
	ck_assert_uint_eq(into->lat.count, 6);
	ck_assert_uint_eq(into->drain.count, 8);
	ck_assert_uint_eq(into->response.count, 10);
	ck_assert_uint_eq(into->sync.count, 12);
	ck_assert_uint_eq(into->slots.v[2].ios, 10);
	ck_assert_uint_eq(into->heats.v[0].count[9], 12);
	ck_assert_uint_eq(into->slot_overflow, 14);
	tally_free(a);
	tally_free(b);
}
END_TEST

/* One client's jobs ran at the same time: CPU adds up, time does not. */
START_TEST(jobs_of_one_client)
{
	struct tally *jobs[] = {tally_new(), tally_new()}, *both;

	for (int i = 0; i < 2; i++) {
		jobs[i]->window_to = (uint64_t)(9 - i);
		jobs[i]->window_from = (uint64_t)i;
		jobs[i]->has_first_io = true;
		jobs[i]->first_io_ns = 5 + i;
		jobs[i]->last_first_io_ns = 7 + i;
		jobs[i]->first_end_ns = 10 + (uint64_t)i;
		jobs[i]->end_ns = 20 + (uint64_t)i;
		jobs[i]->threads = 2;
		jobs[i]->cpu_user_ns = 100;
		jobs[i]->cpu_wall_ns = 400 + (uint64_t)i;
		jobs[i]->fifo = i == 0;
		jobs[i]->direct = true;
		hist_add(&jobs[i]->dir[DIR_READ].lat, 1000, 3);
	}
	ck_assert_ptr_eq(tally_of_jobs(jobs, 1), jobs[0]);
	ck_assert_uint_eq(tally_job_count(jobs[0]), 1);
	ck_assert_ptr_eq(tally_job(jobs[0], 0), jobs[0]);
	both = tally_of_jobs(jobs, 2);
	ck_assert_uint_eq(tally_job_count(both), 2);
	ck_assert_ptr_eq(tally_job(both, 1), jobs[1]);
	ck_assert_uint_eq(both->window_from, 1);
	ck_assert_uint_eq(both->window_to, 8);
	ck_assert_int_eq(both->first_io_ns, 5);
	ck_assert_int_eq(both->last_first_io_ns, 8);
	ck_assert_uint_eq(both->first_end_ns, 10);
	ck_assert_uint_eq(both->end_ns, 21);
	ck_assert_uint_eq(both->threads, 4);
	ck_assert_uint_eq(both->cpu_user_ns, 200);
	ck_assert_uint_eq(both->cpu_wall_ns, 401);
	ck_assert(!both->fifo && both->direct);
	ck_assert_uint_eq(both->dir[DIR_READ].lat.count, 6);
	tally_free(both);
}
END_TEST

/* Unknown of one is unknown of all, whichever comes first; the deepest depth counts. */
START_TEST(usage_of_several)
{
	struct tally known = {.usage = {true, 5, 1, 7}, .latency_depth = 4};
	struct tally other = {.usage = {true, 10, 0, 3}, .latency_depth = 9};
	struct tally unknown = {.usage = {.known = false}};
	struct tally *sum = tally_new();

	tally_merge(sum, &known, true);
	tally_merge(sum, &other, false);
	ck_assert(sum->usage.known);
	ck_assert_uint_eq(sum->usage.switches, 15);
	ck_assert_uint_eq(sum->usage.major_faults, 1);
	ck_assert_uint_eq(sum->usage.minor_faults, 10);
	ck_assert_uint_eq(sum->latency_depth, 9);
	tally_merge(sum, &unknown, false);
	ck_assert(!sum->usage.known);
	tally_merge(sum, &known, false);
	ck_assert(!sum->usage.known);
	ck_assert_uint_eq(sum->usage.switches, 0);
	tally_free(sum);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN(
	    "tally", a_direction_is_there_with_any_io, every_part_is_added,
	    jobs_of_one_client, usage_of_several);
}
