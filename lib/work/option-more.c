/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kinds of option value that many rows share, beyond those of option-kind.c: words,
 * numbers with a fraction or a sign, amounts that may be percentages.
 */
#include "lib/work/option.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/units.h"
#include "lib/base/vec.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define DIRECTIONS 3 /* read, write, trim in fio; trims do not exist here */

static void *
field(struct job *job, const struct option *option)
{
	return (char *)job + option->offset;
}

static const void *
cfield(const struct job *job, const struct option *option)
{
	return (const char *)job + option->offset;
}

/* Helpers */

int
option_word_refuse(
    const struct word *words, const char *value, const char *expected, struct err *err)
{
	VEC(const char *) names = {0};

	for (const struct word *w = words; w->name; w++)
		vec_push(&names, w->name);
	const char *near = str_nearest(value, names.v, names.n);
	vec_free(&names);
	if (near)
		return err_set(err, ERR_USAGE,
		    "'%s' is not one of %s; did you mean '%s'?", value, expected, near);
	return err_set(err, ERR_USAGE, "'%s' is not one of %s", value, expected);
}

int
option_word_parse(
    const struct word *words, const char *value, int *ret, struct err *err)
{
	struct str all = {0};

	for (const struct word *w = words; w->name; w++) {
		if (strcmp(value, w->name) == 0) {
			str_free(&all);
			*ret = w->value;
			return 0;
		}
		str_addf(&all, "%s%s", all.len ? ", " : "", w->name);
	}
	option_word_refuse(words, value, all.s, err);
	str_free(&all);
	return -1;
}

const char *
option_word_name(const struct word *words, int value)
{
	for (const struct word *w = words; w->name; w++)
		if (w->value == value)
			return w->name;
	return "unknown";
}

bool
option_part(const char **rest, char sep, char **ret)
{
	const char *end;

	if (!*rest)
		return false;
	end = strchr(*rest, sep);
	*ret = end ? mem_strndup(*rest, (size_t)(end - *rest)) : mem_strdup(*rest);
	*rest = end ? end + 1 : NULL;
	return true;
}

int
option_number(
    const char *text, uint64_t min, uint64_t max, uint64_t *ret, struct err *err)
{
	if (units_parse_bytes(text, ret, err))
		return -1;
	if (*ret < min || *ret > max)
		return err_set(err, ERR_USAGE,
		    "%" PRIu64 " is out of range: it must be %" PRIu64 " to %" PRIu64,
		    *ret, min, max);
	return 0;
}

int
option_float(const char *text, double min, double max, double *ret, struct err *err)
{
	char *end;

	if (*text == '\0' || text[strspn(text, "0123456789.eE+-")] != '\0')
		return err_set(err, ERR_USAGE, "'%s' is not a number", text);
	*ret = strtod(text, &end);
	if (*end)
		return err_set(err, ERR_USAGE, "'%s' is not a number", text);
	if (!(*ret >= min && *ret <= max))
		return err_set(err, ERR_USAGE,
		    "%s is out of range: it must be %g to %g", text, min, max);
	return 0;
}

/* The shortest text that reads back as the same number. */
void
option_add_float(struct str *ret, double v)
{
	char buf[40];

	for (int digits = 6; digits <= 17; digits++) {
		snprintf(buf, sizeof buf, "%.*g", digits, v);
		if (strtod(buf, NULL) == v)
			break;
	}
	str_add(ret, buf);
}

/* Words */

static int
more_word_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	int *p = field(job, option);

	return option_word_parse(option->words, value, p, err);
}

static bool
more_word_format(const struct job *job, const struct option *option, struct str *ret)
{
	const int *p = cfield(job, option);

	str_add(ret, option_word_name(option->words, *p));
	return true;
}

const struct option_kind option_word = {
    .parse = more_word_parse, .format = more_word_format};

static int
bool_word_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	int v = 0;

	if (option_word_parse(option->words, value, &v, err))
		return -1;
	*(bool *)field(job, option) = v != 0;
	return 0;
}

static bool
bool_word_format(const struct job *job, const struct option *option, struct str *ret)
{
	const bool *p = cfield(job, option);

	str_add(ret, option_word_name(option->words, *p));
	return true;
}

const struct option_kind option_bool_word = {
    .parse = bool_word_parse, .format = bool_word_format};

/* Numbers */

static int
double_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	return option_float(
	    value, (double)option->min, (double)option->max, field(job, option), err);
}

static bool
double_format(const struct job *job, const struct option *option, struct str *ret)
{
	const double *p = cfield(job, option);

	option_add_float(ret, *p);
	return true;
}

const struct option_kind option_double = {
    .parse = double_parse, .format = double_format};

/* min is the limit of negative values, without its sign. */
static int
signed_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	bool negative = value[0] == '-';
	uint64_t v;

	if (units_parse_u64(
		value + negative, 0, negative ? option->min : option->max, &v, err))
		return -1;
	*(int *)field(job, option) = negative ? -(int)v : (int)v;
	return 0;
}

static bool
signed_format(const struct job *job, const struct option *option, struct str *ret)
{
	const int *p = cfield(job, option);

	str_addf(ret, "%d", *p);
	return true;
}

const struct option_kind option_signed = {
    .parse = signed_parse, .format = signed_format, .number = true};

/* A number with a flag that it is set, in the `bool` at `extra`. */
static int
flagged_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	uint64_t v;

	if (option_number(value, option->min, option->max, &v, err))
		return -1;
	*(unsigned *)field(job, option) = (unsigned)v;
	*(bool *)((char *)job + option->extra) = true;
	return 0;
}

