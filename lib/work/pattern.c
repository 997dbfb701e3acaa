/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patterns.  Blocks of all files are numbered across the files (block b is block
 * b / nfiles of file b % nfiles, fio's round robin), so one number line serves
 * any number of files.  A lane is one walk over that line; read and write have a
 * lane each, except that random I/O of one block size shares a lane, so that no
 * block is visited twice whatever the direction.
 *
 * The permutation is a Feistel network over the smallest power of two that
 * covers the blocks; numbers outside are walked on until one falls inside
 * (Black and Rogaway, 2002), which takes less than two steps on average.
 */
#include "lib/work/pattern.h"

#include <stdlib.h>

#include "lib/base/mem.h"

#define ROUNDS 6
#define MIX_DECK 100 /* rwmixread is a percentage: exact in each deck */

struct lane {
	uint32_t bs;
	uint64_t per_file, blocks; /* blocks of bs: in a file, in all files */
	uint64_t at;               /* next in the pass */
	uint32_t key[ROUNDS];
	unsigned left_bits, right_bits;
};

struct pattern {
	bool random, map, mixed, endless;
	unsigned nfiles;
	uint64_t offset;
	uint64_t left; /* bytes still to hand out */
	struct lane lanes[DIR_COUNT];
	struct lane *lane_of[DIR_COUNT];
	enum dir only; /* when not mixed */
	struct rng order, draw, mix;
	uint8_t deck[MIX_DECK];
	unsigned deck_reads, deck_at;
};

static void
lane_shuffle(struct lane *lane, struct rng *rng)
{
	for (int i = 0; i < ROUNDS; i += 2) {
		uint64_t r = rng_u64(rng);

		lane->key[i] = (uint32_t)r;
		lane->key[i + 1] = (uint32_t)(r >> 32);
	}
}

static void
lane_init(struct lane *lane, const struct pattern *p, uint64_t bs, uint64_t file_bytes)
{
	unsigned bits = 0;

	lane->bs = (uint32_t)bs;
	lane->per_file = bs ? file_bytes / bs : 0;
	lane->blocks = lane->per_file * p->nfiles;
	while (bits < 64 && lane->blocks > 1 && (lane->blocks - 1) >> bits)
		bits++;
	lane->left_bits = bits / 2;
	lane->right_bits = bits - lane->left_bits;
}

static inline uint64_t
feistel_round(uint64_t half, uint32_t key, unsigned bits)
{
	uint64_t x = (half ^ key) * UINT64_C(0x9e3779b97f4a7c15);

	x ^= x >> 29;
	x *= UINT64_C(0xbf58476d1ce4e5b9);
	return bits ? x >> (64 - bits) : 0;
}

static uint64_t
lane_permute(const struct lane *lane, uint64_t i)
{
	unsigned lb = lane->left_bits, rb = lane->right_bits;

	do {
		uint64_t l = rb < 64 ? i >> rb : 0;
		uint64_t r = i & ((UINT64_C(1) << rb) - 1);

		for (int k = 0; k < ROUNDS; k += 2) {
			l ^= feistel_round(r, lane->key[k], lb);
			r ^= feistel_round(l, lane->key[k + 1], rb);
		}
		i = l << rb | r;
	} while (i >= lane->blocks);
	return i;
}

/* A freshly shuffled deck holds exactly rwmixread reads in 100. */
static void
deck_shuffle(struct pattern *p)
{
	for (unsigned i = 0; i < MIX_DECK; i++)
		p->deck[i] = i < p->deck_reads ? DIR_READ : DIR_WRITE;
	for (unsigned i = MIX_DECK - 1; i > 0; i--) {
		unsigned j = (unsigned)rng_below(&p->mix, i + 1);
		uint8_t t = p->deck[i];

		p->deck[i] = p->deck[j];
		p->deck[j] = t;
	}
	p->deck_at = 0;
}

static enum dir
next_dir(struct pattern *p)
{
	if (!p->mixed)
		return p->only;
	if (p->deck_at == MIX_DECK)
		deck_shuffle(p);
	return (enum dir)p->deck[p->deck_at++];
}

static uint64_t
next_block(struct pattern *p, struct lane *lane)
{
	uint64_t i;

	if (p->random && !p->map)
		return rng_below(&p->draw, lane->blocks);
	if (lane->at == lane->blocks) {
		lane->at = 0;
		if (p->random)
			lane_shuffle(lane, &p->order);
	}
	i = lane->at++;
	return p->random ? lane_permute(lane, i) : i;
}

/* One pass over the larger lane, or io_size. */
static uint64_t
bytes_in_all(const struct pattern *p, const struct job *job)
{
	uint64_t most = 0;

	for (int d = 0; d < DIR_COUNT; d++) {
		const struct lane *lane = p->lane_of[d];
		uint64_t bytes = lane->blocks * lane->bs;

		if (job_rw_has(job, (enum dir)d) && bytes > most)
			most = bytes;
	}
	return job->io_size ? job->io_size : most;
}

struct pattern *
pattern_new(const struct job *job, unsigned nfiles, uint64_t file_bytes, uint64_t seed)
{
	struct pattern *p = mem_alloc(sizeof *p);

	p->random = job_rw_random(job->rw);
	p->map = !job->norandommap;
	p->mixed = job->rw == JOB_RW || job->rw == JOB_RANDRW;
	p->only = job_rw_has(job, DIR_READ) ? DIR_READ : DIR_WRITE;
	p->endless = job->time_based;
	p->nfiles = nfiles ? nfiles : 1;
	p->offset = job->offset;
	p->deck_reads = job->rwmixread;
	p->deck_at = MIX_DECK;
	rng_seed(&p->order, rng_derive(seed, "order", 0));
	rng_seed(&p->draw, rng_derive(seed, "draw", 0));
	rng_seed(&p->mix, rng_derive(seed, "mix", 0));
	for (int d = 0; d < DIR_COUNT; d++) {
		lane_init(&p->lanes[d], p, job->bs[d], file_bytes);
		lane_shuffle(&p->lanes[d], &p->order);
		p->lane_of[d] = &p->lanes[d];
	}
	if (p->random && job->bs[DIR_READ] == job->bs[DIR_WRITE])
		p->lane_of[DIR_WRITE] = p->lane_of[DIR_READ];
	p->left = bytes_in_all(p, job);
	return p;
}

void
pattern_free(struct pattern *pattern)
{
	free(pattern);
}

bool
pattern_next(struct pattern *pattern, struct pattern_io *ret)
{
	struct pattern *p = pattern;
	enum dir dir;
	struct lane *lane;
	uint64_t block, index;

	if (!p->endless && p->left == 0)
		return false;
	dir = next_dir(p);
	lane = p->lane_of[dir];
	if (lane->blocks == 0 || (!p->endless && p->left < lane->bs)) {
		p->left = 0;
		return false;
	}
	p->left -= p->endless ? 0 : lane->bs;
	block = next_block(p, lane);
	index = p->nfiles == 1 ? block : block / p->nfiles;
	ret->dir = dir;
	ret->file = p->nfiles == 1 ? 0 : (unsigned)(block % p->nfiles);
	ret->offset = p->offset + index * lane->bs;
	ret->bytes = lane->bs;
	return true;
}
