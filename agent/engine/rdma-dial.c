/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connecting a queue pair.  It is made and moved through its states here, not by
 * librdmacm: only so can the path's MTU, the GID and the rights of the other side be
 * chosen, and known.
 */
#include "agent/engine/rdma-link.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"

#define CM_MS 10000	/* for each step of the connection manager */
#define RESOLVE_MS 5000
#define TIMEOUT 17	/* 4.096 us * 2^17: half a second until a packet is sent anew */
#define RETRIES 6	/* soft-RoCE takes 7 as for ever */
#define RNR_RETRIES 6	/* 7 would be for ever */
#define RNR_TIMER 20	/* 10.24 ms */
#define READS_MAX 16u	/* RDMA READs at a time */
#define INLINE 48u
#define PORT_TEXT 8

static unsigned
mtu_bytes(enum ibv_mtu mtu)
{
	return 128u << (unsigned)mtu;
}

static enum ibv_mtu
mtu_code(unsigned bytes)
{
	enum ibv_mtu mtu = IBV_MTU_256;

	while (mtu < IBV_MTU_4096 && mtu_bytes(mtu) < bytes)
		mtu++;
	return mtu;
}

/* ---- queue pairs ---- */

static int
describe_device(struct rdma_link *link, struct err *err)
{
	struct ibv_port_attr port;

	snprintf(link->device, sizeof link->device, "%s",
	    ibv_get_device_name(link->id->verbs->device));
	if (ibv_query_port(link->id->verbs, link->id->port_num, &port) != 0)
		return err_sys(err, errno, "ibv_query_port of %s", link->device);
	link->active_mtu = mtu_bytes(port.active_mtu);
	return 0;
}

static int
make_messages(struct rdma_link *link, struct err *err)
{
	size_t len = (size_t)(link->nrecv + link->nsend) * RDMA_MESSAGE;

	link->messages = mem_alloc(len);
	link->messages_mr = rdma_link_register(
	    link, link->pd, link->messages, len, IBV_ACCESS_LOCAL_WRITE, err);
	return link->messages_mr ? 0 : -1;
}

static int
make_qp(struct rdma_link *link, const struct rdma_shape *shape, struct err *err)
{
	unsigned depth = rdma_flow_depth(shape->credits, shape->wrs);
	struct ibv_qp_init_attr init = {.qp_type = IBV_QPT_RC,
	    .send_cq = link->cq,
	    .recv_cq = link->cq,
	    .cap = {.max_send_wr = depth,
		.max_recv_wr = shape->nrecv,
		.max_send_sge = 1,
		.max_recv_sge = 1,
		.max_inline_data = INLINE}};

	link->qp = ibv_create_qp(link->pd, &init);
	if (!link->qp) { /* not every device sends inline */
		init.cap.max_inline_data = 0;
		link->qp = ibv_create_qp(link->pd, &init);
	}
	if (!link->qp)
		return err_sys(err, errno, "ibv_create_qp for %u requests on %s",
		    shape->credits, link->device);
	link->inlined = init.cap.max_inline_data >= NET_REQUEST_LEN;
	rdma_flow_init(&link->flow, shape->credits, depth);
	return 0;
}

static int
modify(struct rdma_link *link, struct ibv_qp_attr *attr, int mask, const char *to,
    struct err *err)
{
	int r = ibv_modify_qp(link->qp, attr, mask);

	return r == 0 ? 0
		      : err_sys(err, r, "ibv_modify_qp (to %s) on %s", to, link->device);
}

static int
to_init(struct rdma_link *link, struct err *err)
{
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT};
	int mask;

	if (rdma_init_qp_attr(link->id, &attr, &mask) != 0)
		return err_sys(err, errno, "rdma_init_qp_attr on %s", link->device);
	attr.qp_access_flags = 0;
	return modify(link, &attr, mask, "init", err);
}

