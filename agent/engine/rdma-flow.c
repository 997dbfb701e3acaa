/* SPDX-License-Identifier: Apache-2.0 */
/* Credits and the send queue. */
#include "agent/engine/rdma-flow.h"

unsigned
rdma_flow_depth(unsigned credits, unsigned wrs)
{
	/* Those that are done and not told yet are as many as are silent. */
	return credits * wrs + 2 * RDMA_FLOW_EVERY;
}

void
rdma_flow_init(struct rdma_flow *flow, unsigned credits, unsigned depth)
{
	unsigned every = depth / 2 < RDMA_FLOW_EVERY ? depth / 2 : RDMA_FLOW_EVERY;

	*flow = (struct rdma_flow){
	    .credits = credits, .depth = depth, .every = every > 0 ? every : 1};
}

unsigned
rdma_flow_room(const struct rdma_flow *flow)
{
	return flow->depth - (unsigned)(flow->posted - flow->done);
}

bool
rdma_flow_take(struct rdma_flow *flow, unsigned wrs)
{
	if (flow->credits == 0 || rdma_flow_room(flow) < wrs)
		return false;
	flow->credits--;
	return true;
}

void
rdma_flow_give(struct rdma_flow *flow)
{
	flow->credits++;
}

bool
rdma_flow_post(struct rdma_flow *flow, bool wanted, uint64_t *ret_seq)
{
	bool signalled = wanted || ++flow->silent >= flow->every;

	if (signalled)
		flow->silent = 0;
	*ret_seq = ++flow->posted;
	return signalled;
}

void
rdma_flow_hurry(struct rdma_flow *flow)
{
	flow->silent = flow->every;
}

bool
rdma_flow_completed(struct rdma_flow *flow, uint64_t seq)
{
	if (seq <= flow->done || seq > flow->posted)
		return false;
	flow->done = seq;
	return true;
}
