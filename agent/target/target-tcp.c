/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One TCP connection of a target, served by one thread with a blocking socket.
 * Responses gather while requests are at hand and go out in one call before the
 * thread waits for more; memory is sent and received in place.
 */
#include "agent/target/target-impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lib/base/mem.h"

#define STAGE (64u << 10)
#define ANSWERS_MAX 64u
#define ANSWER_BYTES (1u << 20) /* of data that gather before they go out */
#define GREET_S 10

struct tcp_conn {
	struct target_conn conn;
	int fd;
	uint8_t *stage; /* requests, and what of their data came along */
	size_t stage_len;
	size_t at, end;
	uint8_t *buf; /* of one request's size: files, and data that has no place */
	uint8_t answers[ANSWERS_MAX][NET_RESPONSE_LEN];
	struct iovec iov[2 * ANSWERS_MAX];
	unsigned nanswers, niov;
	size_t answer_bytes;
};

static int
send_all(int fd, struct iovec *iov, unsigned n)
{
	while (n > 0) {
		struct msghdr msg = {.msg_iov = iov, .msg_iovlen = n};
		ssize_t sent = sendmsg(fd, &msg, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return -1;
		while (n > 0 && (size_t)sent >= iov->iov_len) {
			sent -= (ssize_t)iov->iov_len;
			iov++;
			n--;
		}
		if (n > 0) {
			iov->iov_base = (char *)iov->iov_base + sent;
			iov->iov_len -= (size_t)sent;
		}
	}
	return 0;
}

static int
recv_all(int fd, void *buf, size_t len)
{
	while (len > 0) {
		ssize_t n = recv(fd, buf, len, MSG_WAITALL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		buf = (char *)buf + n;
		len -= (size_t)n;
	}
	return 0;
}

static int
flush(struct tcp_conn *tcp)
{
	int r = send_all(tcp->fd, tcp->iov, tcp->niov);

	tcp->nanswers = tcp->niov = 0;
	tcp->answer_bytes = 0;
	return r;
}

static int
answer(struct tcp_conn *tcp, const struct net_response *response, void *data)
{
	uint8_t *head = tcp->answers[tcp->nanswers++];

	net_response_put(head, response);
	tcp->iov[tcp->niov++] = (struct iovec){head, NET_RESPONSE_LEN};
	if (data && response->bytes > 0) {
		tcp->iov[tcp->niov++] = (struct iovec){data, response->bytes};
		tcp->answer_bytes += response->bytes;
	}
	/* The buffer of a file's data is needed again. */
	if (tcp->nanswers == ANSWERS_MAX || tcp->answer_bytes >= ANSWER_BYTES ||
	    data == tcp->buf)
		return flush(tcp);
	return 0;
}

static int
do_read(struct tcp_conn *tcp, const struct net_request *request)
{
	const struct target_export *export = tcp->conn.export;
	struct net_response response = {.tag = request->tag};
	uint32_t bytes = target_clip(&tcp->conn, request, &response.errnum);

	if (export->base) {
		response.bytes = bytes;
		return answer(tcp, &response,
		    bytes > 0 ? export->base + request->offset : NULL);
	}
	response.bytes = target_move(
	    export, false, tcp->buf, request->offset, bytes, &response.errnum);
	return answer(tcp, &response, tcp->buf);
}

/* The `len` bytes that follow a write request. */
static int
take_data(struct tcp_conn *tcp, uint8_t *to, size_t len)
{
	size_t have = tcp->end - tcp->at;
	size_t n = len < have ? len : have;

	if (to)
		memcpy(to, tcp->stage + tcp->at, n);
	tcp->at += n;
	if (n == len)
		return 0;
	if (tcp->nanswers > 0 && flush(tcp) < 0)
		return -1;
	return recv_all(tcp->fd, (to ? to : tcp->buf) + n, len - n);
}

static int
do_write(struct tcp_conn *tcp, const struct net_request *request)
{
	const struct target_export *export = tcp->conn.export;
	struct net_response response = {.tag = request->tag};
	uint32_t bytes = target_clip(&tcp->conn, request, &response.errnum);
	/* an offset out of bounds makes no address, not even one that is not used */
	uint8_t *to =
	    export->base && bytes > 0 ? export->base + request->offset : tcp->buf;

	if (take_data(tcp, to, bytes) < 0 ||
	    take_data(tcp, NULL, request->bytes - bytes) < 0)
		return -1;
	response.bytes = bytes;
	if (!export->base && bytes > 0)
		response.bytes = target_move(
		    export, true, tcp->buf, request->offset, bytes, &response.errnum);
	return answer(tcp, &response, NULL);
}

/* Waits for the next request; -1: there is none any more. */
static int
next_request(struct tcp_conn *tcp, struct net_request *ret)
{
	while (tcp->end - tcp->at < NET_REQUEST_LEN) {
		ssize_t n;

		if (tcp->nanswers > 0 && flush(tcp) < 0)
			return -1;
		memmove(tcp->stage, tcp->stage + tcp->at, tcp->end - tcp->at);
		tcp->end -= tcp->at;
		tcp->at = 0;
		n = recv(tcp->fd, tcp->stage + tcp->end, tcp->stage_len - tcp->end, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		tcp->end += (size_t)n;
	}
	if (!net_request_get(ret, tcp->stage + tcp->at) ||
	    ret->bytes > tcp->conn.hello.bytes_max)
		return -1;
	tcp->at += NET_REQUEST_LEN;
	return 0;
}

static int
pipe_send(void *arg, const uint8_t *data, size_t len, struct err *err)
{
	struct tcp_conn *tcp = arg;
	struct iovec iov = {(void *)data, len};

	return send_all(tcp->fd, &iov, 1) == 0 ? 0 : err_sys(err, errno, "send");
}

static int
pipe_recv(void *arg, uint8_t *ret, size_t len, struct err *err)
{
	struct tcp_conn *tcp = arg;

	return recv_all(tcp->fd, ret, len) == 0 ? 0 : err_sys(err, errno, "recv");
}

static void
set_time_limit(int fd, int seconds)
{
	const struct timeval tv = {.tv_sec = seconds};

	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof tv);
}

static void
tcp_serve(struct target_conn *conn)
{
	struct tcp_conn *tcp = (struct tcp_conn *)conn;
	const struct net_pipe pipe = {tcp, pipe_send, pipe_recv};
	struct net_request request;
	struct err err = ERR_INIT;
	int r = 0;

	net_tune_tcp(tcp->fd);
	set_time_limit(tcp->fd, GREET_S);
	if (target_greet(conn, &pipe, NULL, &err) < 0)
		return;
	set_time_limit(tcp->fd, 0);
	/* Of large writes only the request: copying their data costs more. */
	tcp->stage_len = conn->hello.flags & NET_WRITES && conn->hello.bytes_max >= STAGE
			     ? NET_REQUEST_LEN
			     : STAGE;
	tcp->stage = mem_alloc(tcp->stage_len);
	tcp->buf = target_buffer(conn->hello.bytes_max);
	if (!tcp->buf)
		return;
	while (r == 0 && next_request(tcp, &request) == 0)
		r = request.op == NET_READ ? do_read(tcp, &request)
					   : do_write(tcp, &request);
}

static void
tcp_cut(struct target_conn *conn)
{
	(void)shutdown(((struct tcp_conn *)conn)->fd, SHUT_RDWR);
}

static void
tcp_free(struct target_conn *conn)
{
	struct tcp_conn *tcp = (struct tcp_conn *)conn;

	close(tcp->fd);
	free(tcp->stage);
	free(tcp->buf);
	free(tcp);
}

struct target_conn *
tcp_conn_new(struct target *target, int fd)
{
	struct tcp_conn *tcp = mem_alloc(sizeof *tcp);

	tcp->conn = (struct target_conn){.target = target,
	    .serve = tcp_serve,
	    .cut = tcp_cut,
	    .free = tcp_free};
	tcp->fd = fd;
	return &tcp->conn;
}
