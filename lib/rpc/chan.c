/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Life and output of a channel: handshake, queue, timers, and its three ends
 * (closed, refused, lost).
 */
#include "lib/rpc/chan-impl.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "config.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/rpc/tls.h"
#include "lib/rpc/wire64.h"

#define NS_PER_S UINT64_C(1000000000)
#define HANDSHAKE_NS (10 * NS_PER_S)
#define FLUSH_NS (2 * NS_PER_S)
#define LINGER_NS (1 * NS_PER_S)
/* Bytes that the bufferevent is given at a time; a ping waits behind no more. */
#define WINDOW (64u << 10)

static void
timer_set(struct event *timer, uint64_t ns)
{
	struct timeval tv = {
	    .tv_sec = (time_t)(ns / NS_PER_S),
	    .tv_usec = (suseconds_t)(ns % NS_PER_S / 1000),
	};

	event_add(timer, &tv);
}

static void
idle_set(struct chan *chan)
{
	uint64_t third = chan->config.idle_timeout_ns / 3;

	chan->idle_due_ns = clock_ns() + third;
	timer_set(chan->idle, third);
}

static void
address_learn(struct chan *chan)
{
	union {
		struct sockaddr sa;
		struct sockaddr_in in4;
		struct sockaddr_in6 in6;
		struct sockaddr_storage any;
	} at = {0};
	socklen_t len = sizeof at;
	char text[INET6_ADDRSTRLEN];

	if (chan->address[0] || getpeername(bufferevent_getfd(chan->bev), &at.sa, &len))
		return;
	if (at.sa.sa_family == AF_UNIX) {
		strcpy(chan->address, "socketpair");
	} else if (at.sa.sa_family == AF_INET) {
		inet_ntop(AF_INET, &at.in4.sin_addr, text, sizeof text);
		snprintf(chan->address, sizeof chan->address, "%s:%u", text,
		    ntohs(at.in4.sin_port));
	} else if (at.sa.sa_family == AF_INET6) {
		bool mapped = IN6_IS_ADDR_V4MAPPED(&at.in6.sin6_addr);

		if (mapped)
			inet_ntop(
			    AF_INET, &at.in6.sin6_addr.s6_addr[12], text, sizeof text);
		else
			inet_ntop(AF_INET6, &at.in6.sin6_addr, text, sizeof text);
		snprintf(chan->address, sizeof chan->address,
		    mapped ? "%s:%u" : "[%s]:%u", text, ntohs(at.in6.sin6_port));
	}
}

static void
queue_drop(struct chan *chan)
{
	struct chan_out *out;

	while ((out = STAILQ_FIRST(&chan->queue))) {
		STAILQ_REMOVE_HEAD(&chan->queue, next);
		free(out);
	}
	chan->queued = 0;
}

void
chan_free(struct chan *chan)
{
	struct chan_ping *ping;

	if (!chan)
		return;
	while ((ping = TAILQ_FIRST(&chan->pings))) {
		TAILQ_REMOVE(&chan->pings, ping, next);
		free(ping);
	}
	queue_drop(chan);
	if (chan->linger)
		event_free(chan->linger);
	event_free(chan->timer);
	event_free(chan->idle);
	event_free(chan->finish);
	bufferevent_setcb(chan->bev, NULL, NULL, NULL, NULL);
	bufferevent_free(chan->bev);
	hello_free(&chan->own);
	hello_free(&chan->other);
	free(chan);
}

static void
on_finish(evutil_socket_t fd, short what, void *arg)
{
	struct chan *chan = arg;

	(void)fd;
	(void)what;
	chan->ops->closed(chan->arg, chan, &chan->why);
	chan_free(chan);
}

/* The first reason counts. */
static void
chan_leave(struct chan *chan, enum chan_state state, const struct err *why)
{
	if (chan->state < CHAN_FLUSH)
		chan->why = *why;
	chan->state = state;
	event_del(chan->timer);
	event_del(chan->idle);
}

