/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which transport carried a client's bytes?  Pure: the bytes that the application moved
 * against what the host's counters rose by, and what the mount says of itself.  An
 * honest run whose client passes the kernel by moves neither counter, and must not be
 * condemned: without positive evidence the answer is "unknown" (docs/design/008-proof.md).
 */
#ifndef VOLLEY_ATTEMPT_PROOF_H
#define VOLLEY_ATTEMPT_PROOF_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/stats/counters.h"
#include "lib/stats/dir.h"

enum proof_verdict {
	PROOF_NONE,    /* nothing to prove: a local path, or no client */
	PROOF_UNKNOWN, /* counters are missing, or do not tell */
	PROOF_PROVEN,  /* at least 95 % of the bytes are accounted for on the transport */
	PROOF_REFUTED, /* they took the other one */
	PROOF_VERDICTS
};

struct proof_question {
	unsigned declared; /* COUNTERS_TCP or COUNTERS_RDMA; 0: local */
	uint64_t bytes[DIR_COUNT]; /* of the application, in the whole run */
	const struct counters *counters; /* NULL: unknown */
};

struct proof {
	enum proof_verdict verdict;
	/* Far fewer bytes on the wire than the application moved, while a read of known
	 * size was seen there before: a cache of this host served the rest. */
	bool cached;
	uint64_t bytes; /* of the application */
	double declared_bytes, other_bytes; /* by the counters; NAN unknown */
	char *text; /* one line: the evidence; NULL when there is nothing to prove */
};

void proof_judge(const struct proof_question *question, struct proof *ret);
void proof_free(struct proof *proof);

const char *proof_verdict_name(enum proof_verdict verdict); /* "proven"; NONE: NULL */
/* NULL or unknown: PROOF_NONE. */
enum proof_verdict proof_verdict_parse(const char *name);
/* Of several clients: refuted when one is, proven when all are. */
enum proof_verdict proof_verdict_merge(enum proof_verdict a, enum proof_verdict b);

#endif
