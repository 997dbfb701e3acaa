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
		order = strverscmp(x->c->axis, y->c->axis);
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
	table_column(table, "transport", "proof", false);
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
	if (!line->has_figures) {
		for (int i = 0; i < 4; i++)
			table_cell(table, TONE_PLAIN, "%s", "");
		return;
	}
	if (line->clat.counted && !line->slat.counted)
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
	else if (isnan(line->bytes_per_s) && isnan(line->iops) &&
		 line->state == ATTEMPT_VALID)
		table_cell(table, TONE_MUTED, "no figure");
	else if (line->state == ATTEMPT_VALID)
		table_cell(table, TONE_GOOD, "VALID");
	else
		table_cell(table, state_tone(line->state), "%s, %u of %u clients%s%s",
		    attempt_state_name(line->state), line->clients, line->of,
		    line->why ? ": " : "", line->why ? line->why : "");
}

/* Of the attempts in this line: did their bytes take the transport? */
static void
transport_proof(struct block *table, const struct row *row)
{
	static const enum tone tones[PROOF_VERDICTS] = {[PROOF_UNKNOWN] = TONE_MUTED,
	    [PROOF_PROVEN] = TONE_GOOD,
	    [PROOF_REFUTED] = TONE_BAD};
	enum proof_verdict all = PROOF_NONE;
	const char *name;

	for (vec_each(struct results_attempt *const *, it, &row->c->c.attempts))
		if ((*it)->attempt.state == row->line->state)
			all = proof_verdict_merge(all, attempt_proof(&(*it)->attempt));
	name = proof_verdict_name(all);
	table_cell(table, tones[all], "%s", name ? name : "");
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
	if (isnan(row->line->bytes_per_s) && isnan(row->line->iops) && cell &&
	    !isnan(cell->change)) {
		char buf[PERCENT_BUF];

		str_addf(&text, "%sonly a change against TCP is stated: %s",
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
	transport_proof(table, row);
	notes(table, composer, row, cell);
}

/* Notes are parts with "; " between. */
static bool
has_part(const char *notes, const char *part)
{
	for (size_t len; *notes; notes += len + strspn(notes + len, "; ")) {
		len = strcspn(notes, ";");
		if (len == strlen(part) && memcmp(notes, part, len) == 0)
			return true;
	}
	return false;
}

static void
drop_parts(char **notes, const char *drop)
{
	struct str left = {0};
	const char *it = *notes;

	for (size_t len; *it; it += len + strspn(it + len, "; ")) {
		char *part;

		len = strcspn(it, ";");
		part = mem_strndup(it, len);
		if (!has_part(drop, part))
			str_addf(&left, "%s%s", left.len ? "; " : "", part);
		free(part);
	}
	free(*notes);
	*notes = str_take(&left);
}

/* What holds for every row is said once, above the table. */
static void
lift_notes(struct block *note, struct block *table)
{
	struct document_table *t = &table->table;
	size_t n = t->columns.n, rows = table_rows(t);
	struct str common = {0};
	const char *first = rows ? t->cells.v[n - 1].text : "";

	while (*first) {
		size_t len = strcspn(first, ";");
		char *part = mem_strndup(first, len);
		bool all = true;

		for (size_t i = 0; i < rows; i++)
			all &= has_part(t->cells.v[i * n + n - 1].text, part);
		if (all)
			str_addf(&common, "%s%s", common.len ? "; " : "", part);
		free(part);
		first += len + strspn(first + len, "; ");
	}
	if (common.len) {
		for (size_t i = 0; i < rows; i++)
			drop_parts(&t->cells.v[i * n + n - 1].text, common.s);
		note->text = mem_printf("Every cell: %s.", common.s);
	}
	str_free(&common);
}

static void
add_workload(struct composer *composer, const char *workload)
{
	struct block *blocks;
	struct rows rows;

	find_rows(composer, workload, &rows);
	document_heading(composer->out, 3, "%s", workload);
	document_add(composer->out, BLOCK_NOTE, NULL);
	blocks = document_add(composer->out, BLOCK_TABLE, NULL) - 1;
	add_columns(&blocks[1], &rows);
	for (vec_each(const struct row *, it, &rows.list))
		add_row(&blocks[1], composer, &rows, it);
	lift_notes(&blocks[0], &blocks[1]);
	table_prune(&blocks[1]);
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
