/* SPDX-License-Identifier: Apache-2.0 */
/* How many clients each job of a workload takes. */
#include "controller/expand/cases.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/mem.h"

/* 70 % of 10 is 7, whatever the last bit of 7.000000000000001 says. */
#define SHARE_GRAIN 1e-9

/* The rest goes to those whose share was cut the most. */
static void
give_rest(const double *cut, unsigned *counts, size_t n, unsigned rest)
{
	bool *given = mem_array(n, sizeof *given);

	for (; rest; rest--) {
		size_t best = n;

		for (size_t i = 0; i < n; i++)
			if (!given[i] && cut[i] > SHARE_GRAIN &&
			    (best == n || cut[i] > cut[best] + SHARE_GRAIN))
				best = i;
		if (best == n)
			break;
		given[best] = true;
		counts[best]++;
	}
	free(given);
}

/* Whole clients of each share; together they are what all shares come to. */
static void
round_shares(const struct plan_workload *workload, unsigned n, unsigned *counts)
{
	double *cut = mem_array(workload->jobs.n, sizeof *cut), whole = 0;
	unsigned sum = 0, all;

	for (size_t i = 0; i < workload->jobs.n; i++) {
		const struct plan_clients *clients = &workload->jobs.v[i].clients;
		double exact = clients->percent * n / 100;

		if (clients->kind != PLAN_CLIENTS_SHARE)
			continue;
		counts[i] = (unsigned)(exact + SHARE_GRAIN);
		cut[i] = exact - counts[i];
		sum += counts[i];
		whole += exact;
	}
	all = (unsigned)floor(whole + 0.5);
	give_rest(cut, counts, workload->jobs.n, all > sum ? all - sum : 0);
	free(cut);
}

int
cases_share(const struct plan_workload *workload, unsigned n, unsigned *ret,
    size_t *ret_job, struct err *err)
{
	unsigned taken = 0;

	round_shares(workload, n, ret);
	for (size_t i = 0; i < workload->jobs.n; i++) {
		const struct plan_job *job = &workload->jobs.v[i];

		*ret_job = i;
		if (job->clients.kind == PLAN_CLIENTS_ALL) {
			ret[i] = n;
			continue;
		}
		if (job->clients.kind == PLAN_CLIENTS_HOSTS) {
			size_t named = job->clients.hosts.hosts.n;

			ret[i] = named < n ? (unsigned)named : n;
			continue;
		}
		if (job->clients.kind == PLAN_CLIENTS_COUNT)
			ret[i] = job->clients.count;
		if (ret[i] == 0)
			return err_set(err, ERR_USAGE,
			    "job '%s' gets no client: %g %% of %u is less than a half",
			    job->name, job->clients.percent, n);
		taken += ret[i];
		if (taken > n)
			return err_set(err, ERR_USAGE,
			    "jobs up to '%s' take %u clients, and the case has %u",
			    job->name, taken, n);
	}
	return 0;
}
