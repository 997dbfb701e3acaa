/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The general walk.  Places are counted in bytes within a file's region; the map in
 * units, of which every size and every alignment is a multiple (but for unaligned
 * ranges, which are rounded up to whole units in the map).
 */
#include "lib/work/walk.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "lib/work/blocks.h"
#include "lib/work/permute.h"
#include "lib/work/skew.h"

#define PERCENT 100
#define WORD_BITS 64
#define NOWHERE UINT64_MAX

struct place {
	uint64_t next[DIR_COUNT]; /* behind the last I/O */
	uint64_t last[DIR_COUNT]; /* where it began; NOWHERE: none yet */
	uint64_t at;		  /* in the permutation */
	uint64_t *map;		  /* bits of units that were visited; NULL: none kept */
	struct permute order;
};

struct walk {
	const struct job *job;
	bool random, ordered, skewed; /* ordered: starts come from a permutation */
	uint64_t bytes, unit, units;  /* of each file; units: of the order and the map */
	uint64_t align[DIR_COUNT];
	struct blocks blocks[DIR_COUNT];
	struct skew skew[DIR_COUNT];
	uint64_t run[DIR_COUNT]; /* I/Os left before the next draw (rw=randread:8) */
	struct rng order, draw, size;
	unsigned nfiles, file;
	struct place places[];
};

bool
walk_wants(const struct job *job)
{
	const struct job_access *a = &job->access;
	struct blocks blocks;

	for (int d = 0; d < DIR_COUNT; d++) {
		blocks_init(&blocks, job, (enum dir)d);
		if (job_rw_has(job, (enum dir)d) &&
		    (blocks_vary(&blocks) || blocks.split || job->blocks.max[d] ||
			(job_rw_random(job->rw) && a->percentage_random[d] != PERCENT)))
			return true;
	}
	return job->blocks.is_seq_rand || job->blocks.align[DIR_READ] ||
	       job->blocks.align[DIR_WRITE] || a->every > 1 || a->seek > 0 ||
	       (job_rw_random(job->rw) && a->dist != JOB_DIST_RANDOM);
}

/* The sizes of an I/O: with bs_is_seq_rand, by what it is. */
static const struct blocks *
walk_blocks(const struct walk *walk, enum dir dir, bool random)
{
	if (walk->job->blocks.is_seq_rand)
		return &walk->blocks[random ? DIR_WRITE : DIR_READ];
	return &walk->blocks[dir];
}

static uint64_t
walk_starts(const struct walk *walk, enum dir dir)
{
	uint64_t least = walk_blocks(walk, dir, true)->min;

	return walk->bytes < least ? 0
				   : (walk->bytes - least) / walk->align[dir] + 1;
}

static void
walk_set_up(struct walk *walk)
{
	const struct job *job = walk->job;
	bool vary = false, aligned = false;

	for (int d = 0; d < DIR_COUNT; d++) {
		enum dir dir = (enum dir)d;
		uint64_t align = job->blocks.align[d];

		blocks_init(&walk->blocks[d], job, dir);
		vary |= blocks_vary(&walk->blocks[d]) && job_rw_has(job, dir);
		aligned |= align > 0;
	}
	vary |= job->blocks.is_seq_rand;
	walk->random = job_rw_random(job->rw);
	walk->skewed = walk->random && job->access.dist != JOB_DIST_RANDOM;
	walk->ordered =
	    walk->random && !walk->skewed && !aligned && !job->norandommap;
	walk->unit = blocks_least(job);
	walk->units = walk->bytes / walk->unit;
	for (int d = 0; d < DIR_COUNT; d++) {
		enum dir dir = (enum dir)d;
		uint64_t starts;

		walk->align[d] = job->blocks.align[d]
				     ? job->blocks.align[d]
				     : walk_blocks(walk, dir, true)->min;
		vary |= job_rw_has(job, dir) && walk->align[d] != walk->unit;
		starts = walk_starts(walk, dir);
		if (walk->skewed && starts > 0 && job_rw_has(job, dir))
			skew_init(&walk->skew[d], job, dir, starts, walk->align[d],
			    &walk->order);
	}
	for (unsigned f = 0; f < walk->nfiles; f++) {
		struct place *place = &walk->places[f];

		permute_init(&place->order, walk->units);
		permute_shuffle(&place->order, &walk->order);
		for (int d = 0; d < DIR_COUNT; d++)
			place->last[d] = NOWHERE;
		if (walk->ordered && vary)
			place->map =
			    mem_array(walk->units / WORD_BITS + 1, sizeof *place->map);
	}
}

