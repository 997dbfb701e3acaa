/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One RDMA connection of a target, served by one thread.  A read of memory is an RDMA
 * WRITE into the client's buffer and the answer behind it; a write is an RDMA READ out
 * of it, and the answer when that is through.  Files go through buffers of the
 * connection; requests wait when all of them are in use.
 */
#include "agent/target/target-rdma.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent/engine/wake.h"
#include "lib/base/mem.h"

#define POLL_MAX 32
#define STAGING (UINT64_C(64) << 20) /* bytes of a connection's buffers for files */
#define NONE UINT32_MAX

/* A request from its arrival until its answer is known to be out. */
struct op {
	struct net_request request;
	struct net_response response;
	bool fetching;	  /* its RDMA READ is under way */
	uint32_t staging; /* buffer of a file's data; NONE */
	uint64_t seq;	  /* of the answer */
};

/* A queue of numbers below its size. */
struct queue {
	uint32_t *v;
	unsigned size, at, n;
};

struct rdma_conn {
	struct target_conn conn;
	struct rdma_offer offer;
	struct rdma_link link;
	const struct rdma_region *region;
	struct op *ops;
	unsigned nops;
	struct queue free, waiting, answered; /* ops; waiting: for a buffer */
	struct queue buffers;
	uint8_t *staging;
	struct ibv_mr *staging_mr;
};

static void
queue_init(struct queue *queue, unsigned size, bool full)
{
	*queue = (struct queue){.v = mem_array(size, sizeof(uint32_t)), .size = size};
	for (unsigned i = 0; full && i < size; i++)
		queue->v[queue->n++] = i;
}

static void
queue_push(struct queue *queue, uint32_t value)
{
	queue->v[(queue->at + queue->n++) % queue->size] = value;
}

static uint32_t
queue_first(const struct queue *queue)
{
	return queue->n > 0 ? queue->v[queue->at] : NONE;
}

static uint32_t
queue_take(struct queue *queue)
{
	uint32_t value = queue_first(queue);

	if (queue->n > 0) {
		queue->at = (queue->at + 1) % queue->size;
		queue->n--;
	}
	return value;
}

/* ---- answers ---- */

static uint8_t *
staged(const struct rdma_conn *rdma, const struct op *op)
{
	return rdma->staging + (size_t)op->staging * rdma->conn.hello.bytes_max;
}

/* Where an op's data is on this side. */
static struct ibv_sge
data_of(const struct rdma_conn *rdma, const struct op *op)
{
	uintptr_t at = rdma->region->mr ? (uintptr_t)rdma->conn.export->base +
					      op->request.offset
					: (uintptr_t)staged(rdma, op);

	return (struct ibv_sge){.addr = at,
	    .length = op->response.bytes,
	    .lkey = rdma->region->mr ? rdma->region->mr->lkey : rdma->staging_mr->lkey};
}

/* An RDMA READ or WRITE of the client's buffer. */
static void
move_wr(struct rdma_conn *rdma, uint32_t index, enum ibv_wr_opcode opcode,
    struct ibv_send_wr *wr, struct ibv_sge *sge)
{
	const struct op *op = &rdma->ops[index];
	uint64_t seq;
	bool signalled =
	    rdma_flow_post(&rdma->link.flow, opcode == IBV_WR_RDMA_READ, &seq);

	*sge = data_of(rdma, op);
	*wr = (struct ibv_send_wr){.wr_id = rdma_wr_id(seq, index),
	    .sg_list = sge,
	    .num_sge = 1,
	    .opcode = opcode,
	    .send_flags = signalled ? IBV_SEND_SIGNALED : 0,
	    .wr.rdma = {.remote_addr = op->request.addr, .rkey = op->request.rkey}};
}

static int
answer(struct rdma_conn *rdma, uint32_t index)
{
	struct op *op = &rdma->ops[index];
	struct ibv_send_wr wrs[2], *first = &wrs[1];
	struct ibv_sge sges[2];

	if (op->request.op == NET_READ && op->response.bytes > 0) {
		move_wr(rdma, index, IBV_WR_RDMA_WRITE, &wrs[0], &sges[0]);
		wrs[0].next = &wrs[1];
		first = &wrs[0];
	}
	net_response_put(rdma_link_send_buf(&rdma->link, index), &op->response);
	/* Somebody may be waiting for the buffer. */
	if (op->staging != NONE)
		rdma_flow_hurry(&rdma->link.flow);
	rdma_link_send_wr(
	    &rdma->link, &wrs[1], &sges[1], index, NET_RESPONSE_LEN, index);
	op->seq = rdma_wr_seq(wrs[1].wr_id);
	queue_push(&rdma->answered, index);
	return rdma_link_post(&rdma->link, first);
}

