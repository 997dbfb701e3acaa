/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One reliable queue pair and what belongs to it, for the engine and the target: how
 * it is connected, how messages pass, and what is said when a verb fails: the call,
 * the device, the state of the queue pair, and a completion's status in words.
 */
#ifndef VOLLEY_ENGINE_RDMA_LINK_H
#define VOLLEY_ENGINE_RDMA_LINK_H

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "agent/engine/net-wire.h"
#include "agent/engine/rdma-flow.h"
#include "lib/base/err.h"
#include "lib/work/job.h"

#define RDMA_MESSAGE 96u    /* bytes of a receive: any message of net-wire.h fits */
#define RDMA_TAG_BITS 14
#define RDMA_RECV (UINT64_C(1) << 63) /* in wr_id: a receive; the rest is its slot */

/* What the connection manager carries beside the addresses. */
struct rdma_offer {
	uint16_t version, mtu; /* bytes; of the client's side of the path */
	uint16_t depth;
	bool fixed; /* no other MTU will do */
	char name[NET_NAME_MAX + 1];
};
#define RDMA_OFFER_LEN 44u
void rdma_offer_put(uint8_t *p, const struct rdma_offer *offer);
bool rdma_offer_get(struct rdma_offer *ret, const void *data, size_t len);

struct rdma_link {
	struct rdma_event_channel *events;
	struct rdma_cm_id *id;
	char device[64], port_text[64];
	struct ibv_pd *pd;
	bool owns_pd;
	struct ibv_comp_channel *comp;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	unsigned unacked; /* completion events */
	struct rdma_flow flow;
	/* Receives, then buffers of what is sent; RDMA_MESSAGE bytes each. */
	uint8_t *messages;
	struct ibv_mr *messages_mr;
	unsigned nrecv, nsend;
	bool inlined; /* what is sent is copied at once */
	unsigned mtu; /* bytes, of the path */
	unsigned active_mtu;
	int broken; /* errno; 0: none */
	struct err why;
};

struct rdma_shape {
	unsigned nrecv, nsend, credits, wrs; /* wrs: work requests of each credit */
};

/* ---- client ---- */
int rdma_link_dial(struct rdma_link *link, const struct job *job,
		   const struct rdma_shape *shape, struct err *err);

/* ---- target ---- */
/* `link->id` is the one of a connection request. */
int rdma_link_accept(struct rdma_link *link, const struct rdma_offer *offer,
		     struct ibv_pd *pd, const struct rdma_shape *shape, struct err *err);
void rdma_link_refuse(struct rdma_cm_id *id, unsigned mtu);
/* What the other side may do to our memory from now on (IBV_ACCESS_REMOTE_*). */
int rdma_link_grant(struct rdma_link *link, int access, struct err *err);

/* ---- both ---- */
void rdma_link_close(struct rdma_link *link);
int rdma_link_post_recv(struct rdma_link *link, unsigned slot);
uint8_t *rdma_link_recv_buf(struct rdma_link *link, unsigned slot);
uint8_t *rdma_link_send_buf(struct rdma_link *link, unsigned slot);
/* A SEND of `len` bytes of send buffer `slot`; `tag` comes back in wr_id. */
void rdma_link_send_wr(struct rdma_link *link, struct ibv_send_wr *wr,
		       struct ibv_sge *sge, unsigned slot, unsigned len, unsigned tag);
int rdma_link_post(struct rdma_link *link, struct ibv_send_wr *first);
/* Up to `max` completions that are there; -1: broken. */
int rdma_link_poll(struct rdma_link *link, struct ibv_wc *ret, int max);
/*
 * Sleeps until there may be completions, or an end: 1, 0 at the limit, -EINTR.
 * `mask` as in ppoll.  stop_fd (-1: none) ends it too.
 */
int rdma_link_sleep(struct rdma_link *link, const struct timespec *left,
		    const sigset_t *mask, int stop_fd);
/* Looks at what the connection manager has to say, without waiting. */
void rdma_link_check(struct rdma_link *link);
struct ibv_mr *rdma_link_register(struct rdma_link *link, struct ibv_pd *pd, void *base,
				  size_t len, int access, struct err *err);
int rdma_link_break(struct rdma_link *link, int errnum, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A completion that is no success: breaks the link. */
int rdma_link_bad(struct rdma_link *link, const struct ibv_wc *wc, const char *what);

static inline uint64_t rdma_wr_id(uint64_t seq, unsigned tag)
{
	return seq << RDMA_TAG_BITS | tag;
}
static inline unsigned rdma_wr_tag(uint64_t wr_id)
{
	return (unsigned)(wr_id & ((1u << RDMA_TAG_BITS) - 1));
}
static inline uint64_t rdma_wr_seq(uint64_t wr_id)
{
	return wr_id >> RDMA_TAG_BITS;
}

/* Messages of the handshake, one after the other; a net_pipe over the link. */
struct rdma_pipe {
	struct rdma_link *link;
	int stop_fd;
};
int rdma_pipe_send(void *arg, const uint8_t *data, size_t len, struct err *err);
int rdma_pipe_recv(void *arg, uint8_t *ret, size_t len, struct err *err);

#endif
