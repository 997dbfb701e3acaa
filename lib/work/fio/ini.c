/* SPDX-License-Identifier: Apache-2.0 */
/* Lines, sections and includes of fio job files.  See ini.h. */
#include "lib/work/fio/ini.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"

#define LINE_MAX_FIO 4095 /* fio reads longer lines in pieces */
#define INCLUDE_DEPTH_MAX 8
#define SECTIONS_MAX 4096
#define ENTRIES_MAX 65536
#define NAME_MAX_FIO 255

struct reader {
	struct ini *ini;
	bool as_fio;
	ini_include_fn *include;
	void *arg;
	struct err *err;
	unsigned depth;
	size_t entries;
	struct fio_pos pos;
	VEC(char *) odd; /* of the line that is read */
};

int
fio_err(struct err *err, enum err_code code, struct fio_pos pos, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	if (pos.line)
		err_set(err, code, "%s:%u: %s", pos.file, pos.line, text);
	else
		err_set(err, code, "%s: %s", pos.file, text);
	free(text);
	return -1;
}

static int
bad(struct reader *r, const char *what)
{
	return fio_err(r->err, ERR_USAGE, r->pos, "%s", what);
}

/* What nobody means: an error, or taken as fio takes it, with a warning. */
__attribute__((format(printf, 2, 3))) static int
odd(struct reader *r, const char *fmt, ...)
{
	va_list ap;
	char *text;
	int rc = 0;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	if (r->as_fio)
		vec_push(&r->odd, mem_printf("%s:%u: %s" FIO_TAKEN_SO, r->pos.file,
				      r->pos.line, text));
	else
		rc = bad(r, text);
	free(text);
	return rc;
}

/* A line's warnings are its section's. */
static void
keep_odd(struct reader *r)
{
	for (vec_each(char **, text, &r->odd))
		vec_push(
		    &r->ini->sections.v[r->ini->sections.n - 1].warnings, *text);
	r->odd.n = 0;
}

static const char *
keep_file(struct ini *ini, const char *name)
{
	char *copy = mem_strdup(name);

	vec_push(&ini->files, copy);
	return copy;
}

/*
 * fio cuts a line at the first ; and then at the first #, wherever they stand.  A
 * mark that follows a blank is a comment; one inside a word is a surprise.
 */
static int
cut_comment(struct reader *r, char *line)
{
	char *mark = line + strcspn(line, ";#");
	char sign = *mark;

	if (!sign)
		return 0;
	*mark = '\0';
	if (mark > line && !isspace((unsigned char)mark[-1]))
		return odd(r,
		    "'%c' begins a comment even inside a word: fio would read '%s' and "
		    "drop the rest (put a blank before it if that is meant)",
		    sign, line);
	return 0;
}

static void
cut_blanks(char *line)
{
	size_t len = strlen(line);

	while (len && (isspace((unsigned char)line[len - 1]) ||
			  iscntrl((unsigned char)line[len - 1])))
		line[--len] = '\0';
}

static int
begin_section(struct reader *r, char *line)
{
	size_t len = strlen(line);
	struct ini_section *section;

	if (len < 2)
		return bad(r, "option <[> outside of a [job] section");
	if (line[len - 1] != ']' &&
	    odd(r,
		"'%s' does not end with ]: fio would drop its last character and "
		"take the rest as the name",
		line))
		return -1;
	line[len - 1] = '\0';
	line++;
	if (strlen(line) > NAME_MAX_FIO)
		return bad(r, "the section's name is longer than 255 characters");
	if (r->ini->sections.n == SECTIONS_MAX)
		return bad(r, "more than 4096 sections");
	if (str_starts(line, "global") && strcmp(line, "global") != 0 &&
	    odd(r,
		"[%s] would be a [global] section to fio, which looks at the first "
		"six letters only; call the job something else",
		line))
		return -1;
	section = vec_add(&r->ini->sections);
	section->name = mem_strdup(line);
	section->global = str_starts(line, "global");
	section->pos = r->pos;
	return 0;
}

