/* SPDX-License-Identifier: Apache-2.0 */
/*
 * net-tcp: requests over one TCP connection per thread, as many in flight as
 * iodepth.  The socket never blocks: what it does not take stays queued and goes out
 * while reap waits, so that neither side can hold up the other.  Reads land in the
 * I/O's own buffer; only what the same recv brought beyond that is copied.
 */
#include "agent/engine/engines.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "agent/engine/net-dial.h"
#include "agent/engine/net-wire.h"
#include "agent/engine/wake.h"
#include "lib/base/mem.h"
#include "lib/work/blocks.h"

#define STAGE (64u << 10) /* bytes read beside the current I/O, where these are small */
#define SEND_MAX 32u	  /* requests in one sendmsg */

struct net_tcp {
	struct engine engine;
	struct wake wake;
	struct net_peer peer;
	int fd; /* -1: not connected */
	int broken; /* errno that ended the connection; 0: none */
	struct err why;
	unsigned depth, inflight;
	struct io **ios; /* by tag, which is io->index; NULL: not in flight */
	uint8_t (*requests)[NET_REQUEST_LEN]; /* by tag */
	/* What waits to be sent, oldest first, and how much of the oldest is out. */
	struct io **queue;
	unsigned queue_at, queued;
	size_t sent;
	/* What came in and is not used yet, and the I/O whose data comes now. */
	uint8_t *stage;
	size_t stage_len; /* of large I/Os only the next header: copies cost more */
	size_t stage_at, stage_end;
	struct io *reading;
	size_t read_at, read_bytes;
	/* Done, not yet handed out. */
	struct io **done;
	unsigned done_at, ndone;
};

static int
break_off(struct net_tcp *net, int errnum, const char *what)
{
	if (!net->broken) {
		net->broken = errnum;
		err_sys(&net->why, errnum, "%s: %s", net->peer.name, what);
	}
	return -net->broken;
}

static void
net_tcp_close(struct engine *engine)
{
	struct net_tcp *net = (struct net_tcp *)engine;

	if (net->fd >= 0)
		close(net->fd);
	wake_fini(&net->wake);
	net_peer_free(&net->peer);
	free(net->ios);
	free(net->requests);
	free(net->queue);
	free(net->stage);
	free(net->done);
	free(net);
}

static int
net_tcp_open(struct engine **ret, const struct engine_env *env, struct err *err)
{
	struct net_tcp *net = mem_alloc(sizeof *net);

	net->engine.ops = &net_tcp_ops;
	net->fd = -1;
	net->depth = env->iodepth;
	net->ios = mem_array(env->iodepth, sizeof(struct io *));
	net->requests = mem_array(env->iodepth, NET_REQUEST_LEN);
	net->queue = mem_array(env->iodepth, sizeof(struct io *));
	net->done = mem_array(env->iodepth, sizeof(struct io *));
	net->stage_len = blocks_most(env->job) < STAGE ? STAGE : NET_RESPONSE_LEN;
	net->stage = mem_alloc(net->stage_len);
	wake_init(&net->wake);
	net_peer_init(&net->peer, env, 0);
	net->fd = net_dial_tcp(&net->peer, err);
	if (net->fd < 0) {
		net_tcp_close(&net->engine);
		return -1;
	}
	*ret = &net->engine;
	return 0;
}

static int
net_tcp_file_open(struct engine *engine, struct io_file *file, struct err *err)
{
	struct net_tcp *net = (struct net_tcp *)engine;

	(void)err;
	file->name = net->peer.name;
	return 0;
}

/* ---- out ---- */

static void
push_done(struct net_tcp *net, struct io *io, int64_t result)
{
	io->result = result;
	net->ios[io->index] = NULL;
	net->inflight--;
	net->done[(net->done_at + net->ndone++) % net->depth] = io;
}

/* Bytes that go out for a request: its header, and what it writes. */
static size_t
request_bytes(const struct io *io)
{
	return NET_REQUEST_LEN + (io->dir == DIR_WRITE ? io->bytes : 0);
}

