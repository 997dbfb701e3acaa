/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TLS 1.3 through OpenSSL and libevent: both sides show a self-signed Ed25519
 * certificate made from their key; the peer's key is judged by a callback and by
 * nothing else (no CA, no names, no dates).
 */
#ifndef VOLLEY_RPC_TLS_H
#define VOLLEY_RPC_TLS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/rpc/key.h"

struct bufferevent;
struct event_base;
struct tls;

/* Is this peer key the right one?  Called during the handshake; `connection` is what
 * tls_bufferevent was given.  When it returns false it has set *err to the one line
 * that the user should read.  The peer has not proved yet that it holds the key: what
 * is to be remembered (a key pinned at first use) waits for chan_ops.opened. */
typedef bool tls_judge_fn(void *arg, void *connection, const uint8_t raw[KEY_PUBLIC_LEN],
			  struct err *err);

int tls_new(struct tls **ret, const struct key *own, tls_judge_fn *judge, void *arg,
	    struct err *err);
/* After the last of its bufferevents. */
void tls_free(struct tls *tls);
/* fd ≥ 0: connected or accepted already.  fd −1: connect it later with
 * bufferevent_socket_connect.  The handshake's failure in plain words comes out of
 * tls_error (chan uses it). */
struct bufferevent *tls_bufferevent(struct tls *tls, struct event_base *base, int fd,
				    bool server, void *connection);
/* Why the handshake on this bufferevent failed: ERR_AUTH with one plain line when a
 * key was refused (by us: the judge's own error; or by the peer), ERR_PROTOCOL when the
 * peer does not speak TLS 1.3; false when it has nothing to say (also for bufferevents
 * without TLS). */
bool tls_error(struct bufferevent *bev, struct err *ret);

#endif