static int
fetch(struct rdma_conn *rdma, uint32_t index)
{
	struct ibv_send_wr wr;
	struct ibv_sge sge;

	rdma->ops[index].fetching = true;
	move_wr(rdma, index, IBV_WR_RDMA_READ, &wr, &sge);
	return rdma_link_post(&rdma->link, &wr);
}

/* ---- requests ---- */

static int
begin(struct rdma_conn *rdma, uint32_t index)
{
	struct op *op = &rdma->ops[index];
	const struct target_export *export = rdma->conn.export;

	if (op->response.bytes > 0 && !export->base) {
		if (rdma->buffers.n == 0) {
			queue_push(&rdma->waiting, index);
			return 0;
		}
		op->staging = queue_take(&rdma->buffers);
	}
	if (op->request.op == NET_WRITE && op->response.bytes > 0)
		return fetch(rdma, index);
	if (op->response.bytes > 0 && !export->base)
		op->response.bytes = target_move(export, false, staged(rdma, op),
		    op->request.offset, op->response.bytes, &op->response.errnum);
	return answer(rdma, index);
}

static int
take_request(struct rdma_conn *rdma, unsigned slot)
{
	uint32_t index = queue_take(&rdma->free);
	struct op *op;

	if (index == NONE)
		return rdma_link_break(&rdma->link, EPROTO, "more requests than credits");
	op = &rdma->ops[index];
	*op = (struct op){.staging = NONE};
	if (!net_request_get(&op->request, rdma_link_recv_buf(&rdma->link, slot)) ||
	    op->request.bytes > rdma->conn.hello.bytes_max)
		return rdma_link_break(&rdma->link, EPROTO, "the client asks nonsense");
	op->response.tag = op->request.tag;
	op->response.bytes =
	    target_clip(&rdma->conn, &op->request, &op->response.errnum);
	if (rdma_link_post_recv(&rdma->link, slot) < 0)
		return -1;
	return begin(rdma, index);
}

/* A client's data is here. */
static int
fetched(struct rdma_conn *rdma, uint32_t index)
{
	struct op *op = &rdma->ops[index];
	const struct target_export *export = rdma->conn.export;

	op->fetching = false;
	if (!export->base)
		op->response.bytes = target_move(export, true, staged(rdma, op),
		    op->request.offset, op->response.bytes, &op->response.errnum);
	return answer(rdma, index);
}

/* Answers up to `seq` are out: their ops and buffers are free again. */
static int
release(struct rdma_conn *rdma, uint64_t seq)
{
	int r = 0;

	while (rdma->answered.n > 0 && rdma->ops[queue_first(&rdma->answered)].seq <= seq) {
		uint32_t index = queue_take(&rdma->answered);

		if (rdma->ops[index].staging != NONE)
			queue_push(&rdma->buffers, rdma->ops[index].staging);
		queue_push(&rdma->free, index);
	}
	while (r == 0 && rdma->buffers.n > 0 && rdma->waiting.n > 0)
		r = begin(rdma, queue_take(&rdma->waiting));
	return r;
}

static int
take(struct rdma_conn *rdma, const struct ibv_wc *wc)
{
	uint64_t seq = rdma_wr_seq(wc->wr_id);
	unsigned index = rdma_wr_tag(wc->wr_id);

	if (wc->status != IBV_WC_SUCCESS)
		return rdma_link_bad(&rdma->link, wc, "a request");
	if (wc->wr_id & RDMA_RECV)
		return take_request(rdma, (unsigned)(wc->wr_id & ~RDMA_RECV));
	if (!rdma_flow_completed(&rdma->link.flow, seq) || index >= rdma->nops)
		return rdma_link_break(&rdma->link, EPROTO, "a completion out of order");
	if (release(rdma, seq) < 0)
		return -1;
	return rdma->ops[index].fetching ? fetched(rdma, index) : 0;
}

static void
loop(struct rdma_conn *rdma)
{
	const struct timespec forever = wake_left(UINT64_MAX);
	struct ibv_wc wcs[POLL_MAX];
	bool armed = false;

	while (!rdma->link.broken) {
		int n = rdma_link_poll(&rdma->link, wcs, POLL_MAX);

		for (int i = 0; i < n; i++)
			if (take(rdma, &wcs[i]) < 0)
				return;
		if (n != 0) {
			armed = false;
			continue;
		}
		if (!armed) {
			if (ibv_req_notify_cq(rdma->link.cq, 0) != 0)
				return;
			armed = true;
			continue; /* one may have come before */
		}
		(void)rdma_link_sleep(
		    &rdma->link, &forever, NULL, rdma->conn.target->stop_fd);
		armed = false;
	}
}

/* ---- its life ---- */