/* `net` NULL: the target's side, where nothing was asked for. */
static int
to_rts(struct rdma_link *link, const struct job_net *net, int access, struct err *err)
{
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTR};
	int mask;

	if (rdma_init_qp_attr(link->id, &attr, &mask) != 0)
		return err_sys(err, errno, "rdma_init_qp_attr on %s", link->device);
	attr.path_mtu = mtu_code(link->mtu);
	attr.min_rnr_timer = RNR_TIMER;
	attr.qp_access_flags = (unsigned)access;
	mask |= IBV_QP_PATH_MTU | IBV_QP_ACCESS_FLAGS | IBV_QP_MIN_RNR_TIMER;
	if (net && net->sl)
		attr.ah_attr.sl = (uint8_t)net->sl;
	if (net && net->traffic_class)
		attr.ah_attr.grh.traffic_class = (uint8_t)net->traffic_class;
	if (net && net->has_gid)
		attr.ah_attr.grh.sgid_index = (uint8_t)net->gid_index;
	if (modify(link, &attr, mask, "ready to receive", err) < 0)
		return -1;
	attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS};
	if (rdma_init_qp_attr(link->id, &attr, &mask) != 0)
		return err_sys(err, errno, "rdma_init_qp_attr on %s", link->device);
	attr.timeout = TIMEOUT;
	attr.retry_cnt = RETRIES;
	attr.rnr_retry = RNR_RETRIES;
	return modify(link, &attr, mask, "ready to send", err);
}

static int
make(struct rdma_link *link, struct ibv_pd *pd, const struct rdma_shape *shape,
    struct err *err)
{
	struct ibv_context *verbs = link->id->verbs;

	link->nrecv = shape->nrecv;
	link->nsend = shape->nsend;
	link->pd = pd ? pd : ibv_alloc_pd(verbs);
	link->owns_pd = !pd;
	if (!link->pd)
		return err_sys(err, errno, "ibv_alloc_pd on %s", link->device);
	link->comp = ibv_create_comp_channel(verbs);
	if (!link->comp)
		return err_sys(
		    err, errno, "ibv_create_comp_channel on %s", link->device);
	link->cq = ibv_create_cq(verbs,
	    (int)(rdma_flow_depth(shape->credits, shape->wrs) + shape->nrecv), NULL,
	    link->comp, 0);
	if (!link->cq)
		return err_sys(err, errno, "ibv_create_cq on %s", link->device);
	if (make_messages(link, err) < 0 || make_qp(link, shape, err) < 0 ||
	    to_init(link, err) < 0)
		return -1;
	for (unsigned i = 0; i < link->nrecv; i++)
		if (rdma_link_post_recv(link, i) < 0) {
			*err = link->why;
			return -1;
		}
	return 0;
}

static struct rdma_conn_param
conn_param(const struct rdma_link *link, const uint8_t *data, size_t len)
{
	struct ibv_device_attr device;
	unsigned in = READS_MAX, out = READS_MAX;

	if (ibv_query_device(link->id->verbs, &device) == 0) {
		if ((unsigned)device.max_qp_rd_atom < in)
			in = (unsigned)device.max_qp_rd_atom;
		if ((unsigned)device.max_qp_init_rd_atom < out)
			out = (unsigned)device.max_qp_init_rd_atom;
	}
	return (struct rdma_conn_param){.private_data = data,
	    .private_data_len = (uint8_t)len,
	    .responder_resources = (uint8_t)in,
	    .initiator_depth = (uint8_t)out,
	    .retry_count = RETRIES,
	    .rnr_retry_count = RNR_RETRIES,
	    .qp_num = link->qp->qp_num};
}

/* ---- events of the connection manager ---- */

static int
rejected(const struct rdma_cm_event *event, const struct rdma_link *link,
    struct err *err)
{
	struct rdma_offer theirs;

