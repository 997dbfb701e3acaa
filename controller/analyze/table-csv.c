/* SPDX-License-Identifier: Apache-2.0 */
/* Reads tables of figures as people write them. */
#include "controller/analyze/table-csv.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/str.h"
#include "lib/base/units.h"

#define CLIENTS_MAX 1000000
#define REPEAT_MAX 1000000

struct unit {
	const char *name;
	double factor, shift; /* value × factor + shift */
};

static const struct unit rate_units[] = {{"b/s", 1, 0}, {"kib/s", 0x1p10, 0},
    {"mib/s", 0x1p20, 0}, {"gib/s", 0x1p30, 0}, {"tib/s", 0x1p40, 0}, {"kb/s", 1e3, 0},
    {"mb/s", 1e6, 0}, {"gb/s", 1e9, 0}, {"tb/s", 1e12, 0}, {"mbit/s", 1e6 / 8, 0},
    {"gbit/s", 1e9 / 8, 0}, {"tbit/s", 1e12 / 8, 0}, {NULL, 0, 0}};
static const struct unit iops_units[] = {{"k", 1e3, 0}, {"m", 1e6, 0}, {"iops", 1, 0},
    {"k iops", 1e3, 0}, {"kiops", 1e3, 0}, {"m iops", 1e6, 0}, {"miops", 1e6, 0},
    {NULL, 0, 0}};
static const struct unit time_units[] = {{"ns", 1, 0}, {"us", 1e3, 0},
    {"\xc2\xb5s", 1e3, 0}, {"\xce\xbcs", 1e3, 0}, {"ms", 1e6, 0}, {"s", 1e9, 0},
    {NULL, 0, 0}};
static const struct unit change_units[] = {{"%", 1, 0}, {"x", 100, -100},
    {"\xc3\x97", 100, -100}, {NULL, 0, 0}};

enum column_kind { COLUMN_TEXT, COLUMN_COUNT, COLUMN_FIGURE };

struct column {
	const char *name;
	enum column_kind kind;
	size_t at; /* in struct table_row */
	bool required;
	unsigned most; /* of a count */
	const struct unit *units;
	double factor; /* of a bare figure */
	bool any_sign; /* else above 0 */
};

#define AT(member) offsetof(struct table_row, member)

static const struct column columns[] = {
    {"storage", COLUMN_TEXT, AT(storage), true, 0, NULL, 0, false},
    {"workload", COLUMN_TEXT, AT(workload), true, 0, NULL, 0, false},
    {"transport", COLUMN_TEXT, AT(transport), true, 0, NULL, 0, false},
    {"clients", COLUMN_COUNT, AT(clients), true, CLIENTS_MAX, NULL, 0, false},
    {"repeat", COLUMN_COUNT, AT(repeat), false, REPEAT_MAX, NULL, 0, false},
    {"throughput_gib_s", COLUMN_FIGURE, AT(bytes_per_s), false, 0, rate_units, 0x1p30,
	false},
    {"throughput_mb_s", COLUMN_FIGURE, AT(bytes_per_s), false, 0, rate_units, 1e6,
	false},
    {"iops", COLUMN_FIGURE, AT(iops), false, 0, iops_units, 1, false},
    {"latency_ms", COLUMN_FIGURE, AT(latency_ns), false, 0, time_units, 1e6, false},
    {"latency_us", COLUMN_FIGURE, AT(latency_ns), false, 0, time_units, 1e3, false},
    {"change_pct", COLUMN_FIGURE, AT(change_pct), false, 0, change_units, 1, true},
};

#define COLUMNS (sizeof columns / sizeof *columns)

/* A field with its place. */
struct field {
	char *text; /* unquoted, blanks around it dropped */
	unsigned line, col;
};

struct record {
	VEC(struct field) fields;
};

struct reader {
	const char *source, *text;
	size_t len, at;
	unsigned line;
	size_t line_start;
	struct err *err;
};

#define FAIL(reader, field, ...) \
	(err_set((reader)->err, ERR_USAGE, __VA_ARGS__), \
	    err_prefix((reader)->err, "%s:%u:%u", (reader)->source, (field)->line, \
		(field)->col))

/* ---- fields ---- */

static void
free_record(struct record *record)
{
	for (vec_each(struct field *, it, &record->fields))
		free(it->text);
	vec_free(&record->fields);
}

static char *
trimmed(const char *text, size_t len)
{
	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	while (len && isspace((unsigned char)*text)) {
		text++;
		len--;
	}
	return mem_strndup(text, len);
}

static bool
at_end(const struct reader *r)
{
	return r->at >= r->len;
}

