/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a peer may send: the input goes byte for byte into a channel with a server and
 * a caller behind it, as one side of a pair.  The channel may open or refuse; it must
 * end when the input does, with `closed` called once.  The first byte splits the
 * rest: so many bytes at a time, 0 for all at once.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>

#include "lib/rpc/call.h"
#include "lib/rpc/chan.h"
#include "lib/rpc/serve.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

struct target {
	struct event_base *base;
	struct chan *chan;
	struct caller *caller;
	struct server *server;
	struct request *kept;
	unsigned closed;
};

static void
must(bool what, const char *text)
{
	if (what)
		return;
	fprintf(stderr, "broken: %s\n", text);
	abort();
}

static void
handle_echo(void *arg, struct request *request, const uint8_t *payload, size_t len)
{
	(void)arg;
	request_item(request, payload, len, true);
	request_reply(request, payload, len);
}

/* One open request at a time; the next one ends it. */
static void
handle_keep(void *arg, struct request *request, const uint8_t *payload, size_t len)
{
	struct target *target = arg;

	(void)payload;
	(void)len;
	if (target->kept)
		request_end(target->kept);
	target->kept = request;
}

static const struct method methods[] = {
    {1, "echo", 256, handle_echo}, {2, "keep", 256, handle_keep}, {0}};

static void
on_item(void *arg, struct call *call, const uint8_t *payload, size_t len)
{
	(void)arg;
	(void)call;
	must(payload || !len, "an item without its payload");
}

static void
on_done(void *arg, struct call *call, const struct err *err)
{
	(void)arg;
	(void)call;
	must(err->code < ERR_CODE_COUNT, "an error code out of range");
}

static const struct call_ops call_ops = {on_item, on_done};

static void
on_pong(void *arg, uint64_t t0, uint64_t t1, uint64_t t2, uint64_t t3)
{
	(void)arg;
	(void)t1;
	(void)t2;
	must(t3 >= t0, "a pong before its ping");
}

static void
on_opened(void *arg, struct chan *chan, const struct chan_peer *peer)
{
	struct target *target = arg;

	must(peer->protocol == 1, "no common protocol");
	target->caller = caller_new(target->base, chan);
	target->server = server_new(chan, methods, target);
	for (int i = 0; i < 3; i++)
		call_start(target->caller, 1, NULL, 0, 0, &call_ops, target);
	chan_ping(chan, on_pong, target);
}

static void
on_frame(
    void *arg, struct chan *chan, const struct frame *frame, const uint8_t *payload)
{
	struct target *target = arg;

	(void)chan;
	must(target->caller != NULL, "a frame before the handshake");
	if (!caller_frame(target->caller, frame, payload))
		server_frame(target->server, frame, payload);
}

static void
on_closed(void *arg, struct chan *chan, const struct err *err)
{
	struct target *target = arg;

	(void)chan;
	target->closed++;
	caller_free(target->caller, err);
	server_free(target->server);
	if (target->kept)
		request_end(target->kept);
	target->chan = NULL;
}

static uint32_t
on_limit(void *arg, const struct frame *frame)
{
	(void)arg;
	return frame->kind == FRAME_REQUEST ? server_limit(methods, frame) : 256;
}

static const struct chan_ops ops = {on_opened, on_frame, on_closed, on_limit};

static void
feed(struct target *target, struct bufferevent *peer, const uint8_t *data, size_t len)
{
	struct evbuffer *answers = bufferevent_get_input(peer);
	size_t step = data[0] ? data[0] : len;

	for (size_t at = 1; at < len && target->chan; at += step) {
		bufferevent_write(peer, data + at, len - at < step ? len - at : step);
		event_base_loop(target->base, EVLOOP_NONBLOCK);
		evbuffer_drain(answers, evbuffer_get_length(answers));
	}
	for (int i = 0; i < 4; i++) {
		event_base_loop(target->base, EVLOOP_NONBLOCK);
		evbuffer_drain(answers, evbuffer_get_length(answers));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct target target = {.base = event_base_new()};
	struct chan_config config = {.name = "fuzz"};
	struct bufferevent *pair[2];

	if (len < 2 || bufferevent_pair_new(target.base,
			   BEV_OPT_CLOSE_ON_FREE | BEV_OPT_DEFER_CALLBACKS, pair)) {
		event_base_free(target.base);
		return 0;
	}
	bufferevent_enable(pair[0], EV_READ | EV_WRITE);
	target.chan = chan_new(target.base, pair[1], &config, &ops, &target);
	feed(&target, pair[0], data, len);
	if (target.chan)
		chan_abort(target.chan, &ERR_INIT);
	for (int i = 0; i < 4 && target.chan; i++)
		event_base_loop(target.base, EVLOOP_NONBLOCK);
	must(target.closed == 1, "closed once");
	bufferevent_free(pair[0]);
	event_base_loop(target.base, EVLOOP_NONBLOCK);
	event_base_free(target.base);
	return 0;
}
