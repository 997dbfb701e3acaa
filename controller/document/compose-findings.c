/* SPDX-License-Identifier: Apache-2.0 */
/* What the rules found: what asks for action in full, the rest in short. */
#include <math.h>

#include "controller/document/compose.h"

static void
add_lines(struct document *out, const char *head, const finding_lines *lines)
{
	struct block *list;

	if (lines->n == 0)
		return;
	list = document_add(out, BLOCK_LIST, "%s", head);
	for (vec_each(char *const *, it, lines))
		block_item(list, "%s", *it);
}

static void
add_cells(struct document *out, const struct finding *finding)
{
	struct block *table = document_add(out, BLOCK_TABLE, NULL);

	table_column(table, "storage", NULL, false);
	table_column(table, "workload", NULL, false);
	table_column(table, "transport", NULL, false);
	table_column(table, "clients", NULL, true);
	table_column(table, "value", NULL, true);
	table_column(table, "effect", NULL, true);
	table_column(table, "n", NULL, true);
	for (vec_each(const struct finding_cell *, it, &finding->cells)) {
		char *workload = workload_label(it->cell->workload, it->cell->axis);
		char buf[PERCENT_BUF], value[VALUE_BUF];

		table_cell(table, TONE_PLAIN, "%s", it->cell->storage);
		table_cell(table, TONE_PLAIN, "%s", workload);
		table_cell(
		    table, TONE_PLAIN, "%s", transport_label(it->cell->transport));
		table_cell(table, TONE_PLAIN, "%u", it->cell->clients);
		table_cell(table, TONE_PLAIN, "%s",
		    isnan(it->value) ? "" : value_text(value, it->metric, it->value));
		table_cell(table, TONE_PLAIN, "%s",
		    isnan(it->effect) ? ""
				      : effect_text(buf, it->effect, it->low, it->high));
		table_cell(table, TONE_PLAIN, "%u", it->n);
		free(workload);
	}
	table_prune(table);
}

static void
add_finding(struct document *out, const struct finding *it)
{
	struct block *head =
	    document_add(out, BLOCK_FINDING, "%s", it->title ? it->title : "");

	head->label = mem_strdup(severity_name(it->severity));
	head->tone = severity_tone(it->severity);
	block_item(head, "rule %s", it->rule->id);
	block_item(head, "verdict %s", verdict_name(it->verdict));
	if (it->onset && !it->scope)
		block_item(head, "from %u client%s on", CLIENTS(it->onset));
	if (it->scope)
		block_item(head, "%s", it->scope);
	add_cells(out, it);
	add_lines(out, "Evidence", &it->evidence);
	add_lines(out, "May be", &it->hypotheses);
	add_lines(out, "Check next", &it->next_checks);
	document_add(out, BLOCK_END, NULL);
}

void
compose_findings(struct composer *composer)
{
	const struct findings *findings = &composer->dossier->findings;
	size_t n[SEVERITY_CRITICAL + 1] = {0};
	struct block *list = NULL;

	for (vec_each(const struct finding *, it, &findings->list))
		n[it->severity]++;
	document_heading(composer->out, 2, "Findings");
	document_add(composer->out, BLOCK_TEXT,
	    "%zu critical, %zu warning%s, %zu for information.", n[SEVERITY_CRITICAL],
	    n[SEVERITY_WARNING], n[SEVERITY_WARNING] == 1 ? "" : "s",
	    n[SEVERITY_INFO]);
	for (vec_each(const struct finding *, it, &findings->list))
		if (it->severity > SEVERITY_INFO)
			add_finding(composer->out, it);
	if (n[SEVERITY_INFO])
		document_heading(composer->out, 3, "For information");
	for (vec_each(const struct finding *, it, &findings->list)) {
		/* how each thing scales has a section of its own, and the appendix */
		if (it->severity != SEVERITY_INFO || it->rule == &rule_scale_efficiency)
			continue;
		list = document_add(
		    composer->out, BLOCK_LIST, "%s", it->title ? it->title : "");
		for (vec_each(char *const *, line, &it->evidence))
			block_item(list, "%s", *line);
	}
}
