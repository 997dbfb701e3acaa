/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One hostile payload against one kind of message: it must give an error with a
 * text, or a struct that packs to bytes which give that struct again.  The unit
 * tests and the fuzzer share this.
 */
#ifndef VOLLEY_TESTS_UNIT_WIRE_TRY_H
#define VOLLEY_TESTS_UNIT_WIRE_TRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum try_kind {
	TRY_ORDER,
	TRY_REPORT,
	TRY_SAMPLE,
	TRY_RUN_ID,
	TRY_TALLY,
	TRY_FACTS_REQUEST,
	TRY_FACTS,
	TRY_LOG_REQUEST,
	TRY_LOG_PART,
	TRY_COUNTERS,
	TRY_KINDS
};

/* True: it was a valid message.  Aborts when a promise is broken. */
bool try_payload(enum try_kind kind, const uint8_t *data, size_t len);

#endif
