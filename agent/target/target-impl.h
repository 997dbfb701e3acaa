/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of a target know of each other.  Only agent/target uses this. */
#ifndef VOLLEY_TARGET_TARGET_IMPL_H
#define VOLLEY_TARGET_TARGET_IMPL_H

#include <pthread.h>

#include "agent/engine/net-dial.h"
#include "agent/target/target.h"

struct target_conn {
	struct target *target;
	pthread_t id;
	bool ended; /* under target->lock: the thread is at its end */
	struct target_conn *next;
	void (*serve)(struct target_conn *conn); /* its life */
	void (*cut)(struct target_conn *conn);   /* ends it, from another thread */
	void (*free)(struct target_conn *conn);  /* after the thread was joined */
	/* After the handshake: */
	struct net_hello hello;
	const struct target_export *export;
};

struct target {
	struct target_config config;
	char *key, *host;
	unsigned port;
	int listen_fd, stop_fd; /* -1: none; stop_fd becomes readable, and stays so */
	pthread_t tcp_thread, rdma_thread;
	bool has_tcp, has_rdma;
	void *rdma; /* of target-rdma.c */
	pthread_mutex_t lock;
	struct target_conn *conns;
	unsigned nconns;
};

/* Starts the connection's thread; false: there is no place, and it is freed. */
bool target_adopt(struct target *target, struct target_conn *conn);
/* The target's side of the handshake.  `finish` may change the INFO before it goes. */
typedef void target_finish_fn(struct target_conn *conn, struct net_info *info);
int target_greet(struct target_conn *conn, const struct net_pipe *pipe,
		 target_finish_fn *finish, struct err *err);
const struct target_export *target_find(const struct target *target, const char *name);
/* How many of a request's bytes lie within the export, and may be moved; else
 * *ret_errnum says why none. */
uint32_t target_clip(const struct target_conn *conn, const struct net_request *request,
		     uint32_t *ret_errnum);
/* Moves `bytes` between a file and memory; what was moved, or *ret_errnum. */
uint32_t target_move(const struct target_export *export, bool write, void *buf,
		     uint64_t offset, uint32_t bytes, uint32_t *ret_errnum);

/* Aligned as O_DIRECT wants it; for free().  NULL: there is no such memory. */
void *target_buffer(size_t len);

struct target_conn *tcp_conn_new(struct target *target, int fd);

/* target-rdma.c: the listener, its end, and what outlives the connections. */
int target_rdma_start(struct target *target, struct err *err);
void target_rdma_stop(struct target *target);
void target_rdma_free(struct target *target);

#endif
