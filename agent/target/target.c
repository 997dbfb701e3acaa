/* SPDX-License-Identifier: Apache-2.0 */
/* Listens, greets, and keeps the connections' threads. */
#include "agent/target/target-impl.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "config.h"
#include "lib/base/mem.h"
#include "lib/base/secret.h"

#define BACKLOG 128
#define CONN_STACK (256u << 10)

const struct target_export *
target_find(const struct target *target, const char *name)
{
	for (size_t i = 0; i < target->config.nexports; i++)
		if (strcmp(target->config.exports[i].name, name) == 0)
			return &target->config.exports[i];
	return NULL;
}

/* ---- the handshake ---- */

/* Only somebody with the key learns what there is. */
static uint32_t
judge(const struct target_conn *conn)
{
	const struct target_export *export = conn->export;
	const struct net_hello *hello = &conn->hello;

	if (!export)
		return NET_NO_EXPORT;
	if ((hello->flags & NET_WRITES) && !export->writable)
		return NET_READ_ONLY;
	if ((hello->flags & NET_ONE_SIDED) && !export->base)
		return NET_NOT_MEMORY;
	if (hello->depth < 1 || hello->depth > NET_DEPTH_MAX || hello->bytes_max < 1 ||
	    hello->bytes_max > NET_BYTES_MAX)
		return NET_TOO_DEEP;
	return NET_OK;
}

static int
challenge(const struct target_conn *conn, const struct net_pipe *pipe,
    const uint8_t *hello, uint8_t *ret_challenge, struct err *err)
{
	struct net_challenge ours = {.version = NET_VERSION};

	if (net_nonce(ours.nonce, err) < 0)
		return -1;
	net_prove_target(ours.mac, conn->target->key, hello, ours.nonce);
	net_challenge_put(ret_challenge, &ours);
	return pipe->send(pipe->arg, ret_challenge, NET_CHALLENGE_LEN, err);
}

int
target_greet(struct target_conn *conn, const struct net_pipe *pipe,
    target_finish_fn *finish, struct err *err)
{
	uint8_t hello[NET_HELLO_LEN], said[NET_CHALLENGE_LEN], proof[NET_PROOF_LEN];
	uint8_t want[NET_MAC], mac[NET_MAC], message[NET_INFO_LEN];
	struct net_info info = {0};

	if (pipe->recv(pipe->arg, hello, sizeof hello, err) < 0)
		return -1;
	if (!net_hello_get(&conn->hello, hello))
		return err_set(err, ERR_PROTOCOL, "not a volley client");
	if (challenge(conn, pipe, hello, said, err) < 0 ||
	    pipe->recv(pipe->arg, proof, sizeof proof, err) < 0)
		return -1;
	if (!net_proof_get(mac, proof))
		return err_set(err, ERR_PROTOCOL, "not a volley client");
	net_prove_client(want, conn->target->key, hello, said);
	if (!net_same_mac(want, mac))
		info.verdict = NET_BAD_KEY;
	else if (conn->hello.version != NET_VERSION)
		info.verdict = NET_BAD_VERSION;
	else {
		conn->export = target_find(conn->target, conn->hello.name);
		info.verdict = judge(conn);
	}
	if (info.verdict == NET_OK) {
		info.size = conn->export->size;
		info.flags = conn->export->writable ? NET_WRITES : 0;
		if (finish)
			finish(conn, &info);
	}
	net_info_put(message, &info);
	if (pipe->send(pipe->arg, message, sizeof message, err) < 0)
		return -1;
	if (info.verdict != NET_OK)
		return err_set(err, ERR_POLICY, "%s", net_verdict_text(info.verdict));
	return 0;
}

/* ---- connections ---- */

static void *
conn_main(void *arg)
{
	struct target_conn *conn = arg;
	struct target *target = conn->target;

	conn->serve(conn);
	conn->cut(conn); /* the client sees the end now, not when it is cleared away */
	pthread_mutex_lock(&target->lock);
	conn->ended = true;
	pthread_mutex_unlock(&target->lock);
	return NULL;
}

/* Joins those that have ended; at the end all of them. */
static void
clear_away(struct target *target, bool all)
{
	struct target_conn **at = &target->conns, *gone = NULL, *next;

	pthread_mutex_lock(&target->lock);
	while (*at) {
		struct target_conn *conn = *at;

		if (!conn->ended && !all) {
			at = &conn->next;
			continue;
		}
		if (!conn->ended)
			conn->cut(conn);
		*at = conn->next;
		conn->next = gone;
		gone = conn;
		target->nconns--;
	}
	pthread_mutex_unlock(&target->lock);
	for (; gone; gone = next) {
		next = gone->next;
		pthread_join(gone->id, NULL);
		gone->free(gone);
	}
}

