/* SPDX-License-Identifier: Apache-2.0 */
/* A part of a log on its way from an agent to the controller, and the question for it. */
#ifndef VOLLEY_WIRE_LOG_H
#define VOLLEY_WIRE_LOG_H

#include <stddef.h>
#include <stdint.h>

#define WIRE_LOG_PART (1u << 20) /* bytes of a log in one answer, at most */
#define WIRE_LOG_NAME_MAX 255u

struct log_request {
	uint64_t run_id;
	uint32_t index;	 /* of the run's logs; past the last: all were taken */
	uint64_t offset; /* in that log */
};

/* Borrowed texts and data, on both sides. */
struct log_part {
	uint64_t run_id;
	uint32_t count;	  /* logs of the run */
	const char *name; /* NULL: index was past the last */
	uint64_t bytes;	  /* of the whole log */
	const uint8_t *data;
	size_t len; /* 0: offset is its end */
};

#endif
