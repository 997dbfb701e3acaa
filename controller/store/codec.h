/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Histograms, slots and heat maps as compact byte strings, for BLOB columns
 * (docs/results-schema.md, "Encodings").  Numbers are LEB128 varints; lists are
 * sparse where most entries are zero.  Decoding checks every byte: a file is
 * data from outside.
 */
#ifndef VOLLEY_STORE_CODEC_H
#define VOLLEY_STORE_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/stats/hist.h"
#include "lib/stats/slots.h"
#include "lib/stats/tally.h"

/* Of a direction that has times or a window of its own. */
struct direction_times {
	struct dir_times times;
	uint64_t window_from, window_ns; /* of all clients; else 0 */
};

struct blob {
	unsigned char *data;
	size_t len, cap;
};

void blob_free(struct blob *blob);
void blob_put(struct blob *blob, uint64_t value); /* one varint */

/* Append to `ret`. */
void codec_put_hist(struct blob *ret, const struct hist *hist);
void codec_put_slots(struct blob *ret, const struct slots *slots);
void codec_put_heats(struct blob *ret, const struct heats *heats);
void codec_put_times(struct blob *ret, const struct direction_times *times);

/* Fill *ret; on error it is empty.  Nothing may follow the value. */
int codec_get_hist(const void *data, size_t len, struct hist *ret, struct err *err);
int codec_get_slots(const void *data, size_t len, struct slots *ret, struct err *err);
int codec_get_heats(const void *data, size_t len, struct heats *ret, struct err *err);
int codec_get_times(
    const void *data, size_t len, struct direction_times *ret, struct err *err);

#endif
