/* SPDX-License-Identifier: Apache-2.0 */
/* One page that needs nothing else: no scripts, fonts or pictures from elsewhere. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "controller/document/format.h"
#include "controller/report/table.h"

#define SHORT 30 /* characters that a cell keeps on one line */

struct page {
	const struct publication *publication;
	struct str *out;
	unsigned headings, charts;
	bool in_section;
};

static const char *const tones[] = {[TONE_PLAIN] = "plain",
    [TONE_GOOD] = "good",
    [TONE_WARN] = "warn",
    [TONE_BAD] = "bad",
    [TONE_MUTED] = "muted"};

/* Text of unknown origin: no markup, no control characters, sound UTF-8. */
static void
escape(struct page *page, const char *text)
{
	struct str plain = {0};

	plain_print(text, &plain);
	for (const char *p = plain.s ? plain.s : ""; *p; p++)
		switch (*p) {
		case '&':
			str_add(page->out, "&amp;");
			break;
		case '<':
			str_add(page->out, "&lt;");
			break;
		case '>':
			str_add(page->out, "&gt;");
			break;
		case '"':
			str_add(page->out, "&quot;");
			break;
		default:
			str_addc(page->out, *p);
		}
	str_free(&plain);
}

static void
element(struct page *page, const char *open, const char *text, const char *close)
{
	str_add(page->out, open);
	escape(page, text);
	str_add(page->out, close);
}

/* "What was tested" → "what-was-tested": of our own headings only. */
static void
slug(const char *text, struct str *out)
{
	for (; *text; text++)
		str_addc(out,
		    isalnum((unsigned char)*text) ? (char)tolower((unsigned char)*text)
						  : '-');
}

/* ---- blocks ---- */

static void
put_heading(struct page *page, const struct block *block)
{
	if (block->level == 1) {
		element(page, "<header class=\"top\"><h1>", block->text,
		    "</h1></header>\n");
		return;
	}
	if (block->level == 2) {
		str_addf(page->out, "%s<section id=\"",
		    page->in_section ? "</section>\n" : "");
		slug(block->text, page->out);
		element(page, "\">\n<h2>", block->text, "</h2>\n");
		page->in_section = true;
		return;
	}
	str_addf(page->out, "<h3 id=\"h%u\">", ++page->headings);
	element(page, "", block->text, "</h3>\n");
}

static void
put_text(struct page *page, const struct block *block)
{
	element(page, "<p>", block->text, "</p>\n");
}

static void
put_note(struct page *page, const struct block *block)
{
	if (block->text)
		element(page, "<p class=\"note\">", block->text, "</p>\n");
}

static void
put_verdict(struct page *page, const struct block *block)
{
	str_add(page->out, "<ol class=\"verdict\">\n");
	for (vec_each(char *const *, it, &block->items))
		element(page, "<li>", *it, "</li>\n");
	str_add(page->out, "</ol>\n");
}

static void
put_list(struct page *page, const struct block *block)
{
	if (block->items.n == 0 && !block->text)
		return;
	str_add(page->out, "<div class=\"list\">");
	if (block->text)
		element(page, "<h4>", block->text, "</h4>");
	if (block->items.n) {
		str_add(page->out, "<ul>\n");
		for (vec_each(char *const *, it, &block->items))
			element(page, "<li>", *it, "</li>\n");
		str_add(page->out, "</ul>");
	}
	str_add(page->out, "</div>\n");
}

static void
put_code(struct page *page, const struct block *block)
{
	element(page, "<figure class=\"code\"><figcaption>", block->text,
	    "</figcaption><pre>");
	for (vec_each(char *const *, it, &block->items))
		element(page, "", *it, "\n");
	str_add(page->out, "</pre></figure>\n");
}

static void
put_column(struct page *page, const struct document_column *column)
{
	str_add(page->out, column->right ? "<th class=\"r\">" : "<th>");
	escape(page, column->title);
	if (column->unit)
		element(page, " <small>", column->unit, "</small>");
	str_add(page->out, "</th>");
}

static void
put_cell(struct page *page, const struct document_column *column,
    const struct document_cell *cell)
{
	bool marked = cell->tone != TONE_PLAIN && cell->text[0];

	str_add(page->out, column->right                      ? "<td class=\"r\">"
			   : str_columns(cell->text) > SHORT ? "<td class=\"w\">"
							     : "<td>");
	if (marked)
		str_addf(page->out, "<span class=\"%s\">", tones[cell->tone]);
	element(page, "", cell->text, marked ? "</span></td>" : "</td>");
}

