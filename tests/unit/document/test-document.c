/* SPDX-License-Identifier: Apache-2.0 */
/* Documents, charts as scripts, and gnuplot's drawings made fit for a page. */
#include "controller/document/format.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "controller/document/compose.h"
#include "tests/unit/suite.h"

START_TEST(figures_are_alike)
{
	char buf[BOTH_BUF], small[32];

	ck_assert_str_eq(figure(small, 45.9), "45.90");
	ck_assert_str_eq(figure(small, 1336), "1,336");
	ck_assert_str_eq(figure(small, NAN), "–");
	ck_assert_str_eq(figure_whole(small, 1336000.4), "1,336,000");
	/* 45.9 GiB/s are 49.285 GB/s */
	ck_assert_str_eq(
	    figure_both(buf, 45.9 * GIB), "45.90 GiB/s (49.28 GB/s)");
	ck_assert_str_eq(figure_both(buf, NAN), "unknown");
}
END_TEST

START_TEST(empty_columns_go)
{
	struct document document = {0};
	struct block *table = document_add(&document, BLOCK_TABLE, NULL);

	table_column(table, "a", NULL, false);
	table_column(table, "b", "ms", true);
	table_column(table, "c", NULL, false);
	for (int i = 0; i < 2; i++) {
		table_cell(table, TONE_PLAIN, "a%d", i);
		table_cell(table, TONE_PLAIN, "%s", "");
		table_cell(table, TONE_GOOD, "c%d", i);
	}
	table_prune(table);
	ck_assert_uint_eq(table->table.columns.n, 2);
	ck_assert_uint_eq(table_rows(&table->table), 2);
	ck_assert_str_eq(table->table.columns.v[1].title, "c");
	ck_assert_str_eq(table->table.cells.v[3].text, "c1");
	document_free(&document);
}
END_TEST

static size_t
count(const char *text, const char *what)
{
	size_t n = 0;

	while ((text = strstr(text, what))) {
		n++;
		text += strlen(what);
	}
	return n;
}

/* One document with hostile text in every place, in every form. */
static void
hostile(struct document *document, const char *text)
{
	struct block *block;

	document_heading(document, 1, "%s", text);
	document_heading(document, 3, "%s", text);
	document_add(document, BLOCK_TEXT, "%s", text);
	document_add(document, BLOCK_NOTE, "%s", text);
	block = document_add(document, BLOCK_LIST, "%s", text);
	block_item(block, "%s", text);
	block = document_add(document, BLOCK_CODE, "%s", text);
	block_item(block, "%s", text);
	block = document_add(document, BLOCK_TABLE, NULL);
	table_column(block, "ours", "ms", false);
	table_cell(block, TONE_BAD, "%s", text);
	block = document_add(document, BLOCK_FINDING, "%s", text);
	block->label = mem_strdup("warning");
	block_item(block, "%s", text);
	document_add(document, BLOCK_END, NULL);
}

static char *
write_as(const char *format, const struct document *document)
{
	struct dossier dossier = {0};
	struct publication publication = {
	    .dossier = &dossier, .document = document, .generator = "volley 0"};
	struct str out = {0};

	document_format_find(format)->write(&publication, &out);
	return str_take(&out);
}

START_TEST(text_is_never_markup)
{
	static const char *const text = "<script>x</script>&\"'\x1b[31m|`*\nz";
	struct document document = {0};
	char *out;

	hostile(&document, text);
	out = write_as("html", &document);
	ck_assert_ptr_null(strstr(out, "<script"));
	ck_assert_ptr_null(strchr(out, 0x1b));
	ck_assert_ptr_nonnull(strstr(out, "&lt;script&gt;x&lt;/script&gt;&amp;&quot;"));
	free(out);
	out = write_as("md", &document);
	ck_assert_ptr_null(strchr(out, 0x1b));
	/* only the indented block of code holds it as it is */
	ck_assert_uint_eq(count(out, "<script>"), 1);
	ck_assert_ptr_nonnull(strstr(out, "\\<script\\>"));
	free(out);
	out = write_as("text", &document);
	ck_assert_ptr_null(strchr(out, 0x1b));
	free(out);
	document_free(&document);
}
END_TEST

/* ---- charts ---- */

static struct chart *
two_lines(void)
{
	struct chart *chart = chart_new(CHART_LINES, "it's a \"chart\" <x>");

	chart_axes(chart, "clients", "GiB/s");
	chart->x.low = 0;
	chart->x.high = 10;
	chart->y.low = 0;
	chart->y.high = 100;
	for (unsigned i = 0; i < 2; i++) {
		struct chart_series *series =
		    chart_series(chart, i, i == 1, "it's `%u` 5 %%", i);

		vec_push(&series->points,
		    ((struct chart_point){1, 10, NAN, NAN, NULL}));
		vec_push(&series->points,
		    ((struct chart_point){8, 50, 45, 55, NULL}));
	}
	chart_tick(&chart->x, 1, "100 %% of it's");
	return chart;
}

