/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The top-level keys of a plan, and the checks that need the whole plan.
 */
#include "controller/plan/node.h"

#include <string.h>

#include "lib/base/hostlist.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/units.h"
#include "lib/work/option.h"

#define DEFAULT_PORT 7411

static int
read_name(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan *plan = into;

	return node_name(r, node, "the plan's name", &plan->name);
}

static int
one_client_count(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan *plan = into;
	uint64_t n;

	if (node_u64(r, node, "clients", 1, PLAN_CLIENTS_MAX, &n))
		return -1;
	for (vec_each(unsigned *, other, &plan->clients))
		if (*other == n)
			return node_err(r, node, "clients: %u is listed twice", *other);
	vec_push(&plan->clients, (unsigned)n);
	return 0;
}

static int
read_clients(struct reader *r, yaml_node_t *node, void *into)
{
	return node_list_or_one(r, node, "clients", one_client_count, into);
}

static int
unknown_transport(struct reader *r, yaml_node_t *node, const char *text)
{
	const char *names[TRANSPORT_COUNT], *near;

	for (int t = 0; t < TRANSPORT_COUNT; t++)
		names[t] = transport_name((enum transport)t);
	near = str_nearest(text, names, TRANSPORT_COUNT);
	if (near)
		return node_err(
		    r, node, "unknown transport '%s'; did you mean '%s'?", text, near);
	return node_err(r, node, "unknown transport '%s' (tcp, rdma or local)", text);
}

static int
one_transport(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan *plan = into;
	const char *text = node_text(r, node, "transports");
	enum transport transport;

	if (!text)
		return -1;
	if (!transport_parse(text, &transport))
		return unknown_transport(r, node, text);
	for (vec_each(enum transport *, other, &plan->transports))
		if (*other == transport)
			return node_err(
			    r, node, "transport '%s' is listed twice", text);
	r->transport_pos[transport] = node_pos(node);
	vec_push(&plan->transports, transport);
	return 0;
}

static int
read_transports(struct reader *r, yaml_node_t *node, void *into)
{
	r->transports_given = true;
	return node_list_or_one(r, node, "transports", one_transport, into);
}

static int
repeat_min(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan_repeat *repeat = into;
	uint64_t n;

	if (node_u64(r, node, "min", 1, PLAN_REPEAT_MAX, &n))
		return -1;
	repeat->min = (unsigned)n;
	return 0;
}

static int
repeat_max(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan_repeat *repeat = into;
	uint64_t n;

	if (node_u64(r, node, "max", 1, PLAN_REPEAT_MAX, &n))
		return -1;
	repeat->max = (unsigned)n;
	return 0;
}

static int
repeat_until(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan_repeat *repeat = into;
	const char *text = node_text(r, node, "until_rsd");

	if (!text)
		return -1;
	if (units_parse_percent(text, &repeat->until_rsd, r->err)) {
		err_prefix(r->err, "until_rsd");
		return node_err_at(r, node);
	}
	if (!(repeat->until_rsd > 0))
		return node_err(r, node, "until_rsd must be more than 0");
	return 0;
}

static int
read_repeat(struct reader *r, yaml_node_t *node, void *into)
{
	static const struct node_key keys[] = {{"min", repeat_min, true},
	    {"max", repeat_max, true}, {"until_rsd", repeat_until, true},
	    {NULL, NULL, false}};
	struct plan *plan = into;
	struct plan_repeat *repeat = &plan->repeat;
	uint64_t n;

	if (node->type != YAML_MAPPING_NODE) {
		if (node_u64(r, node, "repeat", 1, PLAN_REPEAT_MAX, &n))
			return -1;
		repeat->min = repeat->max = (unsigned)n;
		return 0;
	}
	if (node_map(r, node, "repeat", keys, NULL, repeat))
		return -1;
	if (repeat->min < 2)
		return node_err(r, node,
		    "repeat: min must be at least 2, since one value "
		    "has no spread");
	if (repeat->min > repeat->max)
		return node_err(r, node, "repeat: min (%u) is larger than max (%u)",
		    repeat->min, repeat->max);
	return 0;
}

static int
read_order(struct reader *r, yaml_node_t *node, void *into)
{
	static const struct word orders[] = {
	    {"abba", PLAN_ABBA}, {"blocks", PLAN_BLOCKS}, {NULL, 0}};
	struct plan *plan = into;
	const char *text = node_text(r, node, "order");
	int order;

	if (!text)
		return -1;
	if (option_word_parse(orders, text, &order, r->err)) {
		err_prefix(r->err, "order");
		return node_err_at(r, node);
	}
	plan->order = order;
	return 0;
}

/* Entries are checked one by one, so that the error points at the right one. */
static int
one_agent(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan *plan = into;
	const char *text = node_text(r, node, "agents");
	struct hostlist hosts = {0};
	char *joined;
	int rc;

	if (!text)
		return -1;
	rc = hostlist_parse(&hosts, text, DEFAULT_PORT, r->err);
	hostlist_free(&hosts);
	if (rc) {
		err_prefix(r->err, "agents");
		return node_err_at(r, node);
	}
	joined =
	    plan->agents ? mem_printf("%s,%s", plan->agents, text) : mem_strdup(text);
	free(plan->agents);
	plan->agents = joined;
	return 0;
}

