/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The keys defaults: and workloads:.  Options are checked value by value as the
 * job itself would take them, so a bad one is reported where it stands.
 */
#include "controller/plan/node.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"

/* Options that a plan sets in another way. */
static const struct {
	const char *option, *why;
} elsewhere[] = {
    {"name", "defaults have no name"},
    {NULL, NULL},
};

struct option_values {
	struct plan_option *option;
	struct job *scratch;
};

/* filename and directory are below the storage's path. */
static int
check_below(struct reader *r, yaml_node_t *value, const char *name, const char *text)
{
	if (text[0] == '/')
		return node_err(r, value,
		    "%s '%s' is absolute; it is taken below the "
		    "storage's path",
		    name, text);
	if (strcmp(text, "..") == 0 || str_starts(text, "../") ||
	    strstr(text, "/../") ||
	    (strlen(text) > 3 && strcmp(text + strlen(text) - 3, "/..") == 0))
		return node_err(r, value, "%s '%s' must not hold '..'", name, text);
	return 0;
}

static int
one_value(struct reader *r, yaml_node_t *node, void *into)
{
	struct option_values *v = into;
	const char *text = node_text(r, node, v->option->key);
	struct plan_value *value;

	if (!text)
		return -1;
	if (job_set(v->scratch, v->option->key, text, r->err))
		return node_err_at(r, node);
	if ((strcmp(v->option->name, "filename") == 0 ||
		strcmp(v->option->name, "directory") == 0) &&
	    check_below(r, node, v->option->name, text))
		return -1;
	for (vec_each(struct plan_value *, other, &v->option->values))
		if (strcmp(other->text, text) == 0)
			return node_err(r, node, "%s: value '%s' is listed twice",
			    v->option->key, text);
	value = vec_add(&v->option->values);
	value->text = mem_strdup(text);
	value->pos = node_pos(node);
	return 0;
}

static int
unknown_option(struct reader *r, yaml_node_t *key, yaml_node_t *value, struct job *job,
    const char *name)
{
	if (value->type == YAML_SCALAR_NODE && value->data.scalar.length == 0 &&
	    strchr("0123456789", name[0]))
		return node_err(r, key,
		    "'%s' is no option; a value with a comma needs "
		    "quotes here, as in bs: '4k,8k'",
		    name);
	job_set(job, name, "1", r->err);
	return node_err_at(r, key);
}

static int
add_option(struct reader *r, yaml_node_t *key, const char *name, yaml_node_t *node,
    plan_options *options, struct job *job)
{
	const char *known = job_option_name(name);
	struct option_values v = {.scratch = job};

	if (!known)
		return unknown_option(r, key, node, job, name);
	for (int i = 0; elsewhere[i].option; i++)
		if (strcmp(known, elsewhere[i].option) == 0)
			return node_err(r, key, "'%s' cannot be set here: %s", name,
			    elsewhere[i].why);
	for (vec_each(struct plan_option *, other, options))
		if (strcmp(other->name, known) == 0)
			return node_err(r, key,
			    strcmp(name, other->key) == 0
				? "'%s' is among the defaults, too: '%s' is "
				  "already set at line %u, column %u"
				: "'%s' is another name of '%s', which is "
				  "already set at line %u, column %u",
			    name, other->key, other->pos.line, other->pos.col);
	v.option = vec_add(options);
	v.option->name = known;
	v.option->key = mem_strdup(name);
	v.option->pos = node_pos(key);
	return node_list_or_one(r, node, v.option->key, one_value, &v);
}

int
read_option(
    struct reader *r, yaml_node_t *key, yaml_node_t *value, plan_options *options)
{
	struct job scratch;
	int rc;

	job_init(&scratch);
	rc = add_option(
	    r, key, (const char *)key->data.scalar.value, value, options, &scratch);
	job_free(&scratch);
	return rc;
}

static int
one_option(struct reader *r, yaml_node_t *key, yaml_node_t *value, void *into)
{
	return read_option(r, key, value, into);
}

int
read_default(struct reader *r, const char *name, yaml_node_t *node, void *into)
{
	struct plan *plan = into;
	struct job scratch;
	int rc;

	job_init(&scratch);
	rc = add_option(r, node, name, node, &plan->defaults, &scratch);
	job_free(&scratch);
	return rc;
}

int
read_defaults(struct reader *r, yaml_node_t *node, void *into)
{
	static const struct node_key keys[] = {{NULL, NULL, false}};
	struct plan *plan = into;

	return node_map(r, node, "defaults", keys, one_option, &plan->defaults);
}

static int
workload_name(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_workload *workload = into;

	workload->pos = node_pos(value);
	return node_name(r, value, "a workload name", &workload->name);
}

static int
workload_jobfile(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_workload *workload = into;
	const char *text = node_text(r, value, "jobfile");

	if (!text)
		return -1;
	if (!*text)
		return node_err(r, value, "jobfile: the name is empty");
	workload->jobfile = mem_strdup(text);
	workload->jobfile_pos = node_pos(value);
	return 0;
}

static int
workload_as_fio(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_workload *workload = into;

	return node_bool(r, value, "as_fio", &workload->as_fio);
}

static int
workload_ignore(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_workload *workload = into;

	return node_bool(
	    r, value, "ignore_unsupported", &workload->ignore_unsupported);
}

