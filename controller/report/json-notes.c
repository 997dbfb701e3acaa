/* SPDX-License-Identifier: Apache-2.0 */
/* See json-notes.h. */
#include "controller/report/json-notes.h"

#include "controller/store/jtext.h"

static void
set(json_t *object, const char *name, json_t *value)
{
	json_object_set_new(object, name, value);
}

static json_t *
note_json(const struct fio_note *note)
{
	json_t *ret = json_object();

	set(ret, "job", jtext(note->job));
	set(ret, "option", jtext(note->option));
	set(ret, "value", jtext(note->value));
	set(ret, "place", jtext(note->place));
	set(ret, note->kind == FIO_NOTE_SKIPPED ? "why" : "how", jtext(note->text));
	return ret;
}

void
json_set_notes(json_t *object, const fio_notes *notes)
{
	static const char *const names[FIO_NOTE_KINDS] = {
	    "warnings", "translated_options", "skipped_options"};

	for (int kind = 0; kind < FIO_NOTE_KINDS; kind++) {
		json_t *list = json_array();

		for (vec_each(const struct fio_note *, note, notes))
			if (note->kind == (enum fio_note_kind)kind)
				json_array_append_new(
				    list, note->option ? note_json(note)
						       : jtext(note->text));
		set(object, names[kind], list);
	}
}
