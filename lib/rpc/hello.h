/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two payloads that every version of volley understands: HELLO and ERROR; and
 * the rule by which two versions agree.  Only lib/rpc uses this.
 */
#ifndef VOLLEY_RPC_HELLO_H
#define VOLLEY_RPC_HELLO_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

struct hello {
	char *product, *name; /* owned */
	uint32_t protocol_min, protocol_max;
	uint64_t boot;
};

void hello_free(struct hello *hello);
/* malloc'd payload. */
uint8_t *hello_pack(const struct hello *hello, size_t *ret_len);
int hello_unpack(struct hello *ret, const uint8_t *data, size_t len, struct err *err);
/* The highest protocol that both speak; else an ERR_PROTOCOL that names both. */
int hello_agree(const struct hello *one, const struct hello *other, uint32_t *ret,
		struct err *err);

/* malloc'd payload of an ERROR frame; chan_error_decode reads it. */
uint8_t *error_pack(const struct err *err, size_t *ret_len);

#endif
