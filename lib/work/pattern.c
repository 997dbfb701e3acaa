/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patterns.  Blocks of all files are numbered across the files (block b is block
 * b / nfiles of file b % nfiles, fio's round robin), so one number line serves
 * any number of files.  A lane is one walk over that line; read and write have a
 * lane each, except that random I/O of one block size shares a lane, so that no
 * block is visited twice whatever the direction.
 *
 * Jobs that need more than lanes take their offsets from a walk (walk.c).  These,
 * and those that count passes (loops, number_ios, verify), go through
 * special_next, out of the way of the others.
 */
#include "lib/work/pattern.h"

#include <stdlib.h>

#include "lib/base/mem.h"
#include "lib/work/blocks.h"
#include "lib/work/permute.h"
#include "lib/work/reel.h"
#include "lib/work/walk.h"

/* A call costs more than what these do; special_next has copies of its own. */
#define always_inline __attribute__((always_inline))
#define MIX_DECK 100 /* rwmixread is a percentage: exact in each deck */

struct lane {
	uint32_t bs;
	uint64_t per_file, blocks; /* blocks of bs: in a file, in all files */
	uint64_t at;               /* next in the pass */
	struct permute order;
};

struct pattern {
	bool random, map, mixed, endless, special;
	unsigned nfiles;
	uint64_t offset;
	uint64_t left; /* bytes still to hand out; special: in this pass */
	struct lane lanes[DIR_COUNT];
	struct lane *lane_of[DIR_COUNT];
	enum dir only; /* when not mixed */
	struct rng order, draw, mix;
	uint8_t deck[MIX_DECK];
	unsigned deck_reads, deck_at;
	pattern_choose_fn *choose; /* NULL: what is drawn counts */
	void *choose_arg;
	/* of special jobs: */
	struct walk *walk; /* NULL: the lanes do */
	struct reel *reel; /* not NULL: it does, with a pattern for each file */
	uint64_t all;	   /* bytes of one pass over all that is there */
	bool stops, stopped;
	uint64_t total, pass; /* bytes: still after this pass; in a pass */
	uint64_t ios, ios_left; /* number_ios, of all passes; 0: any number */
	uint64_t ios_pass;	/* of these, still left when the pass began */
	uint64_t least;	 /* bytes of the smallest I/O */
};

static void
lane_init(struct lane *lane, const struct pattern *p, uint64_t bs, uint64_t file_bytes)
{
	lane->bs = (uint32_t)bs;
	lane->per_file = bs ? file_bytes / bs : 0;
	lane->blocks = lane->per_file * p->nfiles;
	permute_init(&lane->order, lane->blocks);
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

static inline always_inline enum dir
next_dir(struct pattern *p)
{
	if (!p->mixed)
		return p->only;
	if (p->deck_at == MIX_DECK)
		deck_shuffle(p);
	if (__builtin_expect(p->choose != NULL, 0))
		return p->choose(p->choose_arg, (enum dir)p->deck[p->deck_at++]);
	return (enum dir)p->deck[p->deck_at++];
}

static inline always_inline uint64_t
next_block(struct pattern *p, struct lane *lane)
{
	uint64_t i;

	if (p->random && !p->map)
		return rng_below(&p->draw, lane->blocks);
	if (lane->at == lane->blocks) {
		lane->at = 0;
		if (p->random)
			permute_shuffle(&lane->order, &p->order);
	}
	i = lane->at++;
	return p->random ? permute_at(&lane->order, i) : i;
}

/* One pass over the larger lane; of a walk, over all that is there. */
static uint64_t
bytes_of_pass(const struct pattern *p, const struct job *job, uint64_t file_bytes)
{
	uint64_t most = 0;

	if (p->reel)
		return reel_bytes(p->reel);
	if (p->walk)
		return file_bytes * p->nfiles;
	for (int d = 0; d < DIR_COUNT; d++) {
		const struct lane *lane = p->lane_of[d];
		uint64_t bytes = lane->blocks * lane->bs;

		if (job_rw_has(job, (enum dir)d) && bytes > most)
			most = bytes;
	}
	return most;
}

/* As in fio the I/O that reaches io_size is a whole one, but none begins another pass
 * for less than that. */
static uint64_t
whole_ios(uint64_t io_size, uint64_t pass, uint64_t least)
{
	uint64_t rest = pass ? io_size % pass : 0;

	if (rest < least || least == 0)
		return io_size;
	return io_size - rest + (rest + least - 1) / least * least;
}

/*
 * As in fio number_ios, loops times, bounds all passes together from the ramp's end on;
 * time_based nothing.
 */
static void
set_count(struct pattern *p, const struct job *job)
{
	unsigned loops = job->amount.loops > 1 ? job->amount.loops : 1;

	if (!p->endless &&
	    __builtin_mul_overflow(job->amount.number_ios, loops, &p->ios))
		p->ios = UINT64_MAX;
	p->ios_left = job->ramp_ns ? UINT64_MAX : p->ios;
}

/*
 * io_size is what is moved in all, and loops is how often a pass is made; what fio
 * does with both is to make whole passes until either is satisfied.
 */
static void
set_amount(struct pattern *p, const struct job *job, uint64_t file_bytes)
{
	uint64_t pass = bytes_of_pass(p, job, file_bytes), total = pass;
	unsigned loops = job->amount.loops;

	p->all = pass;
	/* Of files that are larger than that together, size is what is moved. */
	if ((job->files.filesize_min || job->files.opendir) && job->size &&
	    job->size < pass)
		pass = total = job->size;
	p->least = blocks_least(job);
	if (job->io_size)
		total = whole_ios(job->io_size, pass, p->least);
	if (loops > 1 && pass > 0 && total > pass) {
		uint64_t passes = (total + pass - 1) / pass;

		total = (passes > loops ? passes : loops) * pass;
	} else if (loops > 1) {
		pass = total;
		total *= loops;
	}
	p->left = total;
	set_count(p, job);
	p->special = p->walk || p->reel || p->ios;
	p->pass = pass < total ? pass : total;
	p->total = total;
}

/* The next pass: what is in it, and what will be left. */
static bool
next_pass(struct pattern *p)
{
	if ((!p->endless && p->total < p->least) || (p->ios && p->ios_left == 0))
		return false;
	p->left = p->endless || p->pass < p->total ? p->pass : p->total;
	p->total -= p->endless ? 0 : p->left;
	p->ios_pass = p->ios_left;
	return p->left >= p->least && p->least > 0;
}

struct pattern *
pattern_new(const struct job *job, unsigned nfiles, uint64_t file_bytes, uint64_t seed)
{
	return pattern_new_sizes(job, nfiles, file_bytes, NULL, seed);
}

struct pattern *
pattern_new_sizes(const struct job *job, unsigned nfiles, uint64_t file_bytes,
    const uint64_t *sizes, uint64_t seed)
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
		permute_shuffle(&p->lanes[d].order, &p->order);
		p->lane_of[d] = &p->lanes[d];
	}
	if (p->random && job->bs[DIR_READ] == job->bs[DIR_WRITE])
		p->lane_of[DIR_WRITE] = p->lane_of[DIR_READ];
	if (reel_wants(job, p->nfiles, sizes))
		p->reel = reel_new(
		    job, p->nfiles, file_bytes, sizes, rng_derive(seed, "reel", 0));
	else if (walk_wants(job))
		p->walk = walk_new(
		    job, p->nfiles, file_bytes, rng_derive(seed, "walk", 0));
	set_amount(p, job, file_bytes);
	if (p->special)
		p->stopped = !next_pass(p);
	return p;
}

