/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two channels in one event loop, for the tests of lib/rpc: over a bufferevent pair,
 * a socketpair or TLS on loopback.  Each side writes down what it is told.
 */
#ifndef VOLLEY_TESTS_UNIT_RPC_LOOP_H
#define VOLLEY_TESTS_UNIT_RPC_LOOP_H

#include <check.h>
#include <stdbool.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>

#include "lib/base/str.h"
#include "lib/rpc/call.h"
#include "lib/rpc/chan.h"
#include "lib/rpc/key.h"
#include "lib/rpc/serve.h"
#include "lib/rpc/tls.h"

enum transport { OVER_PAIR, OVER_SOCKETPAIR, OVER_TLS, TRANSPORTS };

struct side {
	struct loop *loop;
	struct chan_config config;
	struct bufferevent *bev;   /* until side_start */
	struct chan *chan;	   /* NULL: closed, or not a channel */
	struct caller *caller;	   /* while open */
	struct server *server;	   /* while open, if there are methods */
	const struct method *methods;
	uint32_t limit;		   /* 0: none of its own */
	bool opened, closed;
	struct err why;		   /* closed with */
	char product[64], name[64];
	uint32_t protocol;
	uint64_t boot;
	unsigned frames;
	struct str log;		   /* "request 7/3 abc\n" */
	/* TLS */
	struct key *key;
	struct tls *tls;
	bool refuse;		   /* the judge's answer */
	unsigned judged;
	uint8_t peer_key[KEY_PUBLIC_LEN];
};

struct loop {
	struct event_base *base;
	struct event *guard;
	struct side a, b; /* a is the initiator */
	char dir[32];	  /* of the keys; "" until it is needed */
};

void loop_init(struct loop *loop);
void loop_free(struct loop *loop);
/* Two connected bufferevents, in a.bev and b.bev. */
void loop_connect(struct loop *loop, enum transport transport);
/* A connected pair of TCP sockets on 127.0.0.1. */
void loop_sockets(int ret_fds[2]);
void side_tls(struct side *side, bool server, int fd); /* makes key, tls and bev */
void side_start(struct side *side);
/* Both sides, opened. */
void loop_open(struct loop *loop, enum transport transport);
/* Runs until *flag; fails the test after 20 s. */
void loop_until(struct loop *loop, const bool *flag);
/* Runs what is ready, until nothing is. */
void loop_settle(struct loop *loop);
void loop_until_count(struct loop *loop, const unsigned *count, unsigned target);

#endif
