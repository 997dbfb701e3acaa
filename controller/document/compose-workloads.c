/* SPDX-License-Identifier: Apache-2.0 */
/* One table per workload: every cell, with how far it can be trusted. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/analyze/ceiling.h"
#include "controller/document/compose.h"

struct row {
	const struct dossier_case *c;
	const struct summary *line;
};

struct rows {
	VEC(struct row) list;
	bool mixed;        /* some case has both directions */
	bool microseconds; /* else ms */
};

static int
by_name(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = strcmp(x->c->c.storage, y->c->c.storage);

	if (order == 0)
		order = strcmp(x->c->axis, y->c->axis);
	if (order == 0)
		order = (x->c->c.clients > y->c->c.clients) -
			(x->c->c.clients < y->c->c.clients);
	if (order == 0)
		order = strcmp(x->c->c.transport, y->c->c.transport);
	if (order == 0)
		order = (x->c > y->c) - (x->c < y->c);
	return order ? order : (x->line > y->line) - (x->line < y->line);
}

static void
find_rows(const struct composer *composer, const char *workload, struct rows *ret)
{
	double most = 0;

	*ret = (struct rows){0};
	for (vec_each(const struct dossier_case *, c, &composer->dossier->cases)) {
		bool dirs[DIR_COUNT] = {false};

		if (strcmp(c->c.workload, workload) != 0)
			continue;
		for (vec_each(const struct summary *, line, &c->lines.lines)) {
			vec_push(&ret->list, ((struct row){c, line}));
			dirs[line->dir] |= line->has_figures;
			most = fmax(most, line->lat.mean);
		}
		ret->mixed |= dirs[DIR_READ] && dirs[DIR_WRITE];
	}
	ret->microseconds = most > 0 && most < 1e6;
	if (ret->list.n)
		qsort(ret->list.v, ret->list.n, sizeof *ret->list.v, by_name);
}

static void
add_columns(struct block *table, const struct rows *rows)
{
	const char *time = rows->microseconds ? "µs" : "ms";

	table_column(table, "storage", NULL, false);
	table_column(table, "sweep", NULL, false);
	table_column(table, "transport", NULL, false);
	table_column(table, "direction", NULL, false);
	table_column(table, "clients", NULL, true);
	table_column(table, "throughput", "GiB/s", true);
	table_column(table, "throughput", "GB/s", true);
	table_column(table, "per node", "GiB/s", true);
	table_column(table, "IOPS", "1/s", true);
	table_column(table, "of links", "%", true);
	table_column(table, "slat", time, true);
	table_column(table, "clat", time, true);
	table_column(table, "mean lat", time, true);
	table_column(table, "p99 lat", time, true);
	table_column(table, "n", NULL, true);
	table_column(table, "spread", "±%", true);
	table_column(table, "validity", NULL, false);
	table_column(table, "notes", NULL, false);
}

static void
number(struct block *table, double value)
{
	char buf[32];

	table_cell(
	    table, TONE_PLAIN, "%s", isfinite(value) ? figure(buf, value) : "");
}

static void
whole(struct block *table, double value)
{
	char buf[32];

	table_cell(
	    table, TONE_PLAIN, "%s", isfinite(value) ? figure_whole(buf, value) : "");
}

/* Synchronous engines have no slat: that is known, not unknown. */
static void
latencies(struct block *table, const struct summary *line, double scale)
{
	bool counted = line->lat.counted || line->clat.counted;

	if (counted && !line->slat.counted)
		table_cell(table, TONE_MUTED, "n/a");
	else
		number(table, line->slat.mean / scale);
	number(table, line->clat.mean / scale);
	number(table, line->lat.mean / scale);
	number(table, line->lat.p99 / scale);
}

static void
validity(struct block *table, const struct row *row)
{
	const struct summary *line = row->line;

	if (line->repeats == 0)
		table_cell(table, TONE_BAD, "not run");
	else if (line->state == ATTEMPT_VALID)
		table_cell(table, TONE_GOOD, "VALID");
	else
		table_cell(table, state_tone(line->state), "%s, %u of %u clients%s%s",
		    attempt_state_name(line->state), line->clients, line->of,
		    line->why ? ": " : "", line->why ? line->why : "");
}

