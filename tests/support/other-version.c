/* SPDX-License-Identifier: Apache-2.0 */
/*
 * other-version controller|agent KEY ADDRESS PORT: a volley of another version, which
 * speaks protocol 99 only.  As a controller it dials an agent once, as an agent it
 * answers everybody; it prints what came of each connection.
 */
#include <arpa/inet.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "lib/rpc/chan.h"
#include "lib/rpc/key.h"
#include "lib/rpc/tls.h"

struct other {
	struct event_base *base;
	struct tls *tls;
	struct sockaddr_in address;
	bool agent;
};

static bool accept_all(void *arg, void *connection, const uint8_t raw[KEY_PUBLIC_LEN],
		       struct err *err)
{
	(void)arg;
	(void)connection;
	(void)raw;
	(void)err;
	return true;
}

static void opened(void *arg, struct chan *chan, const struct chan_peer *peer)
{
	(void)arg;
	printf("agreed with %s\n", peer->product);
	chan_close(chan);
}

static void frame(void *arg, struct chan *chan, const struct frame *frame,
		  const uint8_t *payload)
{
	(void)arg;
	(void)chan;
	(void)frame;
	(void)payload;
}

static void closed(void *arg, struct chan *chan, const struct err *err)
{
	(void)arg;
	(void)chan;
	printf("%s\n", err->msg);
	fflush(stdout);
}

static const struct chan_ops ops = {.opened = opened, .frame = frame, .closed = closed};

static void talk(struct other *other, int fd)
{
	struct chan_config config = {.name = other->agent ? "other" : "",
				     .boot = 1,
				     .initiator = !other->agent,
				     .product = "volley 9.9.9",
				     .protocol_min = 99,
				     .protocol_max = 99};

	chan_new(other->base,
		 tls_bufferevent(other->tls, other->base, fd, other->agent, NULL), &config,
		 &ops, other);
	event_base_dispatch(other->base);
}

static int answer_all(struct other *other)
{
	int one = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), fd;

	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (bind(listener, (struct sockaddr *)&other->address, sizeof other->address) ||
	    listen(listener, 8)) {
		perror("listen");
		return 1;
	}
	while ((fd = accept(listener, NULL, NULL)) >= 0)
		talk(other, fd);
	perror("accept");
	return 1;
}

static int dial_one(struct other *other)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (connect(fd, (struct sockaddr *)&other->address, sizeof other->address)) {
		perror("connect");
		return 1;
	}
	talk(other, fd);
	return 0;
}

int main(int argc, char **argv)
{
	struct other other = {.address.sin_family = AF_INET};
	struct err err = ERR_INIT;
	struct key *key;

	if (argc != 5 || !inet_aton(argv[3], &other.address.sin_addr)) {
		fputs("usage: other-version controller|agent KEY ADDRESS PORT\n", stderr);
		return 2;
	}
	other.address.sin_port = htons((uint16_t)atoi(argv[4]));
	other.agent = strcmp(argv[1], "agent") == 0;
	if (key_load(&key, argv[2], &err) < 0 ||
	    tls_new(&other.tls, key, accept_all, NULL, &err) < 0) {
		fprintf(stderr, "other-version: %s\n", err.msg);
		return 1;
	}
	other.base = event_base_new();
	int status = other.agent ? answer_all(&other) : dial_one(&other);
	event_base_free(other.base);
	tls_free(other.tls);
	key_free(key);
	return status;
}