void
chan_end(struct chan *chan, const struct err *why)
{
	if (chan->state == CHAN_DONE)
		return;
	chan_leave(chan, CHAN_DONE, why);
	address_learn(chan);
	bufferevent_disable(chan->bev, EV_READ | EV_WRITE);
	if (chan->linger)
		event_del(chan->linger);
	event_active(chan->finish, EV_TIMEOUT, 1);
}

static void
on_linger(evutil_socket_t fd, short what, void *arg)
{
	struct chan *chan = arg;
	char waste[4096];
	ssize_t n;

	(void)what;
	n = recv(fd, waste, sizeof waste, MSG_DONTWAIT);
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		chan_end(chan, &chan->why);
}

static void
chan_linger(struct chan *chan, const struct err *why)
{
	int fd = bufferevent_getfd(chan->bev);

	chan_leave(chan, CHAN_LINGER, why);
	bufferevent_disable(chan->bev, EV_READ | EV_WRITE);
	if (fd < 0 || shutdown(fd, SHUT_WR)) {
		chan_end(chan, why);
		return;
	}
	chan->linger = event_new(chan->base, fd, EV_READ | EV_PERSIST, on_linger, chan);
	event_add(chan->linger, NULL);
	timer_set(chan->timer, LINGER_NS);
}

/* Hands frames to the bufferevent while it has little to write. */
static void
chan_pump(struct chan *chan)
{
	struct evbuffer *output = bufferevent_get_output(chan->bev);
	struct chan_out *out;

	if (chan->state != CHAN_OPEN && chan->state != CHAN_FLUSH)
		return;
	while ((out = STAILQ_FIRST(&chan->queue)) &&
	       evbuffer_get_length(output) < WINDOW) {
		STAILQ_REMOVE_HEAD(&chan->queue, next);
		chan->queued -= out->len;
		evbuffer_add(output, out->bytes, out->len);
		free(out);
	}
	if (chan->state == CHAN_FLUSH && evbuffer_get_length(output) == 0)
		chan_linger(chan, &chan->why);
}

static void
on_write(struct bufferevent *bev, void *arg)
{
	(void)bev;
	chan_pump(arg);
}

static bool
backlog_fits(struct chan *chan)
{
	struct err why = ERR_INIT;
	size_t backlog = chan_backlog(chan);

	if (backlog <= CHAN_BACKLOG_MAX)
		return true;
	err_set(&why, ERR_UNREACHABLE, "the other side does not read: %zu bytes wait",
	    backlog);
	chan_end(chan, &why);
	return false;
}

void
chan_write(struct chan *chan, const struct frame *frame, const uint8_t *payload)
{
	struct evbuffer *output = bufferevent_get_output(chan->bev);
	uint8_t header[FRAME_HEADER];

	if (!backlog_fits(chan))
		return;
	frame_encode(header, frame);
	evbuffer_add(output, header, sizeof header);
	if (frame->len)
		evbuffer_add(output, payload, frame->len);
}

/* Behind what is queued. */
static void
chan_queue(struct chan *chan, const struct frame *frame, const uint8_t *payload)
{
	struct chan_out *out;

	if (!backlog_fits(chan))
		return;
	out = mem_alloc(sizeof *out + FRAME_HEADER + frame->len);
	out->len = FRAME_HEADER + (size_t)frame->len;
	frame_encode(out->bytes, frame);
	if (frame->len)
		memcpy(out->bytes + FRAME_HEADER, payload, frame->len);
	STAILQ_INSERT_TAIL(&chan->queue, out, next);
	chan->queued += out->len;
}

void
chan_say_hello(struct chan *chan)
{
	struct frame frame = {.kind = FRAME_HELLO};
	uint8_t *payload;
	size_t len;

	if (chan->hello_sent)
		return;
	chan->hello_sent = true;
	payload = hello_pack(&chan->own, &len);
	frame.len = (uint32_t)len;
	chan_write(chan, &frame, payload);
	free(payload);
}

