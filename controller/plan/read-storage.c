/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The keys storage: and client:, i.e. what is measured and from where: paths,
 * links, and free facts that only reports use.
 */
#include "controller/plan/node.h"

#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/units.h"
#include "lib/work/job-net.h"

/* Links */

static int
links_count(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_links *links = into;
	uint64_t v;

	if (node_u64(r, value, "count", 1, 1024, &v))
		return -1;
	links->count = (unsigned)v;
	return 0;
}

static int
links_mtu(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_links *links = into;
	uint64_t v;

	if (node_u64(r, value, "mtu", 68, 65536, &v))
		return -1;
	links->mtu = (unsigned)v;
	return 0;
}

static int
links_speed(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_links *links = into;
	const char *text = node_text(r, value, "speed");

	if (!text)
		return -1;
	if (units_parse_link(text, &links->bits_per_s, r->err)) {
		err_prefix(r->err, "speed");
		return node_err_at(r, value);
	}
	return 0;
}

static int
read_links(struct reader *r, yaml_node_t *node, struct plan_links *links)
{
	static const struct node_key keys[] = {{"count", links_count, false},
	    {"speed", links_speed, true}, {"mtu", links_mtu, false},
	    {NULL, NULL, false}};

	links->count = 1;
	return node_map(r, node, "links", keys, NULL, links);
}

/* Facts */

static const struct node_key no_keys[] = {{NULL, NULL, false}};

static int
one_fact(struct reader *r, yaml_node_t *key, yaml_node_t *value, void *into)
{
	plan_facts *facts = into;
	struct plan_fact *fact = vec_add(facts);

	if (node_strdup(r, key, "a fact's name", &fact->name))
		return -1;
	return node_strdup(r, value, fact->name, &fact->value);
}

static int
read_facts(struct reader *r, yaml_node_t *node, plan_facts *facts)
{
	return node_map(r, node, "facts", no_keys, one_fact, facts);
}

/* Paths */

/* A target of volley's own instead of a storage. */
static int
path_url(struct reader *r, yaml_node_t *value, const char *text)
{
	struct net_url url;
	int rc = net_url_parse(&url, text, r->err);

	net_url_free(&url);
	return rc ? node_err_at(r, value) : 0;
}

/* "/mnt" of "/mnt/one-${client}/data"; NULL: the name does not occur. */
static char *
above_client(const char *path)
{
	const char *name = strstr(path, PLAN_CLIENT);

	while (name && name > path && *name != '/')
		name--;
	return name ? mem_strndup(path, name == path ? 1 : (size_t)(name - path)) : NULL;
}

static int
path_path(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_path *path = into;

	if (node_strdup(r, value, "a path", &path->path))
		return -1;
	path->pos = node_pos(value);
	if (net_url_is(path->path))
		return path_url(r, value, path->path);
	if (path->path[0] != '/')
		return node_err(r, value, "path '%s' is relative; it must start with /",
		    path->path);
	for (const char *s = path->path; (s = strstr(s, "/..")); s += 3)
		if (s[3] == '/' || s[3] == '\0')
			return node_err(
			    r, value, "path '%s' must not hold '..'", path->path);
	for (size_t n = strlen(path->path); n > 1 && path->path[n - 1] == '/'; n--)
		path->path[n - 1] = '\0';
	path->above = above_client(path->path);
	if (strcmp(path->path, "/") == 0)
		return node_err(r, value,
		    "path '/' is the root of the client itself; "
		    "name a folder or a block device");
	return 0;
}

static int
path_links(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_path *path = into;

	return read_links(r, value, &path->links);
}

static int
path_facts(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_path *path = into;

	return read_facts(r, value, &path->facts);
}

static int
read_path(struct reader *r, yaml_node_t *node, struct plan_path *path)
{
	static const struct node_key keys[] = {{"path", path_path, true},
	    {"links", path_links, false}, {"facts", path_facts, false},
	    {"require", read_path_require, false}, {"setup", read_path_setup, false},
	    {"teardown", read_path_teardown, false},
	    {"timeout", read_path_timeout, false}, {NULL, NULL, false}};

	if (node->type == YAML_MAPPING_NODE)
		return node_map(r, node, "a path", keys, NULL, path);
	return path_path(r, node, path);
}

static int
path_tcp(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_storage *storage = into;

	return read_path(r, value, &storage->paths[TRANSPORT_TCP]);
}

static int
path_rdma(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_storage *storage = into;

	return read_path(r, value, &storage->paths[TRANSPORT_RDMA]);
}

static int
path_local(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_storage *storage = into;

	return read_path(r, value, &storage->paths[TRANSPORT_LOCAL]);
}

/* Storage */

static int
storage_name(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_storage *storage = into;

	storage->pos = node_pos(value);
	return node_name(r, value, "a storage name", &storage->name);
}

/* The URL says the transport, too. */
static int
check_scheme(
    struct reader *r, const struct plan_storage *storage, enum transport transport)
{
	const char *path = storage->paths[transport].path;
	const struct plan_require *require = &storage->paths[transport].require;
	bool rdma = path && str_starts(path, "volley+rdma:");

