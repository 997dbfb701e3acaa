/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which block comes next: pure, seeded, one instance per thread.  Blocks are dealt
 * round the files, as fio's default does; sequential order walks them in turn, on
 * its own for reads and for writes; random order without `norandommap` is a permutation of
 * the blocks (a Feistel network with cycle walking: no block twice until all
 * were visited, constant memory); with it, uniform draws.
 */
#ifndef VOLLEY_WORK_PATTERN_H
#define VOLLEY_WORK_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/rng.h"
#include "lib/work/job.h"

struct pattern;

struct pattern_io {
	enum dir dir;
	unsigned file;
	uint64_t offset; /* in the file, job offset included */
	uint32_t bytes;
};

/* Region of each file that the job uses is [offset, offset + file_bytes). */
struct pattern *pattern_new(const struct job *job, unsigned nfiles, uint64_t file_bytes,
			    uint64_t seed);
/* The same with files of different sizes; NULL: all have file_bytes. */
struct pattern *pattern_new_sizes(const struct job *job, unsigned nfiles,
				  uint64_t file_bytes, const uint64_t *sizes,
				  uint64_t seed);
void pattern_free(struct pattern *pattern);
/* Bytes of one pass over all that is there. */
uint64_t pattern_pass_bytes(const struct pattern *pattern);
/* Instead of the job's offset (offset_increment). */
void pattern_set_offset(struct pattern *pattern, uint64_t offset);
/* Asked of each direction that a mixed job draws; it may choose the other. */
typedef enum dir pattern_choose_fn(void *arg, enum dir drawn);
void pattern_set_choice(struct pattern *pattern, pattern_choose_fn *choose, void *arg);
/*
 * From now on pattern_next is false after each pass over size; pattern_again begins
 * the next one, or says that there is none.  What was handed out is read back in
 * between, which number_ios counts, too.
 */
void pattern_stop_at_passes(struct pattern *pattern);
bool pattern_again(struct pattern *pattern);
/* number_ios counts from here on: a ramp is over. */
void pattern_count_anew(struct pattern *pattern);
/* False when io_size (or size) has been handed out and the job is not time-based;
 * a time-based job goes round for ever (a random one in another order each time). */
bool pattern_next(struct pattern *pattern, struct pattern_io *ret);

#endif
