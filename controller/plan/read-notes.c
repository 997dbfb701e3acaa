/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a plan keeps of the job file that it was made of: options that are done in
 * another way, options that were ignored, warnings.
 */
#include "controller/plan/node.h"

#include "lib/base/mem.h"

static int
note_kind(struct reader *r, yaml_node_t *value, void *into)
{
	struct fio_note *note = into;
	const char *text = node_text(r, value, "kind");

	if (!text)
		return -1;
	if (!fio_note_kind_parse(text, &note->kind))
		return node_err(r, value,
		    "kind: '%s' is not one of: warning translated skipped", text);
	return 0;
}

static int
note_job(struct reader *r, yaml_node_t *value, void *into)
{
	struct fio_note *note = into;

	return node_strdup(r, value, "job", &note->job);
}

static int
note_option(struct reader *r, yaml_node_t *value, void *into)
{
	struct fio_note *note = into;

	return node_strdup(r, value, "option", &note->option);
}

static int
note_value(struct reader *r, yaml_node_t *value, void *into)
{
	struct fio_note *note = into;

	return node_strdup(r, value, "value", &note->value);
}

static int
note_place(struct reader *r, yaml_node_t *value, void *into)
{
	struct fio_note *note = into;

	return node_strdup(r, value, "place", &note->place);
}

static int
note_text(struct reader *r, yaml_node_t *value, void *into)
{
	struct fio_note *note = into;

	return node_strdup(r, value, "text", &note->text);
}

static int
one_note(struct reader *r, yaml_node_t *node, void *into)
{
	static const struct node_key keys[] = {{"kind", note_kind, true},
	    {"job", note_job, false}, {"option", note_option, false},
	    {"value", note_value, false}, {"place", note_place, false},
	    {"text", note_text, true}, {NULL, NULL, false}};
	struct plan_workload *workload = into;
	struct fio_note *note = vec_add(&workload->notes);

	if (node_map(r, node, "a note", keys, NULL, note))
		return -1;
	if ((note->kind == FIO_NOTE_WARNING) == (note->option != NULL))
		return node_err(r, node,
		    note->option ? "a warning is a text alone, without an option"
				 : "a note of this kind names an option");
	return 0;
}

int
read_notes(struct reader *r, yaml_node_t *value, void *workload)
{
	return node_list(r, value, "notes", one_note, workload);
}
