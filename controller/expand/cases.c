/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What follows from a case: order within its block, seeds, limits, and how its
 * data set compares with the caches on the way.
 */
#include "controller/expand/cases.h"

#include <math.h>
#include <string.h>

#include "lib/base/rng.h"
#include "lib/base/units.h"

#define SKEW_LEAST (10 * UNITS_NS_PER_MS)
#define SKEW_OF_RUNTIME 1000 /* one part of this many */
#define DEADLINE_GRACE (60 * UNITS_NS_PER_S)
#define DEADLINE_SIZE_BOUND (3600 * UNITS_NS_PER_S)

size_t
cases_arm(const struct case_block *block, unsigned repeat, size_t k)
{
	return block->first + (repeat % 2 ? k : block->n - 1 - k);
}

unsigned
cases_most_clients(const struct cases *cases)
{
	unsigned most = 0;

	for (vec_each(const struct plan_case *, c, &cases->cases))
		most = c->clients > most ? c->clients : most;
	return most;
}

const struct plan_case *
cases_find(const struct cases *cases, const char *id)
{
	for (vec_each(const struct plan_case *, c, &cases->cases))
		if (strcmp(c->id, id) == 0)
			return c;
	return NULL;
}

uint64_t
case_client_seed(const struct plan_case *c, size_t part, uint64_t plan_seed,
    unsigned client_index, unsigned repeat)
{
	const struct job *job = &c->parts.v[part].job;
	uint64_t seed = job->randseed ? job->randseed : plan_seed;

	seed = rng_derive(seed, c->id, job->randrepeat ? 0 : repeat);
	seed = rng_derive(seed, "client", client_index);
	if (part)
		seed = rng_derive(seed, "job", part);
	return seed ? seed : 1; /* 0 means unset in a job */
}

bool
case_runs(
    const struct plan_case *c, size_t part, unsigned client_index, const char *client)
{
	const struct case_part *p = &c->parts.v[part];

	if (p->hosts)
		return client && plan_names(p->hosts, client);
	return client_index >= p->first && client_index - p->first < p->clients;
}

uint64_t
case_duration_ns(const struct plan_case *c)
{
	uint64_t longest = 0;

	for (vec_each(const struct case_part *, part, &c->parts)) {
		uint64_t ns = job_duration_ns(&part->job);

		if (ns == 0)
			return 0;
		longest = ns > longest ? ns : longest;
	}
	return longest;
}

bool
case_writes(const struct plan_case *c)
{
	for (vec_each(const struct case_part *, part, &c->parts))
		if (job_rw_has(&part->job, DIR_WRITE))
			return true;
	return false;
}

bool
case_reads_unknown(const struct plan_case *c)
{
	for (vec_each(const struct case_part *, part, &c->parts))
		if (job_on_device(&part->job) && job_rw_has(&part->job, DIR_READ) &&
		    part->job.layout != JOB_LAYOUT_OVERWRITE)
			return true;
	return false;
}

bool
case_is_null(const struct plan_case *c)
{
	for (vec_each(const struct case_part *, part, &c->parts))
		if (strcmp(part->job.ioengine, "null") != 0 && !job_is_net(&part->job))
			return false;
	return true;
}

uint64_t
case_max_skew_ns(const struct plan *plan, const struct plan_case *c)
{
	uint64_t shortest = UINT64_MAX;

	if (plan->max_skew_ns)
		return plan->max_skew_ns;
	for (vec_each(const struct case_part *, part, &c->parts))
		if (part->job.runtime_ns < shortest)
			shortest = part->job.runtime_ns;
	shortest /= SKEW_OF_RUNTIME;
	return shortest > SKEW_LEAST ? shortest : SKEW_LEAST;
}

uint64_t
case_deadline_ns(const struct plan *plan, const struct plan_case *c)
{
	uint64_t planned = case_duration_ns(c);

	if (plan->deadline_ns)
		return plan->deadline_ns;
	return planned ? planned + DEADLINE_GRACE : DEADLINE_SIZE_BOUND;
}

static double
part_dataset_bytes(const struct case_part *part)
{
	const struct job *job = &part->job;
	double size = (double)job->size;

	if (job->amount.size_percent) /* of files that only the clients know */
		return NAN;
	if (job_on_device(job))
		return size;
	if (!job->filename) /* generated names: each job has its own files */
		size *= job->numjobs;
	return job->shared ? size : size * part->clients;
}

static bool
part_has_files(const struct case_part *part)
{
	return !(job_on_device(&part->job) || job_is_net(&part->job) ||
		 strcmp(part->job.ioengine, "null") == 0 ||
		 part->job.amount.size_percent); /* its files are there already */
}

double
case_dataset_bytes(const struct plan_case *c)
{
	double sum = 0;

	for (vec_each(const struct case_part *, part, &c->parts))
		sum += part_dataset_bytes(part);
	return sum;
}

double
case_files_bytes(const struct plan_case *c)
{
	double sum = 0;

	for (vec_each(const struct case_part *, part, &c->parts))
		sum += part_has_files(part) ? part_dataset_bytes(part) : 0;
	return sum;
}

enum cacheable
case_cacheable(const struct plan_case *c, double client_bytes)
{
	double data = case_dataset_bytes(c), known = 0;

	known += isnan(client_bytes) ? 0 : client_bytes;
	known += isnan(c->cache_bytes) ? 0 : c->cache_bytes;
	if (data <= CACHEABLE_FACTOR * known)
		return CACHEABLE_YES;
	if (isnan(data) || isnan(client_bytes) || isnan(c->cache_bytes))
		return CACHEABLE_UNKNOWN;
	return CACHEABLE_NO;
}

const char *
cacheable_name(enum cacheable cacheable)
{
	static const char *const names[] = {"no", "yes", "unknown"};

	return names[cacheable];
}
