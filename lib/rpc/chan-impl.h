/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What chan.c (life and output) and chan-in.c (input) share.
 *
 *   HANDSHAKE ─HELLOs agree▶ OPEN ─BYE or ERROR queued▶ FLUSH ─written▶ LINGER
 *       │                     │                           │                │
 *       └─────────────────────┴─ lost, refused, aborted ──┴──────▶ DONE ◀──┘
 *
 * LINGER: our last words are with the kernel; we wait (bounded) for the peer to
 * close, because closing with unread input would reset the connection and take
 * those words with it.  DONE: the loop will call `closed` and free the channel.
 */
#ifndef VOLLEY_RPC_CHAN_IMPL_H
#define VOLLEY_RPC_CHAN_IMPL_H

#include <sys/queue.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>

#include "lib/rpc/chan.h"
#include "lib/rpc/hello.h"

enum chan_state { CHAN_HANDSHAKE, CHAN_OPEN, CHAN_FLUSH, CHAN_LINGER, CHAN_DONE };

/* A frame that waits for room in the bufferevent; pings pass between frames. */
struct chan_out {
	STAILQ_ENTRY(chan_out) next;
	size_t len;
	uint8_t bytes[];
};

/* A ping without its pong. */
struct chan_ping {
	TAILQ_ENTRY(chan_ping) next;
	uint32_t id;
	uint64_t t0;
	chan_pong_fn *pong;
	void *arg;
};

struct chan {
	struct event_base *base;
	struct bufferevent *bev;
	struct chan_config config;
	const struct chan_ops *ops;
	void *arg;

	enum chan_state state;
	bool hello_sent;
	struct err why;	   /* from FLUSH on: what `closed` will say */
	struct hello own, other;
	struct chan_peer peer;
	char address[80];  /* "" until it is known */

	uint64_t arrived_ns; /* clock when input was last added */
	uint64_t idle_due_ns; /* clock when `idle` should fire */
	uint32_t last_ping;
	TAILQ_HEAD(, chan_ping) pings;
	STAILQ_HEAD(, chan_out) queue;
	size_t queued;	   /* bytes in it */

	struct event *timer;  /* deadline of HANDSHAKE, FLUSH or LINGER */
	struct event *idle;   /* OPEN, if asked for */
	struct event *finish; /* made active in DONE */
	struct event *linger; /* LINGER: throws away what still comes */
};

/* chan-in.c: the bufferevent's read callback. */
void chan_read(struct bufferevent *bev, void *arg);

/* chan.c */
/* Past the queue: only for frames that may overtake. */
void chan_write(struct chan *chan, const struct frame *frame, const uint8_t *payload);
void chan_say_hello(struct chan *chan);
/* HELLOs agree. */
void chan_open(struct chan *chan);
/* Tells the peer why (ERROR, call id 0), flushes and closes. */
void chan_refuse(struct chan *chan, const struct err *why);
/* No more words: `closed` says `why` unless a reason is there already. */
void chan_end(struct chan *chan, const struct err *why);

#endif
