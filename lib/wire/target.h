/* SPDX-License-Identifier: Apache-2.0 */
/* A target that an agent is to run: memory, served for as long as the call is open. */
#ifndef VOLLEY_WIRE_TARGET_H
#define VOLLEY_WIRE_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#define WIRE_TARGET_BYTES_MAX (UINT64_C(64) << 30)
#define WIRE_TARGET_TEXT_MAX 256u

struct target_request {
	const char *export, *key; /* borrowed */
	uint64_t bytes;
	bool rdma; /* RDMA instead of TCP */
};

#endif
