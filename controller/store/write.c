/* SPDX-License-Identifier: Apache-2.0 */
/* A run's own rows: plan, run, host facts, cases.  Attempts are in save.c. */
#include "controller/store/db.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/store/jtext.h"
#include "controller/store/job.h"
#include "controller/store/note.h"
#include "lib/base/rng.h"
#include "lib/wire/facts.h"

void
stmt_json(struct stmt *stmt, json_t *json, char **ret_text)
{
	*ret_text = json_dumps(json, JSON_COMPACT);
	json_decref(json);
	stmt_text(stmt, *ret_text);
}

static int
put_plan(
    struct store *store, const struct store_run *run, int64_t *ret_id, struct err *err)
{
	struct stmt stmt;
	char hash[24];
	int result = -1;

	snprintf(hash, sizeof hash, "%016" PRIx64,
	    hash_fnv1a(run->plan_text, strlen(run->plan_text)));
	if (stmt_open(&stmt, store,
		"INSERT INTO plan(hash, name, text) VALUES(?, ?, ?)"
		" ON CONFLICT(hash) DO UPDATE SET name = name RETURNING id",
		err) == 0) {
		stmt_text(&stmt, hash);
		stmt_text(&stmt, run->plan);
		stmt_text(&stmt, run->plan_text);
		result = stmt_row(&stmt, err);
		if (result == 1)
			*ret_id = col_int(&stmt);
	}
	stmt_close(&stmt);
	return result == 1 ? 0 : -1;
}

static int
put_run(struct store *store, const struct store_run *run, int64_t plan, struct err *err)
{
	struct stmt stmt;
	char *arguments = NULL, *hosts = NULL, seed[24];
	int result = -1;

	snprintf(seed, sizeof seed, "%" PRIu64, run->seed);
	if (stmt_open(&stmt, store,
		"INSERT INTO run(plan, generator, arguments, seed, hosts,"
		" started_wall_ns) VALUES(?, ?, ?, ?, ?, ?)",
		err) == 0) {
		stmt_int(&stmt, plan);
		stmt_text(&stmt, run->generator);
		stmt_json(
		    &stmt, jtext_array(run->arguments, run->narguments), &arguments);
		stmt_text(&stmt, seed);
		stmt_json(&stmt, jtext_array(run->hosts, run->nhosts), &hosts);
		stmt_u64(&stmt, run->started_wall_ns);
		result = stmt_run(&stmt, err);
	}
	stmt_close(&stmt);
	free(arguments);
	free(hosts);
	return result;
}

int
store_begin_run(struct store *store, const struct store_run *run, struct err *err)
{
	int64_t plan = 0;
	int result = db_begin(store, err);

	if (result == 0)
		result = put_plan(store, run, &plan, err);
	if (result == 0)
		result = put_run(store, run, plan, err);
	if (result == 0)
		store->run = sqlite3_last_insert_rowid(store->db);
	return db_finish(store, result, err);
}

int
store_end_run(struct store *store, uint64_t ended_wall_ns, struct err *err)
{
	struct stmt stmt;
	int result = -1;

	if (stmt_open(&stmt, store, "UPDATE run SET ended_wall_ns = ? WHERE id = ?",
		err) == 0) {
		stmt_u64(&stmt, ended_wall_ns);
		stmt_int(&stmt, store->run);
		result = stmt_run(&stmt, err);
	}
	stmt_close(&stmt);
	return result;
}

/* Rows of host_fact, counted up. */
struct fact_rows {
	struct stmt stmt;
	int64_t run;
	const char *agent;
	int64_t position;
	int result;
	struct err *err;
};

static void
fact_begin(struct fact_rows *rows, const char *name)
{
	stmt_int(&rows->stmt, rows->run);
	stmt_text(&rows->stmt, rows->agent);
	stmt_int(&rows->stmt, rows->position++);
	stmt_text(&rows->stmt, name);
}

static void
fact_text(struct fact_rows *rows, const char *name, const char *value)
{
	if (rows->result != 0)
		return;
	fact_begin(rows, name);
	stmt_text(&rows->stmt, value);
	rows->result = stmt_run(&rows->stmt, rows->err);
}

static void
fact_number(struct fact_rows *rows, const char *name, int64_t value)
{
	if (rows->result != 0)
		return;
	fact_begin(rows, name);
	stmt_int_or_null(&rows->stmt, value >= 0, value);
	rows->result = stmt_run(&rows->stmt, rows->err);
}

