/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is written.  Unless the job says otherwise it can neither be compressed nor
 * deduplicated: each fill XORs a random pool with keys that are used once, so no two
 * blocks ever written by a job are equal or similar, at the price of one pass over
 * the buffer.  (That is more than refill_buffers and scramble_buffers ask for.)
 *
 *   zero_buffers, buffer_pattern   a fixed content, written anew as it is
 *   buffer_compress_percentage     that share of each buffer_compress_chunk (0: of
 *                                  each block) is the fixed content, behind the rest
 *   dedupe_percentage              that share of the blocks is equal to an earlier
 *                                  one: the last new one, or any of a working set
 *   verify_pattern                 as buffer_pattern
 *
 * The sequence follows from the seed.
 */
#ifndef VOLLEY_WORKER_DATA_H
#define VOLLEY_WORKER_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/rng.h"
#include "lib/work/job.h"

struct data {
	unsigned char *pool;
	struct rng keys;
	bool shaped; /* more than fresh random bytes is asked for */
	bool once;   /* the first fill of a buffer is good for ever */
	bool by_offset; /* it depends on the offset */
	const struct job_pattern *pattern; /* NULL: zeros */
	size_t unit; /* of deduplication: a block */
	size_t chunk, fixed; /* bytes: of which so many, at the end, are the pattern */
	unsigned dedupe;     /* percent */
	uint64_t set, set_seed; /* working set: how many; 0: the last block */
	uint64_t last;
	struct rng fresh;
};

/* Fresh random bytes, whatever. */
void data_init(struct data *data, uint64_t seed);
/* What `job`, which outlives it, writes; `seed` is the thread's or the file's. */
void data_init_job(struct data *data, const struct job *job, uint64_t seed);
/* `offset`: where in the file it will be. */
void data_fill(struct data *data, void *buf, size_t len, uint64_t offset);
void data_free(struct data *data);

/* Repeats the pattern over a buffer whose first byte is byte `phase` of a block that
 * is at `offset`. */
void data_tile(const struct job_pattern *pattern, void *buf, size_t len, size_t phase,
	       uint64_t offset);

#endif
