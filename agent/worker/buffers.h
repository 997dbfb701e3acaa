/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for I/O.
 */
#ifndef VOLLEY_WORKER_BUFFERS_H
#define VOLLEY_WORKER_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"
#include "lib/work/job.h"

/* `n` page-aligned buffers of `size` bytes in one mapping. */
struct buffers {
	void *base;
	size_t len, stride;
	void *mapped; /* what the system gave: base, and what alignment needed */
	size_t mapped_len;
	bool attached; /* System V shared memory */
};

int buffers_map(struct buffers *buffers, unsigned n, size_t size, struct err *err);
/*
 * The same from another kind of memory.  `align` of a page and more is the alignment
 * of the first buffer; a smaller one is kept to exactly: the first buffer lies so many
 * bytes behind a page.  0: pages.
 */
int buffers_map_as(struct buffers *buffers, unsigned n, size_t size, enum job_mem kind,
		   size_t align, struct err *err);
void *buffers_at(const struct buffers *buffers, unsigned i);
void buffers_unmap(struct buffers *buffers);

#endif
