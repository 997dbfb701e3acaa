/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The key per_client: what differs from client to client.  Only where the I/O goes and
 * where it runs can: what the load is stays the same for all who run a job.
 */
#include "controller/plan/node.h"

#include <string.h>

#include "lib/base/mem.h"

static const char *const allowed[] = {"directory", "filename", "cpus_allowed",
    "cpus_allowed_policy", "numa_cpu_nodes", "numa_mem_policy", "nice", "prio",
    "prioclass", "user", "hostname", "port", "rdma_device", "rdma_gid_index", NULL};

static int
client_hosts(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_per_client *entry = into;
	const char *text = node_text(r, value, "hosts");

	if (!text)
		return -1;
	entry->pos = node_pos(value);
	if (hostlist_parse(&entry->hosts, text, 0, r->err)) {
		err_prefix(r->err, "hosts");
		return node_err_at(r, value);
	}
	return 0;
}

static int
client_option(struct reader *r, yaml_node_t *key, yaml_node_t *value, void *into)
{
	struct plan_per_client *entry = into;
	const struct plan_option *option;
	size_t i = 0;

	if (read_option(r, key, value, &entry->options))
		return -1;
	option = &entry->options.v[entry->options.n - 1];
	while (allowed[i] && strcmp(allowed[i], option->name) != 0)
		i++;
	if (!allowed[i])
		return node_err(r, key,
		    "'%s' is the same for all clients of a job; jobs of a workload can "
		    "differ in it",
		    option->key);
	if (option->values.n > 1)
		return node_err(r, value, "%s: a client has one value", option->key);
	return 0;
}

static int
one_entry(struct reader *r, yaml_node_t *node, void *into)
{
	static const struct node_key keys[] = {
	    {"hosts", client_hosts, true}, {NULL, NULL, false}};
	struct plan *plan = into;

	return node_map(r, node, "an entry of per_client", keys, client_option,
	    vec_add(&plan->per_client));
}

int
read_per_client(struct reader *r, yaml_node_t *node, void *plan)
{
	return node_list(r, node, "per_client", one_entry, plan);
}
