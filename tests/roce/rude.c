/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A target that accepts an RDMA connection and never posts a receive: its client must
 * find out and say so.  rude ADDRESS PORT
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/engine/rdma-link.h"

static int
complain(const char *what)
{
	perror(what);
	return 1;
}

int
main(int argc, char **argv)
{
	struct sockaddr_in addr = {.sin_family = AF_INET};
	const struct rdma_shape shape = {.nrecv = 0, .nsend = 1, .credits = 1, .wrs = 1};
	struct rdma_link link = {0};
	struct rdma_event_channel *events = rdma_create_event_channel();
	struct rdma_cm_event *event;
	struct rdma_cm_id *id;
	struct rdma_offer offer;
	struct err err = ERR_INIT;

	if (argc != 3 || !events || inet_pton(AF_INET, argv[1], &addr.sin_addr) != 1)
		return complain("rude ADDRESS PORT");
	addr.sin_port = htons((uint16_t)atoi(argv[2]));
	if (rdma_create_id(events, &id, NULL, RDMA_PS_TCP) != 0 ||
	    rdma_bind_addr(id, (struct sockaddr *)&addr) != 0 || rdma_listen(id, 1) != 0)
		return complain("listen");
	puts("listening");
	fflush(stdout);
	if (rdma_get_cm_event(events, &event) != 0 ||
	    !rdma_offer_get(&offer, event->param.conn.private_data,
		event->param.conn.private_data_len))
		return complain("request");
	link.id = event->id;
	rdma_ack_cm_event(event);
	link.events = rdma_create_event_channel();
	if (!link.events || rdma_migrate_id(link.id, link.events) != 0 ||
	    rdma_link_accept(&link, &offer, NULL, &shape, &err) < 0) {
		fprintf(stderr, "%s\n", err.msg);
		return 1;
	}
	pause();
	return 0;
}
