/* SPDX-License-Identifier: Apache-2.0 */
/* Expansion: every variant of every workload at every scale, as cases. */
#include "controller/expand/cases.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/expand/resolve.h"
#include "lib/base/mem.h"
#include "lib/base/rng.h"

/* ---- parameters ---- */

struct param_sink {
	struct case_part *part;
	const struct variant *variant;
};

/* Beside bsrange and bssplit the one size is none that is used. */
static bool
is_hidden(const struct job *job, const char *name)
{
	bool other = false;

	for (int d = 0; d < DIR_COUNT; d++)
		other |= job->blocks.min[d] > 0 || job->blocks.split[d].n > 0;
	return other && strcmp(name, "bs") == 0;
}

/* Always shown: what every table needs; else what was set. */
static void
take_param(
    void *arg, const char *name, const char *value, bool is_number, bool is_default)
{
	static const char *const always[] = {
	    "ioengine", "rw", "bs", "size", "iodepth", "numjobs", "direct", NULL};
	static const char *const never[] = {"name", "directory", "filename", NULL};
	struct param_sink *sink = arg;
	struct case_param *param;
	bool show = !is_default || variant_is_axis(sink->variant, name);

	for (int i = 0; always[i]; i++)
		show = show || strcmp(name, always[i]) == 0;
	for (int i = 0; never[i]; i++)
		show = show && strcmp(name, never[i]) != 0;
	if (!show || is_hidden(&sink->part->job, name))
		return;
	param = vec_add(&sink->part->params);
	*param = (struct case_param){.name = mem_strdup(name),
	    .value = mem_strdup(value),
	    .is_number = is_number,
	    .is_axis = variant_is_axis(sink->variant, name)};
}

static const struct case_param *
part_param(const struct case_part *part, const char *name)
{
	for (vec_each(const struct case_param *, param, &part->params))
		if (strcmp(param->name, name) == 0)
			return param;
	return NULL;
}

static bool
case_has_param(const struct plan_case *c, const char *name)
{
	for (vec_each(const struct case_param *, param, &c->params))
		if (strcmp(param->name, name) == 0)
			return true;
	return false;
}

/* What the jobs agree upon, or what each of them has: "randread+write". */
static void
join_param(struct plan_case *c, const struct case_param *like)
{
	struct case_param *param;
	struct str value = {0};
	bool same = true;

	for (vec_each(const struct case_part *, part, &c->parts)) {
		const struct case_param *own = part_param(part, like->name);

		same = same && own && strcmp(own->value, like->value) == 0;
		str_addf(&value, "%s%s", value.len ? "+" : "", own ? own->value : "-");
	}
	param = vec_add(&c->params);
	*param = (struct case_param){.name = mem_strdup(like->name),
	    .value = same ? mem_strdup(like->value) : mem_strdup(value.s),
	    .is_number = like->is_number && same,
	    .is_axis = like->is_axis};
	str_free(&value);
}

static void
set_params(struct plan_case *c)
{
	for (vec_each(const struct case_part *, part, &c->parts))
		for (vec_each(const struct case_param *, param, &part->params))
			if (!case_has_param(c, param->name))
				join_param(c, param);
}

/* Where some clients' files or CPUs are elsewhere, it is another case. */
static void
add_per_client(const struct plan *plan, struct str *ret)
{
	for (vec_each(const struct plan_per_client *, entry, &plan->per_client)) {
		str_add(ret, "per_client");
		for (vec_each(const struct host *, host, &entry->hosts.hosts))
			str_addf(ret, " %s", host->name);
		str_addc(ret, '\n');
		for (vec_each(const struct plan_option *, option, &entry->options))
			str_addf(
			    ret, "%s=%s\n", option->name, option->values.v[0].text);
	}
}

static void
set_id(struct plan_case *c, const struct plan *plan)
{
	struct str s = {0};

	str_addf(&s, "storage=%s\ntransport=%s\npath=%s\nworkload=%s\nclients=%u\n",
	    c->storage, transport_name(c->transport), c->path, c->workload, c->clients);
	for (vec_each(const struct case_part *, part, &c->parts)) {
		if (c->parts.n > 1)
			str_addf(&s, "job clients=%u+%u\n", part->first, part->clients);
		for (size_t i = 0; part->hosts && i < part->hosts->hosts.n; i++)
			str_addf(&s, "on %s\n", part->hosts->hosts.v[i].name);
		job_format(&part->job, &s);
	}
	add_per_client(plan, &s);
	snprintf(c->id, sizeof c->id, "%016" PRIx64, hash_fnv1a(s.s, s.len));
	str_free(&s);
}

