/* SPDX-License-Identifier: Apache-2.0 */
/* The part of `volley show CASE` that tells of transports and counters. */
#ifndef VOLLEY_REPORT_PROOF_H
#define VOLLEY_REPORT_PROOF_H

#include "controller/attempt/attempt.h"
#include "lib/base/str.h"

/* Nothing where nothing is known. */
void report_proof(const struct attempt *attempt, struct str *out);

#endif