START_TEST(scripts_hold_text_in_quotes)
{
	struct chart *chart = two_lines();
	struct str script = {0};

	chart_plot(chart, &script);
	ck_assert_ptr_nonnull(strstr(script.s, "set label 'it''s `0` 5 %' at "));
	ck_assert_ptr_nonnull(strstr(script.s, "set label 'it''s `1` 5 %' at "));
	/* names of ticks are formats for gnuplot */
	ck_assert_ptr_nonnull(strstr(script.s, "set xtics ('100 %% of it''s' 1)"));
	/* the second of each series has an interval, the first none */
	ck_assert_uint_eq(count(script.s, "8 50 45 55\n"), 2);
	ck_assert_uint_eq(count(script.s, "$e0 << EOD\n8 50 45 55\nEOD\n"), 1);
	/* no backquote outside of quotes: a command would be run */
	ck_assert_uint_eq(count(script.s, "`"), 4);
	str_free(&script);
	chart_free(chart);
}
END_TEST

/* Both lines end at 50: their labels must not lie on each other. */
START_TEST(labels_move_apart)
{
	struct chart *chart = two_lines();
	struct str script = {0};
	double at[2];
	const char *p;

	chart_plot(chart, &script);
	p = strstr(script.s, "at graph 1.035,");
	ck_assert_int_eq(sscanf(p, "at graph 1.035,%lf", &at[0]), 1);
	p = strstr(p + 1, "at graph 1.035,");
	ck_assert_int_eq(sscanf(p, "at graph 1.035,%lf", &at[1]), 1);
	ck_assert_double_ge(at[1] - at[0], 0.049); /* 16 of 320 px */
	str_free(&script);
	chart_free(chart);
}
END_TEST

static const char svg[] =
    "<?xml version=\"1.0\"?>\n<svg \n viewBox=\"0 0 760 400\"\n "
    "xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n<title>Gnuplot</title>\n"
    "<desc>Produced by GNUPLOT 5.4</desc>\n<g id=\"gnuplot_canvas\">\n"
    "<circle id='gpDot' r='0.5'/><use xlink:href='#gpDot' color='rgb( 94, 29,  3)'/>"
    "<g fill=\"none\" color=\"black\" stroke=\"currentColor\"><path stroke='rgb( 94, "
    "30,   2)' d='M0,0'/><path stroke='rgb(1,2,3)'/><path fill = "
    "'rgb( 94, 31, 7)'/></g>\n</g>\n</svg>\n";

START_TEST(drawings_fit_into_a_page)
{
	struct chart *chart = two_lines();
	struct str out = {0};

	ck_assert_int_eq(chart_embed(chart, svg, 7, &out), 0);
	ck_assert_ptr_null(strstr(out.s, "Gnuplot"));
	ck_assert_ptr_null(strstr(out.s, "GNUPLOT"));
	ck_assert_ptr_null(strstr(out.s, "http"));
	ck_assert_ptr_null(strstr(out.s, "black"));
	ck_assert_ptr_nonnull(strstr(out.s, "id='c7-gpDot'"));
	ck_assert_ptr_nonnull(strstr(out.s, "href='#c7-gpDot'"));
	ck_assert_ptr_nonnull(strstr(out.s, "color='var(--s3)'"));
	ck_assert_ptr_nonnull(strstr(out.s, "stroke='var(--grid)'"));
	ck_assert_ptr_nonnull(strstr(out.s, "fill = 'var(--h7)'"));
	ck_assert_ptr_nonnull(strstr(out.s, "stroke='rgb(1,2,3)'"));
	ck_assert_ptr_nonnull(
	    strstr(out.s, "aria-label=\"it's a &quot;chart&quot; &lt;x>\""));
	str_free(&out);
	ck_assert_int_eq(chart_embed(chart, "no svg", 1, &out), -1);
	ck_assert_int_eq(chart_embed(chart, "<svg", 1, &out), -1);
	ck_assert_uint_eq(out.len, 0);
	chart_free(chart);
}
END_TEST

/* ---- charts of a dossier, and the verdict ---- */

static struct sample *
sample(struct dossier *dossier, const char *transport, unsigned clients, double rate)
{
	struct cell *cell = model_add(
	    &dossier->model, "one", "seq-read", "", transport, clients);
	struct sample *ret = cell_add(cell, 0, 1);

	cell->kind = CELL_READS;
	ret->value[METRIC_RATE] = rate;
	return ret;
}

static const struct block *
verdict_of(struct dossier *dossier, struct document *document)
{
	thresholds_default(&dossier->thresholds);
	dossier_analyze(dossier);
	compose(dossier, "volley 0", document);
	for (vec_each(const struct block *, it, &document->blocks))
		if (it->kind == BLOCK_VERDICT)
			return it;
	return NULL;
}

/* 400 Gbit/s are 50e9 bytes/s; RoCEv2 with path MTU 4096 carries 4096 of 4178 of that,
 * 45.65 GiB/s, TCP with MTU 9000 8948 of 9038, 46.10 GiB/s. */
