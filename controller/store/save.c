/* SPDX-License-Identifier: Apache-2.0 */
/* A finished attempt into its tables, in one transaction. */
#include "controller/store/db.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "controller/store/figure.h"
#include "controller/store/job.h"
#include "controller/store/proof.h"

/* The id of the row just written, or −1. */
static int64_t
insert(struct stmt *stmt, struct err *err)
{
	if (stmt_run(stmt, err) != 0)
		return -1;
	return sqlite3_last_insert_rowid(stmt->store->db);
}

static void
bind_attempt_total(struct stmt *stmt, const struct attempt *attempt)
{
	total_bind(stmt, &attempt->total, attempt->has_total,
	    attempt->has_total && !results_is_imported(attempt));
}
static int64_t
save_head(struct store *store, const struct attempt *attempt, unsigned order_position,
    struct err *err)
{
	struct stmt stmt;
	char run_id[24], seed[24];
	int64_t id = -1;

	snprintf(run_id, sizeof run_id, "%016" PRIx64, attempt->run_id);
	snprintf(seed, sizeof seed, "%" PRIu64, attempt->seed);
	if (stmt_open(&stmt, store,
		"INSERT INTO attempt VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
		"?,"
		" ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		err) == 0) {
		stmt_text(&stmt, attempt->case_id);
		stmt_int(&stmt, attempt->repeat);
		stmt_int(&stmt, attempt->attempt);
		stmt_text(&stmt, attempt_state_name(attempt->state));
		stmt_int(&stmt, store->run);
		stmt_text(&stmt, run_id);
		stmt_text(&stmt, seed);
		stmt_int_or_null(&stmt, order_position != 0, order_position);
		stmt_u64(&stmt, attempt->started_wall_ns);
		stmt_u64(&stmt, attempt->ended_wall_ns);
		stmt_int(&stmt, attempt->clients_expected);
		stmt_int(&stmt, results_reported(attempt));
		stmt_u64(&stmt, attempt->max_skew_ns);
		stmt_text(&stmt, attempt->error);
		stmt_text(&stmt, attempt->error_agent);
		bind_attempt_total(&stmt, attempt);
		id = insert(&stmt, err);
	}
	stmt_close(&stmt);
	return id;
}

static int
save_reasons(
    struct store *store, int64_t id, const struct attempt *attempt, struct err *err)
{
	struct stmt stmt;
	int result =
	    stmt_open(&stmt, store, "INSERT INTO reason VALUES(?, ?, ?, ?, ?, ?)", err);

	for (size_t i = 0; result == 0 && i < attempt->reasons.n; i++) {
		const struct attempt_reason *reason = &attempt->reasons.v[i];

		stmt_int(&stmt, id);
		stmt_int(&stmt, (int64_t)i);
		stmt_text(&stmt, reason->code);
		stmt_text(&stmt, reason->agent);
		stmt_text(&stmt, reason->text);
		stmt_text(&stmt, attempt_state_name(reason->makes));
		result = stmt_run(&stmt, err);
	}
	stmt_close(&stmt);
	return result;
}

static int
save_events(
    struct store *store, int64_t id, const struct attempt *attempt, struct err *err)
{
	struct stmt stmt;
	int result =
	    stmt_open(&stmt, store, "INSERT INTO event VALUES(?, ?, ?, ?, ?)", err);

	for (size_t i = 0; result == 0 && i < attempt->events.n; i++) {
		const struct attempt_event *event = &attempt->events.v[i];

		stmt_int(&stmt, id);
		stmt_int(&stmt, (int64_t)i);
		stmt_int(&stmt, event->at_ns);
		stmt_text(&stmt, event->agent);
		stmt_text(&stmt, event->text);
		result = stmt_run(&stmt, err);
	}
	stmt_close(&stmt);
	return result;
}

static int64_t
save_client(struct store *store, int64_t id, const struct attempt_client *client,
    struct err *err)
{
	const struct offset *offset = &client->offset;
	struct stmt stmt;
	int64_t row = -1;

	if (stmt_open(&stmt, store,
		"INSERT INTO client VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		err) == 0) {
		stmt_int(&stmt, id);
		stmt_text(&stmt, client->agent);
		stmt_text(&stmt, client_outcome_name(client->outcome));
		stmt_text(&stmt, client->error);
		stmt_int_or_null(&stmt, offset->valid, offset->offset_ns);
		stmt_u64_or_null(&stmt, offset->valid, offset->rtt_ns);
		stmt_u64_or_null(&stmt, offset->valid, offset->bound_ns);
		stmt_u64_or_null(&stmt, offset->valid, offset->at_ns);
		stmt_int_or_null(&stmt, client->tally && client->tally->has_first_io,
		    client->first_io_ns);
		row = insert(&stmt, err);
	}
	stmt_close(&stmt);
	return row;
}

static int
save_clients(
    struct store *store, int64_t id, const struct attempt *attempt, struct err *err)
{
	struct figure_of of = {.attempt = id};

	for (vec_each(const struct attempt_client *, client, &attempt->clients)) {
		int64_t row = save_client(store, id, client, err);

		if (row < 0 || proof_save(store, row, client, err) != 0)
			return -1;
		of.client = row;
		if (client->tally &&
		    (figure_save(store, &of, client->tally, NULL, err) != 0 ||
			(attempt->jobs.n &&
			    jobs_save_client(store, &of, client->tally, err) != 0)))
			return -1;
	}
	return 0;
}

/* Attempts count from 1 within their repeat. */
static int
next_attempt(
    struct store *store, const struct attempt *attempt, unsigned *ret, struct err *err)
{
	struct stmt stmt;
	int result = -1;

	if (stmt_open(&stmt, store,
		"SELECT ifnull(max(attempt), 0) + 1 FROM attempt WHERE \"case\" = ?"
		" AND repeat = ?",
		err) == 0) {
		stmt_text(&stmt, attempt->case_id);
		stmt_int(&stmt, attempt->repeat);
		result = stmt_row(&stmt, err);
		if (result == 1)
			*ret = (unsigned)col_int(&stmt);
	}
	stmt_close(&stmt);
	return result == 1 ? 0 : -1;
}

static int
save(struct store *store, struct attempt *attempt, unsigned order_position,
    struct err *err)
{
	struct figure_of of = {0};
	int64_t id;

	if (attempt->attempt == 0 &&
	    next_attempt(store, attempt, &attempt->attempt, err) != 0)
		return -1;
	id = save_head(store, attempt, order_position, err);
	if (id < 0 || save_reasons(store, id, attempt, err) != 0 ||
	    save_events(store, id, attempt, err) != 0 ||
	    save_clients(store, id, attempt, err) != 0 ||
	    jobs_save(store, id, attempt, err) != 0)
		return -1;
	if (!attempt->has_total)
		return 0;
	of.attempt = id;
	return figure_save(store, &of, attempt->total.merged, &attempt->total, err);
}

int
store_put_attempt(struct store *store, struct attempt *attempt, unsigned order_position,
    struct err *err)
{
	unsigned number = attempt->attempt;
	int result = db_begin(store, err);

	if (result == 0)
		result = save(store, attempt, order_position, err);
	result = db_finish(store, result, err);
	if (result == 0)
		return 0;
	attempt->attempt = number;
	return err_prefix(err, "case %s, repeat %u", attempt->case_id, attempt->repeat);
}
