/* SPDX-License-Identifier: Apache-2.0 */
/* Attempts and cases back from the tables. */
#include "controller/store/db.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/store/figure.h"
#include "controller/store/job.h"
#include "controller/store/proof.h"
#include "controller/store/note.h"

static int64_t
read_head(struct stmt *stmt, struct attempt *ret, unsigned *ret_position)
{
	int64_t id = col_int(stmt);
	char *text = col_text(stmt);

	snprintf(ret->case_id, sizeof ret->case_id, "%s", text);
	free(text);
	ret->repeat = (unsigned)col_int(stmt);
	ret->attempt = (unsigned)col_int(stmt);
	ret->state = col_state(stmt);
	text = col_text(stmt);
	ret->run_id = strtoull(text, NULL, 16);
	free(text);
	text = col_text(stmt);
	ret->seed = strtoull(text, NULL, 10);
	free(text);
	*ret_position = (unsigned)col_int(stmt);
	ret->started_wall_ns = col_u64(stmt);
	ret->ended_wall_ns = col_u64(stmt);
	ret->clients_expected = (unsigned)col_int(stmt);
	ret->max_skew_ns = col_u64(stmt);
	ret->error = col_text(stmt);
	ret->error_agent = col_text(stmt);
	ret->has_total = total_read(stmt, &ret->total);
	return id;
}

#define ATTEMPT_COLUMNS \
	"id, \"case\", repeat, attempt, state, run_id, seed, order_position," \
	" started_wall_ns, ended_wall_ns, clients_expected, max_skew_ns, error," \
	" error_agent," \
	" clients_summed, window_kind, window_from_ns, window_ns, window_bound_ns," \
	" latency_in_window, overlap, skew_ns, skew_bound_ns, first_done_ns," \
	" last_done_ns, outstanding, outstanding_share, clients_started," \
	" common_from_ns, common_ns"

static int
load_reasons(struct store *store, int64_t id, struct attempt *ret, struct err *err)
{
	struct stmt stmt;
	int result = stmt_open(&stmt, store,
	    "SELECT code, agent, text, makes FROM reason WHERE attempt = ?"
	    " ORDER BY position",
	    err);

	if (result == 0) {
		stmt_int(&stmt, id);
		while ((result = stmt_row(&stmt, err)) == 1) {
			struct attempt_reason *reason = vec_add(&ret->reasons);

			reason->code = col_text(&stmt);
			reason->agent = col_text(&stmt);
			reason->text = col_text(&stmt);
			reason->makes = col_state(&stmt);
		}
	}
	stmt_close(&stmt);
	return result;
}

static int
load_events(struct store *store, int64_t id, struct attempt *ret, struct err *err)
{
	struct stmt stmt;
	int result = stmt_open(&stmt, store,
	    "SELECT at_ns, agent, text FROM event WHERE attempt = ? ORDER BY position",
	    err);

	if (result == 0) {
		stmt_int(&stmt, id);
		while ((result = stmt_row(&stmt, err)) == 1) {
			struct attempt_event *event = vec_add(&ret->events);

			event->at_ns = col_int(&stmt);
			event->agent = col_text(&stmt);
			event->text = col_text(&stmt);
		}
	}
	stmt_close(&stmt);
	return result;
}

static int64_t
read_client(struct stmt *stmt, struct attempt_client *ret)
{
	int64_t id = col_int(stmt);
	char *outcome;

	ret->agent = col_text(stmt);
	outcome = col_text(stmt);
	ret->outcome = client_outcome_parse(outcome);
	free(outcome);
	ret->error = col_text(stmt);
	ret->offset.valid = !col_is_null(stmt);
	ret->offset.offset_ns = col_int(stmt);
	ret->offset.rtt_ns = col_u64(stmt);
	ret->offset.bound_ns = col_u64(stmt);
	ret->offset.at_ns = col_u64(stmt);
	ret->first_io_ns = col_int(stmt);
	return id;
}

static int
load_clients(
    struct store *store, int64_t id, bool figures, struct attempt *ret, struct err *err)
{
	struct figure_of of = {.attempt = id};
	struct stmt stmt;
	int result = stmt_open(&stmt, store,
	    "SELECT id, agent, outcome, error, offset_ns, offset_rtt_ns, "
	    "offset_bound_ns,"
	    " offset_at_ns, first_io_offset_ns FROM client WHERE attempt = ? ORDER BY "
	    "id",
	    err);

	if (result == 0) {
		stmt_int(&stmt, id);
		while ((result = stmt_row(&stmt, err)) == 1) {
			struct attempt_client *client = vec_add(&ret->clients);
			int64_t row = read_client(&stmt, client);

			result = proof_load(store, row, figures, client, err);
			if (result != 0)
				break;
			if (!figures)
				continue;
			of.client = row;
			result = figure_load(store, &of, &client->tally, NULL, err);
			if (result == 0 && client->tally)
				result = jobs_load_client(store, &of, client->tally, err);
			if (result != 0)
				break;
		}
	}
	stmt_close(&stmt);
	return result;
}

/* What hangs on the attempt with this id. */
static int
load_rest(
    struct store *store, int64_t id, bool clients, struct attempt *ret, struct err *err)
{
	struct figure_of of = {.attempt = id};

