/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What verify puts into blocks, and how a block is checked: fio 3.33's own format, so
 * that either program verifies what the other wrote.  A block is divided into parts of
 * `interval` bytes; each begins with a header (all numbers lowest byte first):
 *
 *     0  u16 0xacca        16  u64 offset of the part in the file
 *     2  u16 kind          24  u32 seconds, u32 nanoseconds since the start
 *     4  u32 interval      32  u16 thread (from 1), u16 number of the I/O
 *     8  u64 seed          36  u32 CRC-32C of bytes 0 to 35, not inverted
 *    40  checksum (checksum.h) of the rest of the part, which follows it
 *
 * verify=pattern and verify=null have no headers.
 */
#ifndef VOLLEY_WORKER_STAMP_H
#define VOLLEY_WORKER_STAMP_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/work/job.h"

struct stamp {
	enum job_verify_kind kind;
	const struct job_pattern *pattern;
	size_t header; /* bytes; 0: none */
	size_t interval;
	uint16_t thread;
};

/* What differs from block to block. */
struct stamp_block {
	uint64_t offset, seed, age_ns; /* age: since the start */
	uint16_t number;
};

/* The job is valid and outlives it. */
int stamp_init(struct stamp *stamp, const struct job *job, unsigned thread,
	       struct err *err);
/* Writes the headers of a block that holds its data. */
void stamp_block(const struct stamp *stamp, void *buf, size_t len,
		 const struct stamp_block *block);
/* Is it what was written at `offset`?  -1: the error says what is wrong. */
int stamp_check(const struct stamp *stamp, const void *buf, size_t len, uint64_t offset,
		struct err *err);

#endif