/* ---- cases ---- */

static int
add_part(struct plan_case *c, const struct plan *plan, const struct scope *scope,
    const struct plan_job *own, struct err *err)
{
	struct case_part *part = vec_add(&c->parts);
	struct param_sink sink = {.part = part, .variant = scope->variant};

	part->clients = c->clients;
	job_init(&part->job);
	if (job_resolve(&part->job, plan, scope, own, c->path, err))
		return -1;
	job_each(&part->job, take_param, &sink);
	return 0;
}

/* Jobs with a share of the clients take theirs one after the other. */
static int
share_clients(struct plan_case *c, const struct plan *plan,
    const struct plan_workload *workload, struct err *err)
{
	unsigned *counts = mem_array(workload->jobs.n, sizeof *counts), next = 0;
	size_t job = 0;
	int rc = cases_share(workload, c->clients, counts, &job, err);

	if (rc)
		plan_err_at(err, plan, workload->jobs.v[job].clients.pos);
	for (size_t i = 0; rc == 0 && i < c->parts.n; i++) {
		const struct plan_clients *clients = &workload->jobs.v[i].clients;

		c->parts.v[i].clients = counts[i];
		if (clients->kind == PLAN_CLIENTS_HOSTS)
			c->parts.v[i].hosts = &clients->hosts;
		if (clients->kind == PLAN_CLIENTS_ALL || c->parts.v[i].hosts)
			continue;
		c->parts.v[i].first = next;
		next += counts[i];
	}
	free(counts);
	return rc;
}

static int
add_parts(struct plan_case *c, const struct plan *plan, const struct scope *scope,
    struct err *err)
{
	const struct plan_workload *workload = scope->variant->workload;

	if (workload->jobs.n == 0)
		return add_part(c, plan, scope, NULL, err);
	for (vec_each(const struct plan_job *, job, &workload->jobs))
		if (add_part(c, plan, scope, job, err))
			return -1;
	return share_clients(c, plan, workload, err);
}

/* Every client's jobs can be made, before anything runs. */
static int
check_clients(const struct plan_case *c, const struct plan *plan, struct err *err)
{
	for (vec_each(const struct plan_per_client *, entry, &plan->per_client)) {
		for (vec_each(const struct case_part *, part, &c->parts)) {
			struct job job;
			int rc;

			job_copy(&job, &part->job);
			rc = case_client_job(
			    plan, c, entry->hosts.hosts.v[0].name, &job, err);
			job_free(&job);
			if (rc)
				return -1;
		}
	}
	return 0;
}

static int
add_case(struct cases *cases, const struct scope *scope, enum transport transport,
    struct err *err)
{
	const struct plan *plan = cases->plan;
	const struct plan_storage *storage = scope->storage;
	struct plan_case *c;

	c = vec_add(&cases->cases);
	c->storage = storage->name;
	c->transport = transport;
	c->path = storage->paths[transport].path;
	c->workload = scope->variant->workload->name;
	c->notes = &scope->variant->workload->notes;
	c->clients = scope->clients;
	c->cache_bytes = storage->has_cache ? (double)storage->cache_bytes : NAN;
	c->memory_bytes = plan->has_client_memory ? (double)plan->client_memory : NAN;
	c->position = cases->cases.n - 1;
	c->block = cases->blocks.n - 1;
	cases->blocks.v[c->block].n++;
	if (add_parts(c, plan, scope, err) || check_clients(c, plan, err))
		return -1;
	set_params(c);
	set_id(c, plan);
	return 0;
}

static int
add_block(struct cases *cases, const struct scope *scope, const enum transport *ts,
    size_t n, struct err *err)
{
	struct case_block *block = vec_add(&cases->blocks);

	block->first = cases->cases.n;
	for (size_t i = 0; i < n; i++)
		if (scope->storage->paths[ts[i]].path &&
		    add_case(cases, scope, ts[i], err))
			return -1;
	if (cases->blocks.v[cases->blocks.n - 1].n == 0)
		cases->blocks.n--;
	return 0;
}

/* All scales and workloads of a storage over the given transports. */
static int
add_scales(struct cases *cases, const struct plan_storage *storage,
    const enum transport *ts, size_t n, struct err *err)
{
	const struct plan *plan = cases->plan;

	for (vec_each(const unsigned *, clients, &plan->clients)) {
		for (vec_each(const struct plan_workload *, w, &plan->workloads)) {
			struct variant v;
			struct scope scope = {storage, *clients, &v};

			variant_first(&v, plan, w);
			do {
				if (add_block(cases, &scope, ts, n, err))
					return -1;
			} while (variant_next(&v));
		}
	}
	return 0;
}

