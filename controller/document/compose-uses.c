/* SPDX-License-Identifier: Apache-2.0 */
/* Which figure to look at for which AI workload. */
#include <string.h>

#include "controller/document/compose.h"

static const struct {
	enum use use;
	const char *pattern, *look, *why;
} uses[] = {
    {USE_LOADER, "many small random reads by every worker",
	"IOPS and p99 latency of random reads at the number of nodes in training",
	"a step waits for its slowest sample, so the tail decides and not the mean"},
    {USE_SAVE, "all nodes write large blocks at once, then wait",
	"total sequential write throughput, and the slowest client",
	"training stands still until the last node has written"},
    {USE_RESTORE, "all nodes read the same large files at once",
	"total sequential read throughput at the full number of nodes",
	"a restart costs all GPUs; throughput per node is what each of them waits for"},
    {USE_LOGS, "many small appends and renames",
	"IOPS and p99.9 latency of small random writes",
	"rates are low, but a slow write blocks whoever logs"},
};

/* Workloads of the report that stand for a use. */
static void
add_names(struct block *table, const struct composer *composer, enum use use)
{
	struct str names = {0};

	for (vec_each(const char **, name, &composer->workloads))
		for (vec_each(
			 const struct cell *, it, &composer->dossier->model.cells))
			if (strcmp(it->workload, *name) == 0) {
				if (use_of(it) == use)
					str_addf(&names, "%s%s", names.len ? ", " : "",
					    *name);
				break;
			}
	table_cell(table, names.s ? TONE_PLAIN : TONE_MUTED, "%s",
	    names.s ? names.s : "not measured");
	str_free(&names);
}

void
compose_uses(struct composer *composer)
{
	struct block *table;

	document_heading(composer->out, 2, "Which figure for which AI workload");
	table = document_add(composer->out, BLOCK_TABLE, NULL);
	table_column(table, "use", NULL, false);
	table_column(table, "what it does", NULL, false);
	table_column(table, "look at", NULL, false);
	table_column(table, "because", NULL, false);
	table_column(table, "here", NULL, false);
	for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
		table_cell(table, TONE_PLAIN, "%s", use_label(uses[i].use));
		table_cell(table, TONE_PLAIN, "%s", uses[i].pattern);
		table_cell(table, TONE_PLAIN, "%s", uses[i].look);
		table_cell(table, TONE_MUTED, "%s", uses[i].why);
		add_names(table, composer, uses[i].use);
	}
}