	if (rdma_offer_get(&theirs, event->param.conn.private_data,
		event->param.conn.private_data_len))
		return err_set(err, ERR_UNSUPPORTED,
		    "MTU mismatch: a path MTU of %u was asked for, the target's port has "
		    "%u",
		    link->mtu, theirs.mtu);
	return err_set(err, ERR_UNREACHABLE,
	    event->status == 8 ? "nothing serves RDMA at this port"
			       : "the target refused the connection (reason %d)",
	    event->status);
}

static int
describe_event(const struct rdma_cm_event *event, const struct rdma_link *link,
    struct err *err)
{
	int errnum = event->status < 0 ? -event->status : event->status;

	switch (event->event) {
	case RDMA_CM_EVENT_REJECTED: return rejected(event, link, err);
	case RDMA_CM_EVENT_ADDR_ERROR:
		err_sys(err, errnum, "rdma_resolve_addr");
		if (errnum == ENODEV)
			err_set(err, ERR_UNREACHABLE,
			    "the way to this address leads over no RDMA device");
		return -1;
	case RDMA_CM_EVENT_UNREACHABLE:
		return err_set(err, ERR_UNREACHABLE, "no answer to the RDMA connection");
	default:
		return err_set(err, ERR_UNREACHABLE, "%s (status %d)",
		    rdma_event_str(event->event), event->status);
	}
}

static int
expect(struct rdma_link *link, enum rdma_cm_event_type want, uint8_t *ret_data,
    struct err *err)
{
	struct pollfd poll_fd = {.fd = link->events->fd, .events = POLLIN};
	struct rdma_cm_event *event;
	int r = poll(&poll_fd, 1, CM_MS), rc = 0;

	if (r == 0)
		return err_set(err, ERR_TIMEOUT, "no %s in %d s", rdma_event_str(want),
		    CM_MS / 1000);
	if (r < 0 || rdma_get_cm_event(link->events, &event) != 0)
		return err_sys(err, errno, "rdma_get_cm_event");
	if (event->event != want)
		rc = describe_event(event, link, err);
	else if (ret_data && event->param.conn.private_data_len >= RDMA_OFFER_LEN)
		memcpy(ret_data, event->param.conn.private_data, RDMA_OFFER_LEN);
	rdma_ack_cm_event(event);
	return rc;
}

/* ---- which way ---- */

/* The address that a GID of RoCE v2 is; false: it is of another kind. */
static bool
gid_address(const union ibv_gid *gid, int family, struct sockaddr_storage *ret)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
	bool v4 = memcmp(gid->raw, mapped, sizeof mapped) == 0;

	memset(ret, 0, sizeof *ret);
	ret->ss_family = (sa_family_t)family;
	if (family == AF_INET && v4)
		memcpy(&((struct sockaddr_in *)ret)->sin_addr, gid->raw + 12, 4);
	else if (family == AF_INET6 && !v4)
		memcpy(&((struct sockaddr_in6 *)ret)->sin6_addr, gid->raw, 16);
	else
		return false;
	return true;
}

static int
check_gid(struct ibv_context *verbs, uint32_t port, const struct job_net *net,
    struct err *err)
{
	static const char *const names[] = {[IBV_GID_TYPE_IB] = "InfiniBand",
	    [IBV_GID_TYPE_ROCE_V1] = "RoCE v1",
	    [IBV_GID_TYPE_ROCE_V2] = "RoCE v2"};
	const char *device = ibv_get_device_name(verbs->device);
	struct ibv_gid_entry gid;

	if (ibv_query_gid_ex(verbs, port, net->gid_index, &gid, 0) != 0)
		return err_set(err, ERR_USAGE, "rdma_gid_index: %s has no GID %u",
		    device, net->gid_index);
	if (gid.gid_type == IBV_GID_TYPE_ROCE_V1)
		return err_set(err, ERR_USAGE,
		    "rdma_gid_index: GID %u of %s is of type %s, not RoCE v2",
		    net->gid_index, device, names[gid.gid_type]);
	return 0;
}

