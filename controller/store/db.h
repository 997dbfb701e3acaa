/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of the store only: the connection, and statements with their values.
 * A stmt remembers the first failure of its steps, so callers check once.
 */
#ifndef VOLLEY_STORE_DB_H
#define VOLLEY_STORE_DB_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "controller/store/codec.h"
#include "controller/store/store.h"
#include "lib/base/err.h"
#include "lib/base/vec.h"

struct store {
	sqlite3 *db;
	char *path;
	enum store_mode mode;
	int lock_fd;	/* −1: not the writer */
	char *lock_path;
	int64_t run;	/* id of the run begun; 0: none */
	bool batch;	/* within store_begin_batch */
	VEC(sqlite3_stmt *) idle; /* prepared, for whoever opens the same text next */
};

/* Of a run, into its head (command.c). */
int load_commands(struct store *store, int64_t run, struct results *ret, struct err *err);

/* Closes the connection with its statements. */
void db_close(struct store *store);
/* Sets *err from the connection: "results.db: what: why". */
int db_fail(const struct store *store, const char *what, struct err *err);
int db_exec(struct store *store, const char *sql, struct err *err);
/* False for a table that an earlier volley did not have yet. */
bool db_has_table(struct store *store, const char *table);
int db_begin(struct store *store, struct err *err);
/* Commits when `result` is 0, rolls back otherwise; returns what came of it. */
int db_finish(struct store *store, int result, struct err *err);

/* A prepared statement; bind left to right, then step. */
struct stmt {
	struct store *store;
	sqlite3_stmt *handle;
	int next;   /* column to bind or read */
	int failed; /* SQLite result code of the first failure */
};

/* Parsing the same text for each of 100,000 cases takes longer than running it: a closed
 * statement waits to be opened again. */
int stmt_open(struct stmt *ret, struct store *store, const char *sql, struct err *err);
void stmt_close(struct stmt *stmt);

void stmt_null(struct stmt *stmt);
void stmt_int(struct stmt *stmt, int64_t value);
void stmt_u64(struct stmt *stmt, uint64_t value);   /* same 64 bits */
void stmt_u64_or_null(struct stmt *stmt, bool known, uint64_t value);
void stmt_int_or_null(struct stmt *stmt, bool known, int64_t value);
void stmt_real(struct stmt *stmt, double value);    /* NAN: NULL */
void stmt_text(struct stmt *stmt, const char *text); /* NULL: NULL; must outlive it */
void stmt_blob(struct stmt *stmt, const struct blob *blob);

/* 1: a row to read, 0: no more, −1. */
int stmt_row(struct stmt *stmt, struct err *err);
/* Runs it to the end and makes it ready for new values. */
int stmt_run(struct stmt *stmt, struct err *err);
int stmt_reset(struct stmt *stmt, struct err *err);

/* Columns of the row, left to right. */
bool col_is_null(struct stmt *stmt); /* looks, takes nothing */
int64_t col_int(struct stmt *stmt);
uint64_t col_u64(struct stmt *stmt);
double col_real(struct stmt *stmt); /* NULL: NAN */
char *col_text(struct stmt *stmt);  /* NULL: NULL; caller frees */
enum attempt_state col_state(struct stmt *stmt); /* no such name: INVALID */
const void *col_blob(struct stmt *stmt, size_t *ret_len); /* until the next step */

#endif