/* "nic.eth0.mtu" */
static void
put_things(struct fact_rows *rows, const struct facts *facts)
{
	for (vec_each(char *const *, engine, &facts->engines))
		fact_text(rows, "engine", *engine);
	for (vec_each(const struct facts_thing *, thing, &facts->things))
		for (vec_each(const struct facts_attr *, attr, &thing->attrs)) {
			char *name = mem_printf(
			    "%s.%s.%s", thing->kind, thing->name, attr->key);
			if (attr->text)
				fact_text(rows, name, attr->text);
			else
				fact_number(rows, name, attr->number);
			free(name);
		}
}

static int
drop_facts(struct store *store, const char *agent, struct err *err)
{
	struct stmt stmt;
	int result = -1;

	if (stmt_open(&stmt, store, "DELETE FROM host_fact WHERE run = ? AND agent = ?",
		err) == 0) {
		stmt_int(&stmt, store->run);
		stmt_text(&stmt, agent);
		result = stmt_run(&stmt, err);
	}
	stmt_close(&stmt);
	return result;
}

/* Told again within a run (after a reconnect), the later facts stand. */
static int
replace_facts(struct store *store, const struct facts *facts, struct err *err)
{
	struct fact_rows rows = {.run = store->run, .agent = facts->name, .err = err};

	if (drop_facts(store, facts->name, err) != 0)
		return -1;
	if (stmt_open(&rows.stmt, store, "INSERT INTO host_fact VALUES(?, ?, ?, ?, ?)",
		err) != 0) {
		stmt_close(&rows.stmt);
		return -1;
	}
	fact_text(&rows, "version", facts->version);
	fact_text(&rows, "hostname", facts->hostname);
	fact_text(&rows, "os", facts->os);
	fact_text(&rows, "kernel", facts->kernel);
	fact_text(&rows, "machine_id", facts->machine_id);
	fact_text(&rows, "cpu_model", facts->cpu_model);
	fact_number(&rows, "cpus", facts->cpus);
	fact_number(&rows, "numa_nodes", facts->numa_nodes);
	fact_number(&rows, "memory_bytes", facts->memory_bytes);
	put_things(&rows, facts);
	stmt_close(&rows.stmt);
	return rows.result;
}

int
store_put_facts(struct store *store, const struct facts *facts, struct err *err)
{
	int result = db_begin(store, err);

	if (result == 0)
		result = replace_facts(store, facts, err);
	return db_finish(store, result, err);
}

/* {"bs": 1048576, "rw": "read"}: whole numbers as numbers, the rest as text. */
json_t *
params_json(const results_params *params)
{
	json_t *ret = json_object();

	for (vec_each(const struct results_param *, param, params)) {
		char *end = param->value;
		long long number = 0;

		errno = 0;
		if (param->is_number)
			number = strtoll(param->value, &end, 10);
		json_object_set_new(ret, param->name,
		    *param->value && *end == '\0' && end != param->value && errno == 0
			? json_integer(number)
			: jtext(param->value));
	}
	return ret;
}

static json_t *
axes_json(const struct results_case *c)
{
	json_t *ret = json_array();

	for (vec_each(const struct results_param *, param, &c->params))
		if (param->is_axis)
			json_array_append_new(ret, jtext(param->name));
	return ret;
}

static int
put_case_row(struct store *store, const struct results_case *c, struct err *err)
{
	struct stmt stmt;
	char *params = NULL, *axes = NULL;
	int result = -1;

	if (stmt_open(&stmt, store,
		"INSERT INTO \"case\" VALUES(?, (SELECT ifnull(max(position), 0) + 1"
		" FROM \"case\"), ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO NOTHING",
		err) == 0) {
		stmt_text(&stmt, c->id);
		stmt_text(&stmt, c->storage);
		stmt_text(&stmt, c->transport);
		stmt_text(&stmt, c->path);
		stmt_text(&stmt, c->workload);
		stmt_int(&stmt, c->clients);
		stmt_json(&stmt, params_json(&c->params), &params);
		stmt_json(&stmt, axes_json(c), &axes);
		stmt_text(&stmt, c->job_text);
		result = stmt_run(&stmt, err);
	}
	stmt_close(&stmt);
	free(params);
	free(axes);
	return result;
}

int
store_put_case(struct store *store, const struct results_case *c, struct err *err)
{
	int result = db_begin(store, err);

	if (result == 0)
		result = put_case_row(store, c, err);
	if (result == 0)
		result = notes_save(store, c, err);
	if (result == 0)
		result = case_jobs_save(store, c, err);
	return db_finish(store, result, err);
}

int
store_begin_batch(struct store *store, struct err *err)
{
	int result = db_begin(store, err);

	store->batch = result == 0;
	return result;
}

int
store_end_batch(struct store *store, int result, struct err *err)
{
	store->batch = false;
	return db_finish(store, result, err);
}
