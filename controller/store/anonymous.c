/* SPDX-License-Identifier: Apache-2.0 */
#include "controller/store/anonymous.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/store/anonymous-rules.h"
#include "controller/store/db.h"
#include "controller/store/schema.h"

struct case_number {
	char *id;
	unsigned number;
};

struct copying {
	struct store *from, *to;
	const struct cover *cover;
	VEC(struct case_number) cases; /* sorted by id */
};

/* ---- functions of SQL ---- */

static void
answer(sqlite3_context *context, char *text)
{
	if (text)
		sqlite3_result_text(context, text, -1, free);
	else
		sqlite3_result_null(context);
}

static const char *
argument(sqlite3_value **values)
{
	return (const char *)sqlite3_value_text(values[0]);
}

static const struct cover *
cover_of(sqlite3_context *context)
{
	return ((const struct copying *)sqlite3_user_data(context))->cover;
}

#define COVER_FUNCTION(name, call) \
	static void sql_##name( \
	    sqlite3_context *context, int n, sqlite3_value **values) \
	{ \
		(void)n; \
		answer(context, call); \
	}

COVER_FUNCTION(storage, cover_name(cover_of(context), ALIAS_STORAGE, argument(values)))
COVER_FUNCTION(client, cover_name(cover_of(context), ALIAS_CLIENT, argument(values)))
COVER_FUNCTION(workload, cover_workload(cover_of(context), argument(values)))
COVER_FUNCTION(text, cover_text(cover_of(context), argument(values)))
COVER_FUNCTION(options, cover_options(cover_of(context), argument(values)))
COVER_FUNCTION(job, cover_job(cover_of(context), argument(values)))
COVER_FUNCTION(plan, cover_plan(cover_of(context), argument(values)))

static void
sql_keeps_fact(sqlite3_context *context, int n, sqlite3_value **values)
{
	(void)n;
	sqlite3_result_int(context, cover_keeps_fact(argument(values)));
}

static int
by_id(const void *a, const void *b)
{
	return strcmp(
	    ((const struct case_number *)a)->id, ((const struct case_number *)b)->id);
}

/* 0: no such case. */
static unsigned
case_number(sqlite3_context *context, sqlite3_value **values)
{
	const struct copying *copying = sqlite3_user_data(context);
	struct case_number key = {.id = (char *)(uintptr_t)argument(values)};
	const struct case_number *found =
	    key.id
		? bsearch(&key, copying->cases.v, copying->cases.n, sizeof key, by_id)
		: NULL;

	return found ? found->number : 0;
}

static void
sql_case(sqlite3_context *context, int n, sqlite3_value **values)
{
	(void)n;
	answer(context, mem_printf("case-%04u", case_number(context, values)));
}

static void
sql_position(sqlite3_context *context, int n, sqlite3_value **values)
{
	(void)n;
	sqlite3_result_int64(context, case_number(context, values));
}

static int
register_functions(struct copying *copying, struct err *err)
{
	static const struct {
		const char *name;
		void (*call)(sqlite3_context *, int, sqlite3_value **);
	} functions[] = {{"cover_storage", sql_storage}, {"cover_client", sql_client},
	    {"cover_workload", sql_workload}, {"cover_text", sql_text},
	    {"cover_options", sql_options}, {"cover_job", sql_job},
	    {"cover_plan", sql_plan}, {"cover_keeps_fact", sql_keeps_fact},
	    {"cover_case", sql_case}, {"cover_position", sql_position}};

	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (sqlite3_create_function(copying->from->db, functions[i].name, 1,
			SQLITE_UTF8, copying, functions[i].call, NULL,
			NULL) != SQLITE_OK)
			return db_fail(copying->from, "cannot be covered", err);
	return 0;
}

/* ---- the tables of a file ---- */

struct column {
	char *name, *type;
};
typedef VEC(struct column) columns;

static void
columns_free(columns *list)
{
	for (vec_each(struct column *, it, list)) {
		free(it->name);
		free(it->type);
	}
	vec_free(list);
}

static int
read_pairs(struct store *store, const char *sql, columns *ret, struct err *err)
{
	struct stmt stmt;
	int result = stmt_open(&stmt, store, sql, err);

	while (result >= 0 && (result = stmt_row(&stmt, err)) == 1) {
		struct column *column = vec_add(ret);

		column->name = col_text(&stmt);
		column->type = col_text(&stmt);
	}
	stmt_close(&stmt);
	return result;
}

static int
read_tables(struct store *store, columns *ret, struct err *err)
{
	return read_pairs(store,
	    "SELECT name, type FROM sqlite_schema WHERE type = 'table'"
	    " AND name NOT LIKE 'sqlite%' ORDER BY rowid",
	    ret, err);
}

