/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One entry of a section after the other becomes part of a job, with a mark that
 * says how.
 */
#include "lib/work/fio/draft.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/work/option.h"

void
fio_draft_init(struct fio_draft *draft, const struct fio_reading *reading)
{
	*draft = (struct fio_draft){.reading = reading, .kb_base = 1024};
	job_init(&draft->made.job);
	draft->made.job.randrepeat = true; /* fio's default, and not that of plans */
}

static void
copy_given(struct fio_job *ret, const struct fio_job *job)
{
	for (vec_each(const struct fio_given *, given, &job->given)) {
		struct fio_given copy = *given;

		copy.name = mem_strdup(given->name);
		copy.value = mem_strdup(given->value);
		copy.why = mem_strdup(given->why);
		vec_push(&ret->given, copy);
	}
	for (vec_each(const struct fio_trim *, trim, &job->trims)) {
		struct fio_trim copy = {trim->option, mem_strdup(trim->value)};

		vec_push(&ret->trims, copy);
	}
	for (vec_each(char *const *, warning, &job->warnings))
		vec_push(&ret->warnings, mem_strdup(*warning));
}

void
fio_draft_copy(struct fio_draft *ret, const struct fio_draft *draft)
{
	*ret = *draft;
	ret->made = (struct fio_job){.pos = draft->made.pos};
	ret->made.name = mem_strdup(draft->made.name);
	ret->wait_for = mem_strdup(draft->wait_for);
	job_copy(&ret->made.job, &draft->made.job);
	copy_given(&ret->made, &draft->made);
}

void
fio_draft_free(struct fio_draft *draft)
{
	struct fio_job *job = &draft->made;

	for (vec_each(struct fio_given *, given, &job->given)) {
		free(given->name);
		free(given->value);
		free(given->why);
	}
	for (vec_each(struct fio_trim *, trim, &job->trims))
		free(trim->value);
	for (vec_each(char **, warning, &job->warnings))
		free(*warning);
	vec_free(&job->given);
	vec_free(&job->trims);
	vec_free(&job->warnings);
	job_free(&job->job);
	free(job->name);
	free(draft->wait_for);
}

void
fio_draft_warn(struct fio_draft *draft, struct fio_pos pos, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	vec_push(
	    &draft->made.warnings, mem_printf("%s:%u: %s", pos.file, pos.line, text));
	free(text);
}

static void
keep_trim(struct fio_draft *draft, const char *option, char *value)
{
	struct fio_trim *trim;

	for (vec_each(struct fio_trim *, other, &draft->made.trims)) {
		if (strcmp(other->option, option) != 0)
			continue;
		free(other->value);
		other->value = value;
		return;
	}
	trim = vec_add(&draft->made.trims);
	trim->option = option;
	trim->value = value;
}

/* What read,write,trim parts that are left empty keep. */
struct before {
	struct str text;
	char *part[3];
};

static void
before_read(struct before *before, const struct fio_draft *draft, const char *name)
{
	const struct option *option = option_find(name);
	const char *rest, *trim = fio_job_trim(&draft->made, name);

	if (!option || !option->kind->format)
		return;
	option->kind->format(&draft->made.job, option, &before->text);
	rest = before->text.s;
	for (int i = 0; i < 2; i++)
		if (!option_part(&rest, ',', &before->part[i]))
			before->part[i] = mem_strdup(before->part[0]);
	before->part[2] = mem_strdup(trim                               ? trim
				     : option->bare || !before->part[0] ? "4096"
									: "0");
}

static void
before_free(struct before *before)
{
	str_free(&before->text);
	for (int i = 0; i < 3; i++)
		free(before->part[i]);
}

/* fio compares words up to the first ',' or ':' and drops the rest. */
static int
check_word(const struct fio_option *option, const char *word, struct err *err)
{
	char *first;

	if (!option->words || fio_has_word(option->words, word))
		return 0;
	first = mem_strndup(word, strcspn(word, ",:"));
	err_set(err, ERR_USAGE, "'%s' is not one of: %s%s%s%s", word, option->words,
	    fio_has_word(option->words, first) ? "; fio would read '" : "",
	    fio_has_word(option->words, first) ? first : "",
	    fio_has_word(option->words, first) ? "'" : "");
	free(first);
	return -1;
}

