/* SPDX-License-Identifier: Apache-2.0 */
/* See usage.h. */
#include "controller/store/usage.h"

static void
bind_of(struct stmt *stmt, const struct figure_of *of)
{
	stmt_int(stmt, of->attempt);
	stmt_int_or_null(stmt, of->client != 0, of->client);
	stmt_int_or_null(stmt, of->one_job, of->job);
}

int
usage_save(struct store *store, const struct figure_of *of, const struct tally *tally,
    struct err *err)
{
	const struct tally_usage *usage = &tally->usage;
	struct stmt stmt;
	int result;

	if (!usage->known && tally->latency_depth == 0)
		return 0;
	result =
	    stmt_open(&stmt, store, "INSERT INTO usage VALUES(?, ?, ?, ?, ?, ?, ?)", err);
	if (result == 0) {
		bind_of(&stmt, of);
		stmt_u64_or_null(&stmt, usage->known, usage->switches);
		stmt_u64_or_null(&stmt, usage->known, usage->major_faults);
		stmt_u64_or_null(&stmt, usage->known, usage->minor_faults);
		stmt_u64_or_null(&stmt, tally->latency_depth != 0, tally->latency_depth);
		result = stmt_run(&stmt, err);
	}
	stmt_close(&stmt);
	return result;
}

int
usage_load(struct store *store, const struct figure_of *of, struct tally *ret,
    struct err *err)
{
	struct stmt stmt;
	int result;

	if (!db_has_table(store, "usage"))
		return 0;
	result = stmt_open(&stmt, store,
	    "SELECT context_switches, major_faults, minor_faults, latency_depth FROM usage"
	    " WHERE attempt = ? AND client IS ? AND job IS ?", err);
	if (result == 0) {
		bind_of(&stmt, of);
		result = stmt_row(&stmt, err);
	}
	if (result == 1) {
		ret->usage.known = !col_is_null(&stmt);
		ret->usage.switches = col_u64(&stmt);
		ret->usage.major_faults = col_u64(&stmt);
		ret->usage.minor_faults = col_u64(&stmt);
		ret->latency_depth = col_u64(&stmt);
		result = 0;
	}
	stmt_close(&stmt);
	return result;
}
