/* SPDX-License-Identifier: Apache-2.0 */
/* See note.h. */
#include "controller/store/note.h"

#include <stdlib.h>

static int
drop(struct store *store, const char *case_id, struct err *err)
{
	struct stmt stmt;
	int result = stmt_open(
	    &stmt, store, "DELETE FROM job_note WHERE run = ? AND \"case\" = ?", err);

	if (result == 0) {
		stmt_int(&stmt, store->run);
		stmt_text(&stmt, case_id);
		result = stmt_run(&stmt, err);
	}
	stmt_close(&stmt);
	return result;
}

static int
insert(struct store *store, const struct results_case *c, struct err *err)
{
	struct stmt stmt;
	int64_t position = 0;
	int result = stmt_open(&stmt, store,
	    "INSERT INTO job_note VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)", err);

	for (size_t i = 0; result == 0 && i < c->notes.n; i++) {
		const struct fio_note *note = &c->notes.v[i];

		stmt_int(&stmt, store->run);
		stmt_text(&stmt, c->id);
		stmt_int(&stmt, position++);
		stmt_text(&stmt, fio_note_kind_name(note->kind));
		stmt_text(&stmt, note->job);
		stmt_text(&stmt, note->option);
		stmt_text(&stmt, note->value);
		stmt_text(&stmt, note->place);
		stmt_text(&stmt, note->text);
		result = stmt_run(&stmt, err);
	}
	stmt_close(&stmt);
	return result;
}

int
notes_save(struct store *store, const struct results_case *c, struct err *err)
{
	if (c->notes.n == 0)
		return 0;
	return drop(store, c->id, err) == 0 ? insert(store, c, err) : -1;
}

int
notes_load(struct store *store, struct results_case *ret, struct err *err)
{
	struct stmt stmt;
	int result;

	if (!db_has_table(store, "job_note"))
		return 0;
	result = stmt_open(&stmt, store,
	    "SELECT kind, job, option, value, place, text FROM job_note"
	    " WHERE \"case\" = ? GROUP BY kind, job, option, value, place, text"
	    " ORDER BY min(run), min(position)",
	    err);
	if (result == 0) {
		stmt_text(&stmt, ret->id);
		while ((result = stmt_row(&stmt, err)) == 1) {
			struct fio_note *note = vec_add(&ret->notes);
			char *kind = col_text(&stmt);

			fio_note_kind_parse(kind, &note->kind);
			free(kind);
			note->job = col_text(&stmt);
			note->option = col_text(&stmt);
			note->value = col_text(&stmt);
			note->place = col_text(&stmt);
			note->text = col_text(&stmt);
		}
	}
	stmt_close(&stmt);
	return result;
}
