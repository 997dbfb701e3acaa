/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of a client that tell of transports and counters. */
#ifndef VOLLEY_REPORT_JSON_PROOF_H
#define VOLLEY_REPORT_JSON_PROOF_H

#include <jansson.h>

#include "controller/attempt/attempt.h"

/* transport_proof, transport_proof_detail and counters; null where unknown. */
void json_set_proof(json_t *object, const struct attempt_client *client);

#endif