/* The first GID of the device that speaks the target's kind of address. */
static int
source_of(struct ibv_context *verbs, const struct job_net *net, int family,
    struct sockaddr_storage *ret, struct err *err)
{
	struct ibv_gid_entry gid;
	unsigned from = net->has_gid ? net->gid_index : 0;
	unsigned to = net->has_gid ? net->gid_index + 1 : 256;

	if (net->has_gid && check_gid(verbs, 1, net, err) < 0)
		return -1;
	for (unsigned i = from; i < to; i++)
		if (ibv_query_gid_ex(verbs, 1, i, &gid, 0) == 0 &&
		    gid.gid_type == IBV_GID_TYPE_ROCE_V2 &&
		    gid_address(&gid.gid, family, ret))
			return 0;
	return err_set(err, ERR_USAGE,
	    "rdma_device: %s has no RoCE v2 GID for IPv%d%s", net->device,
	    family == AF_INET ? 4 : 6, net->has_gid ? " at that index" : "");
}

static int
source_of_device(const struct job_net *net, int family, struct sockaddr_storage *ret,
    struct err *err)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *verbs = NULL;
	int rc;

	for (size_t i = 0; list && list[i] && !verbs; i++)
		if (strcmp(ibv_get_device_name(list[i]), net->device) == 0)
			verbs = ibv_open_device(list[i]);
	if (list)
		ibv_free_device_list(list);
	if (!verbs)
		return err_set(err, ERR_USAGE,
		    "rdma_device: there is no RDMA device %s here", net->device);
	rc = source_of(verbs, net, family, ret, err);
	(void)ibv_close_device(verbs);
	return rc;
}

static int
resolve_to(struct rdma_link *link, const struct job_net *net, struct addrinfo *ai,
    struct err *err)
{
	struct sockaddr_storage source;
	uint8_t tos = (uint8_t)net->traffic_class;

	if (net->device && source_of_device(net, ai->ai_family, &source, err) < 0)
		return -1;
	if (tos && rdma_set_option(link->id, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, &tos,
		       sizeof tos) != 0)
		return err_sys(err, errno, "rdma_set_option (traffic class)");
	if (rdma_resolve_addr(link->id,
		net->device ? (struct sockaddr *)&source : NULL, ai->ai_addr,
		RESOLVE_MS) != 0)
		return err_sys(err, errno, "rdma_resolve_addr");
	if (expect(link, RDMA_CM_EVENT_ADDR_RESOLVED, NULL, err) < 0)
		return -1;
	if (rdma_resolve_route(link->id, RESOLVE_MS) != 0)
		return errno == ENODEV
			   ? err_set(err, ERR_UNREACHABLE,
				 "the way to this address leads over no RDMA device")
			   : err_sys(err, errno, "rdma_resolve_route");
	return expect(link, RDMA_CM_EVENT_ROUTE_RESOLVED, NULL, err);
}

static int
resolve(struct rdma_link *link, const struct job_net *net, struct err *err)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	struct addrinfo *ai;
	char port[PORT_TEXT];
	int r;

	snprintf(port, sizeof port, "%u", net->port);
	r = getaddrinfo(net->hostname, port, &hints, &ai);
	if (r != 0)
		return err_set(err, ERR_UNREACHABLE, "%s",
		    r == EAI_SYSTEM ? strerror(errno) : gai_strerror(r));
	r = resolve_to(link, net, ai, err);
	freeaddrinfo(ai);
	if (r < 0 || describe_device(link, err) < 0)
		return -1;
	if (net->has_gid && !net->device)
		return check_gid(link->id->verbs, link->id->port_num, net, err);
	return 0;
}

/* ---- client ---- */

static int
open_events(struct rdma_link *link, struct err *err)
{
	link->events = rdma_create_event_channel();
	if (!link->events)
		return errno == ENODEV || errno == ENOENT
			   ? err_set(err, ERR_UNSUPPORTED, "no RDMA device on this host")
			   : err_sys(err, errno, "rdma_create_event_channel");
	if (rdma_create_id(link->events, &link->id, NULL, RDMA_PS_TCP) != 0)
		return errno == ENODEV
			   ? err_set(err, ERR_UNSUPPORTED, "no RDMA device on this host")
			   : err_sys(err, errno, "rdma_create_id");
	return 0;
}

