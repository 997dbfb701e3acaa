/* SPDX-License-Identifier: Apache-2.0 */
/* The methods an agent serves, with their size limits.  docs/protocol.md. */
#ifndef VOLLEY_WIRE_METHODS_H
#define VOLLEY_WIRE_METHODS_H

#include <stdint.h>

enum wire_method {
	WIRE_FACTS = 1,	 /* FactsRequest → one reply: Facts */
	WIRE_ORDER = 2,	 /* Order → one reply: Report (the state right after it) */
	WIRE_REPORTS = 3,/* empty → items: Report; the current one first, then each change */
	WIRE_SAMPLES = 4,/* run id → lossy items: Sample; ends with the run */
	WIRE_COLLECT = 5,/* run id → one reply: Tally */
	WIRE_LOG = 6,	 /* LogRequest → one reply: LogPart */
	WIRE_COUNTERS = 7,/* run id → one reply: Counters, once they have settled */
	WIRE_TARGET = 8, /* TargetRequest → item: TargetReady; ends when it is cancelled */
	WIRE_COMMAND = 9, /* Command → one reply: CommandAnswer, when it has ended */
};

#define WIRE_MAX_SMALL (64u << 10)
#define WIRE_MAX_ORDER (1u << 20)
#define WIRE_MAX_COUNTERS (1u << 20)
#define WIRE_MAX_TALLY (64u << 20)
#define WIRE_MAX_LOG ((1u << 20) + (64u << 10))

struct wire_method_info {
	const char *name;
	uint32_t max_request, max_answer; /* payload bytes; of each item in a stream */
};

/* NULL: there is no such method. */
const struct wire_method_info *wire_method_info(unsigned method);

#endif