struct walk *
walk_new(const struct job *job, unsigned nfiles, uint64_t file_bytes, uint64_t seed)
{
	struct walk *walk =
	    mem_alloc(sizeof *walk + nfiles * sizeof walk->places[0]);

	walk->job = job;
	walk->nfiles = nfiles;
	walk->bytes = file_bytes;
	rng_seed(&walk->order, rng_derive(seed, "walk", 0));
	rng_seed(&walk->draw, rng_derive(seed, "walk draw", 0));
	rng_seed(&walk->size, rng_derive(seed, "walk size", 0));
	walk_set_up(walk);
	return walk;
}

void
walk_free(struct walk *walk)
{
	if (!walk)
		return;
	for (unsigned f = 0; f < walk->nfiles; f++)
		free(walk->places[f].map);
	free(walk);
}

static void
place_again(struct walk *walk, struct place *place)
{
	place->at = 0;
	permute_shuffle(&place->order, &walk->order);
	if (place->map)
		memset(
		    place->map, 0, (walk->units / WORD_BITS + 1) * sizeof *place->map);
}

void
walk_again(struct walk *walk)
{
	for (unsigned f = 0; f < walk->nfiles && walk->ordered; f++)
		place_again(walk, &walk->places[f]);
}

uint64_t
walk_covers(const struct walk *walk, uint32_t bytes)
{
	if (walk->nfiles == 0 || !walk->places[0].map)
		return bytes;
	return (bytes + walk->unit - 1) / walk->unit * walk->unit;
}

static bool
map_has(const struct place *place, uint64_t unit)
{
	return place->map[unit / WORD_BITS] >> unit % WORD_BITS & 1;
}

/* Enters a random I/O in the map; it ends where visited units begin. */
static uint64_t
map_claim(struct walk *walk, struct place *place, uint64_t at, uint64_t bytes)
{
	uint64_t unit = at / walk->unit;
	uint64_t end = (at + bytes + walk->unit - 1) / walk->unit;

	for (uint64_t u = unit; u < end && u < walk->units; u++) {
		if (u > unit && map_has(place, u))
			return (u - unit) * walk->unit;
		place->map[u / WORD_BITS] |= UINT64_C(1) << u % WORD_BITS;
	}
	return bytes;
}

/*
 * The first start from `at` on that was not covered by an earlier I/O; NOWHERE: all
 * are.  As in fio, what was drawn but is taken moves on to where a gap begins, so that
 * I/Os of many sizes fill gaps instead of cutting them up.
 */
static uint64_t
next_free(const struct walk *walk, const struct place *place, uint64_t at, enum dir dir)
{
	uint64_t align = walk->align[dir], last = walk_starts(walk, dir) * align;
	uint64_t from = at;
	bool wrapped = false;

	while (!wrapped || at < from) {
		uint64_t unit = at / walk->unit;

		if (at >= last) {
			if (wrapped)
				return NOWHERE;
			wrapped = true;
			at = 0;
		} else if (!map_has(place, unit)) {
			return at;
		} else if (unit % WORD_BITS == 0 &&
			   place->map[unit / WORD_BITS] == UINT64_MAX) {
			at = (unit + WORD_BITS) * walk->unit;
			at += (align - at % align) % align;
		} else {
			at += align;
		}
	}
	return NOWHERE;
}

