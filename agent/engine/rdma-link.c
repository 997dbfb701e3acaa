/* SPDX-License-Identifier: Apache-2.0 */
/* A queue pair in use: posting, polling, waiting, and how failures are told. */
#include "agent/engine/rdma-link.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "agent/engine/wake.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"

#define GREET_NS (10 * UNITS_NS_PER_S)
#define OFFER_MAGIC "VLYR"

void
rdma_offer_put(uint8_t *p, const struct rdma_offer *offer)
{
	memset(p, 0, RDMA_OFFER_LEN);
	memcpy(p, OFFER_MAGIC, 4);
	p[4] = (uint8_t)(offer->version >> 8);
	p[5] = (uint8_t)offer->version;
	p[6] = (uint8_t)(offer->mtu >> 8);
	p[7] = (uint8_t)offer->mtu;
	p[8] = (uint8_t)(offer->depth >> 8);
	p[9] = (uint8_t)offer->depth;
	p[10] = offer->fixed;
	memcpy(p + 12, offer->name, strnlen(offer->name, NET_NAME_MAX));
}

bool
rdma_offer_get(struct rdma_offer *ret, const void *data, size_t len)
{
	const uint8_t *p = data;

	if (!p || len < RDMA_OFFER_LEN || memcmp(p, OFFER_MAGIC, 4) != 0)
		return false;
	*ret = (struct rdma_offer){.version = (uint16_t)(p[4] << 8 | p[5]),
	    .mtu = (uint16_t)(p[6] << 8 | p[7]),
	    .depth = (uint16_t)(p[8] << 8 | p[9]),
	    .fixed = p[10] != 0};
	memcpy(ret->name, p + 12, NET_NAME_MAX);
	return true;
}

/* ---- failures ---- */

static const char *
state_name(const struct rdma_link *link)
{
	static const char *const names[] = {[IBV_QPS_RESET] = "reset",
	    [IBV_QPS_INIT] = "init",
	    [IBV_QPS_RTR] = "ready to receive",
	    [IBV_QPS_RTS] = "ready to send",
	    [IBV_QPS_SQD] = "send queue drained",
	    [IBV_QPS_SQE] = "send queue error",
	    [IBV_QPS_ERR] = "error"};
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	if (!link->qp || ibv_query_qp(link->qp, &attr, IBV_QP_STATE, &init) != 0 ||
	    (size_t)attr.qp_state >= sizeof names / sizeof *names)
		return "unknown";
	return names[attr.qp_state];
}

int
rdma_link_break(struct rdma_link *link, int errnum, const char *fmt, ...)
{
	char what[256];
	va_list ap;

	if (link->broken)
		return -1;
	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	link->broken = errnum ? errnum : EIO;
	err_set(&link->why, ERR_IO, "%s (device %s, queue pair %s)", what, link->device,
	    state_name(link));
	link->why.errnum = link->broken;
	return -1;
}

int
rdma_link_bad(struct rdma_link *link, const struct ibv_wc *wc, const char *what)
{
	/* All that was queued is flushed once the queue pair has failed; why it did is
	 * told elsewhere. */
	if (wc->status == IBV_WC_WR_FLUSH_ERR) {
		rdma_link_check(link);
		return rdma_link_break(
		    link, ECONNRESET, "%s: the connection is lost", what);
	}
	return rdma_link_break(link, EIO, "%s: %s (vendor error 0x%x)", what,
	    ibv_wc_status_str(wc->status), wc->vendor_err);
}

/* ---- memory ---- */

struct ibv_mr *
rdma_link_register(struct rdma_link *link, struct ibv_pd *pd, void *base, size_t len,
    int access, struct err *err)
{
	struct ibv_mr *mr = ibv_reg_mr(pd, base, len, access);
	int errnum = errno;
	struct rlimit limit;

	if (mr)
		return mr;
	if (errnum == ENOMEM && getrlimit(RLIMIT_MEMLOCK, &limit) == 0 &&
	    limit.rlim_cur != RLIM_INFINITY)
		err_sys(err, errnum,
		    "ibv_reg_mr of %zu bytes on %s: RLIMIT_MEMLOCK is %llu bytes (ulimit "
		    "-l; LimitMEMLOCK= of a unit)",
		    len, link->device, (unsigned long long)limit.rlim_cur);
	else
		err_sys(err, errnum, "ibv_reg_mr of %zu bytes on %s", len, link->device);
	return NULL;
}