static int
check_zero(const struct fio_option *option, const struct fio_value *value,
    struct str *text, struct err *err)
{
	if (!option->zero_is || strcmp(text->s, "0") != 0)
		return 0;
	if (!value->as_fio)
		return err_set(err, ERR_USAGE,
		    "0 is too small (at least 1); fio would take %s", option->zero_is);
	str_clear(text);
	str_add(text, option->zero_is);
	return 0;
}

/* The value in base units; err without a place. */
static int
convert(const struct fio_option *option, const struct fio_value *value,
    const char *text, struct str *ret, char **ret_trim, struct err *err)
{
	if (fio_value(value, text, ret, ret_trim, err) < 0 ||
	    check_word(option, ret->s, err) < 0 ||
	    check_zero(option, value, ret, err) < 0)
		return -1;
	return 0;
}

/* What is taken only because fio takes it is said, as it is by the error otherwise. */
static void
warn_odd(const struct fio_option *option, const struct fio_value *value,
    const char *text)
{
	struct fio_value strict = *value;
	fio_texts warnings = {0};
	struct str ignored = {0};
	struct err err = ERR_INIT;
	char *trim = NULL;

	strict.as_fio = false;
	strict.warnings = &warnings;
	if (convert(option, &strict, text, &ignored, &trim, &err) < 0)
		vec_push(value->warnings, mem_printf("%s" FIO_TAKEN_SO, err.msg));
	for (vec_each(char **, warning, &warnings))
		free(*warning);
	vec_free(&warnings);
	str_free(&ignored);
	free(trim);
}

static int
read_value(struct fio_draft *draft, const struct fio_option *option, const char *text,
    bool calculates, struct fio_pos pos, struct str *ret, struct err *err)
{
	struct before before = {0};
	fio_texts warnings = {0};
	struct fio_value value = {.type = option->type,
	    .kb_base = draft->kb_base,
	    .as_fio = draft->reading->as_fio,
	    .listed = option->words != NULL,
	    .calculates = calculates,
	    .job = draft->made.name,
	    .warnings = &warnings};
	char *trim = NULL;
	int rc;

	if (option->type == FIO_INTS || option->type == FIO_USECONDS3)
		before_read(&before, draft, option->name);
	for (int i = 0; i < 3; i++)
		value.before[i] = before.part[i];
	rc = convert(option, &value, text, ret, &trim, err);
	if (rc == 0 && value.as_fio)
		warn_odd(option, &value, text);
	if (rc == 0 && trim)
		keep_trim(draft, option->name, trim);
	else
		free(trim);
	for (vec_each(char **, warning, &warnings)) {
		fio_draft_warn(draft, pos, "%s: %s", option->name, *warning);
		free(*warning);
	}
	vec_free(&warnings);
	before_free(&before);
	return rc;
}

/* ERR_UNSUPPORTED: refused, with the reason as the message. */
static int
carry_out(struct fio_draft *draft, const struct fio_option *option, const char *value,
    struct fio_given *given, struct err *err)
{
	const char *colon = strchr(value, ':');
	char *word =
	    mem_strndup(value, colon ? (size_t)(colon - value) : strlen(value));
	bool harmless = option->harmless && fio_has_word(option->harmless, value);
	bool lacks = option->lacks && fio_has_word(option->lacks, word);

	free(word);
	given->mark = FIO_HONOURED;
	if (lacks)
		return err_set(
		    err, ERR_UNSUPPORTED, "'%s': %s", value, option->lacks_why);
	switch (option->how) {
	case FIO_JOB: return job_set(&draft->made.job, option->name, value, err);
	case FIO_GROUPING: return option->map(draft, value, err) < 0 ? -1 : 0;
	case FIO_REFUSE:
		return harmless ? 0 : err_set(err, ERR_UNSUPPORTED, "%s", option->note);
	case FIO_NO_EFFECT: break;
	case FIO_MAP: {
		int as_it_is = option->map(draft, value, err);

		if (as_it_is)
			return as_it_is < 0 ? -1 : 0;
		break;
	}
	}
	given->mark = FIO_TRANSLATED;
	given->why = mem_strdup(option->note);
	return 0;
}

/* job_set puts the option's name in front; so does fio_err's caller. */
static const char *
plain_message(const struct err *err, const char *name)
{
	size_t len = strlen(name);

	if (strncmp(err->msg, name, len) == 0 && str_starts(err->msg + len, ": "))
		return err->msg + len + 2;
	return err->msg;
}