static int
read_agents(struct reader *r, yaml_node_t *node, void *into)
{
	return node_list_or_one(r, node, "agents", one_agent, into);
}

static int
read_seed(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan *plan = into;

	plan->has_seed = true;
	return node_u64(r, node, "seed", 0, UINT64_MAX, &plan->seed);
}

static int
read_skew(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan *plan = into;

	return node_time(r, node, "max_skew", &plan->max_skew_ns);
}

static int
read_deadline(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan *plan = into;

	return node_time(r, node, "deadline", &plan->deadline_ns);
}

static int
one_threshold(struct reader *r, yaml_node_t *key, yaml_node_t *value, void *into)
{
	struct plan *plan = into;
	const char *name = node_text(r, key, "a threshold's name");
	const char *text = name ? node_text(r, value, name) : NULL;

	if (!text)
		return -1;
	*vec_add(&plan->thresholds) = (struct plan_threshold){
	    mem_printf("%s=%s", name, text), node_pos(value)};
	return 0;
}

static int
read_thresholds(struct reader *r, yaml_node_t *node, void *into)
{
	static const struct node_key none[] = {{NULL, NULL, false}};

	return node_map(r, node, "thresholds", none, one_threshold, into);
}

static int
read_precondition(struct reader *r, yaml_node_t *node, void *into)
{
	(void)into;
	return node_err(r, node, "'precondition' is reserved for a later version");
}

/* Of all workloads that do not say otherwise: one of the defaults. */
static int
read_runner(struct reader *r, yaml_node_t *node, void *into)
{
	return read_default(r, "runner", node, into);
}

static const struct node_key top_keys[] = {{"plan", read_name, true},
    {"storage", read_storages, true}, {"client", read_client, false},
    {"clients", read_clients, true}, {"transports", read_transports, false},
    {"repeat", read_repeat, false}, {"order", read_order, false},
    {"defaults", read_defaults, false}, {"workloads", read_workloads, true},
    {"per_client", read_per_client, false},
    {"agents", read_agents, false}, {"seed", read_seed, false},
    {"max_skew", read_skew, false}, {"deadline", read_deadline, false},
    {"precondition", read_precondition, false}, {"runner", read_runner, false},
    {"thresholds", read_thresholds, false}, {"fabric", read_fabric, false},
    {NULL, NULL, false}};

/* The whole */

static bool
any_path(const struct plan *plan, enum transport transport)
{
	for (vec_each(const struct plan_storage *, storage, &plan->storages))
		if (storage->paths[transport].path)
			return true;
	return false;
}

/* Without transports: all that a storage has a path for. */
static int
check_transports(struct reader *r)
{
	struct plan *plan = r->plan;

	for (int t = 0; t < TRANSPORT_COUNT && !r->transports_given; t++)
		if (any_path(plan, (enum transport)t))
			vec_push(&plan->transports, (enum transport)t);
	for (vec_each(enum transport *, t, &plan->transports))
		if (!any_path(plan, *t))
			return plan_err(r->err, plan, r->transport_pos[*t],
			    "no storage has a path for transport '%s'",
			    transport_name(*t));
	for (vec_each(struct plan_storage *, storage, &plan->storages)) {
		bool used = false;

		for (vec_each(enum transport *, t, &plan->transports))
			used = used || storage->paths[*t].path;
		if (!used)
			return plan_err(r->err, plan, storage->pos,
			    "storage '%s' has no path for any of the plan's transports",
			    storage->name);
	}
	return 0;
}

static bool
sets(const plan_options *options, const char *name)
{
	for (vec_each(const struct plan_option *, option, options))
		if (strcmp(option->name, name) == 0)
			return true;
	return false;
}

/* Or each of its jobs has one. */
static bool
has_size(const struct plan_workload *workload)
{
	bool all = workload->jobs.n > 0;

	for (vec_each(const struct plan_job *, job, &workload->jobs))
		all = all && sets(&job->options, "size");
	return all || sets(&workload->options, "size");
}

static int
check_workloads(struct reader *r)
{
	struct plan *plan = r->plan;

	for (vec_each(struct plan_workload *, w, &plan->workloads))
		if (!w->jobfile && !sets(&plan->defaults, "size") &&
		    !has_size(w))
			return plan_err(r->err, plan, w->pos,
			    "workload '%s' has no size "
			    "(set it there or in defaults)",
			    w->name);
	return 0;
}

int
read_plan(struct reader *r)
{
	yaml_node_t *root = yaml_document_get_root_node(&r->doc);

	if (!root)
		return plan_err(
		    r->err, r->plan, (struct plan_pos){1, 1}, "the plan is empty");
	if (node_map(r, root, "the plan", top_keys, NULL, r->plan))
		return -1;
	if (check_transports(r) || check_workloads(r))
		return -1;
	return 0;
}