bool
target_adopt(struct target *target, struct target_conn *conn)
{
	pthread_attr_t attr;
	bool ok;

	clear_away(target, false);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, CONN_STACK);
	pthread_mutex_lock(&target->lock);
	ok = target->nconns < TARGET_CONNECTIONS &&
	     pthread_create(&conn->id, &attr, conn_main, conn) == 0;
	if (ok) {
		conn->next = target->conns;
		target->conns = conn;
		target->nconns++;
	}
	pthread_mutex_unlock(&target->lock);
	pthread_attr_destroy(&attr);
	if (!ok)
		conn->free(conn);
	return ok;
}

/* ---- listening ---- */

static void *
listen_main(void *arg)
{
	struct target *target = arg;

	for (;;) {
		struct pollfd fds[2] = {{.fd = target->listen_fd, .events = POLLIN},
		    {.fd = target->stop_fd, .events = POLLIN}};
		int fd;

		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return NULL;
		if (fds[1].revents)
			return NULL;
		if (!fds[0].revents)
			continue;
		fd = accept4(target->listen_fd, NULL, NULL, SOCK_CLOEXEC);
		if (fd >= 0)
			(void)target_adopt(target, tcp_conn_new(target, fd));
	}
}

static int
bind_to(struct target *target, const struct addrinfo *ai)
{
	const int one = 1;
	struct sockaddr_storage addr;
	socklen_t len = sizeof addr;

	target->listen_fd =
	    socket(ai->ai_family, ai->ai_socktype | SOCK_CLOEXEC, ai->ai_protocol);
	if (target->listen_fd < 0)
		return -1;
	(void)setsockopt(
	    target->listen_fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (bind(target->listen_fd, ai->ai_addr, ai->ai_addrlen) < 0 ||
	    listen(target->listen_fd, BACKLOG) < 0 ||
	    getsockname(target->listen_fd, (struct sockaddr *)&addr, &len) < 0)
		return -1;
	target->port = ntohs(addr.ss_family == AF_INET6
				 ? ((struct sockaddr_in6 *)&addr)->sin6_port
				 : ((struct sockaddr_in *)&addr)->sin_port);
	return 0;
}

static int
listen_tcp(struct target *target, struct err *err)
{
	const struct addrinfo hints = {
	    .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
	const char *host = target->host ? target->host : "::";
	struct addrinfo *ai;
	char port[8];
	int r;

	snprintf(port, sizeof port, "%u", target->config.port);
	r = getaddrinfo(host, port, &hints, &ai);
	if (r != 0)
		return err_set(err, ERR_USAGE, "listen on %s: %s", host,
		    r == EAI_SYSTEM ? strerror(errno) : gai_strerror(r));
	r = bind_to(target, ai);
	if (r < 0)
		err_sys(err, errno, "listen on %s, port %s", host, port);
	freeaddrinfo(ai);
	if (r < 0)
		return -1;
	r = pthread_create(&target->tcp_thread, NULL, listen_main, target);
	if (r != 0)
		return err_sys(err, r, "thread");
	target->has_tcp = true;
	return 0;
}

#ifndef HAVE_RDMA
int
target_rdma_start(struct target *target, struct err *err)
{
	(void)target;
	return err_set(
	    err, ERR_UNSUPPORTED, "RDMA is not built in (configure --with-rdma)");
}

void
target_rdma_stop(struct target *target)
{
	(void)target;
}

void
target_rdma_free(struct target *target)
{
	(void)target;
}
#endif

int
target_start(
    struct target **ret, const struct target_config *config, struct err *err)
{
	struct target *target = mem_alloc(sizeof *target);

	*target = (struct target){.config = *config,
	    .key = mem_strdup(config->key),
	    .host = mem_strdup(config->host),
	    .port = config->port,
	    .listen_fd = -1};
	pthread_mutex_init(&target->lock, NULL);
	target->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (target->stop_fd < 0)
		err_sys(err, errno, "eventfd");
	if (target->stop_fd < 0 || (config->tcp && listen_tcp(target, err) < 0) ||
	    (config->rdma && target_rdma_start(target, err) < 0)) {
		target_stop(target);
		return -1;
	}
	*ret = target;
	return 0;
}

unsigned
target_port(const struct target *target)
{
	return target->port;
}

void
target_stop(struct target *target)
{
	if (!target)
		return;
	if (target->stop_fd >= 0)
		(void)eventfd_write(target->stop_fd, 1);
	if (target->has_tcp)
		pthread_join(target->tcp_thread, NULL);
	target_rdma_stop(target);
	clear_away(target, true);
	target_rdma_free(target);
	if (target->listen_fd >= 0)
		close(target->listen_fd);
	if (target->stop_fd >= 0)
		close(target->stop_fd);
	pthread_mutex_destroy(&target->lock);
	secret_free(target->key);
	free(target->host);
	free(target);
}
