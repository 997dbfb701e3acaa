/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a queue pair may be given: credits (requests that the other side has posted
 * receives for) and places in the send queue, which only a signalled completion frees,
 * together with all before it.  Only some work requests are signalled, never so few
 * that the queue could fill up with none that tells.
 */
#ifndef VOLLEY_ENGINE_RDMA_FLOW_H
#define VOLLEY_ENGINE_RDMA_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#define RDMA_FLOW_EVERY 16u /* work requests from one signalled to the next, at most */

struct rdma_flow {
	unsigned credits;      /* left */
	unsigned depth, every; /* of the send queue; the signalled ones in it */
	unsigned silent;       /* posted since the last signalled one */
	uint64_t posted, done; /* work requests so far */
};

/* How many places a send queue needs for `credits` requests of `wrs` each. */
unsigned rdma_flow_depth(unsigned credits, unsigned wrs);
void rdma_flow_init(struct rdma_flow *flow, unsigned credits, unsigned depth);
/* Takes a credit for a request of `wrs` work requests; false: not now. */
bool rdma_flow_take(struct rdma_flow *flow, unsigned wrs);
void rdma_flow_give(struct rdma_flow *flow); /* the answer came */
/*
 * Counts one work request; its number, from 1 on, goes into *ret_seq.  True: it must
 * be signalled; `wanted` asks for that in any case.
 */
bool rdma_flow_post(struct rdma_flow *flow, bool wanted, uint64_t *ret_seq);
void rdma_flow_hurry(struct rdma_flow *flow); /* the next one is signalled */
/* A signalled one completed: it and all before it are gone.  False: that cannot be. */
bool rdma_flow_completed(struct rdma_flow *flow, uint64_t seq);
unsigned rdma_flow_room(const struct rdma_flow *flow);

#endif
