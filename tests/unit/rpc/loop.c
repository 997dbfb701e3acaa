/* SPDX-License-Identifier: Apache-2.0 */
/* Two channels in one event loop. */
#include "tests/unit/rpc/loop.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void
on_opened(void *arg, struct chan *chan, const struct chan_peer *peer)
{
	struct side *side = arg;

	ck_assert(!side->opened && !side->closed);
	ck_assert_ptr_eq(peer, chan_peer(chan));
	side->opened = true;
	snprintf(side->product, sizeof side->product, "%s", peer->product);
	snprintf(side->name, sizeof side->name, "%s", peer->name);
	side->protocol = peer->protocol;
	side->boot = peer->boot;
	side->caller = caller_new(side->loop->base, chan);
	if (side->methods)
		side->server = server_new(chan, side->methods, side);
}

static void
on_frame(
    void *arg, struct chan *chan, const struct frame *frame, const uint8_t *payload)
{
	struct side *side = arg;

	ck_assert(side->opened && !side->closed);
	ck_assert_ptr_eq(chan, side->chan);
	side->frames++;
	str_addf(&side->log, "%s %u/%u %.*s\n", frame_kind_name(frame->kind), frame->id,
	    frame->method, frame->kind == FRAME_ERROR ? 0 : (int)(frame->len & 0xff),
	    (const char *)payload);
	if (caller_frame(side->caller, frame, payload))
		return;
	if (side->server)
		server_frame(side->server, frame, payload);
}

static void
on_closed(void *arg, struct chan *chan, const struct err *err)
{
	struct side *side = arg;

	ck_assert(!side->closed);
	ck_assert_ptr_eq(chan, side->chan);
	side->closed = true;
	side->why = *err;
	caller_free(side->caller, err);
	server_free(side->server);
	side->caller = NULL;
	side->server = NULL;
	side->chan = NULL;
}

static uint32_t
on_limit(void *arg, const struct frame *frame)
{
	struct side *side = arg;

	if (side->limit)
		return side->limit;
	if (side->methods && frame->kind == FRAME_REQUEST)
		return server_limit(side->methods, frame);
	return CHAN_FRAME_MAX;
}

static const struct chan_ops ops = {on_opened, on_frame, on_closed, on_limit};

static void
on_guard(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	(void)arg;
	ck_abort_msg("the loop waited for 20 s");
}

void
loop_init(struct loop *loop)
{
	memset(loop, 0, sizeof *loop);
	signal(SIGPIPE, SIG_IGN);
	loop->base = event_base_new();
	loop->guard = evtimer_new(loop->base, on_guard, NULL);
	loop->a.loop = loop->b.loop = loop;
	loop->a.config =
	    (struct chan_config){.name = "", .boot = 11, .initiator = true};
	loop->b.config = (struct chan_config){.name = "gpu01", .boot = 22};
}

static void
side_free(struct side *side)
{
	if (side->chan)
		chan_free(side->chan);
	else if (side->bev)
		bufferevent_free(side->bev);
	caller_free(side->caller, &side->why);
	server_free(side->server);
	str_free(&side->log);
	tls_free(side->tls);
	key_free(side->key);
}

void
loop_free(struct loop *loop)
{
	char command[64];

	side_free(&loop->a);
	side_free(&loop->b);
	event_free(loop->guard);
	event_base_free(loop->base);
	if (loop->dir[0]) {
		snprintf(command, sizeof command, "rm -rf %s", loop->dir);
		ck_assert_int_eq(system(command), 0);
	}
}

void
loop_sockets(int ret_fds[2])
{
	struct sockaddr_in at = {.sin_family = AF_INET};
	socklen_t len = sizeof at;
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ck_assert_int_eq(bind(listener, (struct sockaddr *)&at, sizeof at), 0);
	ck_assert_int_eq(listen(listener, 1), 0);
	getsockname(listener, (struct sockaddr *)&at, &len);
	ret_fds[0] = socket(AF_INET, SOCK_STREAM, 0);
	ck_assert_int_eq(connect(ret_fds[0], (struct sockaddr *)&at, sizeof at), 0);
	ret_fds[1] = accept(listener, NULL, NULL);
	ck_assert_int_ge(ret_fds[1], 0);
	close(listener);
}

