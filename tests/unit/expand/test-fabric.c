/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the fabric: who talks to whom, and what. */
#include "controller/expand/fabric.h"

#include <check.h>
#include <stdlib.h>

#include "tests/unit/suite.h"

static const struct plan_fabric fabric = {.given = true,
    .bs = 1 << 20,
    .iodepth = 16,
    .numjobs = 4,
    .repeat = 1,
    .runtime_ns = UINT64_C(5000000000)};

START_TEST(pairs)
{
	static const unsigned of_six[] = {3, 4, 5};

	ck_assert_uint_eq(fabric_clients(FABRIC_PAIRWISE, 6), 3);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_uint_eq(fabric_target(FABRIC_PAIRWISE, 6, i), of_six[i]);
	/* Of seven one is left over. */
	ck_assert_uint_eq(fabric_clients(FABRIC_PAIRWISE, 7), 3);
	ck_assert_uint_eq(fabric_target(FABRIC_PAIRWISE, 7, 2), 5);
}
END_TEST

START_TEST(incast_and_ring)
{
	ck_assert_uint_eq(fabric_clients(FABRIC_N_TO_1, 5), 4);
	ck_assert_uint_eq(fabric_clients(FABRIC_N_TO_N, 5), 5);
	for (unsigned i = 0; i < 4; i++) {
		ck_assert_uint_eq(fabric_target(FABRIC_N_TO_1, 5, i), 4);
		ck_assert_uint_eq(fabric_target(FABRIC_N_TO_N, 5, i), i + 1);
	}
	ck_assert_uint_eq(fabric_target(FABRIC_N_TO_N, 5, 4), 0);
}
END_TEST

/* Nobody is its own target, everybody's target is there. */
START_TEST(nobody_talks_to_itself)
{
	for (unsigned n = 2; n <= 40; n++)
		for (int p = 0; p < FABRIC_PATTERNS; p++)
			for (unsigned i = 0; i < fabric_clients((enum fabric_pattern)p, n);
			     i++) {
				unsigned to =
				    fabric_target((enum fabric_pattern)p, n, i);

				ck_assert_uint_lt(to, n);
				ck_assert_uint_ne(to, i);
			}
}
END_TEST

START_TEST(a_case)
{
	struct plan_case read, write, rdma, more;
	const struct job *job;
	struct err err;

	fabric_case(&read, &fabric, FABRIC_PAIRWISE, TRANSPORT_TCP, DIR_READ, 8);
	fabric_case(&write, &fabric, FABRIC_PAIRWISE, TRANSPORT_TCP, DIR_WRITE, 8);
	fabric_case(&rdma, &fabric, FABRIC_PAIRWISE, TRANSPORT_RDMA, DIR_READ, 8);
	fabric_case(&more, &fabric, FABRIC_PAIRWISE, TRANSPORT_TCP, DIR_READ, 9);
	job = &read.parts.v[0].job;
	ck_assert_str_eq(read.storage, "fabric");
	ck_assert_str_eq(read.workload, "pairwise-read");
	ck_assert_uint_eq(read.clients, 4);
	ck_assert_str_eq(job->ioengine, "net-tcp");
	ck_assert_uint_eq(job->size, UINT64_C(64) << 20);
	ck_assert_int_eq(job_validate(job, &err), 0);
	ck_assert_str_eq(rdma.parts.v[0].job.ioengine, "net-rdma");
	ck_assert_str_ne(read.id, write.id);
	ck_assert_str_ne(read.id, rdma.id);
	ck_assert_str_ne(read.id, more.id); /* another number of agents */
	fabric_case_free(&read);
	fabric_case_free(&write);
	fabric_case_free(&rdma);
	fabric_case_free(&more);
}
END_TEST

START_TEST(regions_hold_blocks)
{
	struct plan_fabric odd = fabric;

	odd.bs = 3 << 20;
	ck_assert_uint_eq(fabric_bytes(&odd), UINT64_C(63) << 20);
	odd.bs = 32 << 20;
	ck_assert_uint_eq(fabric_bytes(&odd), UINT64_C(512) << 20);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("fabric", pairs, incast_and_ring, nobody_talks_to_itself, a_case,
	    regions_hold_blocks);
}