void
chan_open(struct chan *chan)
{
	if (chan->state != CHAN_HANDSHAKE)
		return;
	chan->state = CHAN_OPEN;
	event_del(chan->timer);
	address_learn(chan);
	if (chan->config.idle_timeout_ns)
		idle_set(chan);
	chan->ops->opened(chan->arg, chan, &chan->peer);
	chan_pump(chan);
}

static void
chan_flush(struct chan *chan, const struct err *why)
{
	chan_leave(chan, CHAN_FLUSH, why);
	timer_set(chan->timer, FLUSH_NS);
	chan_pump(chan);
}

static void
error_write(struct chan *chan, uint32_t id, const struct err *err,
    void (*write)(struct chan *, const struct frame *, const uint8_t *))
{
	struct frame frame = {.kind = FRAME_ERROR, .id = id};
	uint8_t *payload;
	size_t len;

	payload = error_pack(err, &len);
	frame.len = (uint32_t)len;
	write(chan, &frame, payload);
	free(payload);
}

void
chan_refuse(struct chan *chan, const struct err *why)
{
	if (chan->state >= CHAN_FLUSH)
		return;
	queue_drop(chan);
	error_write(chan, 0, why, chan_write);
	if (chan->state < CHAN_FLUSH)
		chan_flush(chan, why);
}

static void
on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct chan *chan = arg;
	struct err why = ERR_INIT;

	(void)fd;
	(void)what;
	if (chan->state == CHAN_HANDSHAKE)
		err_set(&why, ERR_TIMEOUT, "no handshake within %.3g s",
		    (double)chan->config.handshake_timeout_ns / (double)NS_PER_S);
	chan_end(chan, &why);
}

static void
on_idle(evutil_socket_t fd, short what, void *arg)
{
	struct chan *chan = arg;
	uint64_t limit = chan->config.idle_timeout_ns, now = clock_ns(), silent;
	struct err why = ERR_INIT;

	(void)fd;
	(void)what;
	/* This process stood still (Ctrl-Z, say), and what was said is still unread. */
	if (now >= chan->idle_due_ns + limit / 3)
		chan->arrived_ns = now - limit / 3;
	silent = now - chan->arrived_ns;
	if (silent >= limit) {
		err_set(&why, ERR_TIMEOUT, "nothing heard for %.3g s",
		    (double)silent / (double)NS_PER_S);
		chan_end(chan, &why);
		return;
	}
	if (silent >= limit / 3)
		chan_ping(chan, NULL, NULL);
	idle_set(chan);
}

static void
on_arrival(struct evbuffer *input, const struct evbuffer_cb_info *info, void *arg)
{
	struct chan *chan = arg;

	(void)input;
	if (info->n_added)
		chan->arrived_ns = clock_ns();
}

/* The connection ended; what was there to read has been.  Only without BYE or ERROR
 * it is this that counts (chan_leave). */
static void
chan_lost(struct chan *chan, int errnum)
{
	struct err why = ERR_INIT;

	if (tls_error(chan->bev, &why)) {
		chan_linger(chan, &why);
		return;
	}
	address_learn(chan);
	if (!errnum || errnum == ECONNRESET || errnum == EPIPE)
		err_set(&why, ERR_UNREACHABLE, "connection lost");
	else
		err_sys(&why, errnum, "%s",
		    chan->address[0] ? "connection lost" : "cannot connect");
	why.code = ERR_UNREACHABLE;
	chan_end(chan, &why);
}

static void
on_event(struct bufferevent *bev, short what, void *arg)
{
	int errnum = what & BEV_EVENT_ERROR ? EVUTIL_SOCKET_ERROR() : 0;
	struct chan *chan = arg;

	(void)bev;
	if (what & BEV_EVENT_CONNECTED) {
		address_learn(chan);
		return;
	}
	chan_lost(chan, errnum);
}

struct bufferevent *
chan_plain(struct event_base *base, int fd)
{
	evutil_make_socket_nonblocking(fd);
	return bufferevent_socket_new(
	    base, fd, BEV_OPT_CLOSE_ON_FREE | BEV_OPT_DEFER_CALLBACKS);
}

