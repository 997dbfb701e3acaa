/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the network engines share: who the target of a job is, and the handshake with
 * it over whatever carries messages.
 */
#ifndef VOLLEY_ENGINE_NET_DIAL_H
#define VOLLEY_ENGINE_NET_DIAL_H

#include "agent/engine/engine.h"
#include "agent/engine/net-wire.h"

struct net_peer {
	const struct job *job;
	const char *key;
	char *name; /* "volley://host:port/export", for messages */
	struct net_hello hello;
	struct net_info info; /* after the handshake */
};

int net_check(const struct job *job, struct err *err);
/* `flags`: of the HELLO, beside NET_WRITES. */
void net_peer_init(struct net_peer *peer, const struct engine_env *env, unsigned flags);
void net_peer_free(struct net_peer *peer);

/* Sends or receives one message whole; -1 with err. */
struct net_pipe {
	void *arg;
	int (*send)(void *arg, const uint8_t *data, size_t len, struct err *err);
	int (*recv)(void *arg, uint8_t *ret, size_t len, struct err *err);
};
int net_greet(struct net_peer *peer, const struct net_pipe *pipe, struct err *err);

/* Connects and greets: the connected socket, or -1. */
int net_dial_tcp(struct net_peer *peer, struct err *err);
/* A host that is gone is noticed: keep-alives, and a limit for what is not
 * acknowledged. */
void net_tune_tcp(int fd);

#endif