static unsigned
gather(const struct net_tcp *net, struct iovec *iov)
{
	size_t skip = net->sent;
	unsigned n = 0;

	for (unsigned i = 0; i < net->queued && i < SEND_MAX; i++) {
		struct io *io = net->queue[(net->queue_at + i) % net->depth];
		size_t head = skip < NET_REQUEST_LEN ? skip : NET_REQUEST_LEN;
		size_t body = skip - head;

		if (head < NET_REQUEST_LEN)
			iov[n++] = (struct iovec){
			    net->requests[io->index] + head, NET_REQUEST_LEN - head};
		if (io->dir == DIR_WRITE)
			iov[n++] =
			    (struct iovec){(char *)io->buf + body, io->bytes - body};
		skip = 0;
	}
	return n;
}

/* As much as the socket takes. */
static int
flush(struct net_tcp *net)
{
	struct iovec iov[2 * SEND_MAX];

	while (net->queued > 0) {
		struct msghdr msg = {.msg_iov = iov, .msg_iovlen = gather(net, iov)};
		ssize_t n = sendmsg(net->fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return 0;
		if (n < 0)
			return break_off(net, errno, "the connection is lost");
		net->sent += (size_t)n;
		while (net->queued > 0 &&
		       net->sent >= request_bytes(net->queue[net->queue_at])) {
			net->sent -= request_bytes(net->queue[net->queue_at]);
			net->queue_at = (net->queue_at + 1) % net->depth;
			net->queued--;
		}
	}
	return 0;
}

static int
net_tcp_submit(struct engine *engine, struct io *const *ios, unsigned n)
{
	struct net_tcp *net = (struct net_tcp *)engine;
	unsigned taken = 0;

	if (net->broken)
		return -net->broken;
	while (taken < n && net->inflight + net->ndone < net->depth) {
		struct io *io = ios[taken++];
		const struct net_request request = {
		    .op = io->dir == DIR_READ ? NET_READ : NET_WRITE,
		    .tag = io->index,
		    .offset = io->offset,
		    .bytes = io->bytes};

		net_request_put(net->requests[io->index], &request);
		net->ios[io->index] = io;
		net->inflight++;
		net->queue[(net->queue_at + net->queued++) % net->depth] = io;
	}
	/* What was taken is taken; that the connection broke, reap will tell. */
	(void)flush(net);
	return (int)taken;
}

/* ---- in ---- */

static int
take_response(struct net_tcp *net)
{
	struct net_response response;
	struct io *io;

	if (!net_response_get(&response, net->stage + net->stage_at) ||
	    response.tag >= net->depth || !(io = net->ios[response.tag]) ||
	    response.bytes > io->bytes)
		return break_off(net, EPROTO, "it answers nonsense");
	net->stage_at += NET_RESPONSE_LEN;
	if (response.errnum)
		push_done(net, io, -(int64_t)response.errnum);
	else if (io->dir == DIR_WRITE || response.bytes == 0)
		push_done(net, io, response.bytes);
	else {
		net->reading = io;
		net->read_at = 0;
		net->read_bytes = response.bytes;
	}
	return 0;
}

static void
advance(struct net_tcp *net, size_t n)
{
	net->read_at += n;
	if (net->read_at < net->read_bytes)
		return;
	push_done(net, net->reading, (int64_t)net->read_bytes);
	net->reading = NULL;
}

/* Uses up what is staged, as far as it goes. */
static int
digest(struct net_tcp *net)
{
	int r = 0;

	while (r == 0) {
		size_t have = net->stage_end - net->stage_at;

		if (net->reading) {
			size_t n = net->read_bytes - net->read_at;

			if (have == 0)
				break;
			n = n < have ? n : have;
			memcpy((char *)net->reading->buf + net->read_at,
			    net->stage + net->stage_at, n);
			net->stage_at += n;
			advance(net, n);
		} else if (have >= NET_RESPONSE_LEN) {
			r = take_response(net);
		} else {
			break;
		}
	}
	/* The piece of a header that is left moves to the front. */
	memmove(net->stage, net->stage + net->stage_at, net->stage_end - net->stage_at);
	net->stage_end -= net->stage_at;
	net->stage_at = 0;
	return r;
}

/* One recv: into the I/O whose data comes, and what follows into the stage. */
static int
receive(struct net_tcp *net)
{
	struct iovec iov[2];
	struct msghdr msg = {.msg_iov = iov};
	size_t direct = net->reading ? net->read_bytes - net->read_at : 0;
	ssize_t n;

	if (direct > 0)
		iov[msg.msg_iovlen++] =
		    (struct iovec){(char *)net->reading->buf + net->read_at, direct};
	iov[msg.msg_iovlen++] =
	    (struct iovec){net->stage + net->stage_end, net->stage_len - net->stage_end};
	do
		n = recvmsg(net->fd, &msg, MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return 0;
	if (n < 0)
		return break_off(net, errno, "the connection is lost");
	if (n == 0)
		return break_off(net, ECONNRESET, "the target closed the connection");
	if (direct > 0) {
		size_t got = (size_t)n < direct ? (size_t)n : direct;

		advance(net, got);
		n -= (ssize_t)got;
	}
	net->stage_end += (size_t)n;
	if (net->stage_end > 0 && digest(net) < 0)
		return -net->broken;
	return 1;
}

/* What is there now, until `enough` are done: more would only keep those waiting. */
static void
look(struct net_tcp *net, unsigned enough)
{
	if (net->queued > 0)
		(void)flush(net);
	while (!net->broken && net->inflight > 0 && net->ndone < enough)
		if (receive(net) <= 0)
			break;
}

static unsigned
hand_out(struct net_tcp *net, struct io **ret, unsigned max)
{
	unsigned n = 0;

	while (n < max && net->ndone > 0) {
		ret[n++] = net->done[net->done_at];
		net->done_at = (net->done_at + 1) % net->depth;
		net->ndone--;
	}
	return n;
}

/* Nothing else can come: I/Os that are in flight are lost. */
static int
reap_broken(struct net_tcp *net, struct io **ret, unsigned max)
{
	unsigned n = hand_out(net, ret, max);

	return n > 0 ? (int)n : -net->broken;
}

static int
net_tcp_reap(struct engine *engine, struct io **ret, unsigned min, unsigned max,
    uint64_t until_ns)
{
	struct net_tcp *net = (struct net_tcp *)engine;

	for (;;) {
		struct pollfd poll = {.fd = net->fd, .events = POLLIN};
		struct timespec left;
		int r;

		look(net, min > 0 ? min : max);
		if (net->broken)
			return reap_broken(net, ret, max);
		if (net->ndone >= min)
			return (int)hand_out(net, ret, max);
		left = wake_left(until_ns);
		if (net->queued > 0)
			poll.events |= POLLOUT;
		r = ppoll(&poll, 1, &left, &net->wake.waiting);
		if (r == 0)
			return (int)hand_out(net, ret, max);
		if (r < 0) {
			r = -errno;
			return net->ndone > 0 ? (int)hand_out(net, ret, max) : r;
		}
		if (net->inflight == 0 && (poll.revents & (POLLIN | POLLHUP)))
			(void)receive(net); /* nothing was asked: it is the end */
	}
}

static void
net_tcp_wake(struct engine *engine)
{
	wake_send(&((struct net_tcp *)engine)->wake);
}

static const char *
net_tcp_why(const struct engine *engine)
{
	const struct net_tcp *net = (const struct net_tcp *)engine;

	return net->broken ? net->why.msg : NULL;
}

const struct engine_ops net_tcp_ops = {
    .name = "net-tcp",
    .doc = "a volley target over TCP (volley-io serve)",
    .caps = ENGINE_PEER,
    .check = net_check,
    .open = net_tcp_open,
    .file_open = net_tcp_file_open,
    .file_close = engine_file_none,
    .submit = net_tcp_submit,
    .reap = net_tcp_reap,
    .wake = net_tcp_wake,
    .why = net_tcp_why,
    .close = net_tcp_close,
};