	if (load_reasons(store, id, ret, err) != 0 ||
	    load_events(store, id, ret, err) != 0 ||
	    load_clients(store, id, clients, ret, err) != 0 ||
	    jobs_load(store, id, ret, err) != 0)
		return -1;
	if (!ret->has_total)
		return 0;
	if (figure_load(store, &of, &ret->total.merged, &ret->total, err) != 0)
		return -1;
	if (ret->total.merged)
		return 0;
	return err_set(
	    err, ERR_PROTOCOL, "%s: an attempt lacks its figures", store->path);
}

int
store_load_attempt(struct store *store, const char *case_id, unsigned repeat,
    unsigned attempt, struct attempt *ret, struct err *err)
{
	struct stmt stmt;
	unsigned position;
	int64_t id = 0;
	int result = -1;

	*ret = (struct attempt){0};
	if (stmt_open(&stmt, store,
		"SELECT " ATTEMPT_COLUMNS " FROM attempt WHERE \"case\" = ?1"
		" AND repeat = ?2 AND ?3 IN (0, attempt) ORDER BY attempt DESC LIMIT 1",
		err) == 0) {
		stmt_text(&stmt, case_id);
		stmt_int(&stmt, repeat);
		stmt_int(&stmt, attempt);
		result = stmt_row(&stmt, err);
	}
	if (result == 1)
		id = read_head(&stmt, ret, &position);
	stmt_close(&stmt);
	if (result == 0)
		return err_set(err, ERR_USAGE, "%s: no attempt of case %s, repeat %u",
		    store->path, case_id, repeat);
	if (result == 1 && load_rest(store, id, true, ret, err) == 0)
		return 0;
	attempt_free(ret);
	return -1;
}

void
params_read(const char *text, results_params *ret)
{
	json_t *json = json_loads(text, 0, NULL), *value;
	const char *name;

	json_object_foreach(json, name, value)
	{
		struct results_param *param = vec_add(ret);

		param->name = mem_strdup(name);
		param->is_number = json_is_integer(value);
		param->value =
		    param->is_number
			? mem_printf("%lld", (long long)json_integer_value(value))
			: mem_strdup(json_string_value(value));
		if (!param->value)
			param->value = mem_strdup("");
	}
	json_decref(json);
}

static void
mark_axes(const char *text, struct results_case *ret)
{
	json_t *json = json_loads(text, 0, NULL), *name;
	size_t i;

	json_array_foreach(json, i,
	    name) for (vec_each(struct results_param *, param,
			   &ret->params)) if (strcmp(param->name,
						  json_string_value(name)) == 0)
	    param->is_axis = true;
	json_decref(json);
}

static int
load_case_row(
    struct store *store, const char *case_id, struct results_case *ret, struct err *err)
{
	struct stmt stmt;
	int result = -1;

	if (stmt_open(&stmt, store,
		"SELECT storage, transport, path, workload, clients, params, axes, job"
		" FROM \"case\" WHERE id = ?",
		err) == 0) {
		stmt_text(&stmt, case_id);
		result = stmt_row(&stmt, err);
	}
	if (result == 1) {
		char *params, *axes;

		snprintf(ret->id, sizeof ret->id, "%s", case_id);
		ret->storage = col_text(&stmt);
		ret->transport = col_text(&stmt);
		ret->path = col_text(&stmt);
		ret->workload = col_text(&stmt);
		ret->clients = (unsigned)col_int(&stmt);
		params = col_text(&stmt);
		axes = col_text(&stmt);
		params_read(params, &ret->params);
		mark_axes(axes, ret);
		free(params);
		free(axes);
		ret->job_text = col_text(&stmt);
	}
	stmt_close(&stmt);
	if (result == 0)
		return err_set(err, ERR_USAGE, "%s: no case %s", store->path, case_id);
	return result == 1 ? 0 : -1;
}

static int
load_attempts(struct store *store, enum store_attempts which, bool with_clients,
    struct results_case *ret, struct err *err)
{
	struct stmt stmt;
	int result = stmt_open(&stmt, store,
	    which == STORE_ALL
		? "SELECT " ATTEMPT_COLUMNS " FROM attempt WHERE \"case\" = ?"
		  " ORDER BY repeat, attempt"
		: "SELECT " ATTEMPT_COLUMNS " FROM v_latest WHERE \"case\" = ?"
		  " ORDER BY repeat",
	    err);

	if (result == 0) {
		stmt_text(&stmt, ret->id);
		while ((result = stmt_row(&stmt, err)) == 1) {
			struct results_attempt *one = mem_alloc(sizeof *one);
			int64_t id =
			    read_head(&stmt, &one->attempt, &one->order_position);

			vec_push(&ret->attempts, one);
			result = load_rest(store, id, with_clients, &one->attempt, err);
			if (result != 0)
				break;
		}
	}
	stmt_close(&stmt);
	return result;
}

int
store_load_case(struct store *store, const char *case_id, enum store_attempts which,
    bool with_clients, struct results_case *ret, struct err *err)
{
	*ret = (struct results_case){0};
	if (load_case_row(store, case_id, ret, err) == 0 &&
	    notes_load(store, ret, err) == 0 &&
	    case_jobs_load(store, ret, err) == 0 &&
	    load_attempts(store, which, with_clients, ret, err) == 0)
		return 0;
	results_case_free(ret);
	return -1;
}
