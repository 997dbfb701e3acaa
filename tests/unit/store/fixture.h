/* SPDX-License-Identifier: Apache-2.0 */
/* Finished attempts made by hand, with round figures, for store and report tests. */
#ifndef VOLLEY_TEST_FIXTURE_H
#define VOLLEY_TEST_FIXTURE_H

#include "controller/store/results.h"

/*
 * n clients "gpu01" …, each of which did `ios` I/Os of `bs` bytes in 10 s after a
 * ramp of 1 s, in direction `dir`, with latencies spread evenly around lat_us.
 * The total is of all of them.  run_id 0x1122334455667788, seed 2^63 + 5.
 */
void fixture_attempt(struct attempt *ret, const char *case_id, unsigned repeat,
		     unsigned n, enum dir dir, uint64_t ios, uint64_t bs,
		     uint64_t lat_us, bool sync);
/* Turns client i of a finished attempt into one that was lost half way; the total is
 * that of the others, and the state PARTIAL. */
void fixture_lose(struct attempt *attempt, size_t i);
/* The skew is over the limit: INVALID. */
void fixture_skew(struct attempt *attempt, uint64_t skew_ns);
/* Nothing started: INVALID, no total. */
void fixture_refuse(struct attempt *attempt);
void fixture_case(struct results_case *ret, const char *id, const char *storage,
		  const char *transport, const char *workload, unsigned clients,
		  const char *rw, const char *bs);
/* One of each kind, as of a job file. */
void fixture_notes(struct results_case *c);
void fixture_head(struct results *ret);

#endif
