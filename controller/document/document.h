/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A document as a list of blocks: headings, sentences, lists, tables, charts, findings.
 * It says what is to be read and in which order; how that looks is the writers' matter.
 * Text is plain: writers escape all of it.
 */
#ifndef VOLLEY_DOCUMENT_DOCUMENT_H
#define VOLLEY_DOCUMENT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "controller/document/chart.h"
#include "lib/base/str.h"
#include "lib/base/vec.h"

enum tone { TONE_PLAIN, TONE_GOOD, TONE_WARN, TONE_BAD, TONE_MUTED };

enum block_kind {
	BLOCK_HEADING, /* text, level 1 (title) to 3 */
	BLOCK_TEXT,    /* one paragraph */
	BLOCK_NOTE,    /* the same, less important */
	BLOCK_VERDICT, /* sentences that sum everything up */
	BLOCK_LIST,
	BLOCK_CODE, /* lines as they are; text is a caption */
	BLOCK_TABLE,
	BLOCK_CHART,
	BLOCK_FINDING, /* title, the label with its tone, lists that follow; ends with */
	BLOCK_END,     /* this */
};

struct document_column {
	char *title, *unit; /* unit NULL: none */
	bool right;
};

struct document_cell {
	char *text;
	enum tone tone;
};

struct document_table {
	VEC(struct document_column) columns;
	VEC(struct document_cell) cells; /* row by row */
};

struct block {
	enum block_kind kind;
	unsigned level;
	enum tone tone;
	char *text, *label; /* NULL where the kind has none */
	VEC(char *) items;
	struct document_table table;
	struct chart *chart;
};

struct document {
	VEC(struct block) blocks;
};

void document_free(struct document *document);

struct block *document_add(
    struct document *document, enum block_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
struct block *document_heading(
    struct document *document, unsigned level, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void block_item(struct block *block, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- tables ---- */

void table_column(struct block *block, const char *title, const char *unit, bool right);
void table_cell(struct block *block, enum tone tone, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
size_t table_rows(const struct document_table *table);
/* Takes out columns in which every cell is empty. */
void table_prune(struct block *block);

/* ---- figures, alike in every place ---- */

/* About four digits with thousands separators; NAN: "–". */
const char *figure(char buf[32], double value);
/* Without decimals, with thousands separators. */
const char *figure_whole(char buf[32], double value);
/* "45.90 GiB/s (49.28 GB/s)" */
#define BOTH_BUF 80
const char *figure_both(char buf[BOTH_BUF], double bytes_per_s);

#define GIB 1073741824.0
#define GB 1e9

#endif