/* The next start of the permutation; NOWHERE: it is through. */
static uint64_t
next_ordered(struct walk *walk, struct place *place, enum dir dir)
{
	while (place->at < walk->units) {
		uint64_t unit = permute_at(&place->order, place->at++);
		uint64_t at = unit * walk->unit;

		at -= at % walk->align[dir];
		if (at + walk_blocks(walk, dir, true)->min <= walk->bytes)
			return at;
	}
	return NOWHERE;
}

/*
 * Where there is a map, fio draws from all places, those that were visited too: these
 * lead to where gaps begin, so fewer I/Os begin in the middle of one and cut it.
 */
static uint64_t
next_start(struct walk *walk, struct place *place, enum dir dir)
{
	uint64_t starts = walk_starts(walk, dir), at = NOWHERE;

	for (int pass = 0; pass < 2 && at == NOWHERE; pass++) {
		if (pass > 0)
			place_again(walk, place);
		at = place->map ? next_free(walk, place,
				      rng_below(&walk->draw, starts) *
					  walk->align[dir],
				      dir)
				: next_ordered(walk, place, dir);
	}
	return at == NOWHERE ? 0 : at;
}

static uint64_t
random_place(struct walk *walk, struct place *place, enum dir dir)
{
	if (walk->skewed)
		return skew_draw(&walk->skew[dir], &walk->draw) * walk->align[dir];
	if (walk->ordered)
		return next_start(walk, place, dir);
	return rng_below(&walk->draw, walk_starts(walk, dir)) * walk->align[dir];
}

/* Is a random job's next place drawn?  Else it follows, or repeats, the last. */
static bool
draws(struct walk *walk, enum dir dir)
{
	const struct job_access *a = &walk->job->access;

	if (a->every > 1) {
		if (walk->run[dir] > 0) {
			walk->run[dir]--;
			return false;
		}
		walk->run[dir] = a->every - 1;
	}
	return a->percentage_random[dir] >= PERCENT ||
	       rng_below(&walk->draw, PERCENT) < a->percentage_random[dir];
}

/* Where the next I/O begins; *ret_random: its place was drawn. */
static uint64_t
choose_place(
    struct walk *walk, struct place *place, enum dir dir, bool *ret_random)
{
	const struct blocks *blocks = walk_blocks(walk, dir, false);
	bool repeats = walk->job->access.sequencer == JOB_IDENTICAL &&
		       walk->job->access.every > 1 && walk->run[dir] > 0;

	*ret_random = walk->random && draws(walk, dir);
	if (*ret_random)
		return random_place(walk, place, dir);
	if (repeats && place->last[dir] != NOWHERE)
		return place->last[dir];
	if (place->next[dir] + blocks->min <= walk->bytes)
		return place->next[dir];
	/* At the end, a random job jumps and a sequential one begins again. */
	*ret_random = walk->random && walk->job->access.percentage_random[dir] > 0;
	return *ret_random ? random_place(walk, place, dir) : 0;
}

bool
walk_next(struct walk *walk, enum dir dir, uint64_t limit, unsigned *ret_file,
    uint64_t *ret_at, uint32_t *ret_bytes)
{
	struct place *place = &walk->places[walk->file];
	const struct blocks *blocks;
	uint64_t at, bytes;
	bool random;

	if (walk->units == 0 || walk_starts(walk, dir) == 0)
		return false;
	at = choose_place(walk, place, dir, &random);
	blocks = walk_blocks(walk, dir, random);
	if (limit > walk->bytes - at)
		limit = walk->bytes - at;
	if (blocks->min > limit)
		return false;
	bytes = blocks_draw(blocks, limit, &walk->size);
	if (random && place->map)
		bytes = map_claim(walk, place, at, bytes);
	place->last[dir] = at;
	place->next[dir] = at + bytes + walk->job->access.seek;
	*ret_file = walk->file;
	*ret_at = at;
	*ret_bytes = (uint32_t)bytes;
	if (++walk->file == walk->nfiles)
		walk->file = 0;
	return true;
}
