/* SPDX-License-Identifier: Apache-2.0 */
/* Text for the terminal. */
#include <stdio.h>
#include <string.h>

#include "controller/document/format.h"
#include "controller/report/report.h"
#include "controller/report/table.h"

#define WIDE 160 /* tables may be wider than sentences */

static void
rule(struct str *out, const char *text, char with)
{
	for (size_t i = 0; i < str_columns(text); i++)
		str_addc(out, with);
	str_addc(out, '\n');
}

static void
put_heading(struct str *out, const struct block *block)
{
	str_addc(out, '\n');
	plain_print(block->text, out);
	str_addc(out, '\n');
	if (block->level < 3)
		rule(out, block->text, block->level == 1 ? '=' : '-');
}

static void
put_text(struct str *out, const struct block *block)
{
	if (block->text)
		wrap_print(block->text, 0, 0, REPORT_COLUMNS, out);
}

static void
put_items(struct str *out, const struct block *block, bool numbered)
{
	unsigned n = 0;

	for (vec_each(char *const *, it, &block->items)) {
		char *line = numbered ? mem_printf("%u. %s", ++n, *it)
				      : mem_printf("- %s", *it);

		wrap_print(line, 2, numbered ? 5 : 4, REPORT_COLUMNS, out);
		free(line);
	}
}

static void
put_verdict(struct str *out, const struct block *block)
{
	put_items(out, block, true);
}

static void
put_list(struct str *out, const struct block *block)
{
	if (block->text)
		wrap_print(block->text, 0, 2, REPORT_COLUMNS, out);
	put_items(out, block, false);
}

static void
put_code(struct str *out, const struct block *block)
{
	put_text(out, block);
	for (vec_each(char *const *, it, &block->items)) {
		str_add(out, "    ");
		plain_print(*it, out);
		str_addc(out, '\n');
	}
}

static void
put_table(struct str *out, const struct block *block)
{
	const struct document_table *from = &block->table;
	struct table_column *columns = mem_array(from->columns.n + 1, sizeof *columns);
	struct table table;

	for (size_t i = 0; i < from->columns.n; i++)
		columns[i] = (struct table_column){from->columns.v[i].title,
		    from->columns.v[i].unit ? from->columns.v[i].unit : "",
		    from->columns.v[i].right, from->columns.v[i].right ? 0 : 12};
	table_init(&table, columns, from->columns.n);
	for (vec_each(const struct document_cell *, it, &from->cells))
		table_add(&table, it->text);
	if (table_rows(from))
		table_print(&table, 2, WIDE, out);
	free(columns);
}

static void
put_finding(struct str *out, const struct block *block)
{
	char *title = mem_printf("%s: %s", block->label, block->text);

	str_addc(out, '\n');
	wrap_print(title, 0, 2, REPORT_COLUMNS, out);
	put_items(out, block, false);
	free(title);
}

static void
put_chart(struct str *out, const struct block *block)
{
	char *line =
	    mem_printf("(chart, in the HTML report only: %s)", block->chart->title);

	wrap_print(line, 2, 4, REPORT_COLUMNS, out);
	free(line);
}

static void
put_nothing(struct str *out, const struct block *block)
{
	(void)out;
	(void)block;
}

static void (*const put[])(struct str *, const struct block *) = {
    [BLOCK_HEADING] = put_heading,
    [BLOCK_TEXT] = put_text,
    [BLOCK_NOTE] = put_text,
    [BLOCK_VERDICT] = put_verdict,
    [BLOCK_LIST] = put_list,
    [BLOCK_CODE] = put_code,
    [BLOCK_TABLE] = put_table,
    [BLOCK_CHART] = put_chart,
    [BLOCK_FINDING] = put_finding,
    [BLOCK_END] = put_nothing};

static void
write_text(const struct publication *publication, struct str *out)
{
	for (vec_each(const struct block *, it, &publication->document->blocks))
		put[it->kind](out, it);
}

const struct document_format document_text = {
    "text", "for the terminal, without the charts", false, write_text};