static int
refuse(struct fio_draft *draft, struct fio_given *given, const char *name,
    const char *why, struct err *err)
{
	if (!draft->reading->ignore_unsupported) {
		char *copy = mem_strdup(why);

		fio_err(err, ERR_UNSUPPORTED, given->pos, "%s: %s", name, copy);
		free(copy);
		return -1;
	}
	given->mark = FIO_REFUSED;
	free(given->why);
	given->why = mem_strdup(why);
	fio_draft_warn(draft, given->pos, "%s is ignored: %s", name, why);
	return 0;
}

static int
bad_option(const struct ini_entry *entry, const char *name, struct err *err)
{
	const char *names[512];
	size_t n = 0;
	const char *near;

	for (const struct fio_option *o = fio_options; o->name && n < 510; o++) {
		names[n++] = o->name;
		if (o->alias[0])
			names[n++] = o->alias[0];
	}
	near = str_nearest(name, names, n);
	if (near)
		return fio_err(err, ERR_USAGE, entry->pos,
		    "unknown option '%s'; did you mean '%s'?", name, near);
	return fio_err(err, ERR_USAGE, entry->pos, "unknown option '%s'", name);
}

/* An option that only engines have that do not exist here. */
static const struct fio_option foreign = {.name = "",
    .type = FIO_TEXT,
    .how = FIO_REFUSE,
    .note = "belongs to an engine that is not supported"};

static int
apply_known(struct fio_draft *draft, const struct fio_option *option, const char *name,
    const char *text, bool calculates, struct fio_pos pos, struct err *err)
{
	struct fio_given given = {.option = option,
	    .name = mem_strdup(*option->name ? option->name : name),
	    .value = mem_strdup(text),
	    .pos = pos};
	struct str value = {0};
	struct err why = ERR_INIT;
	int rc = 0;

	if (option == &foreign)
		rc = err_set(&why, ERR_UNSUPPORTED, "%s", foreign.note);
	if (rc == 0)
		rc = read_value(draft, option, text, calculates, pos, &value, &why);
	if (rc == 0)
		rc = carry_out(draft, option, value.s ? value.s : "", &given, &why);
	if (rc && why.code == ERR_UNSUPPORTED)
		rc =
		    refuse(draft, &given, name, plain_message(&why, option->name), err);
	else if (rc)
		fio_err(err, why.code, pos, "%s: %s", name,
		    plain_message(&why, option->name));
	str_free(&value);
	if (rc == 0) {
		vec_push(&draft->made.given, given);
		return 0;
	}
	free(given.name);
	free(given.value);
	free(given.why);
	return -1;
}

static void
trim_end(char *text)
{
	size_t len = strlen(text);

	while (len && strchr(" \t", text[len - 1]))
		text[--len] = '\0';
}

/* ${VAR} and $words; err and warnings have the place. */
static int
replace(struct fio_draft *draft, const struct ini_entry *entry, struct str *ret,
    bool *ret_calculates, struct err *err)
{
	const struct fio_words *words = &draft->reading->words;
	struct err why = ERR_INIT;

	if (fio_replace(entry->text, words, false, ret, ret_calculates, &why) == 0)
		return 0;
	if (!draft->reading->as_fio)
		return fio_err(err, why.code, entry->pos, "%s", why.msg);
	fio_draft_warn(draft, entry->pos, "%s" FIO_TAKEN_SO, why.msg);
	str_clear(ret);
	return fio_replace(entry->text, words, true, ret, ret_calculates, err);
}

int
fio_draft_apply(struct fio_draft *draft, const struct ini_entry *entry, struct err *err)
{
	const struct fio_option *option;
	struct str text = {0};
	bool calculates;
	char *value;
	int rc;

	if (replace(draft, entry, &text, &calculates, err)) {
		str_free(&text);
		return -1;
	}
	if (!text.s)
		str_add(&text, "");
	value = strchr(text.s, '=');
	if (value)
		*value++ = '\0';
	trim_end(text.s);
	option = fio_option_find(text.s);
	if (!option && fio_knows_option(text.s))
		option = &foreign;
	rc = option ? apply_known(
			  draft, option, text.s, value, calculates, entry->pos, err)
		    : bad_option(entry, text.s, err);
	str_free(&text);
	return rc;
}
