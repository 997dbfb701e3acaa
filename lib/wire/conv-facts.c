/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about a host, and the question for them.  Absent fields stay unknown.
 */
#include "lib/wire/conv-impl.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "proto/control.pb-c.h"

#define PATHS_MAX 1024u

static void
nic_free(struct facts_nic *nic)
{
	free(nic->name);
	free(nic->driver);
	free(nic->state);
}

static void
path_free(struct facts_path *path)
{
	free(path->path);
	free(path->problem);
	free(path->fstype);
	free(path->source);
	free(path->options);
}

void
facts_free(struct facts *facts)
{
	if (!facts)
		return;
	free(facts->name);
	free(facts->version);
	free(facts->hostname);
	free(facts->os);
	free(facts->kernel);
	free(facts->cpu_model);
	free(facts->machine_id);
	for (size_t i = 0; i < facts->engines.n; i++)
		free(facts->engines.v[i]);
	for (size_t i = 0; i < facts->nics.n; i++)
		nic_free(&facts->nics.v[i]);
	for (size_t i = 0; i < facts->paths.n; i++)
		path_free(&facts->paths.v[i]);
	vec_free(&facts->engines);
	vec_free(&facts->nics);
	vec_free(&facts->paths);
	free(facts);
}

struct payload
pack_facts_request(const char *const *paths, size_t n)
{
	Volley__FactsRequest msg = VOLLEY__FACTS_REQUEST__INIT;

	msg.n_path = n;
	msg.path = (char **)paths;
	return conv_pack(&msg.base);
}

int
unpack_facts_request(
    char ***ret_paths, size_t *ret_n, const uint8_t *data, size_t len, struct err *err)
{
	Volley__FactsRequest *msg = conv_unpack(
	    &volley__facts_request__descriptor, data, len, "a question for facts", err);
	int result = 0;

	*ret_paths = NULL;
	*ret_n = 0;
	if (!msg)
		return -1;
	if (msg->n_path > PATHS_MAX)
		result = err_set(err, ERR_PROTOCOL,
		    "%zu paths are asked for, of %u at most", msg->n_path, PATHS_MAX);
	for (size_t i = 0; i < msg->n_path && result == 0; i++)
		if (!*msg->path[i] || strlen(msg->path[i]) >= PATH_MAX)
			result = err_set(err, ERR_PROTOCOL, "a path of %zu bytes",
			    strlen(msg->path[i]));
	if (result == 0 && msg->n_path) {
		*ret_n = msg->n_path;
		*ret_paths = mem_array(msg->n_path, sizeof **ret_paths);
		for (size_t i = 0; i < msg->n_path; i++)
			(*ret_paths)[i] = mem_strdup(msg->path[i]);
	}
	proto_free(msg);
	return result;
}

/* −1 (unknown) is absent. */
static void
number_set(protobuf_c_boolean *ret_has, uint64_t *ret, int64_t value)
{
	*ret_has = value >= 0;
	*ret = value >= 0 ? (uint64_t)value : 0;
}

static int64_t
number_get(protobuf_c_boolean has, uint64_t value)
{
	return has && value <= INT64_MAX ? (int64_t)value : -1;
}

static Volley__FactsNic *
nic_msg_new(const struct facts_nic *nic)
{
	Volley__FactsNic *msg = mem_alloc(sizeof *msg);

	volley__facts_nic__init(msg);
	msg->name = nic->name;
	msg->driver = nic->driver;
	msg->state = nic->state;
	number_set(&msg->has_speed_mbps, &msg->speed_mbps, nic->speed_mbps);
	number_set(&msg->has_mtu, &msg->mtu, nic->mtu);
	return msg;
}

static Volley__FactsPath *
path_msg_new(const struct facts_path *path)
{
	Volley__FactsPath *msg = mem_alloc(sizeof *msg);

	volley__facts_path__init(msg);
	msg->path = path->path;
	msg->problem = path->problem;
	msg->fstype = path->fstype;
	msg->source = path->source;
	msg->options = path->options;
	number_set(&msg->has_free_bytes, &msg->free_bytes, path->free_bytes);
	number_set(&msg->has_total_bytes, &msg->total_bytes, path->total_bytes);
	return msg;
}