void
pattern_set_offset(struct pattern *pattern, uint64_t offset)
{
	pattern->offset = offset;
}

void
pattern_count_anew(struct pattern *pattern)
{
	pattern->ios_left = pattern->ios_pass = pattern->ios;
}

void
pattern_set_choice(struct pattern *pattern, pattern_choose_fn *choose, void *arg)
{
	pattern->choose = choose;
	pattern->choose_arg = arg;
	if (pattern->reel)
		reel_set_choice(pattern->reel, choose, arg);
}

void
pattern_stop_at_passes(struct pattern *pattern)
{
	pattern->stops = true;
	if (!pattern->special) {
		pattern->special = true;
		pattern->stopped = !next_pass(pattern);
	}
}

uint64_t
pattern_pass_bytes(const struct pattern *pattern)
{
	return pattern->all;
}

void
pattern_free(struct pattern *pattern)
{
	if (pattern)
		walk_free(pattern->walk);
	if (pattern)
		reel_free(pattern->reel);
	free(pattern);
}

/* What a pass wrote is read back after it; as in fio these I/Os count as well. */
static void
count_reads_back(struct pattern *p)
{
	uint64_t moved = p->ios_pass - p->ios_left;

	p->ios_left -= moved < p->ios_left ? moved : p->ios_left;
}

bool
pattern_again(struct pattern *pattern)
{
	if (pattern->stops)
		count_reads_back(pattern);
	if (!next_pass(pattern))
		return false;
	if (pattern->walk)
		walk_again(pattern->walk);
	if (pattern->reel)
		reel_again(pattern->reel);
	pattern->stopped = false;
	return true;
}

/* From the lanes. */
static bool
lane_next(struct pattern *p, enum dir dir, struct pattern_io *ret)
{
	struct lane *lane = p->lane_of[dir];
	uint64_t block;

	if (lane->blocks == 0 || p->left < lane->bs)
		return false;
	block = next_block(p, lane);
	ret->file = (unsigned)(block % p->nfiles);
	ret->offset = block / p->nfiles * lane->bs;
	ret->bytes = lane->bs;
	return true;
}

static bool
from_reel(struct pattern *p, struct pattern_io *ret)
{
	if (!reel_next(p->reel, p->left, ret))
		return false;
	ret->offset += p->offset;
	p->left -= ret->bytes;
	p->ios_left -= p->ios > 0;
	return true;
}

/* What the pass still has. */
static bool
pass_next(struct pattern *p, struct pattern_io *ret)
{
	uint64_t covered;
	enum dir dir;

	if (p->stopped || p->left < p->least || (p->ios && p->ios_left == 0))
		return false;
	if (p->reel)
		return from_reel(p, ret);
	dir = next_dir(p);
	if (p->walk ? !walk_next(p->walk, dir, p->left, &ret->file, &ret->offset,
			  &ret->bytes)
		    : !lane_next(p, dir, ret))
		return false;
	ret->dir = dir;
	ret->offset += p->offset;
	covered = p->walk ? walk_covers(p->walk, ret->bytes) : ret->bytes;
	p->left -= covered < p->left ? covered : p->left;
	p->ios_left -= p->ios > 0;
	return true;
}

static __attribute__((noinline, cold)) bool
special_next(struct pattern *p, struct pattern_io *ret)
{
	if (pass_next(p, ret))
		return true;
	if (p->stopped || p->stops || !pattern_again(p)) {
		p->stopped = true;
		return false;
	}
	p->stopped = !pass_next(p, ret);
	return !p->stopped;
}

bool
pattern_next(struct pattern *pattern, struct pattern_io *ret)
{
	struct pattern *p = pattern;
	enum dir dir;
	struct lane *lane;
	uint64_t block, index;

	if (__builtin_expect(p->special, 0))
		return special_next(p, ret);
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