uint8_t *
rdma_link_recv_buf(struct rdma_link *link, unsigned slot)
{
	return link->messages + (size_t)slot * RDMA_MESSAGE;
}

uint8_t *
rdma_link_send_buf(struct rdma_link *link, unsigned slot)
{
	return link->messages + (size_t)(link->nrecv + slot) * RDMA_MESSAGE;
}

/* ---- posting ---- */

int
rdma_link_post_recv(struct rdma_link *link, unsigned slot)
{
	struct ibv_sge sge = {.addr = (uintptr_t)rdma_link_recv_buf(link, slot),
	    .length = RDMA_MESSAGE,
	    .lkey = link->messages_mr->lkey};
	struct ibv_recv_wr wr = {
	    .wr_id = RDMA_RECV | slot, .sg_list = &sge, .num_sge = 1};
	struct ibv_recv_wr *bad;
	int r = ibv_post_recv(link->qp, &wr, &bad);

	return r == 0 ? 0 : rdma_link_break(link, r, "ibv_post_recv: %s", strerror(r));
}

void
rdma_link_send_wr(struct rdma_link *link, struct ibv_send_wr *wr, struct ibv_sge *sge,
    unsigned slot, unsigned len, unsigned tag)
{
	uint64_t seq;
	bool signalled = rdma_flow_post(&link->flow, false, &seq);

	*sge = (struct ibv_sge){.addr = (uintptr_t)rdma_link_send_buf(link, slot),
	    .length = len,
	    .lkey = link->messages_mr->lkey};
	*wr = (struct ibv_send_wr){.wr_id = rdma_wr_id(seq, tag),
	    .sg_list = sge,
	    .num_sge = 1,
	    .opcode = IBV_WR_SEND,
	    .send_flags = (signalled ? IBV_SEND_SIGNALED : 0) |
			  (link->inlined ? IBV_SEND_INLINE : 0)};
}

int
rdma_link_post(struct rdma_link *link, struct ibv_send_wr *first)
{
	struct ibv_send_wr *bad;
	int r = ibv_post_send(link->qp, first, &bad);

	return r == 0 ? 0 : rdma_link_break(link, r, "ibv_post_send: %s", strerror(r));
}

int
rdma_link_poll(struct rdma_link *link, struct ibv_wc *ret, int max)
{
	int n = ibv_poll_cq(link->cq, max, ret);

	if (n < 0)
		return rdma_link_break(link, EIO, "ibv_poll_cq failed");
	return n;
}

/* ---- waiting ---- */

void
rdma_link_check(struct rdma_link *link)
{
	struct pollfd poll_fd = {.fd = link->events->fd, .events = POLLIN};
	struct rdma_cm_event *event;

	while (!link->broken && poll(&poll_fd, 1, 0) == 1) {
		if (rdma_get_cm_event(link->events, &event) != 0)
			return;
		if (event->event == RDMA_CM_EVENT_DISCONNECTED)
			rdma_link_break(
			    link, ECONNRESET, "the other side closed the connection");
		else if (event->event == RDMA_CM_EVENT_DEVICE_REMOVAL)
			rdma_link_break(link, ENODEV, "the RDMA device was removed");
		rdma_ack_cm_event(event);
	}
}

/* Empties the completion channel; its events are acknowledged in bulk. */
static void
take_events(struct rdma_link *link)
{
	struct ibv_cq *cq;
	void *context;

	if (ibv_get_cq_event(link->comp, &cq, &context) != 0)
		return;
	if (++link->unacked == 1024) {
		ibv_ack_cq_events(link->cq, link->unacked);
		link->unacked = 0;
	}
}

int
rdma_link_sleep(struct rdma_link *link, const struct timespec *left,
    const sigset_t *mask, int stop_fd)
{
	struct pollfd fds[3] = {{.fd = link->comp->fd, .events = POLLIN},
	    {.fd = link->events->fd, .events = POLLIN},
	    {.fd = stop_fd, .events = POLLIN}};
	int r = ppoll(fds, 3, left, mask);

	if (r <= 0)
		return r < 0 ? -errno : 0;
	if (fds[0].revents)
		take_events(link);
	if (fds[1].revents)
		rdma_link_check(link);
	if (fds[2].revents)
		rdma_link_break(link, ECANCELED, "the target ends");
	return 1;
}

