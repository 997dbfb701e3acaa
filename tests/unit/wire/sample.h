/* SPDX-License-Identifier: Apache-2.0 */
/* Random but valid structs, from a seed; and their payloads. */
#ifndef VOLLEY_TESTS_UNIT_WIRE_SAMPLE_H
#define VOLLEY_TESTS_UNIT_WIRE_SAMPLE_H

#include "lib/base/rng.h"
#include "lib/wire/conv.h"
#include "tests/unit/wire/try.h"

/* All magnitudes are as likely, and the ends. */
uint64_t random_u64(struct rng *rng);
/* With its job, case_id and client if it is a PREPARE. */
void random_order(struct rng *rng, struct order_msg *ret);
void random_report(struct rng *rng, struct report *ret);
void random_sample(struct rng *rng, struct sample *ret);
struct tally *random_tally(struct rng *rng);
struct facts *random_facts(struct rng *rng);
struct counters *random_counters(struct rng *rng);
/* A valid payload of this kind. */
struct payload random_payload(struct rng *rng, enum try_kind kind);

#endif
