/* SPDX-License-Identifier: Apache-2.0 */
/* From TCP to RDMA, cell by cell. */
#include <math.h>
#include <string.h>

#include "controller/document/compose.h"

#define INTERVAL_MAX 9.99 /* two repeats can leave it without an end, nearly */

static void
value(struct block *table, enum metric metric, double x)
{
	char buf[VALUE_BUF];

	table_cell(table, TONE_PLAIN, "%s", isnan(x) ? "" : value_text(buf, metric, x));
}

static void
add_row(struct block *table, const struct dossier *dossier, const struct change *it)
{
	const struct contrast *c = &it->contrast;
	enum verdict verdict = change_verdict(it, dossier->thresholds.anomaly);
	char *workload = workload_label(it->rdma->workload, it->rdma->axis);
	char buf[PERCENT_BUF];

	table_cell(table, TONE_PLAIN, "%s", it->rdma->storage);
	table_cell(table, TONE_PLAIN, "%s", workload);
	table_cell(table, TONE_PLAIN, "%u", it->rdma->clients);
	table_cell(table, TONE_PLAIN, "%s", metrics[c->metric].name);
	value(table, c->metric, c->base);
	value(table, c->metric, c->value);
	table_cell(table, verdict_tone(verdict), "%s", percent_text(buf, c->effect));
	if (isnan(c->low))
		table_cell(table, TONE_PLAIN, "%s", "");
	else if (c->high > INTERVAL_MAX)
		table_cell(table, TONE_PLAIN, "%+.1f to over %+.0f", 100 * c->low,
		    100 * INTERVAL_MAX);
	else
		table_cell(table, TONE_PLAIN, "%+.1f to %+.1f", 100 * c->low,
		    100 * c->high);
	table_cell(table, TONE_PLAIN, "%u", c->n < c->n_base ? c->n : c->n_base);
	table_cell(table, verdict_tone(verdict), "%s", verdict_name(verdict));
	table_cell(table, TONE_MUTED, "%s",
	    c->stated ? "stated" : c->paired ? "paired" : "");
	free(workload);
}

void
compose_changes(struct composer *composer)
{
	const struct dossier *dossier = composer->dossier;
	struct block *table;

	document_heading(composer->out, 2, "RDMA against TCP");
	if (dossier->changes.list.n == 0) {
		document_add(composer->out, BLOCK_TEXT,
		    "No cell was measured over both transports.");
		return;
	}
	document_add(composer->out, BLOCK_NOTE,
	    "The change of RDMA against TCP on the same storage, workload and number "
	    "of clients; plus is better, for latencies too. A verdict needs the whole "
	    "95 %% interval beyond ±%.0f %%; one run on a side allows a suspicion at "
	    "most.",
	    100 * dossier->thresholds.margin);
	for (vec_each(const char **, it, &composer->workloads))
		add_chart(composer, chart_changes(dossier, *it));
	table = document_add(composer->out, BLOCK_TABLE, NULL);
	table_column(table, "storage", NULL, false);
	table_column(table, "workload", NULL, false);
	table_column(table, "clients", NULL, true);
	table_column(table, "of", NULL, false);
	table_column(table, "TCP", NULL, true);
	table_column(table, "RDMA", NULL, true);
	table_column(table, "change", NULL, true);
	table_column(table, "95 % interval", "%", true);
	table_column(table, "n", NULL, true);
	table_column(table, "verdict", NULL, false);
	table_column(table, "notes", NULL, false);
	for (vec_each(const struct change *, it, &dossier->changes.list))
		add_row(table, dossier, it);
	table_prune(table);
}
