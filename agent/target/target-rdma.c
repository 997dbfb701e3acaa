/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A target over RDMA: the listener, and the registrations of what it exports.  Each
 * export has a protection domain of its own on each device, so that a queue pair that
 * was let into one export cannot reach another, whatever keys it guesses.
 */
#include "agent/target/target-rdma.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/vec.h"

#define BACKLOG 128

struct listener {
	struct rdma_event_channel *events;
	struct rdma_cm_id *id;
	pthread_mutex_t lock; /* of the regions */
	VEC(struct rdma_region *) regions;
};

/* ---- regions ---- */

static struct rdma_region *
region_make(struct ibv_context *verbs, const struct target_export *export,
    struct err *err)
{
	struct rdma_region *region = mem_alloc(sizeof *region);
	int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
		     (export->writable ? IBV_ACCESS_REMOTE_WRITE : 0);

	*region = (struct rdma_region){.verbs = verbs, .export = export};
	region->pd = ibv_alloc_pd(verbs);
	if (!region->pd) {
		err_sys(err, errno, "ibv_alloc_pd");
	} else if (export->base) {
		region->mr = ibv_reg_mr(region->pd, export->base, export->size, access);
		if (!region->mr)
			err_sys(err, errno, "ibv_reg_mr of %llu bytes",
			    (unsigned long long)export->size);
	}
	if (region->pd && (region->mr || !export->base))
		return region;
	if (region->pd)
		(void)ibv_dealloc_pd(region->pd);
	free(region);
	return NULL;
}

/* Of this device and export; made when it is first wanted. */
const struct rdma_region *
region_get(struct target *target, struct ibv_context *verbs,
    const struct target_export *export, struct err *err)
{
	struct listener *listener = target->rdma;
	struct rdma_region *found = NULL;

	pthread_mutex_lock(&listener->lock);
	for (vec_each(struct rdma_region **, it, &listener->regions))
		if ((*it)->verbs == verbs && (*it)->export == export)
			found = *it;
	if (!found) {
		found = region_make(verbs, export, err);
		if (found)
			vec_push(&listener->regions, found);
	}
	pthread_mutex_unlock(&listener->lock);
	return found;
}

/* ---- listening ---- */

static void
on_request(struct target *target, struct rdma_cm_event *event)
{
	struct rdma_cm_id *id = event->id;
	struct rdma_offer offer;
	bool sound = rdma_offer_get(
	    &offer, event->param.conn.private_data, event->param.conn.private_data_len);

	/* The event holds the id until it is acknowledged. */
	rdma_ack_cm_event(event);
	if (!sound || offer.depth < 1 || offer.depth > NET_DEPTH_MAX) {
		(void)rdma_reject(id, NULL, 0);
		(void)rdma_destroy_id(id);
		return;
	}
	(void)target_adopt(target, rdma_conn_new(target, id, &offer));
}

static void *
listen_main(void *arg)
{
	struct target *target = arg;
	struct listener *listener = target->rdma;

	for (;;) {
		struct pollfd fds[2] = {{.fd = listener->events->fd, .events = POLLIN},
		    {.fd = target->stop_fd, .events = POLLIN}};
		struct rdma_cm_event *event;

		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return NULL;
		if (fds[1].revents)
			return NULL;
		if (!fds[0].revents || rdma_get_cm_event(listener->events, &event) != 0)
			continue;
		if (event->event == RDMA_CM_EVENT_CONNECT_REQUEST)
			on_request(target, event);
		else
			rdma_ack_cm_event(event);
	}
}

static int
bind_id(struct target *target, struct listener *listener, struct err *err)
{
	const struct addrinfo hints = {
	    .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
	const char *host = target->host ? target->host : "::";
	struct addrinfo *ai;
	char port[8];
	int r;

	/* The port that TCP has, where it has one. */
	snprintf(port, sizeof port, "%u", target->port);
	r = getaddrinfo(host, port, &hints, &ai);
	if (r != 0)
		return err_set(err, ERR_USAGE, "listen on %s: %s", host,
		    r == EAI_SYSTEM ? strerror(errno) : gai_strerror(r));
	r = rdma_bind_addr(listener->id, ai->ai_addr);
	if (r != 0 && errno == ENODEV)
		err_set(err, ERR_UNSUPPORTED, "rdma_bind_addr: %s is the address of no "
					      "RDMA device",
		    host);
	else if (r != 0)
		err_sys(err, errno, "rdma_bind_addr to %s, port %s", host, port);
	freeaddrinfo(ai);
	if (r != 0)
		return -1;
	if (rdma_listen(listener->id, BACKLOG) != 0)
		return err_sys(err, errno, "rdma_listen");
	target->port = ntohs(rdma_get_src_port(listener->id));
	return 0;
}

int
target_rdma_start(struct target *target, struct err *err)
{
	struct listener *listener = mem_alloc(sizeof *listener);
	struct ibv_device **list = ibv_get_device_list(NULL);
	bool any = list && list[0];
	int r;

	target->rdma = listener;
	pthread_mutex_init(&listener->lock, NULL);
	if (list)
		ibv_free_device_list(list);
	if (!any)
		return err_set(err, ERR_UNSUPPORTED, "no RDMA device on this host");
	listener->events = rdma_create_event_channel();
	if (!listener->events)
		return err_sys(err, errno, "rdma_create_event_channel");
	if (rdma_create_id(listener->events, &listener->id, NULL, RDMA_PS_TCP) != 0)
		return err_sys(err, errno, "rdma_create_id");
	if (bind_id(target, listener, err) < 0)
		return -1;
	r = pthread_create(&target->rdma_thread, NULL, listen_main, target);
	if (r != 0)
		return err_sys(err, r, "thread");
	target->has_rdma = true;
	return 0;
}

void
target_rdma_stop(struct target *target)
{
	if (target->has_rdma)
		pthread_join(target->rdma_thread, NULL);
	target->has_rdma = false;
}

void
target_rdma_free(struct target *target)
{
	struct listener *listener = target->rdma;

	if (!listener)
		return;
	for (vec_each(struct rdma_region **, it, &listener->regions)) {
		if ((*it)->mr)
			(void)ibv_dereg_mr((*it)->mr);
		(void)ibv_dealloc_pd((*it)->pd);
		free(*it);
	}
	vec_free(&listener->regions);
	if (listener->id)
		(void)rdma_destroy_id(listener->id);
	if (listener->events)
		rdma_destroy_event_channel(listener->events);
	pthread_mutex_destroy(&listener->lock);
	free(listener);
	target->rdma = NULL;
}