static bool
flagged_format(const struct job *job, const struct option *option, struct str *ret)
{
	const unsigned *p = cfield(job, option);

	if (!*(const bool *)((const char *)job + option->extra))
		return false;
	str_addf(ret, "%u", *p);
	return true;
}

const struct option_kind option_prio = {
    .parse = flagged_parse, .format = flagged_format, .number = true};
const struct option_kind option_flagged = {
    .parse = flagged_parse, .format = flagged_format, .number = true};

/* Bytes, or percent of what the file or device holds. */
static int
amount_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	unsigned *percent = (unsigned *)((char *)job + option->extra);
	uint64_t *bytes = field(job, option), v;
	size_t len = strlen(value);

	if (value[len - 1] != '%') {
		if (option_number(value, 0, option->max, &v, err))
			return -1;
		if (v < option->min)
			return err_set(err, ERR_USAGE,
			    "%" PRIu64 " is too small (at least %" PRIu64 ")", v,
			    option->min);
		*bytes = v;
		*percent = 0;
		return 0;
	}
	if (len > 4 || value[strspn(value, "0123456789")] != '%')
		return err_set(err, ERR_USAGE,
		    "'%s' is not a percentage from 1%% to 100%%", value);
	v = strtoul(value, NULL, 10);
	if (v < 1 || v > 100)
		return err_set(err, ERR_USAGE,
		    "'%s' is not a percentage from 1%% to 100%%", value);
	*bytes = 0;
	*percent = (unsigned)v;
	return 0;
}

static bool
amount_format(const struct job *job, const struct option *option, struct str *ret)
{
	const unsigned *percent = (const unsigned *)((const char *)job + option->extra);
	const uint64_t *bytes = cfield(job, option);

	if (*percent)
		str_addf(ret, "%u%%", *percent);
	else
		str_addf(ret, "%" PRIu64, *bytes);
	return true;
}

const struct option_kind option_amount = {
    .parse = amount_parse, .format = amount_format, .number = true};

/* "read,write,trim" as times. */
static int
dir_time_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	uint64_t v[DIRECTIONS] = {0}, *p = field(job, option);
	const char *rest = value;
	size_t n = 0;
	char *part;

	while (option_part(&rest, ',', &part)) {
		int rc = 0;

		if (n == COUNT(v))
			rc = err_set(
			    err, ERR_USAGE, "'%s' has more than three values", value);
		else if (*part)
			rc = units_parse_time(part, option->bare, &v[n], err);
		n++;
		free(part);
		if (rc)
			return -1;
	}
	p[DIR_READ] = v[0];
	p[DIR_WRITE] = n > 1 ? v[1] : v[0];
	return 0;
}

static bool
dir_time_format(const struct job *job, const struct option *option, struct str *ret)
{
	const uint64_t *p = cfield(job, option);

	str_addf(ret, "%" PRIu64 "ns", p[DIR_READ]);
	if (p[DIR_WRITE] != p[DIR_READ])
		str_addf(ret, ",%" PRIu64 "ns", p[DIR_WRITE]);
	return true;
}

const struct option_kind option_per_dir_time = {
    .parse = dir_time_parse, .format = dir_time_format};

/* "5s" or "5s-10s", the latter a draw between the two. */
static int
window_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	const char *rest = value;
	uint64_t v[2] = {0};
	size_t n = 0;
	char *part;

	while (option_part(&rest, '-', &part)) {
		int rc = n < COUNT(v)
			     ? units_parse_time(part, option->bare, &v[n], err)
			     : err_set(err, ERR_USAGE, "'%s' is no range", value);

		n++;
		free(part);
		if (rc)
			return -1;
	}
	if (n == 2 && v[1] < v[0])
		return err_set(err, ERR_USAGE, "'%s' ends before it begins", value);
	*(uint64_t *)field(job, option) = v[0];
	*(uint64_t *)((char *)job + option->extra) = v[1];
	return 0;
}

static bool
window_format(const struct job *job, const struct option *option, struct str *ret)
{
	const uint64_t *from = cfield(job, option);
	const uint64_t *to = (const uint64_t *)((const char *)job + option->extra);

	str_addf(ret, "%" PRIu64 "ns", *from);
	if (*to)
		str_addf(ret, "-%" PRIu64 "ns", *to);
	return true;
}

const struct option_kind option_window = {
    .parse = window_parse, .format = window_format};

static int
percentiles_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	const char *rest = value;
	unsigned n = 0;
	char *part;

	(void)option;
	while (option_part(&rest, ':', &part)) {
		int rc =
		    n < JOB_PERCENTILES_MAX
			? option_float(part, 0, 100, &job->output.percentiles[n], err)
			: err_set(err, ERR_USAGE, "more than %d values",
			      JOB_PERCENTILES_MAX);

		n++;
		free(part);
		if (rc)
			return -1;
	}
	job->output.npercentiles = n;
	return 0;
}

static bool
percentiles_format(const struct job *job, const struct option *option, struct str *ret)
{
	(void)option;
	for (unsigned i = 0; i < job->output.npercentiles; i++) {
		if (i)
			str_addc(ret, ':');
		option_add_float(ret, job->output.percentiles[i]);
	}
	return job->output.npercentiles > 0;
}

const struct option_kind option_percentiles = {
    .parse = percentiles_parse, .format = percentiles_format};
