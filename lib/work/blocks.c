/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Block sizes.  With bs_is_seq_rand the read sizes are those of sequential I/Os and
 * the write sizes those of random ones, so a job of one direction has both.
 */
#include "lib/work/blocks.h"

#include <stddef.h>

#define PERCENT 100
#define TRIES 64 /* draws before the smallest size is taken */

void
blocks_init(struct blocks *blocks, const struct job *job, enum dir dir)
{
	const struct job_blocks *from = &job->blocks;
	const struct job_splits *split = &from->split[dir];

	*blocks = (struct blocks){.min = job->bs[dir], .max = job->bs[dir]};
	if (split->n > 0) {
		blocks->split = split;
		blocks->min = blocks->max = split->v[0].bs;
		for (unsigned i = 1; i < split->n; i++) {
			if (split->v[i].bs < blocks->min)
				blocks->min = split->v[i].bs;
			if (split->v[i].bs > blocks->max)
				blocks->max = split->v[i].bs;
		}
	} else if (from->max[dir] > 0) {
		blocks->min = from->min[dir];
		blocks->max = from->max[dir];
		blocks->unaligned = from->unaligned;
	}
}

bool
blocks_vary(const struct blocks *blocks)
{
	return blocks->min != blocks->max;
}

static uint64_t
draw_split(const struct job_splits *split, struct rng *rng)
{
	unsigned at = (unsigned)rng_below(rng, PERCENT), upto = 0;

	for (unsigned i = 0; i + 1 < split->n; i++) {
		upto += split->v[i].percent;
		if (at < upto)
			return split->v[i].bs;
	}
	return split->v[split->n - 1].bs;
}

static uint64_t
draw_range(const struct blocks *blocks, struct rng *rng)
{
	uint64_t size;

	if (blocks->unaligned)
		return blocks->min + rng_below(rng, blocks->max - blocks->min + 1);
	size = rng_below(rng, blocks->max);
	size = (size / blocks->min + 1) * blocks->min;
	return size < blocks->max ? size : blocks->max;
}

uint64_t
blocks_draw(const struct blocks *blocks, uint64_t limit, struct rng *rng)
{
	if (!blocks_vary(blocks))
		return blocks->min;
	for (int i = 0; i < TRIES; i++) {
		uint64_t size = blocks->split ? draw_split(blocks->split, rng)
					      : draw_range(blocks, rng);

		if (size <= limit)
			return size;
	}
	return blocks->min;
}

/* Can I/Os of the sizes of this direction occur? */
static bool
has_sizes(const struct job *job, int dir)
{
	return job->blocks.is_seq_rand || job_rw_has(job, (enum dir)dir);
}

uint64_t
blocks_least(const struct job *job)
{
	uint64_t least = 0;

	for (int d = 0; d < DIR_COUNT; d++) {
		struct blocks blocks;

		blocks_init(&blocks, job, (enum dir)d);
		if (has_sizes(job, d) && (least == 0 || blocks.min < least))
			least = blocks.min;
	}
	return least;
}

uint64_t
blocks_most(const struct job *job)
{
	uint64_t most = 0;

	for (int d = 0; d < DIR_COUNT; d++) {
		struct blocks blocks;

		blocks_init(&blocks, job, (enum dir)d);
		if (has_sizes(job, d) && blocks.max > most)
			most = blocks.max;
	}
	return most;
}

static uint64_t
common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

uint64_t
blocks_unit(const struct job *job)
{
	uint64_t unit = 0;

	for (int d = 0; d < DIR_COUNT; d++) {
		struct blocks blocks;

		if (!has_sizes(job, d))
			continue;
		blocks_init(&blocks, job, (enum dir)d);
		unit = common_divisor(unit, blocks.min);
		unit = common_divisor(unit, blocks.max);
		for (unsigned i = 0; blocks.split && i < blocks.split->n; i++)
			unit = common_divisor(unit, blocks.split->v[i].bs);
	}
	return unit;
}
