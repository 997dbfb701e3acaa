/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a network engine and a target say to each other, over a TCP connection or as
 * SENDs of a queue pair: fixed messages in big-endian order (docs/target.md).
 *
 *   client → target  HELLO      what it wants, a nonce
 *   target → client  CHALLENGE  a nonce, and proof that the target has the key
 *   client → target  PROOF      proof that the client has it
 *   target → client  INFO       the verdict; size and rights of the export
 *   then REQUESTs, each answered by a RESPONSE with the same tag, in any order
 *
 * Both proofs are HMAC-SHA256 over all that was said before, with a word of their
 * own, so neither can be replayed or turned around.  The data itself is not
 * enciphered: that would measure ciphers.
 */
#ifndef VOLLEY_ENGINE_NET_WIRE_H
#define VOLLEY_ENGINE_NET_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

#define NET_VERSION 1u
#define NET_PORT 7412u
#define NET_NONCE 32u
#define NET_MAC 32u
#define NET_NAME_MAX 31u	     /* of an export */
#define NET_DEPTH_MAX 4096u	     /* requests in flight on a connection */
#define NET_BYTES_MAX (64u << 20)    /* of one request */

#define NET_HELLO_LEN 80u
#define NET_CHALLENGE_LEN 80u
#define NET_PROOF_LEN 40u
#define NET_INFO_LEN 48u
#define NET_REQUEST_LEN 32u
#define NET_RESPONSE_LEN 16u

enum net_flags {
	NET_WRITES = 1u << 0,	 /* HELLO: will write; INFO: may write */
	NET_ONE_SIDED = 1u << 1, /* will read and write the memory itself */
};

enum net_verdict {
	NET_OK,
	NET_BAD_VERSION,
	NET_BAD_KEY,
	NET_NO_EXPORT,
	NET_READ_ONLY,	  /* writes are wanted where none are allowed */
	NET_NOT_MEMORY,	  /* one-sided access to a file */
	NET_TOO_DEEP,	  /* more in flight, or larger, than the target takes */
	NET_VERDICT_COUNT
};
const char *net_verdict_text(uint32_t verdict);

struct net_hello {
	uint16_t version, flags;
	uint32_t depth, bytes_max;
	uint8_t nonce[NET_NONCE];
	char name[NET_NAME_MAX + 1];
};

struct net_challenge {
	uint16_t version;
	uint8_t nonce[NET_NONCE], mac[NET_MAC];
};

struct net_info {
	uint32_t verdict, flags;
	uint64_t size;
	uint64_t addr; /* of the export's memory, for one-sided access */
	uint32_t rkey;
};

enum net_op { NET_READ = 1, NET_WRITE = 2 };

struct net_request {
	uint8_t op; /* enum net_op */
	uint32_t tag, bytes;
	uint64_t offset;
	uint64_t addr; /* RDMA: the client's buffer */
	uint32_t rkey;
};

struct net_response {
	uint32_t tag;
	uint32_t errnum; /* 0, or the errno of the target's system call */
	uint32_t bytes;	 /* moved; over TCP a read's bytes follow */
};

void net_hello_put(uint8_t *p, const struct net_hello *hello);
void net_challenge_put(uint8_t *p, const struct net_challenge *challenge);
void net_proof_put(uint8_t *p, const uint8_t mac[NET_MAC]);
void net_info_put(uint8_t *p, const struct net_info *info);
void net_request_put(uint8_t *p, const struct net_request *request);
void net_response_put(uint8_t *p, const struct net_response *response);

/* False: not such a message. */
bool net_hello_get(struct net_hello *ret, const uint8_t *p);
bool net_challenge_get(struct net_challenge *ret, const uint8_t *p);
bool net_proof_get(uint8_t ret_mac[NET_MAC], const uint8_t *p);
bool net_info_get(struct net_info *ret, const uint8_t *p);
bool net_request_get(struct net_request *ret, const uint8_t *p);
bool net_response_get(struct net_response *ret, const uint8_t *p);

/* 1 to NET_NAME_MAX characters of a-z A-Z 0-9 . _ - */
bool net_is_name(const char *name);

/* `hello` and `challenge` are the messages as they were sent; a challenge's own mac
 * is not part of what it proves. */
void net_prove_target(uint8_t ret[NET_MAC], const char *key, const uint8_t *hello,
		      const uint8_t nonce[NET_NONCE]);
void net_prove_client(uint8_t ret[NET_MAC], const char *key, const uint8_t *hello,
		      const uint8_t *challenge);
bool net_same_mac(const uint8_t a[NET_MAC], const uint8_t b[NET_MAC]);
int net_nonce(uint8_t ret[NET_NONCE], struct err *err);

#endif
