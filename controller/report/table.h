/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text for terminals: tables whose columns fit their cells, wrapped sentences,
 * figures, and text of unknown origin made harmless.
 */
#ifndef VOLLEY_REPORT_TABLE_H
#define VOLLEY_REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/str.h"
#include "lib/base/vec.h"

struct table_column {
	const char *title, *unit; /* unit "": none */
	bool right;
	unsigned shrink; /* may be cut down to so many columns, with "…"; 0: never */
};

struct table {
	const struct table_column *columns;
	size_t ncolumns;
	VEC(char *) cells; /* row by row */
};

void table_init(struct table *table, const struct table_column *columns, size_t n);
/* The next cell, left to right and down. */
void table_add(struct table *table, const char *text);
void table_addf(struct table *table, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints it at most `width` columns wide where shrinking allows, and empties it.
 * A column in which every cell is empty is left out. */
void table_print(struct table *table, size_t indent, size_t width, struct str *out);

/* A sentence, broken at spaces; all lines but the first start `hang` columns in. */
void wrap_print(const char *text, size_t indent, size_t hang, size_t width,
		struct str *out);
/* Control characters and what is not UTF-8 become "?". */
void plain_print(const char *text, struct str *out);

/* About four digits: 0.0412, 1.234, 12.34, 123.4, 1,234.  NAN: "unknown". */
#define FIGURE_BUF 32
const char *figure_text(char buf[FIGURE_BUF], double value);

#endif
