/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that a run's agents carried out. */
#include "controller/store/db.h"

int
store_put_command(
    struct store *store, const struct results_command *command, struct err *err)
{
	struct stmt stmt;
	int result = stmt_open(&stmt, store,
	    "INSERT INTO command VALUES(?, (SELECT coalesce(max(position) + 1, 0) FROM"
	    " command WHERE run = ?), ?, ?, ?, ?, ?, ?, ?, ?)",
	    err);

	if (result == 0) {
		stmt_int(&stmt, store->run);
		stmt_int(&stmt, store->run);
		stmt_text(&stmt, command->storage);
		stmt_text(&stmt, command->transport);
		stmt_text(&stmt, command->name);
		stmt_text(&stmt, command->agent);
		stmt_u64(&stmt, command->started_wall_ns);
		stmt_u64(&stmt, command->ended_wall_ns);
		stmt_text(&stmt, command->problem);
		stmt_text(&stmt, command->output);
		result = stmt_run(&stmt, err);
	}
	stmt_close(&stmt);
	return result;
}

int
load_commands(struct store *store, int64_t run, struct results *ret, struct err *err)
{
	struct stmt stmt;
	int result;

	if (!db_has_table(store, "command"))
		return 0;
	result = stmt_open(&stmt, store,
	    "SELECT storage, transport, name, agent, started_wall_ns, ended_wall_ns,"
	    " problem, output FROM command WHERE run = ? ORDER BY position",
	    err);
	if (result == 0) {
		stmt_int(&stmt, run);
		while ((result = stmt_row(&stmt, err)) == 1) {
			struct results_command *command = vec_add(&ret->commands);

			command->storage = col_text(&stmt);
			command->transport = col_text(&stmt);
			command->name = col_text(&stmt);
			command->agent = col_text(&stmt);
			command->started_wall_ns = col_u64(&stmt);
			command->ended_wall_ns = col_u64(&stmt);
			command->problem = col_text(&stmt);
			command->output = col_text(&stmt);
		}
	}
	stmt_close(&stmt);
	return result;
}
