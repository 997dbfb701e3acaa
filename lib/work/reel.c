/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns among files.
 */
#include "lib/work/reel.h"

#include <stdlib.h>

#include "lib/base/mem.h"
#include "lib/work/skew.h"

struct reel {
	struct job sub; /* of one file's pattern; its texts are the job's */
	unsigned nfiles, limit, every;
	enum job_service service;
	struct pattern **patterns; /* by file */
	unsigned *order;	   /* in which files come up */
	unsigned *active, nactive; /* those that take turns now */
	unsigned came;		   /* files of `order` that have come up */
	unsigned at;		   /* whose turn it is in `active` */
	unsigned left;		   /* I/Os of that turn */
	uint64_t bytes;
	struct rng draw;
	struct skew skew;
};

static bool
is_random(enum job_service service)
{
	return service != JOB_ROUNDROBIN && service != JOB_SERVE_SEQUENTIAL;
}

/* Hotter files exist, and none is ever through. */
static bool
is_skewed(enum job_service service)
{
	return is_random(service) && service != JOB_SERVE_RANDOM;
}

bool
reel_wants(const struct job *job, unsigned nfiles, const uint64_t *sizes)
{
	const struct job_files *files = &job->files;

	return nfiles > 1 && (sizes || files->service != JOB_ROUNDROBIN ||
				 files->service_every > 1 ||
				 (files->openfiles && files->openfiles < nfiles));
}

/* One file, one pass at a time, for as long as it is asked. */
static void
set_sub(struct reel *reel, const struct job *job)
{
	struct job *sub = &reel->sub;

	*sub = *job;
	sub->nrfiles = 1;
	sub->io_size = 0;
	sub->time_based = true;
	sub->amount = (struct job_amount){.loops = 1};
	sub->files.service = JOB_ROUNDROBIN;
	sub->files.service_every = 0;
	sub->files.openfiles = 0;
	sub->files.filesize_min = sub->files.filesize_max = 0;
}

static void
set_skew(struct reel *reel, const struct job *job)
{
	static const enum job_dist dists[] = {[JOB_SERVE_ZIPF] = JOB_DIST_ZIPF,
	    [JOB_SERVE_PARETO] = JOB_DIST_PARETO,
	    [JOB_SERVE_NORMAL] = JOB_DIST_NORMAL};
	struct job files = *job;

	files.access.dist = dists[reel->service];
	files.access.theta = job->files.service_theta;
	files.access.center = -1;
	skew_init(&reel->skew, &files, DIR_READ, reel->nfiles, 1, &reel->draw);
}

static void
begin(struct reel *reel)
{
	reel->nactive = reel->came = reel->at = reel->left = 0;
	while (reel->nactive < reel->limit)
		reel->active[reel->nactive++] = reel->order[reel->came++];
	reel->left = reel->every;
	if (reel->service == JOB_SERVE_RANDOM)
		reel->at = (unsigned)rng_below(&reel->draw, reel->nactive);
}

struct reel *
reel_new(const struct job *job, unsigned nfiles, uint64_t file_bytes,
    const uint64_t *sizes, uint64_t seed)
{
	const struct job_files *files = &job->files;
	struct reel *reel = mem_alloc(sizeof *reel);

	set_sub(reel, job);
	reel->nfiles = nfiles;
	reel->service = files->service;
	reel->every = files->service_every ? files->service_every : 1;
	reel->limit = files->openfiles && files->openfiles < nfiles ? files->openfiles
								     : nfiles;
	reel->patterns = mem_array(nfiles, sizeof *reel->patterns);
	reel->order = mem_array(nfiles, sizeof *reel->order);
	reel->active = mem_array(nfiles, sizeof *reel->active);
	rng_seed(&reel->draw, rng_derive(seed, "files", 0));
	for (unsigned i = 0; i < nfiles; i++) {
		uint64_t size = sizes ? sizes[i] : file_bytes;

		reel->patterns[i] =
		    pattern_new(&reel->sub, 1, size, rng_derive(seed, "file", i));
		pattern_set_offset(reel->patterns[i], 0);
		pattern_stop_at_passes(reel->patterns[i]);
		reel->bytes += pattern_pass_bytes(reel->patterns[i]);
		reel->order[i] = i;
	}
	for (unsigned i = nfiles - 1; i > 0 && reel->service == JOB_SERVE_RANDOM; i--) {
		unsigned j = (unsigned)rng_below(&reel->draw, i + 1);
		unsigned t = reel->order[i];

		reel->order[i] = reel->order[j];
		reel->order[j] = t;
	}
	if (is_skewed(reel->service))
		set_skew(reel, job);
	begin(reel);
	return reel;
}

void
reel_free(struct reel *reel)
{
	if (!reel)
		return;
	for (unsigned i = 0; i < reel->nfiles; i++)
		pattern_free(reel->patterns[i]);
	free(reel->patterns);
	free(reel->order);
	free(reel->active);
	free(reel);
}

uint64_t
reel_bytes(const struct reel *reel)
{
	return reel->bytes;
}

void
reel_again(struct reel *reel)
{
	for (unsigned i = 0; i < reel->nfiles; i++)
		pattern_again(reel->patterns[i]);
	begin(reel);
}

void
reel_set_choice(struct reel *reel, pattern_choose_fn *choose, void *arg)
{
	for (unsigned i = 0; i < reel->nfiles; i++)
		pattern_set_choice(reel->patterns[i], choose, arg);
}

/* The turn is over: whose is it now? */
static void
pass_on(struct reel *reel)
{
	reel->left = reel->every;
	if (reel->nactive == 0)
		return;
	if (reel->service == JOB_SERVE_RANDOM)
		reel->at = (unsigned)rng_below(&reel->draw, reel->nactive);
	else
		reel->at %= reel->nactive;
}

/* The file whose turn it is has nothing more: the next one takes a place. */
static void
retire(struct reel *reel)
{
	for (unsigned i = reel->at; i + 1 < reel->nactive; i++)
		reel->active[i] = reel->active[i + 1];
	reel->nactive--;
	if (reel->came < reel->nfiles)
		reel->active[reel->nactive++] = reel->order[reel->came++];
	pass_on(reel);
}

static bool
take(struct reel *reel, unsigned file, uint64_t limit, struct pattern_io *ret)
{
	if (!pattern_next(reel->patterns[file], ret))
		return false;
	ret->file = file;
	if (ret->bytes > limit)
		ret->bytes = (uint32_t)limit;
	return true;
}

static bool
next_skewed(struct reel *reel, uint64_t limit, struct pattern_io *ret)
{
	unsigned file = (unsigned)skew_draw(&reel->skew, &reel->draw);

	if (take(reel, file, limit, ret))
		return true;
	pattern_again(reel->patterns[file]);
	return take(reel, file, limit, ret);
}

bool
reel_next(struct reel *reel, uint64_t limit, struct pattern_io *ret)
{
	if (is_skewed(reel->service))
		return next_skewed(reel, limit, ret);
	while (reel->nactive > 0) {
		if (!take(reel, reel->active[reel->at], limit, ret)) {
			retire(reel);
			continue;
		}
		if (reel->service != JOB_SERVE_SEQUENTIAL && --reel->left == 0) {
			reel->at++;
			pass_on(reel);
		}
		return true;
	}
	return false;
}