	if (path && net_url_is(path) && (require->fstype || require->options.n))
		return plan_err(r->err, r->plan, storage->paths[transport].pos,
		    "'%s' is a target and no mount, so require says nothing of it", path);
	if (!path || !net_url_is(path) ||
	    (transport != TRANSPORT_LOCAL && rdma == (transport == TRANSPORT_RDMA)))
		return 0;
	return plan_err(r->err, r->plan, storage->paths[transport].pos,
	    "'%s' is a path of transport %s, not of %s", path, rdma ? "rdma" : "tcp",
	    transport_name(transport));
}

static int
storage_paths(struct reader *r, yaml_node_t *value, void *into)
{
	static const struct node_key keys[] = {{"tcp", path_tcp, false},
	    {"rdma", path_rdma, false}, {"local", path_local, false},
	    {NULL, NULL, false}};
	struct plan_storage *storage = into;

	if (node_map(r, value, "paths", keys, NULL, into))
		return -1;
	for (int t = 0; t < TRANSPORT_COUNT; t++)
		if (check_scheme(r, storage, (enum transport)t))
			return -1;
	for (int t = 0; t < TRANSPORT_COUNT; t++)
		if (storage->paths[t].path)
			return 0;
	return node_err(r, value, "paths is empty (tcp, rdma or local)");
}

static int
storage_links(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_storage *storage = into;

	return read_links(r, value, &storage->links);
}

/* The only fact that volley reckons with is the cache. */
static int
one_storage_fact(struct reader *r, yaml_node_t *key, yaml_node_t *value, void *into)
{
	struct plan_storage *storage = into;

	if (one_fact(r, key, value, &storage->facts))
		return -1;
	if (strcmp(storage->facts.v[storage->facts.n - 1].name, "cache") != 0)
		return 0;
	storage->has_cache = true;
	return node_bytes(r, value, "cache", &storage->cache_bytes);
}

static int
storage_facts(struct reader *r, yaml_node_t *value, void *into)
{
	return node_map(r, value, "facts", no_keys, one_storage_fact, into);
}

static int
storage_layout(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_storage *storage = into;
	const char *text = node_text(r, value, "layout");
	struct job job;
	int rc;

	if (!text)
		return -1;
	job_init(&job);
	rc = job_set(&job, "layout", text, r->err);
	storage->layout = job.layout;
	storage->has_layout = true;
	job_free(&job);
	return rc ? node_err_at(r, value) : 0;
}

/* A file of the controller's; it is read when the plan runs. */
static int
storage_key(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_storage *storage = into;

	return node_strdup(r, value, "a key file", &storage->key_file);
}

static bool
has_url(const struct plan_storage *storage)
{
	for (int t = 0; t < TRANSPORT_COUNT; t++)
		if (storage->paths[t].path && net_url_is(storage->paths[t].path))
			return true;
	return false;
}

static int
check_key(struct reader *r, const struct plan_storage *storage)
{
	if (has_url(storage) == (storage->key_file != NULL))
		return 0;
	return plan_err(r->err, r->plan, storage->pos,
	    storage->key_file
		? "storage '%s' has a key, but no volley:// path that it is for"
		: "storage '%s' has a volley:// path and needs key: the file with the "
		  "target's key",
	    storage->name);
}

static int
one_storage(struct reader *r, yaml_node_t *node, void *into)
{
	static const struct node_key keys[] = {{"name", storage_name, true},
	    {"paths", storage_paths, true}, {"links", storage_links, false},
	    {"facts", storage_facts, false}, {"layout", storage_layout, false},
	    {"key", storage_key, false}, {NULL, NULL, false}};
	struct plan *plan = into;
	struct plan_storage *storage = vec_add(&plan->storages);

	if (node_map(r, node, "a storage", keys, NULL, storage) || check_key(r, storage))
		return -1;
	if (strcmp(storage->name, "fabric") == 0)
		return plan_err(r->err, plan, storage->pos,
		    "storage 'fabric': results of the fabric have this name");
	for (vec_each(struct plan_storage *, other, &plan->storages))
		if (other != storage && strcmp(other->name, storage->name) == 0)
			return plan_err(r->err, plan, storage->pos,
			    "storage '%s' is already defined at line %u, column %u",
			    storage->name, other->pos.line, other->pos.col);
	return 0;
}

int
read_storages(struct reader *r, yaml_node_t *node, void *plan)
{
	return node_list(r, node, "storage", one_storage, plan);
}

/* Client */

static int
client_links(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan *plan = into;

	return read_links(r, value, &plan->client_links);
}

static int
client_memory(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan *plan = into;

	if (node_bytes(r, value, "memory", &plan->client_memory))
		return -1;
	if (plan->client_memory == 0)
		return node_err(r, value, "memory must be more than 0");
	plan->has_client_memory = true;
	return 0;
}

static int
client_facts(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan *plan = into;

	return read_facts(r, value, &plan->client_facts);
}

int
read_client(struct reader *r, yaml_node_t *node, void *plan)
{
	static const struct node_key keys[] = {{"links", client_links, false},
	    {"memory", client_memory, false}, {"facts", client_facts, false},
	    {NULL, NULL, false}};

	return node_map(r, node, "client", keys, NULL, plan);
}
