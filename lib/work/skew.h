/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of n blocks comes next when some are hotter than others
 * (random_distribution), with fio's meaning of every parameter.
 *
 * zipf:theta     rank r has probability ~ 1/r^theta, by the formula of Gray et al.,
 *                "Quickly generating billion-record synthetic databases", SIGMOD
 *                1994: exact for the two hottest ranks, close for the others
 * pareto:power   rank n·u^(log power / log(1 - power)), u uniform in [0, 1)
 * normal:dev     n/2 + a bell of deviation n/12 + a uniform part dev % of n wide:
 *                that is what fio 3.33 draws, so small values of dev change little
 * zoned          a zone by its share of the I/Os, then uniform inside
 *
 * Ranks of the first three are scattered over the file by a multiplicative hash, and
 * turned by the center: that of zipf and pareto is the place of the hottest block
 * (unset: anywhere); that of normal turns by center - 0.5.
 */
#ifndef VOLLEY_WORK_SKEW_H
#define VOLLEY_WORK_SKEW_H

#include <stdint.h>

#include "lib/base/rng.h"
#include "lib/work/job.h"

struct skew {
	enum job_dist dist;
	uint64_t n, shift;
	double theta, zeta, eta; /* zipf */
	double power;		 /* pareto: the exponent */
	double width;		 /* normal: of the uniform part */
	unsigned nzones;
	struct {
		unsigned access;     /* percent, cumulative */
		uint64_t from, blocks;
	} zone[JOB_ZONES_MAX];
};

/* n > 0 blocks that begin `align` bytes apart. */
void skew_init(struct skew *skew, const struct job *job, enum dir dir, uint64_t n,
	       uint64_t align, struct rng *rng);
uint64_t skew_draw(const struct skew *skew, struct rng *rng);
/* The block that holds rank r of zipf, pareto, normal. */
uint64_t skew_place(const struct skew *skew, uint64_t rank);

#endif