static int
make_staging(struct rdma_conn *rdma, struct err *err)
{
	uint32_t each = rdma->conn.hello.bytes_max;
	uint64_t n = STAGING / each;

	if (rdma->conn.export->base)
		return 0;
	n = n < 1 ? 1 : n < rdma->offer.depth ? n : rdma->offer.depth;
	queue_init(&rdma->buffers, (unsigned)n, true);
	rdma->staging = target_buffer(n * each);
	if (!rdma->staging)
		return err_sys(err, ENOMEM, "buffers");
	rdma->staging_mr = rdma_link_register(&rdma->link, rdma->link.pd, rdma->staging,
	    n * each, IBV_ACCESS_LOCAL_WRITE, err);
	return rdma->staging_mr ? 0 : -1;
}

/* Before the client learns that it may begin. */
static void
finish(struct target_conn *conn, struct net_info *info)
{
	struct rdma_conn *rdma = (struct rdma_conn *)conn;
	int access = IBV_ACCESS_REMOTE_READ;
	struct err err = ERR_INIT;

	if (rdma->region->export != conn->export ||
	    conn->hello.depth != rdma->offer.depth || make_staging(rdma, &err) < 0) {
		info->verdict = NET_TOO_DEEP;
		return;
	}
	if (!(conn->hello.flags & NET_ONE_SIDED))
		return;
	if (conn->hello.flags & NET_WRITES)
		access |= IBV_ACCESS_REMOTE_WRITE;
	if (rdma_link_grant(&rdma->link, access, &err) < 0) {
		info->verdict = NET_NOT_MEMORY;
		return;
	}
	info->addr = (uintptr_t)conn->export->base;
	info->rkey = rdma->region->mr->rkey;
}

static int
connect_link(struct rdma_conn *rdma, struct err *err)
{
	struct target *target = rdma->conn.target;
	const struct target_export *export = target_find(target, rdma->offer.name);
	struct rdma_shape shape = {.nrecv = rdma->offer.depth + 2u,
	    .nsend = rdma->nops,
	    .credits = rdma->nops,
	    .wrs = 2};

	rdma->link.events = rdma_create_event_channel();
	if (!rdma->link.events ||
	    rdma_migrate_id(rdma->link.id, rdma->link.events) != 0)
		return err_sys(err, errno, "rdma_migrate_id");
	/* Whoever names no export of ours learns that after the proof, not here. */
	rdma->region = region_get(target, rdma->link.id->verbs,
	    export ? export : &target->config.exports[0], err);
	if (!rdma->region)
		return -1;
	return rdma_link_accept(
	    &rdma->link, &rdma->offer, rdma->region->pd, &shape, err);
}

static void
rdma_serve(struct target_conn *conn)
{
	struct rdma_conn *rdma = (struct rdma_conn *)conn;
	struct rdma_pipe pipe = {&rdma->link, conn->target->stop_fd};
	struct err err = ERR_INIT;

	if (connect_link(rdma, &err) < 0)
		return;
	if (target_greet(conn, &(struct net_pipe){&pipe, rdma_pipe_send, rdma_pipe_recv},
		finish, &err) == 0)
		loop(rdma);
	else if (!rdma->link.broken && conn->hello.depth)
		(void)rdma_link_sleep(&rdma->link, &(struct timespec){.tv_sec = 1}, NULL,
		    conn->target->stop_fd); /* until the client has read the verdict */
}

/* The thread sees stop_fd; a queue pair belongs to it alone. */
static void
rdma_cut(struct target_conn *conn)
{
	struct rdma_conn *rdma = (struct rdma_conn *)conn;

	if (pthread_equal(pthread_self(), conn->id) && rdma->link.qp)
		(void)rdma_disconnect(rdma->link.id);
}

static void
rdma_free(struct target_conn *conn)
{
	struct rdma_conn *rdma = (struct rdma_conn *)conn;
	struct queue *const queues[] = {
	    &rdma->free, &rdma->waiting, &rdma->answered, &rdma->buffers};

	if (rdma->staging_mr)
		(void)ibv_dereg_mr(rdma->staging_mr);
	rdma_link_close(&rdma->link);
	for (size_t i = 0; i < sizeof queues / sizeof *queues; i++)
		free(queues[i]->v);
	free(rdma->staging);
	free(rdma->ops);
	free(rdma);
}

struct target_conn *
rdma_conn_new(
    struct target *target, struct rdma_cm_id *id, const struct rdma_offer *offer)
{
	struct rdma_conn *rdma = mem_alloc(sizeof *rdma);

	rdma->conn = (struct target_conn){.target = target,
	    .serve = rdma_serve,
	    .cut = rdma_cut,
	    .free = rdma_free};
	rdma->offer = *offer;
	rdma->link.id = id;
	/* Answers that are out, but not told yet, still have their op. */
	rdma->nops = offer->depth + RDMA_FLOW_EVERY;
	rdma->ops = mem_array(rdma->nops, sizeof *rdma->ops);
	queue_init(&rdma->free, rdma->nops, true);
	queue_init(&rdma->waiting, rdma->nops, false);
	queue_init(&rdma->answered, rdma->nops, false);
	return &rdma->conn;
}