static int
read_columns(struct store *store, const char *table, columns *ret, struct err *err)
{
	char *sql = mem_printf("SELECT name, type FROM pragma_table_info('%s')", table);
	int result = read_pairs(store, sql, ret, err);

	free(sql);
	return result;
}

static bool
has_column(const columns *list, const char *name)
{
	for (vec_each(const struct column *, it, list))
		if (strcmp(it->name, name) == 0)
			return true;
	return false;
}

/* ---- copying ---- */

/* Appends the column's expression; no rule is a fault of anonymous-rules.c. */
static int
add_expression(struct str *sql, const char *table, const char *column, struct err *err)
{
	const char *covered = rule_covers(table, column);

	if (!covered && !rule_keeps(table, column))
		return err_set(err, ERR_INTERNAL,
		    "column %s.%s has no rule for anonymised copies", table, column);
	if (covered)
		str_add(sql, covered);
	else
		str_addf(sql, "\"%s\"", column);
	return 0;
}

static int
build_select(struct copying *copying, const char *table, struct str *select,
    struct str *insert, struct err *err)
{
	const char *filter = rule_filters(table);
	columns ours = {0}, theirs = {0};
	int result = read_columns(copying->to, table, &ours, err);

	if (result == 0)
		result = read_columns(copying->from, table, &theirs, err);
	str_add(select, "SELECT ");
	str_addf(insert, "INSERT INTO \"%s\" VALUES(", table);
	for (size_t i = 0; result == 0 && i < ours.n; i++) {
		str_add(select, i ? ", " : "");
		str_add(insert, i ? ", ?" : "?");
		if (has_column(&theirs, ours.v[i].name)) /* else an older file's */
			result = add_expression(select, table, ours.v[i].name, err);
		else
			str_add(select, "NULL");
	}
	str_addf(select, " FROM \"%s\"", table);
	if (filter)
		str_addf(select, " WHERE %s", filter);
	str_add(insert, ")");
	if (result == 0 && theirs.n == 0)
		str_clear(select); /* an older file without the table */
	columns_free(&ours);
	columns_free(&theirs);
	return result;
}

static int
copy_rows(
    struct copying *copying, const char *select, const char *insert, struct err *err)
{
	struct stmt from = {0}, to = {0};
	int result = stmt_open(&from, copying->from, select, err);

	if (result == 0)
		result = stmt_open(&to, copying->to, insert, err);
	while (result >= 0 && (result = stmt_row(&from, err)) == 1) {
		int n = sqlite3_column_count(from.handle);

		for (int i = 0; i < n; i++)
			sqlite3_bind_value(
			    to.handle, i + 1, sqlite3_column_value(from.handle, i));
		result = stmt_run(&to, err);
	}
	stmt_close(&from);
	stmt_close(&to);
	return result;
}

static int
copy_table(struct copying *copying, const char *table, struct err *err)
{
	struct str select = {0}, insert = {0};
	int result = build_select(copying, table, &select, &insert, err);

	if (result == 0 && select.len)
		result = copy_rows(copying, select.s, insert.s, err);
	str_free(&select);
	str_free(&insert);
	return result;
}

/* Numbers follow the aliases, so that they do not tell the plan's order. */
static int
number_cases(struct copying *copying, unsigned *next_case, struct err *err)
{
	columns ids = {0};
	int result = read_pairs(copying->from,
	    "SELECT id, NULL FROM \"case\" ORDER BY cover_storage(storage),"
	    " cover_workload(workload), clients, transport, id",
	    &ids, err);

	for (vec_each(struct column *, it, &ids))
		*vec_add(&copying->cases) =
		    (struct case_number){mem_strdup(it->name), (*next_case)++};
	columns_free(&ids);
	if (copying->cases.n)
		qsort(copying->cases.v, copying->cases.n, sizeof *copying->cases.v,
		    by_id);
	return result;
}

