/* SPDX-License-Identifier: Apache-2.0 */
/* What a file holds, without its figures: states, the list of cases, the head. */
#include "controller/store/db.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
col_id(struct stmt *stmt, char ret[17])
{
	char *id = col_text(stmt);

	snprintf(ret, 17, "%s", id);
	free(id);
}

int
store_latest_states(struct store *store, struct store_repeats *ret, struct err *err)
{
	struct stmt stmt;
	int result = stmt_open(&stmt, store,
	    "SELECT \"case\", repeat, attempt, state FROM v_latest"
	    " ORDER BY \"case\", repeat",
	    err);

	*ret = (struct store_repeats){0};
	if (result == 0) {
		while ((result = stmt_row(&stmt, err)) == 1) {
			struct store_repeat *repeat = vec_add(&ret->list);

			col_id(&stmt, repeat->case_id);
			repeat->repeat = (unsigned)col_int(&stmt);
			repeat->attempt = (unsigned)col_int(&stmt);
			repeat->state = col_state(&stmt);
		}
	}
	stmt_close(&stmt);
	if (result != 0)
		vec_free(&ret->list);
	return result;
}

/* Rows come by case; a row whose repeat is NULL is a case without attempts. */
static void
read_item(struct stmt *stmt, struct results_list *ret)
{
	struct results_item *item;
	char id[17];

	col_id(stmt, id);
	if (ret->items.n == 0 || strcmp(ret->items.v[ret->items.n - 1].id, id) != 0) {
		item = vec_add(&ret->items);
		memcpy(item->id, id, sizeof id);
		item->storage = col_text(stmt);
		item->transport = col_text(stmt);
		item->workload = col_text(stmt);
		item->clients = (unsigned)col_int(stmt);
	} else {
		item = &ret->items.v[ret->items.n - 1];
		stmt->next += 4;
	}
	if (!col_is_null(stmt)) {
		struct results_state *state = vec_add(&item->states);

		state->repeat = (unsigned)col_int(stmt);
		state->attempt = (unsigned)col_int(stmt);
		state->state = col_state(stmt);
	}
}

int
store_list(struct store *store, struct results_list *ret, struct err *err)
{
	struct stmt stmt;
	int result = stmt_open(&stmt, store,
	    "SELECT c.id, storage, transport, workload, clients, repeat, attempt, state"
	    " FROM \"case\" AS c LEFT JOIN attempt AS a ON a.\"case\" = c.id"
	    " ORDER BY c.position, repeat, attempt",
	    err);

	*ret = (struct results_list){0};
	if (result == 0)
		while ((result = stmt_row(&stmt, err)) == 1)
			read_item(&stmt, ret);
	stmt_close(&stmt);
	if (result != 0)
		results_list_free(ret);
	return result;
}

static void
read_arguments(struct stmt *stmt, struct results *ret)
{
	char *text = col_text(stmt);
	json_t *json = json_loads(text, 0, NULL), *value;
	size_t i;

	json_array_foreach(json, i, value)
	    vec_push(&ret->arguments, mem_strdup(json_string_value(value)));
	json_decref(json);
	free(text);
}

static int
load_run(struct store *store, struct results *ret, int64_t *ret_id, struct err *err)
{
	struct stmt stmt;
	char *seed;
	int result = stmt_open(&stmt, store,
	    "SELECT run.id, name, text, generator, arguments, seed, started_wall_ns,"
	    " ended_wall_ns, (SELECT count(*) FROM run)"
	    " FROM run JOIN plan ON plan.id = run.plan ORDER BY run.id DESC LIMIT 1",
	    err);

	if (result == 0)
		result = stmt_row(&stmt, err);
	if (result == 1) {
		*ret_id = col_int(&stmt);
		ret->plan = col_text(&stmt);
		ret->plan_text = col_text(&stmt);
		ret->generator = col_text(&stmt);
		read_arguments(&stmt, ret);
		seed = col_text(&stmt);
		ret->seed = strtoull(seed, NULL, 10);
		free(seed);
		ret->started_wall_ns = col_u64(&stmt);
		ret->ended_wall_ns = col_u64(&stmt);
		ret->runs = (unsigned)col_int(&stmt);
	}
	stmt_close(&stmt);
	if (result == 0)
		return err_set(err, ERR_USAGE, "%s: holds no run yet", store->path);
	return result == 1 ? 0 : -1;
}

static int
load_hosts(struct store *store, int64_t run, struct results *ret, struct err *err)
{
	struct stmt stmt;
	int result = stmt_open(&stmt, store,
	    "SELECT agent, name, typeof(value) = 'integer', value FROM host_fact"
	    " WHERE run = ? ORDER BY agent, position",
	    err);

	if (result == 0) {
		stmt_int(&stmt, run);
		while ((result = stmt_row(&stmt, err)) == 1) {
			char *agent = col_text(&stmt);
			size_t n = ret->hosts.n;
			struct results_fact *fact;

			if (n == 0 || strcmp(ret->hosts.v[n - 1].agent, agent) != 0)
				((struct results_host *)vec_add(&ret->hosts))->agent =
				    mem_strdup(agent);
			free(agent);
			fact = vec_add(&ret->hosts.v[ret->hosts.n - 1].facts);
			fact->name = col_text(&stmt);
			fact->is_number = col_int(&stmt) != 0;
			fact->value = col_text(&stmt);
		}
	}
	stmt_close(&stmt);
	return result;
}

int
store_load_head(struct store *store, struct results *ret, struct err *err)
{
	int64_t run = 0;

	*ret = (struct results){0};
	if (load_run(store, ret, &run, err) == 0 &&
	    load_hosts(store, run, ret, err) == 0 &&
	    load_commands(store, run, ret, err) == 0)
		return 0;
	results_free(ret);
	return -1;
}
