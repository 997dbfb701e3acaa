/* SPDX-License-Identifier: Apache-2.0 */
/* See note.h. */
#include "lib/work/fio/note.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/work/fio/jobfile.h"

static const char *const kind_names[FIO_NOTE_KINDS] = {
    "warning", "translated", "skipped"};
static const char *const kind_verbs[FIO_NOTE_KINDS] = {
    NULL, "is translated", "is ignored"};

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool
is_there(const fio_notes *notes, const struct fio_note *note)
{
	for (vec_each(const struct fio_note *, it, notes))
		if (it->kind == note->kind && same_text(it->job, note->job) &&
		    same_text(it->option, note->option) &&
		    same_text(it->value, note->value) &&
		    same_text(it->place, note->place) &&
		    same_text(it->text, note->text))
			return true;
	return false;
}

static void
note_free(struct fio_note *note)
{
	free(note->job);
	free(note->option);
	free(note->value);
	free(note->place);
	free(note->text);
}

/* Takes the texts of `note` over. */
static void
add(fio_notes *notes, struct fio_note note)
{
	if (is_there(notes, &note))
		note_free(&note);
	else
		vec_push(notes, note);
}

void
fio_notes_warn(fio_notes *notes, const char *job, const char *text)
{
	add(notes, (struct fio_note){.kind = FIO_NOTE_WARNING,
		       .job = mem_strdup(job),
		       .text = mem_strdup(text)});
}

/* The last one given of a name counts, whatever stood before it. */
static bool
is_last(const struct fio_job *job, size_t i)
{
	for (size_t k = i + 1; k < job->given.n; k++)
		if (strcmp(job->given.v[k].name, job->given.v[i].name) == 0)
			return false;
	return true;
}

/* "X is ignored" among the warnings is the skipped option once more; X may be one of
 * its other names. */
static bool
is_of_skipped(const struct fio_job *job, const char *warning)
{
	for (size_t i = 0; i < job->given.n; i++) {
		const struct fio_given *given = &job->given.v[i];
		const char *verb = strstr(warning, " is ignored: ");
		char *place;
		bool is;

		if (given->mark != FIO_REFUSED || !is_last(job, i) || !verb)
			continue;
		place = mem_printf("%s:%u: ", given->pos.file, given->pos.line);
		is = strncmp(warning, place, strlen(place)) == 0 && given->why &&
		     strcmp(verb + strlen(" is ignored: "), given->why) == 0;
		free(place);
		if (is)
			return true;
	}
	return false;
}

void
fio_notes_of(const struct fio_job *job, fio_notes *ret)
{
	for (vec_each(char *const *, warning, &job->warnings))
		if (!is_of_skipped(job, *warning))
			fio_notes_warn(ret, job->name, *warning);
	for (size_t i = 0; i < job->given.n; i++) {
		const struct fio_given *given = &job->given.v[i];

		if (given->mark == FIO_HONOURED || !is_last(job, i))
			continue;
		add(ret, (struct fio_note){
			     .kind = given->mark == FIO_REFUSED ? FIO_NOTE_SKIPPED
								: FIO_NOTE_TRANSLATED,
			     .job = mem_strdup(job->name),
			     .option = mem_strdup(given->name),
			     .value = mem_strdup(given->value),
			     .place = mem_printf(
				 "%s:%u", given->pos.file, given->pos.line),
			     .text = mem_strdup(given->why ? given->why : ""),
			 });
	}
}

void
fio_notes_copy(fio_notes *ret, const fio_notes *from)
{
	for (vec_each(const struct fio_note *, it, from))
		vec_push(ret, ((struct fio_note){.kind = it->kind,
				  .job = mem_strdup(it->job),
				  .option = mem_strdup(it->option),
				  .value = mem_strdup(it->value),
				  .place = mem_strdup(it->place),
				  .text = mem_strdup(it->text)}));
}

void
fio_notes_free(fio_notes *notes)
{
	for (vec_each(struct fio_note *, it, notes))
		note_free(it);
	vec_free(notes);
}

bool
fio_notes_has(const fio_notes *notes, enum fio_note_kind kind)
{
	for (vec_each(const struct fio_note *, it, notes))
		if (it->kind == kind)
			return true;
	return false;
}

char *
fio_note_line(const struct fio_note *note)
{
	if (!note->option)
		return mem_strdup(note->text);
	return mem_printf("%s%s%s%s%s %s: %s", note->place ? note->place : "",
	    note->place ? ": " : "", note->option, note->value ? "=" : "",
	    note->value ? note->value : "", kind_verbs[note->kind], note->text);
}

const char *
fio_note_kind_name(enum fio_note_kind kind)
{
	return kind_names[kind];
}

bool
fio_note_kind_parse(const char *name, enum fio_note_kind *ret)
{
	for (int i = 0; name && i < FIO_NOTE_KINDS; i++)
		if (strcmp(name, kind_names[i]) == 0) {
			*ret = (enum fio_note_kind)i;
			return true;
		}
	return false;
}
