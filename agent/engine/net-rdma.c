/* SPDX-License-Identifier: Apache-2.0 */
/*
 * net-rdma: one reliable queue pair per thread.  In capsule mode a request is a SEND
 * that names the registered buffer, and the target moves the data and answers with a
 * SEND; in one-sided mode each I/O is an RDMA READ or WRITE of the export's memory.
 * Waits on the completion channel, or polls with hipri.
 */
#include "agent/engine/engines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/engine/net-dial.h"
#include "agent/engine/rdma-link.h"
#include "agent/engine/wake.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"

#define POLL_MAX 32
#define BATCH 32u
#define SPINS 256u /* polls between looks at clock, wake and connection */
#define KNOCK_NS (2 * UNITS_NS_PER_S) /* of silence; then see whether anybody is there */
#define CAPSULE_ACCESS \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE)

struct slot {
	struct io *io; /* NULL: not in flight */
	uint32_t bytes; /* asked for; one-sided: what the export has of it */
	struct ibv_mr *own; /* of a buffer outside the pool; NULL: none */
};

struct net_rdma {
	struct engine engine;
	struct wake wake;
	struct net_peer peer;
	struct rdma_link link;
	bool one_sided, polls;
	unsigned depth;
	struct slot *slots; /* by io->index */
	struct ibv_mr *pool;
	struct io **done;
	unsigned done_at, ndone;
	uint64_t knock_ns; /* 0: there was something just now */
	char why[1280];
};

static void
net_rdma_close(struct engine *engine)
{
	struct net_rdma *net = (struct net_rdma *)engine;
	struct ibv_qp *qp = net->link.qp;

	/* First the queue pair, which may still write into the buffers. */
	if (qp) {
		(void)rdma_disconnect(net->link.id);
		(void)ibv_destroy_qp(qp);
		net->link.qp = NULL;
	}
	for (unsigned i = 0; i < net->depth; i++)
		if (net->slots[i].own)
			(void)ibv_dereg_mr(net->slots[i].own);
	if (net->pool)
		(void)ibv_dereg_mr(net->pool);
	rdma_link_close(&net->link);
	wake_fini(&net->wake);
	net_peer_free(&net->peer);
	free(net->slots);
	free(net->done);
	free(net);
}

static int
dial(struct net_rdma *net, const struct job *job, struct err *err)
{
	/* Two receives beyond the credits: for the handshake. */
	const struct rdma_shape shape = {.nrecv = net->depth + 2,
	    .nsend = net->depth > 2 ? net->depth : 2,
	    .credits = net->depth,
	    .wrs = 1};
	struct rdma_pipe pipe = {.link = &net->link, .stop_fd = -1};

	if (rdma_link_dial(&net->link, job, &shape, err) < 0)
		return err_prefix(err, "%s", net->peer.name);
	return net_greet(&net->peer,
	    &(struct net_pipe){&pipe, rdma_pipe_send, rdma_pipe_recv}, err);
}

static int
net_rdma_open(struct engine **ret, const struct engine_env *env, struct err *err)
{
	struct net_rdma *net = mem_alloc(sizeof *net);

	net->engine.ops = &net_rdma_ops;
	net->depth = env->iodepth;
	net->polls = env->job->engine.hipri;
	net->one_sided = env->job->net.mode == JOB_RDMA_ONE_SIDED;
	net->slots = mem_array(env->iodepth, sizeof *net->slots);
	net->done = mem_array(env->iodepth, sizeof(struct io *));
	wake_init(&net->wake);
	net_peer_init(&net->peer, env, net->one_sided ? NET_ONE_SIDED : 0);
	if (dial(net, env->job, err) < 0) {
		net_rdma_close(&net->engine);
		return -1;
	}
	*ret = &net->engine;
	return 0;
}

static int
net_rdma_map(
    struct engine *engine, void *base, size_t len, enum mem_kind kind, struct err *err)
{
	struct net_rdma *net = (struct net_rdma *)engine;

