/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calling side: requests with deadlines, answered by one reply or a stream
 * of items.  Both sides of a channel may call; a `caller` belongs to one channel
 * and is fed its frames.
 */
#ifndef VOLLEY_RPC_CALL_H
#define VOLLEY_RPC_CALL_H

#include <stdint.h>

#include "lib/rpc/chan.h"

struct caller;
struct call;

struct call_ops {
	/* Each item, or the one reply.  Payload is borrowed.  NULL: not wanted. */
	void (*item)(void *arg, struct call *call, const uint8_t *payload, size_t len);
	/* Once, last: err->code ERR_NONE after a reply or END.  The call is freed. */
	void (*done)(void *arg, struct call *call, const struct err *err);
};

struct caller *caller_new(struct event_base *base, struct chan *chan);
/* Every call still open is done with `why`.  Not from within a call's callbacks. */
void caller_free(struct caller *caller, const struct err *why);
/* Any frame of the channel may come here; false: not an answer to an open call (it is
 * late, or the server's). */
bool caller_frame(struct caller *caller, const struct frame *frame,
		  const uint8_t *payload);

/* timeout_ns 0: no deadline.  The deadline covers the whole call.  NULL while the
 * caller is being freed. */
struct call *call_start(struct caller *caller, uint16_t method, const uint8_t *payload,
			size_t len, uint64_t timeout_ns, const struct call_ops *ops,
			void *arg);
/* CANCEL to the peer; ops->done is not called. */
void call_cancel(struct call *call);

#endif