START_TEST(scale_with_ceiling)
{
	struct dossier dossier = {0};
	struct document document;
	struct chart *chart;

	sample(&dossier, "tcp", 8, 20 * GIB);
	sample(&dossier, "rdma", 1, 12 * GIB);
	sample(&dossier, "rdma", 8, 40 * GIB);
	for (vec_each(struct cell *, it, &dossier.model.cells))
		it->storage_links = (struct plan_links){
		    .count = 1, .bits_per_s = UINT64_C(400000000000), .mtu = 9000};
	verdict_of(&dossier, &document);
	chart = chart_scale(&dossier, "seq-read");
	ck_assert_ptr_nonnull(chart);
	ck_assert_uint_eq(chart->series.n, 2);
	ck_assert_str_eq(chart->series.v[1].label, "one TCP");
	ck_assert(chart->series.v[1].dashed);
	ck_assert_uint_eq(chart->series.v[1].points.n, 1);
	ck_assert_str_eq(chart->series.v[0].label, "one RDMA");
	ck_assert_double_eq_tol(chart->series.v[0].points.v[1].y, 40, 1e-9);
	ck_assert_uint_eq(chart->marks.n, 1);
	ck_assert_str_eq(
	    chart->marks.v[0].label, "ceiling of links, GiB/s: RDMA 45.65, TCP 46.10");
	ck_assert_ptr_null(chart_scale(&dossier, "none"));
	chart_free(chart);
	chart = chart_changes(&dossier, "seq-read");
	ck_assert_ptr_nonnull(chart);
	ck_assert_uint_eq(chart->y.names.n, 1);
	ck_assert_str_eq(chart->y.names.v[0], "one, 8 clients");
	ck_assert_double_eq_tol(chart->series.v[0].points.v[0].y, 100, 1e-9);
	ck_assert_double_eq_tol(chart->band, 5, 1e-9);
	chart_free(chart);
	document_free(&document);
	dossier_free(&dossier);
}
END_TEST

START_TEST(five_sentences)
{
	struct dossier dossier = {0};
	struct document document;
	const struct block *verdict;

	sample(&dossier, "tcp", 1, 10 * GIB);
	sample(&dossier, "rdma", 1, 12 * GIB);
	sample(&dossier, "tcp", 8, 40 * GIB);
	sample(&dossier, "rdma", 8, 20 * GIB);
	verdict = verdict_of(&dossier, &document);
	ck_assert_uint_eq(verdict->items.n, 5);
	ck_assert_str_eq(verdict->items.v[0],
	    "All 4 runs of 4 cells are VALID, but each cell stands on a single run: "
	    "differences are suspicions, not proof.");
	ck_assert_str_eq(verdict->items.v[2],
	    "Of 2 comparisons of RDMA with TCP in the same cell 0 are better, 0 "
	    "equivalent, 0 worse, 1 suspect and 1 inconclusive; the lowest is -50.0 % "
	    "(one seq-read, 8 clients).");
	ck_assert_ptr_nonnull(strstr(verdict->items.v[4], "1 finding asks for action"));
	document_free(&document);
	dossier_free(&dossier);
}
END_TEST

/* Only what means trouble: traffic rises in every run. */
START_TEST(counters_that_rose)
{
	struct dossier dossier = {0};
	struct document document;
	struct sample *one = sample(&dossier, "rdma", 8, 20 * GIB);
	const struct block *found = NULL;

	*vec_add(&one->counters) = (struct sample_counter){.agent = mem_strdup("gpu01"),
	    .object = mem_strdup("rdma/mlx5_0/1"),
	    .name = mem_strdup("out_of_sequence"),
	    .delta = 12345};
	*vec_add(&one->counters) = (struct sample_counter){.agent = mem_strdup("gpu01"),
	    .object = mem_strdup("net/eth0"),
	    .name = mem_strdup("rx_bytes"),
	    .delta = 1e9};
	verdict_of(&dossier, &document);
	for (vec_each(const struct block *, it, &document.blocks))
		if (it->kind == BLOCK_TABLE && it->table.columns.n == 7 &&
		    strcmp(it->table.columns.v[4].title, "counter") == 0)
			found = it;
	ck_assert_ptr_nonnull(found);
	ck_assert_uint_eq(table_rows(&found->table), 1);
	ck_assert_str_eq(found->table.cells.v[0].text, "one seq-read RDMA 8");
	ck_assert_str_eq(found->table.cells.v[4].text, "out_of_sequence");
	ck_assert_ptr_nonnull(strstr(found->table.cells.v[5].text, "12,345"));
	document_free(&document);
	dossier_free(&dossier);
}
END_TEST

START_TEST(nothing_is_a_report_too)
{
	struct dossier dossier = {0};
	struct document document;
	const struct block *verdict = verdict_of(&dossier, &document);

	ck_assert_uint_eq(verdict->items.n, 5);
	for (const struct document_format *const *it = document_formats; *it; it++) {
		char *out = write_as((*it)->name, &document);

		ck_assert_uint_gt(strlen(out), 100);
		free(out);
	}
	document_free(&document);
	dossier_free(&dossier);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("document", figures_are_alike, empty_columns_go,
	    text_is_never_markup, scripts_hold_text_in_quotes, labels_move_apart,
	    drawings_fit_into_a_page, scale_with_ceiling, five_sentences,
	    counters_that_rose, nothing_is_a_report_too);
}
