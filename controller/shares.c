/* SPDX-License-Identifier: Apache-2.0 */
/* From a case to its clients' jobs. */
#include "controller/shares.h"

#include <stdlib.h>

#include "lib/base/mem.h"

static size_t
clients_used(const struct plan_case *c)
{
	size_t used = 0;

	for (vec_each(const struct case_part *, part, &c->parts))
		if (part->first + part->clients > used)
			used = part->first + part->clients;
	return used;
}

/* Of the part's clients those that are there. */
static unsigned
part_present(const struct case_part *part, size_t present)
{
	size_t there = present > part->first ? present - part->first : 0;

	return there < part->clients ? (unsigned)there : part->clients;
}

static void
fill_job(struct order_job *job, const struct plan_case *c, size_t p, unsigned client,
    size_t present)
{
	const struct case_part *part = &c->parts.v[p];

	job_copy(&job->job, &part->job);
	job->client_index = client - part->first;
	job->client_count = part_present(part, present);
	/* A client that is not there is told nothing, and only named in reasons. */
	if (job->client_count <= job->client_index)
		job->client_count = job->client_index + 1;
}

void
shares_init(struct shares *ret, const struct plan_case *c, size_t present,
    uint64_t seed, unsigned repeat)
{
	*ret = (struct shares){.clients = clients_used(c), .nparts = c->parts.n};
	ret->share = mem_array(ret->clients, sizeof *ret->share);
	ret->parts = mem_array(ret->nparts, sizeof *ret->parts);
	ret->jobs = mem_array(ret->clients * ret->nparts, sizeof *ret->jobs);
	ret->numbers = mem_array(ret->clients * ret->nparts, sizeof *ret->numbers);
	for (size_t p = 0; p < ret->nparts; p++)
		ret->parts[p] = (struct attempt_part){
		    &c->parts.v[p].job, c->parts.v[p].clients};
	for (unsigned client = 0; client < ret->clients; client++) {
		struct fleet_share *share = &ret->share[client];

		*share = (struct fleet_share){
		    &ret->jobs[ret->njobs], &ret->numbers[ret->njobs], 0};
		for (size_t p = 0; p < ret->nparts; p++) {
			struct order_job *job;

			if (!case_runs(c, p, client))
				continue;
			job = &ret->jobs[ret->njobs];
			fill_job(job, c, p, client, present);
			job->job.randseed = case_client_seed(c, p, seed, client, repeat);
			ret->numbers[ret->njobs++] = (unsigned)p;
			share->n++;
		}
	}
}

void
shares_free(struct shares *shares)
{
	for (size_t i = 0; i < shares->njobs; i++)
		job_free(&shares->jobs[i].job);
	free(shares->share);
	free(shares->parts);
	free(shares->jobs);
	free(shares->numbers);
}