static int
create_copy(struct store *to, struct err *err)
{
	int result = 0;

	if (sqlite3_open_v2(":memory:", &to->db,
		SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
		return db_fail(to, "cannot be opened", err);
	for (size_t i = 0; result == 0 && schema_sql[i]; i++)
		result = db_exec(to, schema_sql[i], err);
	for (size_t i = 0; result == 0 && schema_later_sql[i]; i++)
		result = db_exec(to, schema_later_sql[i], err);
	return result;
}

struct store *
store_anonymous(struct store *store, const struct cover *cover, unsigned *next_case,
    struct err *err)
{
	struct copying copying = {.from = store, .cover = cover};
	columns tables = {0};
	int result;

	copying.to = mem_alloc(sizeof *copying.to);
	copying.to->path = mem_strdup("the anonymised copy");
	copying.to->lock_fd = -1;
	result = create_copy(copying.to, err);
	if (result == 0)
		result = register_functions(&copying, err);
	if (result == 0)
		result = number_cases(&copying, next_case, err);
	if (result == 0)
		result = read_tables(copying.to, &tables, err);
	if (result == 0)
		result = db_begin(copying.to, err);
	for (size_t i = 0; result == 0 && i < tables.n; i++)
		result = copy_table(&copying, tables.v[i].name, err);
	if (result == 0)
		result = db_finish(copying.to, result, err);
	columns_free(&tables);
	for (vec_each(struct case_number *, it, &copying.cases))
		free(it->id);
	vec_free(&copying.cases);
	if (result == 0)
		return copying.to;
	store_close(copying.to);
	return NULL;
}

/* ---- what the original knows ---- */

static int
add_names(
    struct store *store, const char *sql, struct alias_names *ret, struct err *err)
{
	columns names = {0};
	int result = read_pairs(store, sql, &names, err);

	for (vec_each(struct column *, it, &names))
		alias_names_add(ret, it->name);
	columns_free(&names);
	return result;
}

int
store_names(struct store *store, const struct alias_names *redact,
    struct alias_names ret[ALIAS_COUNT], struct err *err)
{
	struct alias_names workloads = {0};
	int result = add_names(store,
	    "SELECT DISTINCT storage, NULL FROM \"case\" ORDER BY storage",
	    &ret[ALIAS_STORAGE], err);

	if (result == 0)
		result = add_names(store,
		    "SELECT agent, NULL FROM client UNION SELECT agent, NULL FROM"
		    " host_fact ORDER BY 1",
		    &ret[ALIAS_CLIENT], err);
	if (result == 0)
		result = add_names(store,
		    "SELECT workload, NULL FROM \"case\" ORDER BY position", &workloads,
		    err);
	for (vec_each(char *const *, it, &workloads.list))
		if (!cover_plain(redact, *it))
			alias_names_add(&ret[ALIAS_WORKLOAD], *it);
	alias_names_free(&workloads);
	return result;
}

static int
add_texts(struct store *store, const char *table, const char *column,
    struct secrets *secrets, struct err *err)
{
	enum secret_kind kind = rule_is_id(table, column) ? SECRET_ID : SECRET_TEXT;
	char *sql = mem_printf("SELECT DISTINCT \"%s\", NULL FROM \"%s\""
			       " WHERE typeof(\"%s\") = 'text'",
	    column, table, column);
	columns texts = {0};
	int result = read_pairs(store, sql, &texts, err);

	for (vec_each(const struct column *, it, &texts))
		secrets_add(secrets, it->name, kind);
	columns_free(&texts);
	free(sql);
	return result;
}

/* A moment as reports write it, and its day alone. */
static int
add_times(struct store *store, const char *table, const char *column,
    struct secrets *secrets, struct err *err)
{
	char *sql = mem_printf("SELECT DISTINCT strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ',"
			       " \"%s\" / 1000000000, 'unixepoch'), strftime("
			       "'%%Y-%%m-%%d', \"%s\" / 1000000000, 'unixepoch')"
			       " FROM \"%s\" WHERE \"%s\" > 86400000000000",
	    column, column, table, column);
	columns times = {0};
	int result = read_pairs(store, sql, &times, err);

	for (vec_each(const struct column *, it, &times)) {
		secrets_add(secrets, it->name, SECRET_TEXT);
		secrets_add(secrets, it->type, SECRET_TEXT);
	}
	columns_free(&times);
	free(sql);
	return result;
}

static int
table_secrets(
    struct store *store, const char *table, struct secrets *secrets, struct err *err)
{
	columns list = {0};
	int result = read_columns(store, table, &list, err);

	for (size_t i = 0; result == 0 && i < list.n; i++) {
		const char *name = list.v[i].name, *type = list.v[i].type;

		if (strstr(name, "wall_ns"))
			result = add_times(store, table, name, secrets, err);
		else if ((strcmp(type, "TEXT") == 0 || !*type) &&
			 (!rule_keeps(table, name) || rule_is_id(table, name)))
			result = add_texts(store, table, name, secrets, err);
	}
	columns_free(&list);
	return result;
}

int
store_secrets(struct store *store, struct secrets *secrets, struct err *err)
{
	columns tables = {0};
	int result = read_tables(store, &tables, err);

	for (size_t i = 0; result == 0 && i < tables.n; i++)
		result = table_secrets(store, tables.v[i].name, secrets, err);
	columns_free(&tables);
	return result;
}
