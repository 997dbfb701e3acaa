/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite's calls with our error handling. */
#include "controller/store/db.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int
db_fail(const struct store *store, const char *what, struct err *err)
{
	if (sqlite3_errcode(store->db) == SQLITE_BUSY)
		return err_set(
		    err, ERR_BUSY, "%s: another program holds it", store->path);
	return err_set(
	    err, ERR_SYS, "%s: %s: %s", store->path, what, sqlite3_errmsg(store->db));
}

int
db_exec(struct store *store, const char *sql, struct err *err)
{
	if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK)
		return 0;
	return db_fail(store, "cannot be used", err);
}

bool
db_has_table(struct store *store, const char *table)
{
	return sqlite3_table_column_metadata(store->db, NULL, table, NULL, NULL, NULL,
		   NULL, NULL, NULL) == SQLITE_OK;
}

int
db_begin(struct store *store, struct err *err)
{
	return db_exec(store, store->batch ? "SAVEPOINT one" : "BEGIN IMMEDIATE", err);
}

int
db_finish(struct store *store, int result, struct err *err)
{
	const char *undo =
	    store->batch ? "ROLLBACK TO one; RELEASE one" : "ROLLBACK";

	if (result == 0)
		result = db_exec(store, store->batch ? "RELEASE one" : "COMMIT", err);
	if (result != 0 && !sqlite3_get_autocommit(store->db))
		sqlite3_exec(store->db, undo, NULL, NULL, NULL);
	return result;
}

#define IDLE_MAX 64

void
db_close(struct store *store)
{
	for (vec_each(sqlite3_stmt **, it, &store->idle))
		sqlite3_finalize(*it);
	vec_free(&store->idle);
	sqlite3_close(store->db);
}

static sqlite3_stmt *
take_idle(struct store *store, const char *sql)
{
	for (size_t i = 0; i < store->idle.n; i++) {
		sqlite3_stmt *handle = store->idle.v[i];

		if (strcmp(sqlite3_sql(handle), sql) != 0)
			continue;
		store->idle.v[i] = store->idle.v[--store->idle.n];
		return handle;
	}
	return NULL;
}

int
stmt_open(struct stmt *ret, struct store *store, const char *sql, struct err *err)
{
	*ret = (struct stmt){.store = store, .next = 1};
	ret->handle = take_idle(store, sql);
	if (ret->handle)
		return 0;
	if (sqlite3_prepare_v2(store->db, sql, -1, &ret->handle, NULL) == SQLITE_OK)
		return 0;
	return db_fail(store, "cannot be used", err);
}

void
stmt_close(struct stmt *stmt)
{
	if (stmt->handle && stmt->store->idle.n < IDLE_MAX) {
		sqlite3_reset(stmt->handle);
		sqlite3_clear_bindings(stmt->handle);
		vec_push(&stmt->store->idle, stmt->handle);
	} else {
		sqlite3_finalize(stmt->handle);
	}
	stmt->handle = NULL;
}

static void
bound(struct stmt *stmt, int result)
{
	if (result != SQLITE_OK && !stmt->failed)
		stmt->failed = result;
	stmt->next++;
}

void
stmt_null(struct stmt *stmt)
{
	bound(stmt, sqlite3_bind_null(stmt->handle, stmt->next));
}

void
stmt_int(struct stmt *stmt, int64_t value)
{
	bound(stmt, sqlite3_bind_int64(stmt->handle, stmt->next, value));
}

void
stmt_u64(struct stmt *stmt, uint64_t value)
{
	stmt_int(stmt, (int64_t)value);
}

void
stmt_int_or_null(struct stmt *stmt, bool known, int64_t value)
{
	if (known)
		stmt_int(stmt, value);
	else
		stmt_null(stmt);
}

void
stmt_u64_or_null(struct stmt *stmt, bool known, uint64_t value)
{
	stmt_int_or_null(stmt, known, (int64_t)value);
}

void
stmt_real(struct stmt *stmt, double value)
{
	if (isnan(value))
		stmt_null(stmt);
	else
		bound(stmt, sqlite3_bind_double(stmt->handle, stmt->next, value));
}

void
stmt_text(struct stmt *stmt, const char *text)
{
	bound(
	    stmt, sqlite3_bind_text(stmt->handle, stmt->next, text, -1, SQLITE_STATIC));
}

void
stmt_blob(struct stmt *stmt, const struct blob *blob)
{
	bound(stmt, sqlite3_bind_blob64(stmt->handle, stmt->next, blob->data, blob->len,
			SQLITE_STATIC));
}

int
stmt_row(struct stmt *stmt, struct err *err)
{
	int result;

	if (stmt->failed)
		return err_set(err, ERR_INTERNAL, "%s: a value cannot be bound: %s",
		    stmt->store->path, sqlite3_errstr(stmt->failed));
	result = sqlite3_step(stmt->handle);
	stmt->next = 0;
	if (result == SQLITE_ROW)
		return 1;
	if (result == SQLITE_DONE)
		return 0;
	return db_fail(stmt->store,
	    stmt->store->mode == STORE_READ ? "cannot be read" : "cannot be written",
	    err);
}

int
stmt_reset(struct stmt *stmt, struct err *err)
{
	stmt->next = 1;
	if (sqlite3_reset(stmt->handle) == SQLITE_OK)
		return 0;
	return db_fail(stmt->store, "cannot be used", err);
}

int
stmt_run(struct stmt *stmt, struct err *err)
{
	int result = stmt_row(stmt, err);

	if (result < 0) {
		sqlite3_reset(stmt->handle);
		return -1;
	}
	return stmt_reset(stmt, err);
}

bool
col_is_null(struct stmt *stmt)
{
	return sqlite3_column_type(stmt->handle, stmt->next) == SQLITE_NULL;
}

int64_t
col_int(struct stmt *stmt)
{
	return sqlite3_column_int64(stmt->handle, stmt->next++);
}

uint64_t
col_u64(struct stmt *stmt)
{
	return (uint64_t)col_int(stmt);
}

double
col_real(struct stmt *stmt)
{
	bool null = col_is_null(stmt);
	double value = sqlite3_column_double(stmt->handle, stmt->next++);

	return null ? NAN : value;
}

char *
col_text(struct stmt *stmt)
{
	return mem_strdup(
	    (const char *)sqlite3_column_text(stmt->handle, stmt->next++));
}

enum attempt_state
col_state(struct stmt *stmt)
{
	char *name = col_text(stmt);
	enum attempt_state state = ATTEMPT_INVALID; /* unknown: not to be trusted */

	if (name)
		attempt_state_parse(name, &state);
	free(name);
	return state;
}

const void *
col_blob(struct stmt *stmt, size_t *ret_len)
{
	const void *data = sqlite3_column_blob(stmt->handle, stmt->next);

	*ret_len = (size_t)sqlite3_column_bytes(stmt->handle, stmt->next++);
	return data;
}
