/* SPDX-License-Identifier: Apache-2.0 */
/* Credits, and a send queue that never fills up unheard. */
#include "agent/engine/rdma-flow.h"

#include <check.h>

#include "lib/base/rng.h"
#include "tests/unit/suite.h"

START_TEST(credits_are_all_there_is)
{
	struct rdma_flow flow;
	uint64_t seq;

	rdma_flow_init(&flow, 2, rdma_flow_depth(2, 1));
	ck_assert(rdma_flow_take(&flow, 1));
	ck_assert(!rdma_flow_post(&flow, false, &seq));
	ck_assert_uint_eq(seq, 1);
	ck_assert(rdma_flow_take(&flow, 1));
	ck_assert(!rdma_flow_take(&flow, 1));
	rdma_flow_give(&flow);
	ck_assert(rdma_flow_take(&flow, 1));
	ck_assert(!rdma_flow_take(&flow, 1));
}
END_TEST

START_TEST(every_sixteenth_is_signalled)
{
	struct rdma_flow flow;
	uint64_t seq;

	rdma_flow_init(&flow, 100, rdma_flow_depth(100, 1));
	ck_assert_uint_eq(rdma_flow_room(&flow), 132);
	for (unsigned i = 1; i <= 48; i++) {
		ck_assert_int_eq(rdma_flow_post(&flow, false, &seq), i % 16 == 0);
		ck_assert_uint_eq(seq, i);
	}
	/* One that is asked for begins the count anew. */
	ck_assert(rdma_flow_post(&flow, true, &seq));
	for (unsigned i = 1; i < 16; i++)
		ck_assert(!rdma_flow_post(&flow, false, &seq));
	ck_assert(rdma_flow_post(&flow, false, &seq));
	rdma_flow_hurry(&flow);
	ck_assert(rdma_flow_post(&flow, false, &seq));
	ck_assert(!rdma_flow_post(&flow, false, &seq));
}
END_TEST

START_TEST(a_completion_frees_all_before_it)
{
	struct rdma_flow flow;
	uint64_t seq;

	rdma_flow_init(&flow, 8, 40);
	for (unsigned i = 0; i < 20; i++)
		rdma_flow_post(&flow, false, &seq);
	ck_assert_uint_eq(rdma_flow_room(&flow), 20);
	ck_assert(rdma_flow_completed(&flow, 16));
	ck_assert_uint_eq(rdma_flow_room(&flow), 36);
	/* Twice, backwards, or before it was posted: nonsense. */
	ck_assert(!rdma_flow_completed(&flow, 16));
	ck_assert(!rdma_flow_completed(&flow, 3));
	ck_assert(!rdma_flow_completed(&flow, 21));
	ck_assert(rdma_flow_completed(&flow, 20));
	ck_assert_uint_eq(rdma_flow_room(&flow), 40);
}
END_TEST

START_TEST(a_small_queue_still_tells)
{
	for (unsigned depth = 1; depth <= 40; depth++) {
		struct rdma_flow flow;
		uint64_t seq;
		bool told = false;

		rdma_flow_init(&flow, 1000, depth);
		while (rdma_flow_take(&flow, 1))
			told |= rdma_flow_post(&flow, false, &seq);
		ck_assert_uint_eq(rdma_flow_room(&flow), 0);
		ck_assert_msg(told, "a queue of %u is full and nobody will know", depth);
	}
}
END_TEST

/*
 * A client and its queue pair: answers come in any order and at any time, completions
 * of the signalled ones in order and late.  With all answers home, there is always a
 * place for the next request.
 */
START_TEST(it_never_runs_dry)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct rng rng;
		struct rdma_flow flow;
		unsigned credits, inflight = 0, done = 0;
		uint64_t seq, signalled[64];
		unsigned head = 0, tail = 0;

		rng_seed(&rng, seed);
		credits = 1 + (unsigned)rng_below(&rng, 40);
		rdma_flow_init(&flow, credits, rdma_flow_depth(credits, 1));
		while (done < 500) {
			unsigned what = (unsigned)rng_below(&rng, 3);

			if (what == 0 && rdma_flow_take(&flow, 1)) {
				inflight++;
				if (rdma_flow_post(&flow, false, &seq))
					signalled[tail++ % 64] = seq;
			} else if (what == 1 && inflight > 0) {
				rdma_flow_give(&flow);
				inflight--;
				done++;
			} else if (what == 2 && head != tail) {
				ck_assert(rdma_flow_completed(
				    &flow, signalled[head++ % 64]));
			}
			ck_assert_uint_le(tail - head, 64);
			if (inflight == 0 && head == tail) {
				ck_assert(rdma_flow_take(&flow, 1));
				rdma_flow_give(&flow);
			}
		}
	}
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("rdma-flow", credits_are_all_there_is,
	    every_sixteenth_is_signalled, a_completion_frees_all_before_it,
	    a_small_queue_still_tells, it_never_runs_dry);
}