/* The messages borrow the facts' text. */
struct payload
pack_facts(const struct facts *facts)
{
	Volley__Facts msg = VOLLEY__FACTS__INIT;
	struct payload payload;

	msg.name = facts->name;
	msg.version = facts->version;
	msg.hostname = facts->hostname;
	msg.os = facts->os;
	msg.kernel = facts->kernel;
	msg.cpu_model = facts->cpu_model;
	msg.machine_id = facts->machine_id;
	number_set(&msg.has_cpus, &msg.cpus, facts->cpus);
	number_set(&msg.has_numa_nodes, &msg.numa_nodes, facts->numa_nodes);
	number_set(&msg.has_memory_bytes, &msg.memory_bytes, facts->memory_bytes);
	msg.n_engine = facts->engines.n;
	msg.engine = facts->engines.v;
	msg.n_nic = facts->nics.n;
	msg.nic = mem_array(facts->nics.n + 1, sizeof *msg.nic);
	for (size_t i = 0; i < facts->nics.n; i++)
		msg.nic[i] = nic_msg_new(&facts->nics.v[i]);
	msg.n_path = facts->paths.n;
	msg.path = mem_array(facts->paths.n + 1, sizeof *msg.path);
	for (size_t i = 0; i < facts->paths.n; i++)
		msg.path[i] = path_msg_new(&facts->paths.v[i]);
	payload = conv_pack(&msg.base);
	for (size_t i = 0; i < msg.n_nic; i++)
		free(msg.nic[i]);
	for (size_t i = 0; i < msg.n_path; i++)
		free(msg.path[i]);
	free(msg.nic);
	free(msg.path);
	return payload;
}

static void
lists_take(struct facts *ret, const Volley__Facts *msg)
{
	for (size_t i = 0; i < msg->n_engine; i++)
		vec_push(&ret->engines, conv_text(msg->engine[i]));
	for (size_t i = 0; i < msg->n_nic; i++) {
		const Volley__FactsNic *nic = msg->nic[i];

		vec_push(&ret->nics,
		    ((struct facts_nic){
			.name = conv_text(nic->name),
			.driver = conv_text(nic->driver),
			.speed_mbps = number_get(nic->has_speed_mbps, nic->speed_mbps),
			.mtu = number_get(nic->has_mtu, nic->mtu),
			.state = conv_text(nic->state),
		    }));
	}
	for (size_t i = 0; i < msg->n_path; i++) {
		const Volley__FactsPath *path = msg->path[i];

		vec_push(&ret->paths, ((struct facts_path){
					  .path = conv_text(path->path),
					  .problem = conv_text(path->problem),
					  .fstype = conv_text(path->fstype),
					  .source = conv_text(path->source),
					  .options = conv_text(path->options),
					  .free_bytes = number_get(
					      path->has_free_bytes, path->free_bytes),
					  .total_bytes = number_get(
					      path->has_total_bytes, path->total_bytes),
				      }));
	}
}

int
unpack_facts(struct facts **ret, const uint8_t *data, size_t len, struct err *err)
{
	Volley__Facts *msg =
	    conv_unpack(&volley__facts__descriptor, data, len, "facts", err);
	struct facts *facts;

	*ret = NULL;
	if (!msg)
		return -1;
	facts = mem_alloc(sizeof *facts);
	facts->name = conv_text(msg->name);
	facts->version = conv_text(msg->version);
	facts->hostname = conv_text(msg->hostname);
	facts->os = conv_text(msg->os);
	facts->kernel = conv_text(msg->kernel);
	facts->cpu_model = conv_text(msg->cpu_model);
	facts->machine_id = conv_text(msg->machine_id);
	facts->cpus = number_get(msg->has_cpus, msg->cpus);
	facts->numa_nodes = number_get(msg->has_numa_nodes, msg->numa_nodes);
	facts->memory_bytes = number_get(msg->has_memory_bytes, msg->memory_bytes);
	lists_take(facts, msg);
	proto_free(msg);
	*ret = facts;
	return 0;
}