static bool
has_reason(const struct results_case *c, const char *code)
{
	for (vec_each(struct results_attempt *const *, one, &c->attempts))
		for (vec_each(const struct attempt_reason *, it, &(*one)->attempt.reasons))
			if (strcmp(it->code, code) == 0)
				return true;
	return false;
}

static void
notes(struct block *table, const struct composer *composer, const struct row *row,
    const struct cell *cell)
{
	const struct results_case *c = &row->c->c;
	const char *preconditioned = results_case_param(c, "preconditioned");
	const char *cacheable = results_case_param(c, "cacheable");
	struct str text = {0};

	if (preconditioned || row->line->dir == DIR_WRITE)
		str_addf(&text, "preconditioned: %s",
		    preconditioned ? preconditioned : "unknown");
	if ((cacheable && strcmp(cacheable, "yes") == 0) || has_reason(c, "cacheable"))
		str_addf(&text, "%scacheable", text.len ? "; " : "");
	if (cell && cell->imported)
		str_addf(&text, "%simported", text.len ? "; " : "");
	if (cell && cell->latency_apart)
		str_addf(&text, "%slatency of the whole run", text.len ? "; " : "");
	if (!row->line->has_figures && cell && !isnan(cell->change)) {
		char buf[PERCENT_BUF];

		str_addf(&text, "%sonly the change against TCP is stated: %s",
		    text.len ? "; " : "", percent_text(buf, cell->change));
	}
	if (composer->several_sources)
		str_addf(
		    &text, "%sfile %u", text.len ? "; " : "", row->c->source + 1);
	table_cell(table, TONE_MUTED, "%s", text.s ? text.s : "");
	str_free(&text);
}

static void
add_row(struct block *table, const struct composer *composer, const struct rows *rows,
    const struct row *row)
{
	const struct cell *cell = dossier_cell(composer->dossier, row->c);
	const struct summary *line = row->line;
	unsigned clients = line->repeats ? line->clients : 0;

	table_cell(table, TONE_PLAIN, "%s", row->c->c.storage);
	table_cell(table, TONE_PLAIN, "%s", row->c->axis);
	table_cell(table, TONE_PLAIN, "%s", transport_label(row->c->c.transport));
	table_cell(table, TONE_PLAIN, "%s",
	    rows->mixed && line->has_figures ? dir_name(line->dir) : "");
	table_cell(table, TONE_PLAIN, "%u", row->c->c.clients);
	number(table, line->bytes_per_s / GIB);
	number(table, line->bytes_per_s / GB);
	number(table, clients ? line->bytes_per_s / clients / GIB : NAN);
	whole(table, line->iops);
	number(table, cell ? 100 * line->bytes_per_s / ceiling_of(cell) : NAN);
	latencies(table, line, rows->microseconds ? 1e3 : 1e6);
	table_cell(table, TONE_PLAIN, "%u", line->repeats);
	number(table, 100 * line->rsd);
	validity(table, row);
	notes(table, composer, row, cell);
}

static void
add_workload(struct composer *composer, const char *workload)
{
	struct block *table;
	struct rows rows;

	find_rows(composer, workload, &rows);
	document_heading(composer->out, 3, "%s", workload);
	table = document_add(composer->out, BLOCK_TABLE, NULL);
	add_columns(table, &rows);
	for (vec_each(const struct row *, it, &rows.list))
		add_row(table, composer, &rows, it);
	table_prune(table);
	vec_free(&rows.list);
	add_chart(composer, chart_trade(composer->dossier, workload));
	add_chart(composer, chart_tail(composer->dossier, workload));
	for (vec_each(const struct family *, it, &composer->dossier->model.families))
		if (strcmp(it->cells->workload, workload) == 0)
			add_chart(
			    composer, chart_sweep(composer->dossier, it->cells));
}

void
compose_workloads(struct composer *composer)
{
	document_heading(composer->out, 2, "Results by workload");
	document_add(composer->out, BLOCK_NOTE,
	    "Totals of all clients; throughput and IOPS are means over n repeats, "
	    "latencies come from the merged histograms of all clients and repeats. "
	    "spread: relative standard deviation between repeats. of links: share of "
	    "the payload that the declared links carry. An empty field is unknown.");
	for (vec_each(const char **, it, &composer->workloads))
		add_workload(composer, *it);
}
