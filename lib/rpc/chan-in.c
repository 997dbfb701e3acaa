/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What comes in on a channel: headers are judged by one table before any payload
 * is waited for, and every complete frame is handled in the same callback.
 */
#include "lib/rpc/chan-impl.h"

#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/rpc/wire64.h"

/* How far ahead of what is there we let it read: libevent gets that much memory for
 * each read, so little while nothing is going on. */
#define READ_FIRST (16u << 10)
#define READ_STEP (256u << 10)
#define PING_LEN 8u  /* t0 */
#define PONG_LEN 24u /* t0, t1, t2 */

typedef void handle_fn(
    struct chan *chan, const struct frame *frame, const uint8_t *payload);

static void
handle_hello(struct chan *chan, const struct frame *frame, const uint8_t *payload)
{
	struct err err = ERR_INIT;

	if (hello_unpack(&chan->other, payload, frame->len, &err) ||
	    hello_agree(&chan->own, &chan->other, &chan->peer.protocol, &err)) {
		chan_refuse(chan, &err);
		return;
	}
	chan->peer.product = chan->other.product;
	chan->peer.name = chan->other.name;
	chan->peer.protocol_min = chan->other.protocol_min;
	chan->peer.protocol_max = chan->other.protocol_max;
	chan->peer.boot = chan->other.boot;
	chan_say_hello(chan);
	chan_open(chan);
}

static void
handle_call(struct chan *chan, const struct frame *frame, const uint8_t *payload)
{
	struct err err = ERR_INIT;

	if (frame->id) {
		chan->ops->frame(chan->arg, chan, frame, payload);
		return;
	}
	err_set(&err, ERR_PROTOCOL, "a %s frame without a call",
	    frame_kind_name(frame->kind));
	chan_refuse(chan, &err);
}

static void
handle_error(struct chan *chan, const struct frame *frame, const uint8_t *payload)
{
	struct err err;

	if (frame->id && chan->state == CHAN_OPEN) {
		chan->ops->frame(chan->arg, chan, frame, payload);
		return;
	}
	chan_error_decode(payload, frame->len, &err);
	chan_end(chan, &err);
}

static void
handle_ping(struct chan *chan, const struct frame *frame, const uint8_t *payload)
{
	struct frame pong = {.kind = FRAME_PONG, .id = frame->id, .len = PONG_LEN};
	uint8_t answer[PONG_LEN];

	memcpy(answer, payload, PING_LEN);
	put64(answer + 8, chan->arrived_ns);
	put64(answer + 16, clock_ns());
	chan_write(chan, &pong, answer);
}

static void
handle_pong(struct chan *chan, const struct frame *frame, const uint8_t *payload)
{
	uint64_t t1 = get64(payload + 8), t2 = get64(payload + 16);
	struct chan_ping *ping, done;
	struct err err = ERR_INIT;

	TAILQ_FOREACH(ping, &chan->pings, next)
	{
		if (ping->id == frame->id)
			break;
	}
	if (!ping)
		return;
	done = *ping;
	TAILQ_REMOVE(&chan->pings, ping, next);
	free(ping);
	/* Nobody measures a clock with negative times. */
	if (t2 < t1 || chan->arrived_ns < done.t0) {
		err_set(&err, ERR_PROTOCOL, "a pong from before its ping");
		chan_refuse(chan, &err);
		return;
	}
	done.pong(done.arg, done.t0, t1, t2, chan->arrived_ns);
}

static void
handle_bye(struct chan *chan, const struct frame *frame, const uint8_t *payload)
{
	(void)frame;
	(void)payload;
	chan_end(chan, &ERR_INIT);
}

/* Payload bytes of each kind. */
static const struct rule {
	uint32_t min, max;
	bool ask;         /* max is ops->limit */
	bool early, late; /* in HANDSHAKE, in OPEN */
	handle_fn *handle;
} rules[FRAME_KIND_COUNT] = {
    [FRAME_HELLO] = {0, CHAN_HELLO_MAX, false, true, false, handle_hello},
    [FRAME_REQUEST] = {0, CHAN_FRAME_MAX, true, false, true, handle_call},
    [FRAME_REPLY] = {0, CHAN_FRAME_MAX, true, false, true, handle_call},
    [FRAME_ITEM] = {0, CHAN_FRAME_MAX, true, false, true, handle_call},
    [FRAME_END] = {0, 0, false, false, true, handle_call},
    [FRAME_ERROR] = {0, CHAN_HELLO_MAX, false, true, true, handle_error},
    [FRAME_CANCEL] = {0, 0, false, false, true, handle_call},
    [FRAME_PING] = {PING_LEN, PING_LEN, false, false, true, handle_ping},
    [FRAME_PONG] = {PONG_LEN, PONG_LEN, false, false, true, handle_pong},
    [FRAME_BYE] = {0, 0, false, true, true, handle_bye},
};

/* Before any of the payload is waited for. */
static int
frame_accept(struct chan *chan, const struct frame *frame, struct err *err)
{
	const struct rule *rule = &rules[frame->kind];
	const char *kind = frame_kind_name(frame->kind);
	uint32_t max = rule->max;

	if (chan->state == CHAN_HANDSHAKE ? !rule->early : !rule->late)
		return err_set(err, ERR_PROTOCOL, "a %s frame %s the handshake", kind,
		    chan->state == CHAN_HANDSHAKE ? "before" : "after");
	if (rule->ask && chan->ops->limit)
		max = chan->ops->limit(chan->arg, frame);
	if (frame->len > max)
		return err_set(err, ERR_PROTOCOL,
		    "a %s frame of method %u with %u bytes, of %u at most", kind,
		    frame->method, frame->len, max);
	if (frame->len < rule->min)
		return err_set(
		    err, ERR_PROTOCOL, "a %s frame of %u bytes", kind, frame->len);
	return 0;
}

/* Handles one frame; false when there is none yet, or none will be taken. */
static bool
frame_take(struct chan *chan, struct evbuffer *input)
{
	size_t have = evbuffer_get_length(input), need;
	uint8_t header[FRAME_HEADER];
	struct frame frame;
	struct err err = ERR_INIT;

	if (have < FRAME_HEADER)
		return false;
	evbuffer_copyout(input, header, FRAME_HEADER);
	if (frame_decode(&frame, header, &err) || frame_accept(chan, &frame, &err)) {
		chan_refuse(chan, &err);
		return false;
	}
	need = FRAME_HEADER + (size_t)frame.len;
	if (have < need)
		return false;
	rules[frame.kind].handle(
	    chan, &frame, evbuffer_pullup(input, (ssize_t)need) + FRAME_HEADER);
	evbuffer_drain(input, need);
	return true;
}

static bool
chan_listens(const struct chan *chan)
{
	return chan->state == CHAN_HANDSHAKE || chan->state == CHAN_OPEN;
}

void
chan_read(struct bufferevent *bev, void *arg)
{
	struct evbuffer *input = bufferevent_get_input(bev);
	struct chan *chan = arg;
	size_t have;

	while (chan_listens(chan) && frame_take(chan, input))
		;
	have = evbuffer_get_length(input);
	if (!chan_listens(chan))
		evbuffer_drain(input, have);
	else
		bufferevent_setwatermark(
		    bev, EV_READ, 0, have + (have ? READ_STEP : READ_FIRST));
}