struct chan *
chan_new(struct event_base *base, struct bufferevent *bev,
    const struct chan_config *config, const struct chan_ops *ops, void *arg)
{
	struct chan *chan = mem_alloc(sizeof *chan);

	chan->base = base;
	chan->bev = bev;
	chan->config = *config;
	chan->ops = ops;
	chan->arg = arg;
	if (!chan->config.handshake_timeout_ns)
		chan->config.handshake_timeout_ns = HANDSHAKE_NS;
	chan->own.product = mem_strdup(
	    config->product ? config->product : PACKAGE_NAME " " PACKAGE_VERSION);
	chan->own.name = mem_strdup(config->name ? config->name : "");
	chan->own.boot = config->boot;
	chan->own.protocol_min =
	    config->protocol_min ? config->protocol_min : CHAN_PROTOCOL_MIN;
	chan->own.protocol_max =
	    config->protocol_max ? config->protocol_max : CHAN_PROTOCOL_MAX;
	TAILQ_INIT(&chan->pings);
	STAILQ_INIT(&chan->queue);
	chan->arrived_ns = clock_ns();
	chan->timer = evtimer_new(base, on_timer, chan);
	chan->idle = evtimer_new(base, on_idle, chan);
	chan->finish = event_new(base, -1, 0, on_finish, chan);
	address_learn(chan);

	bufferevent_setcb(bev, chan_read, on_write, on_event, chan);
	bufferevent_setwatermark(bev, EV_WRITE, WINDOW / 2, 0);
	evbuffer_add_cb(bufferevent_get_input(bev), on_arrival, chan);
	bufferevent_enable(bev, EV_READ | EV_WRITE);
	timer_set(chan->timer, chan->config.handshake_timeout_ns);
	if (config->initiator)
		chan_say_hello(chan);
	return chan;
}

void
chan_send(struct chan *chan, const struct frame *frame, const uint8_t *payload)
{
	if (chan->state >= CHAN_FLUSH)
		return;
	chan_queue(chan, frame, payload);
	chan_pump(chan);
}

void
chan_send_error(struct chan *chan, uint32_t id, const struct err *err)
{
	if (id)
		error_write(chan, id, err, chan_send);
	else
		chan_refuse(chan, err);
}

size_t
chan_backlog(const struct chan *chan)
{
	return chan->queued + evbuffer_get_length(bufferevent_get_output(chan->bev));
}

void
chan_close(struct chan *chan)
{
	struct frame bye = {.kind = FRAME_BYE};

	if (chan->state == CHAN_HANDSHAKE)
		chan_end(chan, &ERR_INIT);
	if (chan->state != CHAN_OPEN)
		return;
	chan_queue(chan, &bye, NULL);
	if (chan->state == CHAN_OPEN)
		chan_flush(chan, &ERR_INIT);
}

void
chan_abort(struct chan *chan, const struct err *why)
{
	chan_end(chan, why);
}

const struct chan_peer *
chan_peer(const struct chan *chan)
{
	return &chan->peer;
}

const char *
chan_address(const struct chan *chan)
{
	return chan->address[0] ? chan->address : "unconnected";
}

void
chan_ping(struct chan *chan, chan_pong_fn *pong, void *arg)
{
	struct frame frame = {.kind = FRAME_PING, .len = 8};
	struct chan_ping *ping;
	uint8_t payload[8];
	uint64_t t0;

	if (chan->state != CHAN_OPEN)
		return;
	if (pong) {
		ping = mem_alloc(sizeof *ping);
		if (++chan->last_ping == 0)
			chan->last_ping = 1;
		ping->id = frame.id = chan->last_ping;
		ping->pong = pong;
		ping->arg = arg;
		TAILQ_INSERT_TAIL(&chan->pings, ping, next);
	}
	t0 = clock_ns();
	if (pong)
		ping->t0 = t0;
	put64(payload, t0);
	chan_write(chan, &frame, payload);
}