	(void)kind;
	net->pool = rdma_link_register(&net->link, net->link.pd, base, len,
	    net->one_sided ? IBV_ACCESS_LOCAL_WRITE : CAPSULE_ACCESS, err);
	return net->pool ? 0 : -1;
}

static int
net_rdma_file_open(struct engine *engine, struct io_file *file, struct err *err)
{
	struct net_rdma *net = (struct net_rdma *)engine;

	(void)err;
	file->name = net->peer.name;
	return 0;
}

static void
push_done(struct net_rdma *net, struct io *io, int64_t result)
{
	io->result = result;
	net->slots[io->index].io = NULL;
	net->done[(net->done_at + net->ndone++) % net->depth] = io;
}

/* ---- out ---- */

static bool
covers(const struct ibv_mr *mr, const struct io *io)
{
	const char *base = mr ? mr->addr : NULL, *buf = io->buf;

	return mr && buf >= base && buf + io->bytes <= base + mr->length;
}

/* The registration of an I/O's buffer; those outside the pool get one of their own. */
static struct ibv_mr *
region_of(struct net_rdma *net, const struct io *io)
{
	struct slot *slot = &net->slots[io->index];
	struct err err = ERR_INIT;

	if (covers(net->pool, io))
		return net->pool;
	if (covers(slot->own, io))
		return slot->own;
	if (slot->own)
		(void)ibv_dereg_mr(slot->own);
	slot->own = rdma_link_register(&net->link, net->link.pd, io->buf, io->bytes,
	    net->one_sided ? IBV_ACCESS_LOCAL_WRITE : CAPSULE_ACCESS, &err);
	if (!slot->own)
		(void)rdma_link_break(&net->link, err.errnum, "%s", err.msg);
	return slot->own;
}

static void
put_capsule(struct net_rdma *net, const struct io *io, const struct ibv_mr *mr,
    struct ibv_send_wr *wr, struct ibv_sge *sge)
{
	const struct net_request request = {
	    .op = io->dir == DIR_READ ? NET_READ : NET_WRITE,
	    .tag = io->index,
	    .offset = io->offset,
	    .bytes = io->bytes,
	    .addr = (uintptr_t)io->buf,
	    .rkey = mr->rkey};

	net_request_put(rdma_link_send_buf(&net->link, io->index), &request);
	rdma_link_send_wr(&net->link, wr, sge, io->index, NET_REQUEST_LEN, io->index);
}

static void
put_one_sided(struct net_rdma *net, const struct io *io, const struct ibv_mr *mr,
    struct ibv_send_wr *wr, struct ibv_sge *sge)
{
	uint64_t seq;

	(void)rdma_flow_post(&net->link.flow, true, &seq);
	*sge = (struct ibv_sge){.addr = (uintptr_t)io->buf,
	    .length = net->slots[io->index].bytes,
	    .lkey = mr->lkey};
	*wr = (struct ibv_send_wr){.wr_id = rdma_wr_id(seq, io->index),
	    .sg_list = sge,
	    .num_sge = 1,
	    .opcode = io->dir == DIR_READ ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE,
	    .send_flags = IBV_SEND_SIGNALED,
	    .wr.rdma = {.remote_addr = net->peer.info.addr + io->offset,
		.rkey = net->peer.info.rkey}};
}

/* What the target would have said of an I/O that it never sees. */
static bool
ends_beyond(struct net_rdma *net, struct io *io)
{
	uint64_t size = net->peer.info.size;
	uint64_t left = io->offset < size ? size - io->offset : 0;

	net->slots[io->index].bytes = io->bytes < left ? io->bytes : (uint32_t)left;
	if (!net->one_sided || left > 0)
		return false;
	push_done(net, io, io->dir == DIR_READ ? 0 : -ENOSPC);
	return true;
}

