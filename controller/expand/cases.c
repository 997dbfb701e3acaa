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
case_client_seed(const struct plan_case *c, uint64_t plan_seed, unsigned client_index,
    unsigned repeat)
{
	uint64_t seed = c->job.randseed ? c->job.randseed : plan_seed;

	seed = rng_derive(seed, c->id, c->job.randrepeat ? 0 : repeat);
	seed = rng_derive(seed, "client", client_index);
	return seed ? seed : 1; /* 0 means unset in a job */
}

uint64_t
case_max_skew_ns(const struct plan *plan, const struct plan_case *c)
{
	uint64_t part = c->job.runtime_ns / SKEW_OF_RUNTIME;

	if (plan->max_skew_ns)
		return plan->max_skew_ns;
	return part > SKEW_LEAST ? part : SKEW_LEAST;
}

uint64_t
case_deadline_ns(const struct plan *plan, const struct plan_case *c)
{
	uint64_t planned = job_duration_ns(&c->job);

	if (plan->deadline_ns)
		return plan->deadline_ns;
	return planned ? planned + DEADLINE_GRACE : DEADLINE_SIZE_BOUND;
}

double
case_dataset_bytes(const struct plan_case *c)
{
	double size = (double)c->job.size;

	if (c->job.amount.size_percent) /* of files that only the clients know */
		return NAN;
	if (job_on_device(&c->job))
		return size;
	if (!c->job.filename) /* generated names: each job has its own files */
		size *= c->job.numjobs;
	return c->job.shared ? size : size * c->clients;
}

double
case_files_bytes(const struct plan_case *c)
{
	if (job_on_device(&c->job) || strcmp(c->job.ioengine, "null") == 0 ||
	    c->job.amount.size_percent) /* its files are there already */
		return 0;
	return case_dataset_bytes(c);
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