static int read_lines(struct reader *r, const char *text, size_t len);

static int
include_file(struct reader *r, const char *name)
{
	struct fio_pos here = r->pos;
	char *text = NULL, *found = NULL;
	int rc;

	if (r->depth == INCLUDE_DEPTH_MAX)
		return bad(r, "files include each other more than 8 deep");
	if (!*name)
		return bad(r, "include names no file");
	if (r->include(r->arg, name, here.file, &text, &found, r->err))
		return err_prefix(
		    r->err, "%s:%u: include %s", here.file, here.line, name);
	r->pos.file = keep_file(r->ini, found);
	free(found);
	r->depth++;
	rc = read_lines(r, text, strlen(text));
	r->depth--;
	free(text);
	r->pos = here;
	return rc;
}

static int
one_line(struct reader *r, char *line)
{
	struct ini_section *section;
	struct ini_entry *entry;

	while (isspace((unsigned char)*line))
		line++;
	if (*line == '\0' || *line == '#' || *line == ';')
		return 0;
	if (r->depth && *line == '[')
		return bad(r, "an included file may hold no sections");
	if (cut_comment(r, line))
		return -1;
	cut_blanks(line);
	if (*line == '[')
		return begin_section(r, line);
	if (r->ini->sections.n == 0)
		return fio_err(r->err, ERR_USAGE, r->pos,
		    "option <%s> outside of a [job] section", line);
	if (str_starts(line, "include") &&
	    (line[7] == ' ' || line[7] == '\t' || line[7] == '=' || line[7] == '\0'))
		return include_file(r, line[7] ? line + 8 : line + 7);
	if (++r->entries > ENTRIES_MAX)
		return bad(r, "more than 65536 options");
	section = &r->ini->sections.v[r->ini->sections.n - 1];
	entry = vec_add(&section->entries);
	entry->text = mem_strdup(line);
	entry->pos = r->pos;
	return 0;
}

static int
read_lines(struct reader *r, const char *text, size_t len)
{
	const char *end = text + len;

	if (memchr(text, '\0', len))
		return fio_err(r->err, ERR_USAGE, r->pos, "holds a NUL character");
	r->pos.line = 0;
	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t n = (size_t)((newline ? newline : end) - text);
		char *line;
		int rc;

		r->pos.line++;
		if (n > LINE_MAX_FIO)
			return bad(r, "longer than 4095 characters; fio would read it "
				      "as two lines");
		line = mem_strndup(text, n);
		rc = one_line(r, line);
		free(line);
		if (rc)
			return -1;
		keep_odd(r);
		text = newline ? newline + 1 : end;
	}
	return 0;
}

int
ini_parse(struct ini *ret, const char *file, const char *text, size_t len, bool as_fio,
    ini_include_fn *include, void *arg, struct err *err)
{
	struct reader r = {
	    .ini = ret, .as_fio = as_fio, .include = include, .arg = arg, .err = err};
	int rc;

	*ret = (struct ini){0};
	r.pos.file = keep_file(ret, file);
	rc = read_lines(&r, text, len);
	for (vec_each(char **, left, &r.odd))
		free(*left);
	vec_free(&r.odd);
	if (rc)
		ini_free(ret);
	return rc;
}

void
ini_free(struct ini *ini)
{
	for (vec_each(struct ini_section *, section, &ini->sections)) {
		for (vec_each(struct ini_entry *, entry, &section->entries))
			free(entry->text);
		vec_free(&section->entries);
		for (vec_each(char **, warning, &section->warnings))
			free(*warning);
		vec_free(&section->warnings);
		free(section->name);
	}
	for (vec_each(char **, file, &ini->files))
		free(*file);
	vec_free(&ini->sections);
	vec_free(&ini->files);
}