static int
workload_option(struct reader *r, yaml_node_t *key, yaml_node_t *value, void *into)
{
	struct plan_workload *workload = into;

	return one_option(r, key, value, &workload->options);
}

/* ---- a workload's jobs ---- */

static int
job_name(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_job *job = into;

	job->pos = node_pos(value);
	return node_name(r, value, "a job's name", &job->name);
}

static int
clients_by_name(struct reader *r, yaml_node_t *value, const char *text,
    struct plan_clients *clients)
{
	clients->kind = PLAN_CLIENTS_HOSTS;
	if (hostlist_parse(&clients->hosts, text, 0, r->err)) {
		err_prefix(r->err, "clients");
		return node_err_at(r, value);
	}
	return 0;
}

/* "70%", a number of clients, or their names. */
static int
job_clients(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_job *job = into;
	struct plan_clients *clients = &job->clients;
	const char *text = node_text(r, value, "clients");
	uint64_t count;
	char *end;

	if (!text)
		return -1;
	clients->pos = node_pos(value);
	if (strchr(text, '%') == NULL && text[strspn(text, "0123456789")] != '\0' &&
	    text[0] != '-')
		return clients_by_name(r, value, text, clients);
	if (strchr(text, '%') == NULL) {
		if (node_u64(r, value, "clients", 1, PLAN_CLIENTS_MAX, &count))
			return -1;
		clients->kind = PLAN_CLIENTS_COUNT;
		clients->count = (unsigned)count;
		return 0;
	}
	clients->kind = PLAN_CLIENTS_SHARE;
	clients->percent = strtod(text, &end);
	if (!strchr("0123456789", text[0]) || strcmp(end, "%") != 0 ||
	    !(clients->percent > 0 && clients->percent <= 100))
		return node_err(r, value,
		    "clients: '%s' is neither a number of clients nor a share of them "
		    "above 0%% and up to 100%%",
		    text);
	return 0;
}

static int
job_option(struct reader *r, yaml_node_t *key, yaml_node_t *value, void *into)
{
	struct plan_job *job = into;
	const struct plan_option *option;

	if (one_option(r, key, value, &job->options))
		return -1;
	option = &job->options.v[job->options.n - 1];
	if (option->values.n > 1)
		return node_err(r, value,
		    "%s: a job has one value; a list to sweep over belongs to the "
		    "workload",
		    option->key);
	return 0;
}

static int
one_job(struct reader *r, yaml_node_t *node, void *into)
{
	static const struct node_key keys[] = {{"name", job_name, true},
	    {"clients", job_clients, false}, {NULL, NULL, false}};
	struct plan_workload *workload = into;
	struct plan_job *job = vec_add(&workload->jobs);

	if (node_map(r, node, "a job", keys, job_option, job))
		return -1;
	for (vec_each(const struct plan_job *, other, &workload->jobs))
		if (other != job && strcmp(other->name, job->name) == 0)
			return plan_err(r->err, r->plan, job->pos,
			    "job '%s' is already defined at line %u, column %u",
			    job->name, other->pos.line, other->pos.col);
	return 0;
}

static int
check_shares(struct reader *r, const struct plan_workload *workload)
{
	double sum = 0;

	for (vec_each(const struct plan_job *, job, &workload->jobs)) {
		sum += job->clients.percent;
		if (sum > 100 + 1e-9)
			return plan_err(r->err, r->plan, job->clients.pos,
			    "workload '%s': its jobs' shares come to %g %% of the "
			    "clients",
			    workload->name, sum);
	}
	return 0;
}

static int
workload_jobs(struct reader *r, yaml_node_t *value, void *into)
{
	return node_list(r, value, "jobs", one_job, into);
}

static int
one_workload(struct reader *r, yaml_node_t *node, void *into)
{
	static const struct node_key keys[] = {{"name", workload_name, true},
	    {"jobs", workload_jobs, false}, {"jobfile", workload_jobfile, false},
	    {"as_fio", workload_as_fio, false},
	    {"ignore_unsupported", workload_ignore, false},
	    {"notes", read_notes, false}, {NULL, NULL, false}};
	struct plan *plan = into;
	struct plan_workload *workload = vec_add(&plan->workloads);

	if (node_map(r, node, "a workload", keys, workload_option, workload))
		return -1;
	if (!workload->jobfile && (workload->as_fio || workload->ignore_unsupported))
		return plan_err(r->err, plan, workload->pos,
		    "workload '%s': %s says how a job file is taken, and there is no "
		    "jobfile",
		    workload->name,
		    workload->as_fio ? "as_fio" : "ignore_unsupported");
	if (workload->jobfile && workload->jobs.n)
		return plan_err(r->err, plan, workload->jobfile_pos,
		    "workload '%s' has jobs already; a job file brings its own",
		    workload->name);
	if (check_shares(r, workload))
		return -1;
	for (vec_each(struct plan_workload *, other, &plan->workloads))
		if (other != workload && strcmp(other->name, workload->name) == 0)
			return plan_err(r->err, plan, workload->pos,
			    "workload '%s' is already defined at line %u, column %u",
			    workload->name, other->pos.line, other->pos.col);
	return 0;
}

int
read_workloads(struct reader *r, yaml_node_t *node, void *plan)
{
	return node_list(r, node, "workloads", one_workload, plan);
}