static bool
ends_field(const struct reader *r)
{
	return at_end(r) || r->text[r->at] == ',' || r->text[r->at] == '\n';
}

static void
new_line(struct reader *r)
{
	r->line++;
	r->line_start = r->at;
}

/* Behind the opening quote; a doubled quote is one. */
static int
read_quoted(struct reader *r, struct field *field)
{
	struct str text = {0};

	for (;;) {
		char c;

		if (at_end(r)) {
			str_free(&text);
			return FAIL(r, field, "a quote is opened and never closed");
		}
		c = r->text[r->at++];
		if (c == '"' && !at_end(r) && r->text[r->at] == '"')
			r->at++;
		else if (c == '"')
			break;
		str_addc(&text, c);
		if (c == '\n')
			new_line(r);
	}
	while (!ends_field(r) && isspace((unsigned char)r->text[r->at]))
		r->at++;
	field->text = trimmed(text.s ? text.s : "", text.len);
	str_free(&text);
	return ends_field(r) ? 0 : FAIL(r, field, "text behind the closing quote");
}

static int
read_field(struct reader *r, struct field *field)
{
	size_t start;

	while (!ends_field(r) && (r->text[r->at] == ' ' || r->text[r->at] == '\t'))
		r->at++;
	*field = (struct field){
	    .line = r->line, .col = (unsigned)(r->at - r->line_start) + 1};
	if (!at_end(r) && r->text[r->at] == '"') {
		r->at++;
		return read_quoted(r, field);
	}
	start = r->at;
	while (!ends_field(r)) {
		if (r->text[r->at] == '\0')
			return FAIL(r, field, "not text: it holds a zero byte");
		r->at++;
	}
	field->text = trimmed(r->text + start, r->at - start);
	return 0;
}

/* 1: a record, 0: the end, −1. */
static int
read_record(struct reader *r, struct record *ret)
{
	*ret = (struct record){0};
	if (at_end(r))
		return 0;
	for (;;) {
		struct field field = {0};
		int result = read_field(r, &field);

		vec_push(&ret->fields, field);
		if (result != 0)
			return -1;
		if (at_end(r))
			return 1;
		if (r->text[r->at++] == ',')
			continue;
		new_line(r);
		return 1;
	}
}

/* Empty lines and lines that begin with '#' are no rows. */
static bool
is_blank(const struct record *record)
{
	return record->fields.v[0].text[0] == '#' ||
	       (record->fields.n == 1 && record->fields.v[0].text[0] == '\0');
}

static int
next_record(struct reader *r, struct record *ret)
{
	int result;

	while ((result = read_record(r, ret)) == 1 && is_blank(ret))
		free_record(ret);
	return result;
}

/* ---- values ---- */

/* "Gb/s" is a bit for some and a byte for others, and the figure eight times another. */
static bool
is_bits_or_bytes(const char *unit)
{
	const char *b = strstr(unit, "b/s");

	return b == unit + 1 && strchr("kmgtKMGT", *unit) && b[3] == '\0';
}

#define MINUS "\xe2\x88\x92" /* as typesetters write it */

/* Digits with commas between thousands, then a unit or nothing. */
static int
read_figure(struct reader *r, const struct column *column, const struct field *field,
    double *ret)
{
	const struct unit *unit = column->units;
	struct str digits = {0};
	const char *p = field->text;
	char *end = NULL;
	double value = NAN;

	if (strncmp(p, MINUS, strlen(MINUS)) == 0) {
		str_addc(&digits, '-');
		p += strlen(MINUS);
	}
	for (; *p && (isdigit((unsigned char)*p) || strchr("+-.,", *p)); p++)
		if (*p != ',')
			str_addc(&digits, *p);
		else if (!isdigit((unsigned char)p[1]) || p == field->text)
			break;
	if (digits.s)
		value = strtod(digits.s, &end);
	if (!digits.s || *end || end == digits.s)
		value = NAN;
	str_free(&digits);
	if (!isfinite(value))
		return FAIL(
		    r, field, "%s: '%s' is not a number", column->name, field->text);
	while (*p == ' ')
		p++;
	if (column->units == rate_units && is_bits_or_bytes(p))
		return FAIL(r, field,
		    "%s: bits or bytes? write '%.1sB/s' or '%.1sbit/s', not '%s'",
		    column->name, p, p, p);
	while (*p && unit->name && strcasecmp(unit->name, p) != 0)
		unit++;
	if (*p && !unit->name)
		return FAIL(r, field, "%s: unknown unit '%s'", column->name, p);
	value = *p ? value * unit->factor + unit->shift : value * column->factor;
	if (!column->any_sign && !(value > 0))
		return FAIL(r, field, "%s: '%s' is not above 0; leave unknown empty",
		    column->name, field->text);
	if (column->any_sign && !(value > -100))
		return FAIL(
		    r, field, "%s: nothing falls by 100 %% or more", column->name);
	*ret = value;
	return 0;
}