static void
put_table(struct page *page, const struct block *block)
{
	const struct document_table *table = &block->table;
	bool head = false;

	if (table_rows(table) == 0)
		return;
	str_add(page->out, "<div class=\"scroll\"><table>\n");
	for (vec_each(const struct document_column *, it, &table->columns))
		head |= it->title[0] != '\0';
	if (head) {
		str_add(page->out, "<thead><tr>");
		for (vec_each(const struct document_column *, it, &table->columns))
			put_column(page, it);
		str_add(page->out, "</tr></thead>\n");
	}
	str_add(page->out, "<tbody>\n");
	for (size_t i = 0; i + table->columns.n <= table->cells.n;
	     i += table->columns.n) {
		str_add(page->out, "<tr>");
		for (size_t c = 0; c < table->columns.n; c++)
			put_cell(
			    page, &table->columns.v[c], &table->cells.v[i + c]);
		str_add(page->out, "</tr>\n");
	}
	str_add(page->out, "</tbody></table></div>\n");
}

static void
put_chart(struct page *page, const struct block *block)
{
	const struct publication *publication = page->publication;
	const struct chart *chart = block->chart;
	struct str script = {0};
	char *svg;

	if (!publication->draw)
		return;
	chart_plot(chart, &script);
	svg = publication->draw(publication->arg, script.s);
	element(page, "<figure class=\"chart\"><figcaption>", chart->title, "");
	if (chart->note)
		element(page, " <small>", chart->note, "</small>");
	str_add(page->out, "</figcaption>\n");
	if (!svg || chart_embed(chart, svg, ++page->charts, page->out) != 0)
		str_add(page->out,
		    "<p class=\"note\">gnuplot could not draw this chart.</p>\n");
	str_add(page->out, "</figure>\n");
	free(svg);
	str_free(&script);
}

static void
put_finding(struct page *page, const struct block *block)
{
	str_addf(page->out, "<article class=\"finding %s\">\n<h3 id=\"h%u\">",
	    tones[block->tone], ++page->headings);
	str_addf(page->out, "<span class=\"badge\">%s</span> ", block->label);
	element(page, "", block->text, "</h3>\n<p class=\"note\">");
	for (size_t i = 0; i < block->items.n; i++)
		element(page, i ? " · " : "", block->items.v[i], "");
	str_add(page->out, "</p>\n");
}

static void
put_end(struct page *page, const struct block *block)
{
	(void)block;
	str_add(page->out, "</article>\n");
}

static void (*const put[])(struct page *, const struct block *) = {
    [BLOCK_HEADING] = put_heading,
    [BLOCK_TEXT] = put_text,
    [BLOCK_NOTE] = put_note,
    [BLOCK_VERDICT] = put_verdict,
    [BLOCK_LIST] = put_list,
    [BLOCK_CODE] = put_code,
    [BLOCK_TABLE] = put_table,
    [BLOCK_CHART] = put_chart,
    [BLOCK_FINDING] = put_finding,
    [BLOCK_END] = put_end};

/* ---- the page ---- */

static const char *
title_of(const struct document *document)
{
	for (vec_each(const struct block *, it, &document->blocks))
		if (it->kind == BLOCK_HEADING && it->level == 1)
			return it->text;
	return "Report";
}

static void
put_contents(struct page *page)
{
	str_add(page->out, "<nav aria-label=\"Contents\"><ol>\n");
	for (vec_each(
		 const struct block *, it, &page->publication->document->blocks)) {
		if (it->kind != BLOCK_HEADING || it->level != 2)
			continue;
		str_add(page->out, "<li><a href=\"#");
		slug(it->text, page->out);
		element(page, "\">", it->text, "</a></li>\n");
	}
	str_add(page->out, "</ol></nav>\n");
}

static bool
wants_charts(const struct document *document)
{
	for (vec_each(const struct block *, it, &document->blocks))
		if (it->kind == BLOCK_CHART)
			return true;
	return false;
}

static void
write_html(const struct publication *publication, struct str *out)
{
	struct page page = {.publication = publication, .out = out};
	const struct document *document = publication->document;

	str_add(out,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, "
	    "initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
	    "<link rel=\"icon\" href=\"data:,\">\n");
	element(&page, "<title>", title_of(document), "</title>\n<style>\n");
	str_add(out, document_style);
	str_add(out, "</style>\n</head>\n<body>\n");
	put_contents(&page);
	str_add(out, "<main>\n");
	for (vec_each(const struct block *, it, &document->blocks)) {
		put[it->kind](&page, it);
		if (it->kind == BLOCK_HEADING && it->level == 1 &&
		    !publication->draw && wants_charts(document))
			element(&page, "<p class=\"note\">",
			    publication->no_charts ? publication->no_charts
						   : "Charts are left out.",
			    "</p>\n");
	}
	if (page.in_section)
		str_add(out, "</section>\n");
	element(&page, "</main>\n<footer>", publication->generator,
	    "</footer>\n</body>\n</html>\n");
}

const struct document_format document_html = {
    "html", "one page, self-contained, with charts", true, write_html};
