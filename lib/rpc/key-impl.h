/* SPDX-License-Identifier: Apache-2.0 */
/* What a key is inside: key.c makes it, tls.c shows it.  Only lib/rpc uses this. */
#ifndef VOLLEY_RPC_KEY_IMPL_H
#define VOLLEY_RPC_KEY_IMPL_H

#include <openssl/types.h>

#include "lib/rpc/key.h"

struct key {
	EVP_PKEY *pkey; /* Ed25519, with its private half */
};

/* Sets *err to "doing: OpenSSL: its reason", and leaves OpenSSL's queue empty. */
int key_openssl_failed(struct err *err, const char *doing);

#endif
