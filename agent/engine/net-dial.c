/* SPDX-License-Identifier: Apache-2.0 */
/* Finds a target, connects to it over TCP, and greets it. */
#include "agent/engine/net-dial.h"

#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "lib/base/mem.h"
#include "lib/work/blocks.h"
#include "lib/work/job-net.h"

#define GREET_S 10	  /* for each step of the handshake */
#define LOST_MS 20000	  /* unacknowledged: the peer is gone */
#define KEEPALIVE_S 5
#define KEEPALIVE_PROBES 3

int
net_check(const struct job *job, struct err *err)
{
	if (job_net_check(job, err) < 0)
		return -1;
	if (job->iodepth > NET_DEPTH_MAX)
		return err_set(err, ERR_USAGE, "iodepth %u: a target takes %u at most",
		    job->iodepth, NET_DEPTH_MAX);
	if (blocks_most(job) > NET_BYTES_MAX)
		return err_set(err, ERR_USAGE, "bs: a target takes %u bytes at most",
		    NET_BYTES_MAX);
	if (!net_is_name(job->net.export))
		return err_set(err, ERR_USAGE,
		    "export '%s': 1 to %u characters of a-z A-Z 0-9 . _ - are wanted",
		    job->net.export, NET_NAME_MAX);
	return 0;
}

void
net_peer_init(struct net_peer *peer, const struct engine_env *env, unsigned flags)
{
	const struct job_net *net = &env->job->net;
	bool rdma = strcmp(env->job->ioengine, "net-rdma") == 0;
	bool v6 = strchr(net->hostname, ':') != NULL;

	*peer = (struct net_peer){.job = env->job, .key = env->key};
	peer->name = mem_printf("volley%s://%s%s%s:%u/%s", rdma ? "+rdma" : "",
	    v6 ? "[" : "", net->hostname, v6 ? "]" : "", net->port, net->export);
	peer->hello = (struct net_hello){.version = NET_VERSION,
	    .flags = (uint16_t)(flags | (job_writes(env->job) ? NET_WRITES : 0)),
	    .depth = env->iodepth,
	    .bytes_max = (uint32_t)blocks_most(env->job)};
	snprintf(peer->hello.name, sizeof peer->hello.name, "%s", net->export);
}

void
net_peer_free(struct net_peer *peer)
{
	free(peer->name);
	peer->name = NULL;
}

/* Does the export hold what the job wants of it? */
static int
check_size(const struct net_peer *peer, struct err *err)
{
	const struct job *job = peer->job;
	uint64_t to = job_offset(job, job->numjobs - 1) + job->size;

	if (to <= peer->info.size)
		return 0;
	return err_set(err, ERR_USAGE,
	    "%s: the job wants bytes up to %" PRIu64 ", but it has %" PRIu64, peer->name,
	    to, peer->info.size);
}

static int
exchange(struct net_peer *peer, const struct net_pipe *pipe, struct err *err)
{
	uint8_t hello[NET_HELLO_LEN], challenge[NET_CHALLENGE_LEN];
	uint8_t proof[NET_PROOF_LEN], info[NET_INFO_LEN], mac[NET_MAC];
	struct net_challenge theirs;

	if (net_nonce(peer->hello.nonce, err) < 0)
		return -1;
	net_hello_put(hello, &peer->hello);
	if (pipe->send(pipe->arg, hello, sizeof hello, err) < 0 ||
	    pipe->recv(pipe->arg, challenge, sizeof challenge, err) < 0)
		return -1;
	if (!net_challenge_get(&theirs, challenge))
		return err_set(err, ERR_PROTOCOL, "that is no volley target");
	if (theirs.version != NET_VERSION)
		return err_set(err, ERR_PROTOCOL,
		    "it speaks version %u of the protocol, this volley %u",
		    theirs.version, NET_VERSION);
	net_prove_target(mac, peer->key, hello, theirs.nonce);
	if (!net_same_mac(mac, theirs.mac))
		return err_set(
		    err, ERR_AUTH, "%s", net_verdict_text(NET_BAD_KEY));
	net_prove_client(mac, peer->key, hello, challenge);
	net_proof_put(proof, mac);
	if (pipe->send(pipe->arg, proof, sizeof proof, err) < 0 ||
	    pipe->recv(pipe->arg, info, sizeof info, err) < 0)
		return -1;
	if (!net_info_get(&peer->info, info))
		return err_set(err, ERR_PROTOCOL, "it answers nonsense");
	if (peer->info.verdict != NET_OK)
		return err_set(err,
		    peer->info.verdict == NET_BAD_KEY ? ERR_AUTH : ERR_POLICY, "%s",
		    net_verdict_text(peer->info.verdict));
	return 0;
}

