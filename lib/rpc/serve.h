/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The serving side: a const table of methods, each with its size limit, and
 * requests that are answered now or later.
 */
#ifndef VOLLEY_RPC_SERVE_H
#define VOLLEY_RPC_SERVE_H

#include <stdint.h>

#include "lib/rpc/chan.h"

struct server;	/* the methods on one channel */
struct request; /* one call being served */

struct method {
	uint16_t id;
	const char *name;
	uint32_t max_request; /* payload bytes */
	/* Answer with request_reply/item/end/error, here or later. */
	void (*handle)(void *arg, struct request *request, const uint8_t *payload,
		       size_t len);
};

/* More calls open at one time are refused with ERR_BUSY. */
#define SERVER_OPEN_MAX 256u
/* Bytes queued for a peer from which on lossy items are dropped. */
#define SERVER_LOSSY_BACKLOG (256u << 10)

/* `methods` ends with id 0. */
struct server *server_new(struct chan *chan, const struct method *methods, void *arg);
/* Open requests become inert: answers to them go nowhere. */
void server_free(struct server *server);
/* REQUEST and CANCEL frames go here. */
void server_frame(struct server *server, const struct frame *frame,
		  const uint8_t *payload);
/* For chan_ops.limit. */
uint32_t server_limit(const struct method *methods, const struct frame *frame);

/* Answers that finish: the request is freed. */
void request_reply(struct request *request, const uint8_t *payload, size_t len);
void request_end(struct request *request);
void request_error(struct request *request, const struct err *err);
/* One item of a stream.  A lossy item is dropped while the peer is slow to read. */
void request_item(struct request *request, const uint8_t *payload, size_t len,
		  bool lossy);
/* Called once when the caller cancelled or the channel closed (server_free); then
 * release it, there or later.  Without it an answer to a request that is gone goes
 * nowhere and frees it as always. */
void request_on_gone(struct request *request, void (*gone)(void *arg), void *arg);
/* An open request is answered with ERR_CANCELLED. */
void request_release(struct request *request);

#endif