static bool
on_judge(
    void *arg, void *connection, const uint8_t raw[KEY_PUBLIC_LEN], struct err *err)
{
	struct side *side = arg;
	char *fingerprint;

	ck_assert_ptr_eq(connection, side);
	side->judged++;
	memcpy(side->peer_key, raw, KEY_PUBLIC_LEN);
	if (!side->refuse)
		return true;
	fingerprint = key_fingerprint(raw);
	err_set(err, ERR_AUTH, "its key is not known here (%s)", fingerprint);
	free(fingerprint);
	return false;
}

static void
side_key(struct side *side)
{
	struct loop *loop = side->loop;
	struct err err = ERR_INIT;
	char path[64];

	if (!loop->dir[0]) {
		strcpy(loop->dir, "/tmp/volley-rpc-XXXXXX");
		ck_assert_ptr_nonnull(mkdtemp(loop->dir));
	}
	snprintf(
	    path, sizeof path, "%s/%c.key", loop->dir, side == &loop->a ? 'a' : 'b');
	ck_assert_int_eq(key_load_or_create(&side->key, path, "test", &err), 0);
}

void
side_tls(struct side *side, bool server, int fd)
{
	struct err err = ERR_INIT;

	side_key(side);
	ck_assert_int_eq(tls_new(&side->tls, side->key, on_judge, side, &err), 0);
	side->bev = tls_bufferevent(side->tls, side->loop->base, fd, server, side);
	ck_assert_ptr_nonnull(side->bev);
}

void
loop_connect(struct loop *loop, enum transport transport)
{
	struct bufferevent *pair[2];
	int fds[2];

	if (transport == OVER_PAIR) {
		ck_assert_int_eq(
		    bufferevent_pair_new(loop->base,
			BEV_OPT_CLOSE_ON_FREE | BEV_OPT_DEFER_CALLBACKS, pair),
		    0);
		loop->a.bev = pair[0];
		loop->b.bev = pair[1];
	} else if (transport == OVER_SOCKETPAIR) {
		ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
		loop->a.bev = chan_plain(loop->base, fds[0]);
		loop->b.bev = chan_plain(loop->base, fds[1]);
	} else {
		loop_sockets(fds);
		side_tls(&loop->a, false, fds[0]);
		side_tls(&loop->b, true, fds[1]);
	}
}

void
side_start(struct side *side)
{
	side->chan = chan_new(side->loop->base, side->bev, &side->config, &ops, side);
	side->bev = NULL;
}

void
loop_until(struct loop *loop, const bool *flag)
{
	struct timeval guard = {.tv_sec = 20};

	event_add(loop->guard, &guard);
	while (!*flag)
		ck_assert_int_eq(event_base_loop(loop->base, EVLOOP_ONCE), 0);
	event_del(loop->guard);
}

void
loop_until_count(struct loop *loop, const unsigned *count, unsigned target)
{
	struct timeval guard = {.tv_sec = 20};

	event_add(loop->guard, &guard);
	while (*count < target)
		ck_assert_int_eq(event_base_loop(loop->base, EVLOOP_ONCE), 0);
	event_del(loop->guard);
}

void
loop_settle(struct loop *loop)
{
	for (int i = 0; i < 50; i++)
		event_base_loop(loop->base, EVLOOP_NONBLOCK);
}

void
loop_open(struct loop *loop, enum transport transport)
{
	loop_connect(loop, transport);
	side_start(&loop->a);
	side_start(&loop->b);
	loop_until(loop, &loop->a.opened);
	loop_until(loop, &loop->b.opened);
}