static int
net_rdma_submit(struct engine *engine, struct io *const *ios, unsigned n)
{
	struct net_rdma *net = (struct net_rdma *)engine;
	struct ibv_send_wr wrs[BATCH];
	struct ibv_sge sges[BATCH];
	unsigned taken = 0, posted = 0;

	while (taken < n && posted < BATCH && !net->link.broken) {
		struct io *io = ios[taken];
		const struct ibv_mr *mr;

		if (ends_beyond(net, io)) {
			taken++;
			continue;
		}
		if (!rdma_flow_take(&net->link.flow, 1))
			break;
		mr = region_of(net, io);
		if (!mr)
			break;
		if (net->one_sided)
			put_one_sided(net, io, mr, &wrs[posted], &sges[posted]);
		else
			put_capsule(net, io, mr, &wrs[posted], &sges[posted]);
		if (posted > 0)
			wrs[posted - 1].next = &wrs[posted];
		net->slots[io->index].io = io;
		posted++;
		taken++;
	}
	if (posted > 0)
		(void)rdma_link_post(&net->link, wrs);
	return taken > 0 || !net->link.broken ? (int)taken : -net->link.broken;
}

/* ---- in ---- */

static int
take_response(struct net_rdma *net, unsigned recv)
{
	struct net_response response;
	struct slot *slot;

	if (!net_response_get(&response, rdma_link_recv_buf(&net->link, recv)) ||
	    response.tag >= net->depth || !(slot = &net->slots[response.tag])->io ||
	    response.bytes > slot->io->bytes)
		return rdma_link_break(
		    &net->link, EPROTO, "the target answers nonsense");
	push_done(net, slot->io,
	    response.errnum ? -(int64_t)response.errnum : (int64_t)response.bytes);
	rdma_flow_give(&net->link.flow);
	return rdma_link_post_recv(&net->link, recv);
}

static int
take_sent(struct net_rdma *net, const struct ibv_wc *wc)
{
	struct slot *slot = &net->slots[rdma_wr_tag(wc->wr_id)];

	if (!rdma_flow_completed(&net->link.flow, rdma_wr_seq(wc->wr_id)))
		return rdma_link_break(
		    &net->link, EPROTO, "a completion out of order");
	if (net->one_sided && slot->io) {
		push_done(net, slot->io, slot->bytes);
		rdma_flow_give(&net->link.flow);
	}
	return 0;
}

/* Names the I/O that a failed completion belongs to. */
static int
take_bad(struct net_rdma *net, const struct ibv_wc *wc)
{
	char what[128] = "RECV of an answer";
	unsigned tag = rdma_wr_tag(wc->wr_id);

	if (!(wc->wr_id & RDMA_RECV)) {
		const struct io *io = tag < net->depth ? net->slots[tag].io : NULL;

		snprintf(what, sizeof what, "%s of %u bytes at %llu",
		    tag == net->depth ? "WRITE after a silence"
		    : !net->one_sided ? "SEND of a request"
		    : io && io->dir == DIR_READ ? "RDMA READ"
						: "RDMA WRITE",
		    io ? io->bytes : 0, io ? (unsigned long long)io->offset : 0);
	}
	return rdma_link_bad(&net->link, wc, what);
}

/* What has completed by now. */
static void
look(struct net_rdma *net)
{
	struct ibv_wc wcs[POLL_MAX];
	int n = rdma_link_poll(&net->link, wcs, POLL_MAX);

	if (n > 0)
		net->knock_ns = 0;
	for (int i = 0; i < n && !net->link.broken; i++) {
		if (wcs[i].status != IBV_WC_SUCCESS)
			(void)take_bad(net, &wcs[i]);
		else if (wcs[i].wr_id & RDMA_RECV)
			(void)take_response(net, (unsigned)(wcs[i].wr_id & ~RDMA_RECV));
		else
			(void)take_sent(net, &wcs[i]);
	}
}

static int
hand_out(struct net_rdma *net, struct io **ret, unsigned max)
{
	unsigned n = 0;

	while (n < max && net->ndone > 0) {
		ret[n++] = net->done[net->done_at];
		net->done_at = (net->done_at + 1) % net->depth;
		net->ndone--;
	}
	return (int)n;
}

