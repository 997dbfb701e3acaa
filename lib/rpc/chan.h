/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One connection between two volley programs: framing over a bufferevent, the
 * HELLO handshake (product version, protocol range, features, name), PING, BYE.
 * Callers see complete frames or one error.  All callbacks come from the event
 * loop, never from inside the function that caused them.
 *
 * TLS or plain is the caller's bufferevent (tls.h, chan_plain); chan does not care.
 * It must have been made with BEV_OPT_CLOSE_ON_FREE and BEV_OPT_DEFER_CALLBACKS, and
 * the process ignores SIGPIPE.
 */
#ifndef VOLLEY_RPC_CHAN_H
#define VOLLEY_RPC_CHAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/rpc/frame.h"

struct event_base;
struct bufferevent;
struct chan;

#define CHAN_PROTOCOL_MIN 1u
#define CHAN_PROTOCOL_MAX 1u
#define CHAN_HELLO_MAX 4096u

/* Who the peer says it is.  Strings are owned by the channel. */
struct chan_peer {
	const char *product; /* "volley 0.1.0" */
	uint32_t protocol_min, protocol_max, protocol; /* agreed */
	const char *name;    /* agent's stable name; "" for a controller */
	uint64_t boot;	     /* random per process start: a restart shows */
};

struct chan_ops {
	/* HELLOs agree; requests may flow. */
	void (*opened)(void *arg, struct chan *chan, const struct chan_peer *peer);
	/* A REQUEST, REPLY, ITEM, END, ERROR (id ≠ 0) or CANCEL.  Payload is borrowed. */
	void (*frame)(void *arg, struct chan *chan, const struct frame *frame,
		      const uint8_t *payload);
	/* Once, last.  err->code ERR_NONE after BYE from either side; ERR_AUTH,
	 * ERR_PROTOCOL, ERR_UNREACHABLE or ERR_TIMEOUT otherwise.  The channel is
	 * freed after it returned; the caller drops its pointer. */
	void (*closed)(void *arg, struct chan *chan, const struct err *err);
	/* Most payload bytes accepted for this frame (by method); asked before any
	 * of them is buffered.  NULL: CHAN_FRAME_MAX. */
	uint32_t (*limit)(void *arg, const struct frame *frame);
};

#define CHAN_FRAME_MAX (64u << 20)
/* A peer that reads so little that more than this is queued for it is cut off. */
#define CHAN_BACKLOG_MAX (256u << 20)

struct chan_config {
	const char *name;		  /* ours, for HELLO */
	uint64_t boot;
	uint64_t handshake_timeout_ns;	  /* TLS and HELLO together; 0: 10 s */
	uint64_t idle_timeout_ns;	  /* nothing heard (we ping at a third): 0: never */
	bool initiator;			  /* sends HELLO first */
	/* What we say we are; NULL and 0: this build. */
	const char *product;
	uint32_t protocol_min, protocol_max;
};

/* A bufferevent without TLS on one end of a socketpair. */
struct bufferevent *chan_plain(struct event_base *base, int fd);

/* Takes `bev` over (also its fd).  Starts the handshake. */
struct chan *chan_new(struct event_base *base, struct bufferevent *bev,
		      const struct chan_config *config, const struct chan_ops *ops,
		      void *arg);
/* Drops it at once without a word to anybody; `closed` is not called.  Not from
 * within its own callbacks: those use chan_close or chan_abort. */
void chan_free(struct chan *chan);
/* Queued until both HELLOs agree; ignored once the channel is closing. */
void chan_send(struct chan *chan, const struct frame *frame, const uint8_t *payload);
/* ERROR frame for a call, or (id 0) for the connection, which then closes on both
 * sides with this error. */
void chan_send_error(struct chan *chan, uint32_t id, const struct err *err);
/* Bytes queued and not yet written: lossy streams skip while it is high. */
size_t chan_backlog(const struct chan *chan);
/* Sends BYE, flushes (bounded), closes; `closed` is called. */
void chan_close(struct chan *chan);
/* Closes at once with this reason; `closed` is called from the loop. */
void chan_abort(struct chan *chan, const struct err *why);
const struct chan_peer *chan_peer(const struct chan *chan);
/* "203.0.113.5:7411", "[::1]:7411", "socketpair"; "unconnected" until it is known. */
const char *chan_address(const struct chan *chan);

/* One four-timestamp ping of an open channel; pong is called with our t0, t3 and the
 * peer's t1, t2 (each on its own CLOCK_MONOTONIC), or never if the channel closes.
 * Pings overtake whatever is queued, but not a frame that is on its way. */
typedef void chan_pong_fn(void *arg, uint64_t t0, uint64_t t1, uint64_t t2, uint64_t t3);
void chan_ping(struct chan *chan, chan_pong_fn *pong, void *arg);

/* Decodes an ERROR frame's payload into *ret (code, errnum, message). */
void chan_error_decode(const uint8_t *payload, size_t len, struct err *ret);

#endif
