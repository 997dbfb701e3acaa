/* SPDX-License-Identifier: Apache-2.0 */
/* Markdown, as GitHub and most others read it. */
#include <stdio.h>
#include <string.h>

#include "controller/document/format.h"
#include "controller/report/table.h"

/* Text of unknown origin: nothing in it is markup. */
static void
escape(struct str *out, const char *text)
{
	struct str plain = {0};

	plain_print(text, &plain);
	for (const char *p = plain.s ? plain.s : ""; *p; p++) {
		if (strchr("\\`*_{}[]<>#|~", *p))
			str_addc(out, '\\');
		str_addc(out, *p);
	}
	str_free(&plain);
}

static void
put_items(struct str *out, const struct block *block, const char *mark)
{
	for (vec_each(char *const *, it, &block->items)) {
		str_add(out, mark);
		escape(out, *it);
		str_addc(out, '\n');
	}
	str_addc(out, '\n');
}

static void
put_heading(struct str *out, const struct block *block)
{
	str_addn(out, "######", block->level);
	str_addc(out, ' ');
	escape(out, block->text);
	str_add(out, "\n\n");
}

static void
put_text(struct str *out, const struct block *block)
{
	if (!block->text)
		return;
	escape(out, block->text);
	str_add(out, "\n\n");
}

static void
put_verdict(struct str *out, const struct block *block)
{
	put_items(out, block, "1. ");
}

static void
put_list(struct str *out, const struct block *block)
{
	if (block->text) {
		str_add(out, "**");
		escape(out, block->text);
		str_add(out, "**\n\n");
	}
	if (block->items.n)
		put_items(out, block, "- ");
}

/* Indented: a fence could be closed by what is inside. */
static void
put_code(struct str *out, const struct block *block)
{
	put_text(out, block);
	for (vec_each(char *const *, it, &block->items)) {
		str_add(out, "    ");
		plain_print(*it, out);
		str_addc(out, '\n');
	}
	str_addc(out, '\n');
}

static void
put_table(struct str *out, const struct block *block)
{
	const struct document_table *table = &block->table;

	if (table_rows(table) == 0)
		return;
	for (vec_each(const struct document_column *, it, &table->columns)) {
		str_add(out, "| ");
		escape(out, it->title);
		if (it->unit)
			str_addf(out, " (%s)", it->unit);
		str_addc(out, ' ');
	}
	str_add(out, "|\n");
	for (vec_each(const struct document_column *, it, &table->columns))
		str_add(out, it->right ? "|---:" : "|---");
	str_add(out, "|\n");
	for (size_t i = 0; i < table->cells.n; i++) {
		str_add(out, "| ");
		escape(out, table->cells.v[i].text);
		str_add(out, (i + 1) % table->columns.n ? " " : " |\n");
	}
	str_addc(out, '\n');
}

static void
put_finding(struct str *out, const struct block *block)
{
	str_addf(out, "### %s: ", block->label);
	escape(out, block->text);
	str_add(out, "\n\n");
	for (size_t i = 0; i < block->items.n; i++) {
		str_add(out, i ? "; " : "");
		escape(out, block->items.v[i]);
	}
	str_add(out, "\n\n");
}

static void
put_chart(struct str *out, const struct block *block)
{
	str_add(out, "*Chart, in the HTML report only: ");
	escape(out, block->chart->title);
	str_add(out, "*\n\n");
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
write_md(const struct publication *publication, struct str *out)
{
	for (vec_each(const struct block *, it, &publication->document->blocks))
		put[it->kind](out, it);
	while (out->len > 1 && out->s[out->len - 2] == '\n')
		out->s[--out->len] = '\0';
}

const struct document_format document_md = {
    "md", "Markdown, without the charts", false, write_md};
