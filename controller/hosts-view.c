/* SPDX-License-Identifier: Apache-2.0 */
/* Agents as lines of text, or as JSON with all that is known. */
#include "controller/hosts-view.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "controller/store/jtext.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"

static const char *
known(const char *text)
{
	return text ? text : "unknown";
}

static double
known_number(int64_t number)
{
	return number < 0 ? (double)NAN : (double)number;
}

/* ---- text ---- */

static void
add_nics(const struct facts *facts, struct str *ret)
{
	bool first = true;

	for (facts_each(nic, facts, "nic")) {
		int64_t speed = facts_number(nic, "speed_mbps");
		int64_t mtu = facts_number(nic, "mtu");

		if (strcmp(nic->name, "lo") == 0)
			continue;
		str_addf(ret, "%s%s", first ? "" : ",", nic->name);
		if (speed > 0)
			str_addf(ret, ":%gG", (double)speed / 1000);
		if (mtu > 0)
			str_addf(ret, "/%lld", (long long)mtu);
		first = false;
	}
	if (first)
		str_add(ret, "none");
}

static void
add_rdma(const struct facts *facts, struct str *ret)
{
	const char *separator = "  rdma ";

	for (facts_each(port, facts, "rdma")) {
		str_addf(ret, "%s%s:%s", separator, port->name,
		    known(facts_text(port, "state")));
		if (facts_text(port, "netdev"))
			str_addf(ret, "@%s", facts_text(port, "netdev"));
		separator = ",";
	}
	if (*separator == ' ')
		str_add(ret, "  no RDMA device");
	for (vec_each(char *const *, it, &facts->engines))
		if (str_starts(*it, "net-rdma: "))
			str_add(ret, "  net-rdma: not built");
}

/* Models in the order in which they come, each with how many there are. */
static size_t
add_gpus(const struct hosts_row *rows, size_t n, struct str *ret)
{
	VEC(const char *) models = {0};
	VEC(size_t) counts = {0};
	size_t all = 0;

	for (size_t i = 0; i < n; i++) {
		if (!rows[i].facts)
			continue;
		for (facts_each(gpu, rows[i].facts, "gpu")) {
			const char *model = known(facts_text(gpu, "model"));
			size_t k = 0;

			while (k < models.n && strcmp(models.v[k], model) != 0)
				k++;
			if (k == models.n) {
				vec_push(&models, model);
				vec_push(&counts, (size_t)0);
			}
			counts.v[k]++;
			all++;
		}
	}
	for (size_t k = 0; k < models.n; k++)
		str_addf(ret, "%s%zu × %s", k ? ", " : "", counts.v[k], models.v[k]);
	vec_free(&models);
	vec_free(&counts);
	return all;
}

static void
add_paths(const struct facts *facts, struct str *ret)
{
	char free_bytes[UNITS_BUF];

	for (facts_each(path, facts, "path")) {
		const char *problem = facts_text(path, "problem");
		const char *point = facts_text(path, "mount_point");
		const struct facts_thing *mount =
		    point ? facts_find(facts, "mount", point) : NULL;

		str_addf(ret, "  %s=", path->name);
		if (problem) {
			str_addf(ret, "(%s)", problem);
			continue;
		}
		str_addf(ret, "%s", known(facts_text(path, "fstype")));
		if (facts_text(mount, "transport"))
			str_addf(ret, "/%s", facts_text(mount, "transport"));
		str_addf(ret, ",%s free",
		    units_bytes(
			free_bytes, known_number(facts_number(path, "free_bytes"))));
	}
}

static void
add_clock(const struct offset *offset, struct str *ret)
{
	char clock[UNITS_BUF], bound[UNITS_BUF], rtt[UNITS_BUF];

	if (!offset->valid) {
		str_add(ret, "  clock unknown");
		return;
	}
	str_addf(ret, "  clock %s%s ± %s  rtt %s", offset->offset_ns < 0 ? "-" : "+",
	    units_ns(clock, fabs((double)offset->offset_ns)),
	    units_ns(bound, (double)offset->bound_ns),
	    units_ns(rtt, (double)offset->rtt_ns));
}

