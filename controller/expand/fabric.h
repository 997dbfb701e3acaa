/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cases of the fabric itself: memory of agents, read and written by other agents.
 * Clients are the first of the agents; what each talks to follows from the pattern:
 *
 *   pairwise  the first half, each to one of the second half
 *   n-to-1    all but the last, each to the last
 *   n-to-n    everybody, each to the next one
 */
#ifndef VOLLEY_EXPAND_FABRIC_H
#define VOLLEY_EXPAND_FABRIC_H

#include "controller/expand/cases.h"

#define FABRIC_STORAGE "fabric" /* no storage may have this name */
#define FABRIC_EXPORT "fabric"

const char *fabric_pattern_name(enum fabric_pattern pattern);
/* Of `agents` (2 or more) so many are clients. */
unsigned fabric_clients(enum fabric_pattern pattern, unsigned agents);
/* The agent that this client talks to. */
unsigned fabric_target(enum fabric_pattern pattern, unsigned agents, unsigned client);
/* Bytes of memory that each target serves. */
uint64_t fabric_bytes(const struct plan_fabric *fabric);
/* One case; hostname and port of its job are each client's own.  Release with
 * fabric_case_free. */
void fabric_case(struct plan_case *ret, const struct plan_fabric *fabric,
		 enum fabric_pattern pattern, enum transport transport, enum dir dir,
		 unsigned agents);
void fabric_case_free(struct plan_case *c);

#endif
