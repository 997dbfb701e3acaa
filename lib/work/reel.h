/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of a job's files is next, and what in it, where they are not simply all
 * dealt out in turn: file_service_type, openfiles below the number of files, files
 * of different sizes.  Each file has a pattern of its own.
 *
 * Of `openfiles` files at a time each serves `:N` I/Os, in turn or drawn at random;
 * one that is through makes room for the next.  With sequential a file is done
 * before the next begins.  With zipf, pareto and normal some files are hotter, any of
 * them may be drawn at any time, and one that is through begins anew, as in fio.
 */
#ifndef VOLLEY_WORK_REEL_H
#define VOLLEY_WORK_REEL_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/work/pattern.h"

struct reel;

/* `sizes`: bytes of each file; NULL: all the same. */
bool reel_wants(const struct job *job, unsigned nfiles, const uint64_t *sizes);
struct reel *reel_new(const struct job *job, unsigned nfiles, uint64_t file_bytes,
		      const uint64_t *sizes, uint64_t seed);
void reel_free(struct reel *reel);
uint64_t reel_bytes(const struct reel *reel); /* of a pass over all files */
/* At most `limit` bytes.  False when all files are through. */
bool reel_next(struct reel *reel, uint64_t limit, struct pattern_io *ret);
void reel_again(struct reel *reel);
void reel_set_choice(struct reel *reel, pattern_choose_fn *choose, void *arg);

#endif
