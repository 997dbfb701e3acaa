/* SPDX-License-Identifier: Apache-2.0 */
/* Building and releasing documents. */
#include "controller/document/document.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "controller/report/table.h"
#include "lib/base/units.h"

#define PRINT_INTO(fmt, ret) \
	do { \
		va_list ap; \
		va_start(ap, fmt); \
		(ret) = mem_vprintf(fmt, ap); \
		va_end(ap); \
	} while (0)

static void
free_table(struct document_table *table)
{
	for (vec_each(struct document_column *, it, &table->columns)) {
		free(it->title);
		free(it->unit);
	}
	vec_free(&table->columns);
	for (vec_each(struct document_cell *, it, &table->cells))
		free(it->text);
	vec_free(&table->cells);
}

void
document_free(struct document *document)
{
	for (vec_each(struct block *, it, &document->blocks)) {
		free(it->text);
		free(it->label);
		for (vec_each(char **, item, &it->items))
			free(*item);
		vec_free(&it->items);
		free_table(&it->table);
		chart_free(it->chart);
	}
	vec_free(&document->blocks);
}

struct block *
document_add(struct document *document, enum block_kind kind, const char *fmt, ...)
{
	struct block *block = vec_add(&document->blocks);

	block->kind = kind;
	if (fmt)
		PRINT_INTO(fmt, block->text);
	return block;
}

struct block *
document_heading(struct document *document, unsigned level, const char *fmt, ...)
{
	struct block *block = vec_add(&document->blocks);

	block->kind = BLOCK_HEADING;
	block->level = level;
	PRINT_INTO(fmt, block->text);
	return block;
}

void
block_item(struct block *block, const char *fmt, ...)
{
	char **item = vec_add(&block->items);

	PRINT_INTO(fmt, *item);
}

/* ---- tables ---- */

void
table_column(struct block *block, const char *title, const char *unit, bool right)
{
	*vec_add(&block->table.columns) =
	    (struct document_column){mem_strdup(title), mem_strdup(unit), right};
}

void
table_cell(struct block *block, enum tone tone, const char *fmt, ...)
{
	struct document_cell *cell = vec_add(&block->table.cells);

	cell->tone = tone;
	PRINT_INTO(fmt, cell->text);
}

size_t
table_rows(const struct document_table *table)
{
	return table->columns.n ? table->cells.n / table->columns.n : 0;
}

static bool
is_empty(const struct document_table *table, size_t column)
{
	for (size_t i = column; i < table->cells.n; i += table->columns.n)
		if (table->cells.v[i].text[0])
			return false;
	return true;
}

void
table_prune(struct block *block)
{
	struct document_table *table = &block->table;

	for (size_t c = table->columns.n; c-- > 0;) {
		size_t n = table->columns.n, kept = 0;

		if (!is_empty(table, c))
			continue;
		for (size_t i = 0; i < table->cells.n; i++)
			if (i % n == c)
				free(table->cells.v[i].text);
			else
				table->cells.v[kept++] = table->cells.v[i];
		table->cells.n = kept;
		free(table->columns.v[c].title);
		free(table->columns.v[c].unit);
		memmove(&table->columns.v[c], &table->columns.v[c + 1],
		    (n - c - 1) * sizeof *table->columns.v);
		table->columns.n--;
	}
}

/* ---- figures ---- */

const char *
figure(char buf[32], double value)
{
	return isfinite(value) ? figure_text(buf, value) : "–";
}

const char *
figure_whole(char buf[32], double value)
{
	if (!isfinite(value) || value < 0)
		return "–";
	return units_count(buf, (uint64_t)(value + 0.5));
}

const char *
figure_both(char buf[BOTH_BUF], double bytes_per_s)
{
	char binary[32], decimal[32];

	if (!isfinite(bytes_per_s))
		return "unknown";
	snprintf(buf, BOTH_BUF, "%s GiB/s (%s GB/s)", figure(binary, bytes_per_s / GIB),
	    figure(decimal, bytes_per_s / GB));
	return buf;
}