/* ---- the handshake ---- */

static int
failed(struct rdma_link *link, struct err *err)
{
	*err = link->why;
	return -1;
}

/* The next receive: its slot, or -1. */
static int
await_message(struct rdma_pipe *pipe, struct err *err)
{
	struct rdma_link *link = pipe->link;
	uint64_t until = clock_ns() + GREET_NS;
	struct ibv_wc wc;
	bool armed = false;

	for (;;) {
		struct timespec left = wake_left(until);
		int n = rdma_link_poll(link, &wc, 1);

		if (n > 0 && wc.status != IBV_WC_SUCCESS)
			(void)rdma_link_bad(link, &wc,
			    wc.wr_id & RDMA_RECV ? "RECV in the handshake"
						 : "SEND in the handshake");
		if (link->broken)
			return failed(link, err);
		if (n > 0 && wc.wr_id & RDMA_RECV)
			return (int)(wc.wr_id & ~RDMA_RECV);
		if (n > 0) {
			(void)rdma_flow_completed(&link->flow, rdma_wr_seq(wc.wr_id));
			continue;
		}
		if (clock_ns() >= until)
			return err_set(err, ERR_TIMEOUT, "no answer in %llu s",
			    (unsigned long long)(GREET_NS / UNITS_NS_PER_S));
		if (!armed && ibv_req_notify_cq(link->cq, 0) == 0) {
			armed = true;
			continue; /* one may have come before */
		}
		(void)rdma_link_sleep(link, &left, NULL, pipe->stop_fd);
		armed = false;
	}
}

int
rdma_pipe_recv(void *arg, uint8_t *ret, size_t len, struct err *err)
{
	struct rdma_pipe *pipe = arg;
	int slot = await_message(pipe, err);

	if (slot < 0)
		return -1;
	memcpy(ret, rdma_link_recv_buf(pipe->link, (unsigned)slot), len);
	if (rdma_link_post_recv(pipe->link, (unsigned)slot) < 0)
		return failed(pipe->link, err);
	return 0;
}

int
rdma_pipe_send(void *arg, const uint8_t *data, size_t len, struct err *err)
{
	struct rdma_pipe *pipe = arg;
	struct rdma_link *link = pipe->link;
	/* Two at most are under way before the other side has answered the first. */
	unsigned slot = (unsigned)(link->flow.posted % 2) % link->nsend;
	struct ibv_send_wr wr;
	struct ibv_sge sge;

	memcpy(rdma_link_send_buf(link, slot), data, len);
	rdma_link_send_wr(link, &wr, &sge, slot, (unsigned)len, 0);
	wr.send_flags &= ~(unsigned)IBV_SEND_INLINE;
	return rdma_link_post(link, &wr) == 0 ? 0 : failed(link, err);
}

int
rdma_link_grant(struct rdma_link *link, int access, struct err *err)
{
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTS,
	    .qp_access_flags = (unsigned)access};
	int r = ibv_modify_qp(link->qp, &attr, IBV_QP_STATE | IBV_QP_ACCESS_FLAGS);

	return r == 0 ? 0
		      : err_sys(err, r, "ibv_modify_qp (remote access) on %s",
			    link->device);
}

void
rdma_link_close(struct rdma_link *link)
{
	if (link->id && link->qp)
		(void)rdma_disconnect(link->id);
	if (link->qp)
		(void)ibv_destroy_qp(link->qp);
	if (link->cq && link->unacked > 0)
		ibv_ack_cq_events(link->cq, link->unacked);
	if (link->cq)
		(void)ibv_destroy_cq(link->cq);
	if (link->comp)
		(void)ibv_destroy_comp_channel(link->comp);
	if (link->messages_mr)
		(void)ibv_dereg_mr(link->messages_mr);
	if (link->pd && link->owns_pd)
		(void)ibv_dealloc_pd(link->pd);
	if (link->id)
		(void)rdma_destroy_id(link->id);
	if (link->events)
		rdma_destroy_event_channel(link->events);
	free(link->messages);
	memset(link, 0, sizeof *link);
}
