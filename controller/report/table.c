/* SPDX-License-Identifier: Apache-2.0 */
/* Laying out text in columns. */
#include "controller/report/table.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/units.h"

void
table_init(struct table *table, const struct table_column *columns, size_t n)
{
	*table = (struct table){.columns = columns, .ncolumns = n};
}

void
table_add(struct table *table, const char *text)
{
	struct str clean = {0};

	plain_print(text, &clean);
	vec_push(&table->cells, str_take(&clean));
}

void
table_addf(struct table *table, const char *fmt, ...)
{
	struct str text = {0};
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(&text, fmt, ap);
	va_end(ap);
	table_add(table, text.s ? text.s : "");
	str_free(&text);
}

void
plain_print(const char *text, struct str *out)
{
	while (*text) {
		const unsigned char *s = (const unsigned char *)text;
		size_t len = str_utf8_len(s);
		/* C0, DEL, and C1, which is C2 80 to C2 9F */
		bool control = *s < 0x20 || *s == 0x7f || (*s == 0xc2 && s[1] < 0xa0);

		if (len == 0 || control)
			str_addc(out, '?');
		else
			str_addn(out, text, len);
		text += len ? len : 1;
	}
}

static void
spaces(struct str *out, size_t n)
{
	while (n--)
		str_addc(out, ' ');
}

/* Up to `columns` code points; the last one "…" when text was left. */
static void
put_cut(struct str *out, const char *text, size_t columns)
{
	bool cut = str_columns(text) > columns;

	if (cut)
		columns--;
	while (*text && columns--) {
		size_t len = str_utf8_len((const unsigned char *)text);

		str_addn(out, text, len);
		text += len;
	}
	if (cut)
		str_add(out, "…");
}

static void
put_cell(struct str *out, const char *text, size_t width, bool right, bool last)
{
	size_t used = str_columns(text) < width ? str_columns(text) : width;

	if (right)
		spaces(out, width - used);
	put_cut(out, text, width);
	if (!right && !last)
		spaces(out, width - used);
}

/* The widths that cells want; 0 for a column without any text. */
static void
find_widths(const struct table *table, size_t *width)
{
	for (size_t c = 0; c < table->ncolumns; c++) {
		width[c] = 0;
		for (size_t i = c; i < table->cells.n; i += table->ncolumns)
			if (str_columns(table->cells.v[i]) > width[c])
				width[c] = str_columns(table->cells.v[i]);
		if (width[c] == 0)
			continue;
		if (str_columns(table->columns[c].title) > width[c])
			width[c] = str_columns(table->columns[c].title);
		if (str_columns(table->columns[c].unit) > width[c])
			width[c] = str_columns(table->columns[c].unit);
	}
}

/* Columns between this one and the one before: figures stand closer. */
static size_t
gap_before(const struct table *table, const size_t *width, size_t c)
{
	for (size_t left = c; left-- > 0;)
		if (width[left])
			return table->columns[left].right && table->columns[c].right
				   ? 1
				   : 2;
	return 0;
}

/* Takes from the widest column that may give, one by one. */
static void
shrink(const struct table *table, size_t *width, size_t limit)
{
	for (;;) {
		size_t total = 0, widest = table->ncolumns;

		for (size_t c = 0; c < table->ncolumns; c++) {
			const struct table_column *column = &table->columns[c];

			total += width[c] ? width[c] + gap_before(table, width, c) : 0;
			if (column->shrink && width[c] > column->shrink &&
			    (widest == table->ncolumns || width[c] > width[widest]))
				widest = c;
		}
		if (total <= limit || widest == table->ncolumns)
			return;
		width[widest]--;
	}
}

static void
put_row(const struct table *table, const char *const *cells, const size_t *width,
    size_t indent, struct str *out)
{
	size_t last = table->ncolumns;

	while (last > 0 && (width[last - 1] == 0 || cells[last - 1][0] == '\0'))
		last--;
	spaces(out, indent);
	for (size_t c = 0; c < last; c++) {
		if (width[c] == 0)
			continue;
		spaces(out, gap_before(table, width, c));
		put_cell(
		    out, cells[c], width[c], table->columns[c].right, c + 1 == last);
	}
	str_addc(out, '\n');
}

void
table_print(struct table *table, size_t indent, size_t width, struct str *out)
{
	size_t n = table->ncolumns;
	size_t *widths = mem_array(n, sizeof *widths);
	const char **head = mem_array(n, sizeof *head);
	bool units = false;

	find_widths(table, widths);
	shrink(table, widths, width > indent ? width - indent : 0);
	for (size_t c = 0; c < n; c++)
		head[c] = table->columns[c].title;
	put_row(table, head, widths, indent, out);
	for (size_t c = 0; c < n; c++) {
		head[c] = table->columns[c].unit;
		units = units || (head[c][0] && widths[c]);
	}
	if (units)
		put_row(table, head, widths, indent, out);
	for (size_t i = 0; i + n <= table->cells.n; i += n)
		put_row(table, (const char *const *)table->cells.v + i, widths, indent,
		    out);
	for (vec_each(char **, cell, &table->cells))
		free(*cell);
	vec_free(&table->cells);
	free(widths);
	free(head);
}

void
wrap_print(const char *text, size_t indent, size_t hang, size_t width, struct str *out)
{
	struct str clean = {0};
	size_t at = indent;
	bool first = true;

	plain_print(text, &clean);
	spaces(out, indent);
	for (char *word = clean.s; word && *word;) {
		size_t len = strcspn(word, " ");
		char *next = word + len + strspn(word + len, " ");

		word[len] = '\0';
		if (!first && at + 1 + str_columns(word) > width) {
			str_addc(out, '\n');
			spaces(out, hang);
			at = hang;
		} else if (!first) {
			str_addc(out, ' ');
			at++;
		}
		str_add(out, word);
		at += str_columns(word);
		first = false;
		word = next;
	}
	str_addc(out, '\n');
	str_free(&clean);
}

const char *
figure_text(char buf[FIGURE_BUF], double value)
{
	double size = fabs(value);

	if (!isfinite(value))
		snprintf(buf, FIGURE_BUF, "unknown");
	else if (size >= 999.95)
		snprintf(buf, FIGURE_BUF, "%s%s", value < 0 ? "-" : "",
		    units_count((char[UNITS_BUF]){0}, (uint64_t)(size + 0.5)));
	else
		snprintf(buf, FIGURE_BUF, "%.*f",
		    size == 0        ? 0
		    : size < 0.99995 ? 4
		    : size < 9.9995  ? 3
		    : size < 99.995  ? 2
				     : 1,
		    value);
	return buf;
}