static void
add_host(const struct hosts_row *row, struct str *ret)
{
	const struct facts *facts = row->facts;
	char memory[UNITS_BUF];
	struct str gpus = {0};

	str_addf(ret, "%s  %s", row->name, row->address);
	if (!facts) {
		str_add(ret, "  (did not tell about itself)\n");
		return;
	}
	str_addf(ret, "  %s  %s  ", known(facts->version), known(facts->os));
	if (facts->cpus > 0)
		str_addf(ret, "%lld CPUs", (long long)facts->cpus);
	else
		str_add(ret, "unknown CPUs");
	str_addf(ret, "  %s", units_bytes(memory, known_number(facts->memory_bytes)));
	if (add_gpus(row, 1, &gpus))
		str_addf(ret, "  %s", gpus.s);
	str_free(&gpus);
	str_add(ret, "  nics ");
	add_nics(facts, ret);
	add_rdma(facts, ret);
	add_clock(&row->offset, ret);
	add_paths(facts, ret);
	str_addc(ret, '\n');
}

void
hosts_text(const struct hosts_row *rows, size_t n, struct str *ret)
{
	struct str gpus = {0};

	for (size_t i = 0; i < n; i++)
		add_host(&rows[i], ret);
	size_t count = add_gpus(rows, n, &gpus);
	str_addf(ret, "%zu node%s, ", n, n == 1 ? "" : "s");
	if (count)
		str_addf(ret, "%zu GPU%s (%s)\n", count, count == 1 ? "" : "s", gpus.s);
	else
		str_add(ret, "no GPUs seen\n");
	str_free(&gpus);
}

/* ---- JSON ---- */

static json_t *
jnumber(int64_t number)
{
	return number < 0 ? json_null() : json_integer(number);
}

static json_t *
things_json(const struct facts *facts)
{
	json_t *list = json_array();

	for (vec_each(const struct facts_thing *, thing, &facts->things)) {
		json_t *one = json_object();

		json_object_set_new(one, "kind", jtext(thing->kind));
		json_object_set_new(one, "name", jtext(thing->name));
		for (vec_each(const struct facts_attr *, attr, &thing->attrs))
			json_object_set_new(one, attr->key,
			    attr->text ? jtext(attr->text) : jnumber(attr->number));
		json_array_append_new(list, one);
	}
	return list;
}

static void
set_facts(json_t *host, const struct facts *facts)
{
	json_object_set_new(host, "version", jtext(facts->version));
	json_object_set_new(host, "hostname", jtext(facts->hostname));
	json_object_set_new(host, "os", jtext(facts->os));
	json_object_set_new(host, "kernel", jtext(facts->kernel));
	json_object_set_new(host, "machine_id", jtext(facts->machine_id));
	json_object_set_new(host, "cpu_model", jtext(facts->cpu_model));
	json_object_set_new(host, "cpus", jnumber(facts->cpus));
	json_object_set_new(host, "numa_nodes", jnumber(facts->numa_nodes));
	json_object_set_new(host, "memory_bytes", jnumber(facts->memory_bytes));
	json_object_set_new(host, "engines",
	    jtext_array((const char *const *)facts->engines.v, facts->engines.n));
	json_object_set_new(host, "things", things_json(facts));
}

static json_t *
host_json(const struct hosts_row *row)
{
	json_t *host = json_object();
	const struct offset *offset = &row->offset;

	json_object_set_new(host, "agent", jtext(row->name));
	json_object_set_new(host, "address", jtext(row->address));
	json_object_set_new(host, "clock_offset_ns",
	    offset->valid ? json_integer(offset->offset_ns) : json_null());
	json_object_set_new(host, "clock_bound_ns",
	    offset->valid ? json_integer((json_int_t)offset->bound_ns) : json_null());
	json_object_set_new(host, "rtt_ns",
	    offset->valid ? json_integer((json_int_t)offset->rtt_ns) : json_null());
	if (row->facts)
		set_facts(host, row->facts);
	return host;
}

void
hosts_json(const struct hosts_row *rows, size_t n, struct str *ret)
{
	json_t *root = json_object(), *list = json_array();
	struct str gpus = {0};
	size_t told = 0;

	for (size_t i = 0; i < n; i++) {
		json_array_append_new(list, host_json(&rows[i]));
		told += rows[i].facts != NULL;
	}
	json_object_set_new(root, "schema", json_string("volley.hosts"));
	json_object_set_new(root, "schema_version", json_integer(1));
	json_object_set_new(root, "nodes", json_integer((json_int_t)n));
	json_object_set_new(root, "gpus",
	    told == n ? json_integer((json_int_t)add_gpus(rows, n, &gpus))
		      : json_null());
	json_object_set_new(root, "hosts", list);
	char *text = json_dumps(root, JSON_INDENT(1));
	str_addf(ret, "%s\n", text);
	free(text);
	str_free(&gpus);
	json_decref(root);
}