/*
 * The other side has acknowledged all requests and then says nothing: a host that is cut
 * off looks the same.  A write of no bytes touches no memory, but must be acknowledged.
 */
static void
knock(struct net_rdma *net)
{
	struct ibv_send_wr wr = {
	    .opcode = IBV_WR_RDMA_WRITE, .send_flags = IBV_SEND_SIGNALED};
	uint64_t seq;

	/* Without room something is unacknowledged that will tell. */
	if (net->one_sided || rdma_flow_room(&net->link.flow) == 0)
		return;
	(void)rdma_flow_post(&net->link.flow, true, &seq);
	wr.wr_id = rdma_wr_id(seq, net->depth);
	(void)rdma_link_post(&net->link, &wr);
}

/* There was nothing: how long to be content with that. */
static void
be_patient(struct net_rdma *net, uint64_t now)
{
	if (net->knock_ns != 0 && now < net->knock_ns)
		return;
	if (net->knock_ns != 0)
		knock(net);
	net->knock_ns = now + KNOCK_NS;
}

/* With hipri: never sleeps, but looks around now and then.  As rdma_link_sleep. */
static int
spin(struct net_rdma *net, uint64_t until_ns)
{
	for (unsigned i = 0; i < SPINS; i++) {
		unsigned before = net->ndone;

		look(net);
		if (net->ndone > before || net->link.broken)
			return 1;
	}
	rdma_link_check(&net->link);
	if (wake_sleep(0) == -EINTR)
		return -EINTR;
	uint64_t now = clock_ns();
	be_patient(net, now);
	return now < until_ns ? 1 : 0;
}

/* Asks to be told of the next completion, looks once more, and sleeps. */
static int
wait(struct net_rdma *net, uint64_t until_ns)
{
	unsigned before = net->ndone;
	struct timespec left;

	be_patient(net, clock_ns());
	left = wake_left(until_ns < net->knock_ns ? until_ns : net->knock_ns);
	if (ibv_req_notify_cq(net->link.cq, 0) != 0)
		return rdma_link_break(&net->link, EIO, "ibv_req_notify_cq failed");
	look(net);
	if (net->ndone > before || net->link.broken)
		return 1;
	int r = rdma_link_sleep(&net->link, &left, &net->wake.waiting, -1);
	return r == 0 && clock_ns() < until_ns ? 1 : r;
}

static int
net_rdma_reap(struct engine *engine, struct io **ret, unsigned min, unsigned max,
    uint64_t until_ns)
{
	struct net_rdma *net = (struct net_rdma *)engine;

	for (;;) {
		int r;

		look(net);
		if (net->link.broken && net->ndone == 0)
			return -net->link.broken;
		if (net->ndone >= min || net->link.broken)
			return hand_out(net, ret, max);
		r = net->polls ? spin(net, until_ns) : wait(net, until_ns);
		if (r == 0)
			return hand_out(net, ret, max);
		if (r == -EINTR)
			return net->ndone > 0 ? hand_out(net, ret, max) : -EINTR;
	}
}

static void
net_rdma_wake(struct engine *engine)
{
	wake_send(&((struct net_rdma *)engine)->wake);
}

static const char *
net_rdma_why(const struct engine *engine)
{
	struct net_rdma *net = (struct net_rdma *)engine;

	if (!net->link.broken)
		return NULL;
	snprintf(net->why, sizeof net->why, "%s: %s", net->peer.name, net->link.why.msg);
	return net->why;
}

const struct engine_ops net_rdma_ops = {
    .name = "net-rdma",
    .doc = "a volley target over RDMA (volley-io serve --rdma)",
    .caps = ENGINE_PEER,
    .check = net_check,
    .open = net_rdma_open,
    .map = net_rdma_map,
    .file_open = net_rdma_file_open,
    .file_close = engine_file_none,
    .submit = net_rdma_submit,
    .reap = net_rdma_reap,
    .wake = net_rdma_wake,
    .why = net_rdma_why,
    .close = net_rdma_close,
};
