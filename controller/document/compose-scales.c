/* SPDX-License-Identifier: Apache-2.0 */
/* How totals grow with the number of clients. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "controller/analyze/drop.h"
#include "controller/document/compose.h"
#include "lib/stats/fit.h"

#define SCALES_MAX 256

/* Where it stops growing: a plateau, the end of what was measured, or unknown. */
static void
add_knee(struct block *table, const struct line *line)
{
	double n[SCALES_MAX], t[SCALES_MAX];
	enum metric metric = cell_rate_metric(line->cells.v[0]);
	struct saturation knee;
	size_t points = 0;
	char buf[VALUE_BUF];

	for (size_t i = 0; i < line->cells.n && points < SCALES_MAX; i++) {
		n[points] = line->cells.v[i]->clients;
		t[points] = cell_middle(line->cells.v[i], metric);
		points += !isnan(t[points]);
	}
	if (!fit_saturation(n, t, points, &knee))
		table_cell(table, TONE_MUTED, "too few scales");
	else if (!knee.found)
		table_cell(table, TONE_PLAIN, "grows to the largest measured");
	else
		table_cell(table, TONE_PLAIN, "from about %.0f on, at %s",
		    fmax(knee.clients, n[0]), value_text(buf, metric, knee.plateau));
}

static void
add_line(struct block *table, const struct line *line)
{
	const struct cell *first = line->cells.v[0];
	const struct cell *last = line->cells.v[line->cells.n - 1];
	enum metric metric = cell_rate_metric(first);
	double share = cell_middle(last, metric) / cell_middle(first, metric) *
		       first->clients / last->clients;
	char from[VALUE_BUF], to[VALUE_BUF];
	char *workload = workload_label(first->workload, first->axis);

	table_cell(table, TONE_PLAIN, "%s", first->storage);
	table_cell(table, TONE_PLAIN, "%s", workload);
	table_cell(table, TONE_PLAIN, "%s", transport_label(line->transport));
	table_cell(table, TONE_PLAIN, "%u: %s", first->clients,
	    value_text(from, metric, cell_middle(first, metric)));
	table_cell(table, TONE_PLAIN, "%u: %s", last->clients,
	    value_text(to, metric, cell_middle(last, metric)));
	table_cell(table, TONE_PLAIN, "%.0f", 100 * share);
	add_knee(table, line);
	free(workload);
}

void
compose_scales(struct composer *composer)
{
	const struct model *model = &composer->dossier->model;
	struct block *table;

	document_heading(composer->out, 2, "Scale");
	for (vec_each(const char **, it, &composer->workloads))
		add_chart(composer, chart_scale(composer->dossier, *it));
	table = document_add(composer->out, BLOCK_TABLE, NULL);
	table_column(table, "storage", NULL, false);
	table_column(table, "workload", NULL, false);
	table_column(table, "transport", NULL, false);
	table_column(table, "fewest clients", NULL, true);
	table_column(table, "most clients", NULL, true);
	table_column(table, "efficiency", "%", true);
	table_column(table, "saturates", NULL, false);
	for (vec_each(const struct family *, it, &model->families)) {
		struct lines lines;

		lines_find(it, &lines);
		for (vec_each(const struct line *, line, &lines.list))
			if (line->cells.n > 1)
				add_line(table, line);
		lines_free(&lines);
	}
	if (table_rows(&table->table) == 0)
		document_add(composer->out, BLOCK_TEXT,
		    "Nothing was measured at more than one number of clients.");
	else
		document_add(composer->out, BLOCK_NOTE,
		    "efficiency: of the total that the fewest clients would give if "
		    "each added as much.");
}
