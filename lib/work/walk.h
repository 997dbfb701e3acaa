/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk of jobs whose next block is not simply the next of one lane (pattern.c):
 * varying block sizes, blockalign, skips and runs (rw=read:8k, rw=randread:8),
 * rw_sequencer, percentage_random, random_distribution.  Files take turns.
 *
 * Random I/Os without norandommap draw their starts from a permutation.  Where
 * sizes vary, a map of what was covered cuts them short of what was visited, as
 * fio does; the sequential part of a random job is not entered in the map, as in
 * fio.  Skewed distributions and blockalign have no map.
 */
#ifndef VOLLEY_WORK_WALK_H
#define VOLLEY_WORK_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/work/job.h"

struct walk;

/* Is it a job for this walk? */
bool walk_wants(const struct job *job);
/* The job must outlive it. */
struct walk *walk_new(const struct job *job, unsigned nfiles, uint64_t file_bytes,
		      uint64_t seed);
void walk_free(struct walk *walk);
/*
 * The next I/O of `dir` of at most `limit` bytes: its place within the file's
 * region.  False when nothing so small fits.
 */
bool walk_next(struct walk *walk, enum dir dir, uint64_t limit, unsigned *ret_file,
	       uint64_t *ret_at, uint32_t *ret_bytes);
/* What an I/O of so many bytes takes of a pass: where there is a map, whole units of it. */
uint64_t walk_covers(const struct walk *walk, uint32_t bytes);
/* All blocks are unvisited again, in another order. */
void walk_again(struct walk *walk);

#endif
