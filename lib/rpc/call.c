/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that wait for their answers, in a list per channel: there are few.
 */
#include "lib/rpc/call.h"

#include <stdlib.h>
#include <sys/queue.h>

#include <event2/event.h>

#include "lib/base/mem.h"

#define NS_PER_S UINT64_C(1000000000)

struct call {
	LIST_ENTRY(call) next;
	struct caller *caller;
	uint32_t id;
	uint16_t method;
	uint64_t timeout_ns;
	struct event *timer; /* NULL: no deadline */
	const struct call_ops *ops;
	void *arg;
};

struct caller {
	struct event_base *base;
	struct chan *chan;
	uint32_t last_id;
	bool ending;
	LIST_HEAD(, call) calls;
};

static struct call *
call_find(const struct caller *caller, uint32_t id)
{
	struct call *call;

	LIST_FOREACH(call, &caller->calls, next)
	{
		if (call->id == id)
			return call;
	}
	return NULL;
}

static void
call_free(struct call *call)
{
	LIST_REMOVE(call, next);
	if (call->timer)
		event_free(call->timer);
	free(call);
}

static void
call_done(struct call *call, const struct err *err)
{
	const struct call_ops *ops = call->ops;

	/* Out of the list first: `done` may start or cancel calls. */
	LIST_REMOVE(call, next);
	ops->done(call->arg, call, err);
	if (call->timer)
		event_free(call->timer);
	free(call);
}

struct caller *
caller_new(struct event_base *base, struct chan *chan)
{
	struct caller *caller = mem_alloc(sizeof *caller);

	caller->base = base;
	caller->chan = chan;
	LIST_INIT(&caller->calls);
	return caller;
}

void
caller_free(struct caller *caller, const struct err *why)
{
	struct call *call;

	if (!caller)
		return;
	caller->ending = true;
	while ((call = LIST_FIRST(&caller->calls)))
		call_done(call, why);
	free(caller);
}

bool
caller_frame(struct caller *caller, const struct frame *frame, const uint8_t *payload)
{
	struct call *call = call_find(caller, frame->id);
	struct err err = ERR_INIT;

	/* The peer's own calls have ids of their own. */
	if (!call || frame->kind == FRAME_REQUEST || frame->kind == FRAME_CANCEL)
		return false;
	if (frame->kind == FRAME_REPLY || frame->kind == FRAME_ITEM) {
		if (call->ops->item)
			call->ops->item(call->arg, call, payload, frame->len);
		/* It may have cancelled the call. */
		call = call_find(caller, frame->id);
	}
	if (frame->kind == FRAME_ITEM || !call)
		return true;
	if (frame->kind == FRAME_ERROR)
		chan_error_decode(payload, frame->len, &err);
	call_done(call, &err);
	return true;
}

static void
call_send(struct call *call, enum frame_kind kind, const uint8_t *payload, size_t len)
{
	struct frame frame = {
	    .kind = kind,
	    .id = call->id,
	    .method = call->method,
	    .len = (uint32_t)len,
	};

	chan_send(call->caller->chan, &frame, payload);
}

static void
on_deadline(evutil_socket_t fd, short what, void *arg)
{
	struct call *call = arg;
	struct err err = ERR_INIT;

	(void)fd;
	(void)what;
	err_set(&err, ERR_TIMEOUT, "no answer within %.3g s",
	    (double)call->timeout_ns / (double)NS_PER_S);
	call_send(call, FRAME_CANCEL, NULL, 0);
	call_done(call, &err);
}

struct call *
call_start(struct caller *caller, uint16_t method, const uint8_t *payload, size_t len,
    uint64_t timeout_ns, const struct call_ops *ops, void *arg)
{
	struct call *call;

	if (caller->ending)
		return NULL;
	call = mem_alloc(sizeof *call);
	do
		caller->last_id++;
	while (caller->last_id == 0 || call_find(caller, caller->last_id));
	call->caller = caller;
	call->id = caller->last_id;
	call->method = method;
	call->timeout_ns = timeout_ns;
	call->ops = ops;
	call->arg = arg;
	LIST_INSERT_HEAD(&caller->calls, call, next);
	if (timeout_ns) {
		struct timeval tv = {
		    .tv_sec = (time_t)(timeout_ns / NS_PER_S),
		    .tv_usec = (suseconds_t)(timeout_ns % NS_PER_S / 1000),
		};

		call->timer = evtimer_new(caller->base, on_deadline, call);
		event_add(call->timer, &tv);
	}
	call_send(call, FRAME_REQUEST, payload, len);
	return call;
}

void
call_cancel(struct call *call)
{
	call_send(call, FRAME_CANCEL, NULL, 0);
	call_free(call);
}
