/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How large the next I/O is: one size (bs), a draw between two (bsrange), or one of
 * several by weight (bssplit).  Pure.
 */
#ifndef VOLLEY_WORK_BLOCKS_H
#define VOLLEY_WORK_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/rng.h"
#include "lib/work/job.h"

struct blocks {
	uint64_t min, max;
	bool unaligned;		       /* a range whose sizes are any number of bytes */
	const struct job_splits *split; /* of the job; NULL: none */
};

/* Sizes of one direction.  The job must outlive it. */
void blocks_init(struct blocks *blocks, const struct job *job, enum dir dir);
bool blocks_vary(const struct blocks *blocks);
/*
 * One size, at most `limit`, which is at least min.  As in fio, sizes that do not
 * fit are drawn again, so the weights hold where there is room.  A range is drawn
 * evenly and rounded up to multiples of its lower end.
 */
uint64_t blocks_draw(const struct blocks *blocks, uint64_t limit, struct rng *rng);

/* The smallest and largest I/O that a job can make, over the directions it has. */
uint64_t blocks_least(const struct job *job);
uint64_t blocks_most(const struct job *job);
/* Divides every size of the job. */
uint64_t blocks_unit(const struct job *job);

#endif