static int
choose_mtu(struct rdma_link *link, const struct job_net *net, struct err *err)
{
	link->mtu = net->mtu ? net->mtu : link->active_mtu;
	if (link->mtu <= link->active_mtu)
		return 0;
	return err_set(err, ERR_USAGE,
	    "rdma_mtu %u: the port of %s has %u (the MTU of its network device must be "
	    "larger)",
	    link->mtu, link->device, link->active_mtu);
}

int
rdma_link_dial(struct rdma_link *link, const struct job *job,
    const struct rdma_shape *shape, struct err *err)
{
	const struct job_net *net = &job->net;
	uint8_t ours[RDMA_OFFER_LEN], answer[RDMA_OFFER_LEN] = {0};
	struct rdma_offer offer = {.version = NET_VERSION,
	    .depth = (uint16_t)shape->credits,
	    .fixed = net->mtu != 0};
	struct rdma_conn_param param;
	int access = net->mode == JOB_RDMA_CAPSULE
			 ? IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE
			 : 0;

	snprintf(offer.name, sizeof offer.name, "%s", net->export);
	if (open_events(link, err) < 0 || resolve(link, net, err) < 0 ||
	    choose_mtu(link, net, err) < 0 || make(link, NULL, shape, err) < 0)
		return -1;
	offer.mtu = (uint16_t)link->mtu;
	rdma_offer_put(ours, &offer);
	param = conn_param(link, ours, sizeof ours);
	if (rdma_connect(link->id, &param) != 0)
		return err_sys(err, errno, "rdma_connect over %s", link->device);
	if (expect(link, RDMA_CM_EVENT_CONNECT_RESPONSE, answer, err) < 0)
		return -1;
	if (rdma_offer_get(&offer, answer, sizeof answer) && offer.mtu < link->mtu)
		link->mtu = offer.mtu;
	if (to_rts(link, net, access, err) < 0)
		return -1;
	if (rdma_establish(link->id) != 0)
		return err_sys(err, errno, "rdma_establish over %s", link->device);
	return 0;
}

/* ---- target ---- */

void
rdma_link_refuse(struct rdma_cm_id *id, unsigned mtu)
{
	const struct rdma_offer offer = {.version = NET_VERSION, .mtu = (uint16_t)mtu};
	uint8_t data[RDMA_OFFER_LEN];

	rdma_offer_put(data, &offer);
	(void)rdma_reject(id, data, sizeof data);
}

int
rdma_link_accept(struct rdma_link *link, const struct rdma_offer *offer,
    struct ibv_pd *pd, const struct rdma_shape *shape, struct err *err)
{
	struct rdma_offer ours = {.version = NET_VERSION};
	uint8_t data[RDMA_OFFER_LEN];
	struct rdma_conn_param param;

	if (describe_device(link, err) < 0)
		return -1;
	link->mtu = offer->mtu < link->active_mtu ? offer->mtu : link->active_mtu;
	if (link->mtu < offer->mtu && offer->fixed) {
		rdma_link_refuse(link->id, link->active_mtu);
		return err_set(err, ERR_UNSUPPORTED, "MTU mismatch");
	}
	if (make(link, pd, shape, err) < 0 || to_rts(link, NULL, 0, err) < 0)
		return -1;
	ours.mtu = (uint16_t)link->mtu;
	rdma_offer_put(data, &ours);
	param = conn_param(link, data, sizeof data);
	if (rdma_accept(link->id, &param) != 0)
		return err_sys(err, errno, "rdma_accept over %s", link->device);
	return expect(link, RDMA_CM_EVENT_ESTABLISHED, NULL, err);
}