static int
read_value(struct reader *r, const struct column *column, const struct field *field,
    struct table_row *row)
{
	void *to = (char *)row + column->at;
	struct err why = ERR_INIT;
	uint64_t count;

	if (field->text[0] == '\0')
		return column->required ? FAIL(r, field, "%s is empty", column->name)
					: 0;
	switch (column->kind) {
	case COLUMN_TEXT: *(char **)to = mem_strdup(field->text); return 0;
	case COLUMN_COUNT:
		if (units_parse_u64(field->text, 1, column->most, &count, &why) != 0)
			return FAIL(r, field, "%s: %s", column->name, why.msg);
		*(unsigned *)to = (unsigned)count;
		return 0;
	case COLUMN_FIGURE: break;
	}
	if (!isnan(*(double *)to))
		return FAIL(
		    r, field, "%s: the row has this figure already", column->name);
	return read_figure(r, column, field, to);
}

/* ---- the table ---- */

struct head {
	VEC(const struct column *) columns;
};

static int
read_head(struct reader *r, const struct record *record, struct head *ret)
{
	const char *names[COLUMNS];

	for (size_t i = 0; i < COLUMNS; i++)
		names[i] = columns[i].name;
	for (vec_each(const struct field *, it, &record->fields)) {
		const struct column *found = NULL;
		const char *near;

		for (size_t i = 0; i < COLUMNS; i++)
			if (strcasecmp(columns[i].name, it->text) == 0)
				found = &columns[i];
		near = str_nearest(it->text, names, COLUMNS);
		if (!found)
			return FAIL(r, it, "unknown column '%s'%s%s%s", it->text,
			    near ? "; did you mean '" : "", near ? near : "",
			    near ? "'?" : "");
		for (size_t i = 0; i < ret->columns.n; i++)
			if (ret->columns.v[i] == found)
				return FAIL(
				    r, it, "column '%s' is there twice", found->name);
		vec_push(&ret->columns, found);
	}
	for (size_t i = 0; i < COLUMNS; i++) {
		bool there = !columns[i].required;

		for (size_t j = 0; j < ret->columns.n; j++)
			there |= ret->columns.v[j] == &columns[i];
		if (!there)
			return FAIL(r, record->fields.v, "column '%s' is missing",
			    columns[i].name);
	}
	return 0;
}

static int
read_row(struct reader *r, const struct head *head, const struct record *record,
    struct table_rows *ret)
{
	struct table_row *row = vec_add(&ret->rows);
	const struct field *first = record->fields.v;

	*row = (struct table_row){.bytes_per_s = NAN,
	    .iops = NAN,
	    .latency_ns = NAN,
	    .change_pct = NAN,
	    .line = first->line};
	if (record->fields.n != head->columns.n)
		return FAIL(r, first, "%zu fields, but the head names %zu columns",
		    record->fields.n, head->columns.n);
	for (size_t i = 0; i < record->fields.n; i++)
		if (read_value(r, head->columns.v[i], &record->fields.v[i], row) != 0)
			return -1;
	if (isnan(row->bytes_per_s) && isnan(row->iops) && isnan(row->latency_ns) &&
	    isnan(row->change_pct))
		return FAIL(r, first, "a row without any figure");
	return 0;
}

int
table_csv_parse(const char *source, const char *text, size_t len,
    struct table_rows *ret, struct err *err)
{
	struct reader r = {
	    .source = source, .text = text, .len = len, .line = 1, .err = err};
	struct head head = {0};
	struct record record;
	int result;

	*ret = (struct table_rows){0};
	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		r.at = r.line_start = 3;
	result = next_record(&r, &record);
	if (result == 1)
		result = read_head(&r, &record, &head) == 0 ? 1 : -1;
	else if (result == 0)
		result = err_set(err, ERR_USAGE, "%s:1:1: empty: no head line", source);
	free_record(&record);
	while (result == 1) {
		result = next_record(&r, &record);
		if (result == 1 && read_row(&r, &head, &record, ret) != 0)
			result = -1;
		free_record(&record);
	}
	vec_free(&head.columns);
	if (result != 0)
		table_rows_free(ret);
	return result;
}

void
table_rows_free(struct table_rows *rows)
{
	for (vec_each(struct table_row *, it, &rows->rows)) {
		free(it->storage);
		free(it->workload);
		free(it->transport);
	}
	vec_free(&rows->rows);
}
