/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The 16-byte frame header that precedes every message, big-endian:
 *
 *    0        4      6    7     8           12     14     16
 *    ┌────────┬──────┬────┬─────┬───────────┬──────┬──────┐
 *    │ length │ "VL" │kind│flags│ call id   │method│ zero │  then `length` bytes
 *    └────────┴──────┴────┴─────┴───────────┴──────┴──────┘
 *
 * This layout, HELLO and ERROR never change, so any two versions of volley can
 * tell each other who they are.  Pure: no sockets.
 */
#ifndef VOLLEY_RPC_FRAME_H
#define VOLLEY_RPC_FRAME_H

#include <stdint.h>

#include "lib/base/err.h"

#define FRAME_HEADER 16u

enum frame_kind {
	FRAME_HELLO = 1,
	FRAME_REQUEST,
	FRAME_REPLY,  /* the only answer */
	FRAME_ITEM,   /* one of several answers */
	FRAME_END,    /* no more items */
	FRAME_ERROR,  /* instead of an answer; call id 0: about the connection */
	FRAME_CANCEL, /* the caller no longer wants answers */
	FRAME_PING,   /* t0 → t1, t2: answered by the channel itself */
	FRAME_PONG,
	FRAME_BYE,    /* orderly end; a close without it is a lost connection */
	FRAME_KIND_COUNT
};

struct frame {
	uint8_t kind;
	uint8_t flags;
	uint16_t method;
	uint32_t id;
	uint32_t len; /* payload bytes */
};

void frame_encode(uint8_t ret[FRAME_HEADER], const struct frame *frame);
/* Bad magic, kind or reserved bytes: ERR_PROTOCOL. */
int frame_decode(struct frame *ret, const uint8_t header[FRAME_HEADER],
		 struct err *err);
/* "request"; for messages. */
const char *frame_kind_name(enum frame_kind kind);

#endif