int
net_greet(struct net_peer *peer, const struct net_pipe *pipe, struct err *err)
{
	if (!peer->key)
		return err_set(err, ERR_AUTH,
		    "%s: its key is missing (keyfile=FILE; in a plan, the storage's key)",
		    peer->name);
	if (exchange(peer, pipe, err) < 0)
		return err_prefix(err, "%s", peer->name);
	return check_size(peer, err);
}

/* ---- TCP ---- */

static int
tcp_failed(int errnum, struct err *err)
{
	if (errnum == EAGAIN || errnum == EWOULDBLOCK)
		return err_set(err, ERR_TIMEOUT, "no answer in %d s", GREET_S);
	return err_sys(err, errnum, "handshake");
}

static int
tcp_send(void *arg, const uint8_t *data, size_t len, struct err *err)
{
	const int *fd = arg;
	ssize_t n = send(*fd, data, len, MSG_NOSIGNAL);

	return n == (ssize_t)len ? 0 : tcp_failed(n < 0 ? errno : EPIPE, err);
}

static int
tcp_recv(void *arg, uint8_t *ret, size_t len, struct err *err)
{
	const int *fd = arg;
	ssize_t n;

	do
		n = recv(*fd, ret, len, MSG_WAITALL);
	while (n < 0 && errno == EINTR);
	if (n == (ssize_t)len)
		return 0;
	if (n < 0)
		return tcp_failed(errno, err);
	return err_set(
	    err, ERR_UNREACHABLE, "the target closed the connection in the handshake");
}

static void
set_time_limit(int fd, int seconds)
{
	const struct timeval tv = {.tv_sec = seconds};

	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof tv);
	(void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof tv);
}

void
net_tune_tcp(int fd)
{
	const struct {
		int level, option, value;
	} options[] = {{IPPROTO_TCP, TCP_NODELAY, 1}, {SOL_SOCKET, SO_KEEPALIVE, 1},
	    {IPPROTO_TCP, TCP_KEEPIDLE, KEEPALIVE_S},
	    {IPPROTO_TCP, TCP_KEEPINTVL, KEEPALIVE_S},
	    {IPPROTO_TCP, TCP_KEEPCNT, KEEPALIVE_PROBES},
	    {IPPROTO_TCP, TCP_USER_TIMEOUT, LOST_MS}};

	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		(void)setsockopt(fd, options[i].level, options[i].option,
		    &options[i].value, sizeof options[i].value);
}

/* The first address that answers; errno says why none did. */
static int
connect_any(const struct addrinfo *ai)
{
	int errnum = EADDRNOTAVAIL;

	for (; ai; ai = ai->ai_next) {
		int fd = socket(
		    ai->ai_family, ai->ai_socktype | SOCK_CLOEXEC, ai->ai_protocol);

		if (fd >= 0) {
			set_time_limit(fd, GREET_S); /* limits connect too */
			if (connect(fd, ai->ai_addr, ai->ai_addrlen) == 0)
				return fd;
		}
		errnum = errno == EINPROGRESS ? ETIMEDOUT : errno;
		if (fd >= 0)
			close(fd);
	}
	errno = errnum;
	return -1;
}

int
net_dial_tcp(struct net_peer *peer, struct err *err)
{
	const struct job_net *net = &peer->job->net;
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	struct addrinfo *ai;
	char port[8];
	int fd, r;

	snprintf(port, sizeof port, "%u", net->port);
	r = getaddrinfo(net->hostname, port, &hints, &ai);
	if (r != 0)
		return err_set(err, ERR_UNREACHABLE, "%s: %s", peer->name,
		    r == EAI_SYSTEM ? strerror(errno) : gai_strerror(r));
	fd = connect_any(ai);
	r = errno;
	freeaddrinfo(ai);
	if (fd < 0) {
		err_sys(err, r, "%s: connect", peer->name);
		err->code = ERR_UNREACHABLE;
		return -1;
	}
	net_tune_tcp(fd);
	if (net_greet(peer,
		&(struct net_pipe){.arg = &fd, .send = tcp_send, .recv = tcp_recv},
		err) < 0) {
		close(fd);
		return -1;
	}
	set_time_limit(fd, 0);
	return fd;
}
