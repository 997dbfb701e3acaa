/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The keys defaults: and workloads:.  Options are checked value by value as the
 * job itself would take them, so a bad one is reported where it stands.
 */
#include "controller/plan/node.h"

#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"

/* Options that a plan sets in another way. */
static const struct {
	const char *option, *why;
} elsewhere[] = {
    {"directory", "the directory is the storage's path"},
    {"name", "defaults have no name"},
    {NULL, NULL},
};

struct option_values {
	struct plan_option *option;
	struct job *scratch;
};

static int
check_filename(struct reader *r, yaml_node_t *value, const char *text)
{
	if (text[0] == '/')
		return node_err(r, value,
		    "filename '%s' is absolute; it is taken below the "
		    "storage's path",
		    text);
	if (strcmp(text, "..") == 0 || str_starts(text, "../") ||
	    strstr(text, "/../") ||
	    (strlen(text) > 3 && strcmp(text + strlen(text) - 3, "/..") == 0))
		return node_err(r, value, "filename '%s' must not hold '..'", text);
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
	if (strcmp(v->option->name, "filename") == 0 && check_filename(r, node, text))
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

static int
one_option(struct reader *r, yaml_node_t *key, yaml_node_t *value, void *into)
{
	struct job scratch;
	int rc;

	job_init(&scratch);
	rc = add_option(
	    r, key, (const char *)key->data.scalar.value, value, into, &scratch);
	job_free(&scratch);
	return rc;
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

static int
one_workload(struct reader *r, yaml_node_t *node, void *into)
{
	static const struct node_key keys[] = {{"name", workload_name, true},
	    {"jobfile", workload_jobfile, false}, {"as_fio", workload_as_fio, false},
	    {"ignore_unsupported", workload_ignore, false}, {NULL, NULL, false}};
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
