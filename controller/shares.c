/* SPDX-License-Identifier: Apache-2.0 */
/* From a case to its clients' jobs. */
#include "controller/shares.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"

static size_t
clients_used(const struct plan_case *c)
{
	size_t used = 0;

	for (vec_each(const struct case_part *, part, &c->parts)) {
		size_t end = part->hosts ? c->clients : part->first + part->clients;

		used = end > used ? end : used;
	}
	return used;
}

static bool
runs(const struct plan_case *c, size_t p, unsigned client, const struct shares_env *env)
{
	bool there = client < fleet_count(env->fleet);

	return case_runs(c, p, client, there ? fleet_name(env->fleet, client) : NULL);
}

/* Both name a file that all their clients use: whoever runs either makes it ready. */
static bool
share_files(const struct job *a, const struct job *b)
{
	return a->shared && b->shared && a->filename && b->filename &&
	       strcmp(a->filename, b->filename) == 0 &&
	       (!a->directory || !b->directory || strcmp(a->directory, b->directory) == 0);
}

/* Does it run this part, or another with the same files? */
static bool
uses_files(
    const struct plan_case *c, size_t p, unsigned client, const struct shares_env *env)
{
	for (size_t i = 0; i < c->parts.n; i++)
		if ((i == p || share_files(&c->parts.v[i].job, &c->parts.v[p].job)) &&
		    runs(c, i, client, env))
			return true;
	return false;
}

/* Its place among the clients of the part's files that are there. */
static void
find_place(struct order_job *job, const struct plan_case *c, size_t p, unsigned client,
    const struct shares_env *env)
{
	const struct case_part *part = &c->parts.v[p];
	size_t present = fleet_count(env->fleet);
	unsigned end = part->first + part->clients;

	if (!part->hosts && !(c->parts.n > 1 && part->job.shared)) {
		job->client_index = client - part->first;
		job->client_count =
		    (end < present ? end : (unsigned)present) - part->first;
		return;
	}
	job->client_index = job->client_count = 0;
	for (unsigned i = 0; i < c->clients && i < present; i++) {
		bool uses = uses_files(c, p, i, env);

		job->client_index += i < client && uses;
		job->client_count += uses;
	}
}

static int
fill_job(struct order_job *job, const struct plan_case *c, size_t p, unsigned client,
    const struct shares_env *env, struct err *err)
{
	job_copy(&job->job, &c->parts.v[p].job);
	job->first_number = c->first_number;
	for (size_t i = 0; i < p; i++)
		job->first_number += c->parts.v[i].job.numjobs;
	/* A client that is not there is told nothing, and only named in reasons. */
	if (client >= fleet_count(env->fleet))
		return 0;
	find_place(job, c, p, client, env);
	job->job.randseed = case_client_seed(c, p, env->seed, client, env->repeat);
	return case_client_job(
	    env->plan, c, fleet_name(env->fleet, client), &job->job, err);
}

static int
fill_share(struct shares *shares, const struct plan_case *c, unsigned client,
    const struct shares_env *env, struct err *err)
{
	struct fleet_share *share = &shares->share[client];

	*share = (struct fleet_share){
	    &shares->jobs[shares->njobs], &shares->numbers[shares->njobs], 0};
	for (size_t p = 0; p < shares->nparts; p++) {
		if (!runs(c, p, client, env))
			continue;
		shares->numbers[shares->njobs] = (unsigned)p;
		share->n++;
		if (fill_job(&shares->jobs[shares->njobs++], c, p, client, env, err))
			return -1;
	}
	if (share->n == 0 && client < fleet_count(env->fleet))
		return err_set(err, ERR_USAGE,
		    "workload '%s' has no job for client %s", c->workload,
		    fleet_name(env->fleet, client));
	return 0;
}

/* Names may be of nobody here, and the job would be left out without a word. */
static int
check_part(const struct shares *shares, const struct plan_case *c, size_t p,
    const struct shares_env *env, struct err *err)
{
	const struct case_part *part = &c->parts.v[p];
	size_t present = fleet_count(env->fleet);

	for (size_t i = 0; i < shares->njobs; i++)
		if (shares->numbers[i] == p)
			return 0;
	return err_set(err, ERR_USAGE,
	    "workload '%s': job '%s' gets no client: '%s'%s not among the case's "
	    "clients, of which %zu of %u are there",
	    c->workload, part->job.name, part->hosts->hosts.v[0].name,
	    part->hosts->hosts.n > 1 ? " and the other names are" : " is",
	    present < c->clients ? present : c->clients, c->clients);
}

/* Of a job with names: who is there, and those who may be among the missing. */
static unsigned
clients_expected(const struct plan_case *c, size_t p, const struct shares_env *env)
{
	const struct case_part *part = &c->parts.v[p];
	unsigned present = (unsigned)fleet_count(env->fleet), there = 0;
	unsigned missing = c->clients > present ? c->clients - present : 0;

	if (!part->hosts)
		return part->clients;
	for (unsigned client = 0; client < c->clients; client++)
		there += runs(c, p, client, env);
	return there + missing < part->clients ? there + missing : part->clients;
}

int
shares_init(struct shares *ret, const struct plan_case *c, const struct shares_env *env,
    struct err *err)
{
	int rc = 0;

	*ret = (struct shares){.clients = clients_used(c), .nparts = c->parts.n};
	ret->share = mem_array(ret->clients, sizeof *ret->share);
	ret->parts = mem_array(ret->nparts, sizeof *ret->parts);
	ret->jobs = mem_array(ret->clients * ret->nparts, sizeof *ret->jobs);
	ret->numbers = mem_array(ret->clients * ret->nparts, sizeof *ret->numbers);
	for (size_t p = 0; p < ret->nparts; p++)
		ret->parts[p] = (struct attempt_part){
		    &c->parts.v[p].job, clients_expected(c, p, env)};
	for (unsigned client = 0; rc == 0 && client < ret->clients; client++)
		rc = fill_share(ret, c, client, env, err);
	for (size_t p = 0; rc == 0 && p < ret->nparts; p++)
		rc = check_part(ret, c, p, env, err);
	if (rc)
		shares_free(ret);
	return rc;
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
