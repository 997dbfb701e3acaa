/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only way from bytes to a protobuf message.  protobuf-c by itself lets a peer
 * choose how much memory a message takes and merges fields that come twice; here a
 * payload may allocate a fixed amount plus a small multiple of its length, and a
 * message field that comes twice is refused.
 */
#ifndef VOLLEY_PROTO_UNPACK_H
#define VOLLEY_PROTO_UNPACK_H

#include <stddef.h>
#include <stdint.h>

#include <protobuf-c/protobuf-c.h>

/* Live bytes, at most, while a payload of `len` bytes is unpacked and after. */
#define PROTO_BUDGET_BASE (16u << 10)
#define PROTO_BUDGET_PER_BYTE 10u

/* NULL: not such a message, or it asks for more memory than its length allows.
 * *ret_peak (may be NULL) is the most that was allocated at one time. */
void *proto_unpack(const ProtobufCMessageDescriptor *type, const uint8_t *data,
		   size_t len, size_t *ret_peak);
void proto_free(void *message); /* NULL: nothing */

#endif
