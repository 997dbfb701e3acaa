/* SPDX-License-Identifier: Apache-2.0 */
/* 64-bit numbers in big-endian order, for PING and PONG.  Only lib/rpc uses this. */
#ifndef VOLLEY_RPC_WIRE64_H
#define VOLLEY_RPC_WIRE64_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline void put64(uint8_t *p, uint64_t value)
{
	value = htobe64(value);
	memcpy(p, &value, sizeof value);
}

static inline uint64_t get64(const uint8_t *p)
{
	uint64_t value;

	memcpy(&value, p, sizeof value);
	return be64toh(value);
}

#endif