static int
by_id(const void *a, const void *b)
{
	const struct plan_case *const *x = a, *const *y = b;

	return strcmp((*x)->id, (*y)->id);
}

/* "4k" and "4096" are one value: the id tells. */
static int
check_distinct(const struct cases *cases, struct err *err)
{
	const struct plan_case **sorted = mem_array(cases->cases.n + 1, sizeof *sorted);
	int rc = 0;

	for (size_t i = 0; i < cases->cases.n; i++)
		sorted[i] = &cases->cases.v[i];
	qsort(sorted, cases->cases.n, sizeof *sorted, by_id);
	for (size_t i = 1; i < cases->cases.n && rc == 0; i++) {
		const char *name = sorted[i]->workload;

		if (strcmp(sorted[i - 1]->id, sorted[i]->id) != 0)
			continue;
		for (vec_each(const struct plan_workload *, w, &cases->plan->workloads))
			if (strcmp(w->name, name) == 0)
				rc = plan_err(err, cases->plan, w->pos,
				    "workload '%s' "
				    "has the same case twice: two values of an axis "
				    "mean the same",
				    name);
	}
	free(sorted);
	return rc;
}

/* Before anything is built: a few axes multiply quickly. */
static int
check_count(const struct plan *plan, struct err *err)
{
	uint64_t paths = 0, total = 0;

	for (vec_each(const struct plan_storage *, storage, &plan->storages))
		for (vec_each(const enum transport *, t, &plan->transports))
			paths += storage->paths[*t].path != NULL;
	for (vec_each(const struct plan_workload *, w, &plan->workloads)) {
		struct variant v;

		variant_first(&v, plan, w);
		total += paths * plan->clients.n * variant_count(&v, CASES_MAX);
		if (total > CASES_MAX)
			return plan_err(err, plan, w->pos,
			    "the plan has more than %d cases", CASES_MAX);
	}
	return 0;
}

static int
expand_all(struct cases *cases, struct err *err)
{
	const struct plan *plan = cases->plan;

	if (check_count(plan, err))
		return -1;
	for (vec_each(const struct plan_storage *, storage, &plan->storages)) {
		if (plan->order == PLAN_ABBA && !plan_storage_is_staged(storage)) {
			if (add_scales(cases, storage, plan->transports.v,
				plan->transports.n, err))
				return -1;
			continue;
		}
		for (vec_each(const enum transport *, t, &plan->transports))
			if (add_scales(cases, storage, t, 1, err))
				return -1;
	}
	return check_distinct(cases, err);
}

/* Of the case that has the most of them; all that run at the same time. */
static unsigned
most_threads(const struct cases *cases, const char *workload)
{
	unsigned most = 0;

	for (vec_each(const struct plan_case *, c, &cases->cases)) {
		unsigned n = 0;

		if (strcmp(c->workload, workload) != 0)
			continue;
		for (vec_each(const struct case_part *, part, &c->parts))
			n += part->job.numjobs;
		most = n > most ? n : most;
	}
	return most;
}

static void
number_threads(struct cases *cases)
{
	unsigned number = 1;

	for (vec_each(const struct plan_workload *, w, &cases->plan->workloads)) {
		for (vec_each(struct plan_case *, c, &cases->cases))
			if (strcmp(c->workload, w->name) == 0)
				c->first_number = number;
		number += most_threads(cases, w->name);
	}
}

struct cases *
cases_expand(const struct plan *plan, struct err *err)
{
	struct cases *cases = mem_alloc(sizeof *cases);

	cases->plan = plan;
	cases->interleaved = plan->order == PLAN_ABBA;
	for (vec_each(const struct plan_storage *, storage, &plan->storages))
		if (plan_storage_is_staged(storage))
			cases->interleaved = false;
	if (expand_all(cases, err)) {
		cases_free(cases);
		return NULL;
	}
	number_threads(cases);
	return cases;
}

static void
free_params(struct case_param *params, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(params[i].name);
		free(params[i].value);
	}
}

void
cases_free(struct cases *cases)
{
	if (!cases)
		return;
	for (vec_each(struct plan_case *, c, &cases->cases)) {
		for (vec_each(struct case_part *, part, &c->parts)) {
			free_params(part->params.v, part->params.n);
			vec_free(&part->params);
			job_free(&part->job);
		}
		vec_free(&c->parts);
		free_params(c->params.v, c->params.n);
		vec_free(&c->params);
	}
	vec_free(&cases->cases);
	vec_free(&cases->blocks);
	free(cases);
}
