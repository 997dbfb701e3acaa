/* SPDX-License-Identifier: Apache-2.0 */
/* The rules explained, from their table: volley explain and docs/analysis.md. */
#include <string.h>

#include "controller/analyze/rules.h"
#include "controller/report/report.h"
#include "controller/report/table.h"

static const struct threshold *
threshold_find(const char *name)
{
	for (const struct threshold *it = threshold_table; it->name; it++)
		if (strcmp(it->name, name) == 0)
			return it;
	return NULL;
}

static void
threshold_text(const struct threshold *it, struct str *out)
{
	str_addf(out, "%s = %g%s (%s)", it->name,
	    it->is_percent ? 100 * it->fallback : it->fallback,
	    it->is_percent ? " %" : "", it->doc);
}

static void
print_pair(const char *head, const char *text, struct str *out)
{
	struct str line = {0};

	if (text)
		str_addf(&line, "%s: %s", head, text);
	if (line.len)
		wrap_print(line.s, 2, 4, REPORT_COLUMNS, out);
	str_free(&line);
}

static void
print_list(const char *head, const char *const *lines, struct str *out)
{
	if (!lines || !*lines)
		return;
	str_addf(out, "  %s\n", head);
	for (; *lines; lines++) {
		struct str line = {0};

		str_addf(&line, "- %s", *lines);
		wrap_print(line.s, 4, 6, REPORT_COLUMNS, out);
		str_free(&line);
	}
}

void
rule_explain(const struct rule *rule, struct str *out)
{
	str_addf(out, "%s: %s\n", rule->id, rule->question);
	print_pair("formula", rule->formula, out);
	for (const char *const *it = rule->thresholds; it && *it; it++) {
		struct str text = {0};

		threshold_text(threshold_find(*it), &text);
		print_pair("threshold", text.s, out);
		str_free(&text);
	}
	print_pair("source", rule->source, out);
	print_list("may be", rule->hypotheses, out);
	print_list("check next", rule->next_checks, out);
}

/* ---- docs/analysis.md ---- */

static const char intro[] =
    "# Analysis\n"
    "\n"
    "`volley explain --markdown` writes this page; a test compares the two.\n"
    "\n"
    "`volley analyze DB...` asks every rule below of the cells in one or several files "
    "of\n"
    "results. A cell is a storage, a workload with its swept options, a transport and "
    "a\n"
    "number of clients; one run is one value. Only VALID repeats are compared.\n"
    "\n"
    "## Verdicts\n"
    "\n"
    "| verdict | means |\n"
    "|---|---|\n"
    "| `better`, `worse` | the whole 95 % interval lies beyond the margin |\n"
    "| `equivalent` | the whole interval lies within the margin |\n"
    "| `inconclusive` | neither; always with one run on a side (two: a suspect at "
    "most) |\n"
    "| `suspect` | inconclusive, but beyond the anomaly threshold and more than what "
    "repeats of this storage explain |\n"
    "| `observed` | a plain fact, no comparison |\n"
    "\n"
    "A `suspect` is a warning, never critical, and takes no part in `volley gate`.\n"
    "\n"
    "## JSON\n"
    "\n"
    "`-o json` writes one object: `schema` (`volley.findings`), `schema_version` (1),\n"
    "`generator`, `sources`, `cells_analyzed`, `thresholds` (those in force) and\n"
    "`findings`, worst first. A finding has `rule`, `severity` (`critical`, "
    "`warning`,\n"
    "`info`), `verdict`, `title`, `cells`, `onset_clients`, `scope`, `evidence`,\n"
    "`hypotheses` and `next_checks`; a cell has `storage`, `workload`, `axis` (if "
    "swept),\n"
    "`transport`, `clients`, `metric`, `value` and `base` (in bytes/s, IOPS or ns),\n"
    "`effect_pct`, `interval_pct` (two numbers, null with one run) and `n`. Unknown "
    "is\n"
    "null.\n"
    "\n"
    "## Thresholds\n"
    "\n"
    "`--threshold NAME=VALUE`, as often as needed; the values in force are in the "
    "result.\n"
    "\n"
    "| name | default | meaning |\n"
    "|---|---:|---|\n";

static void
mark_list(const char *head, const char *const *lines, struct str *out)
{
	if (!lines || !*lines)
		return;
	str_addf(out, "\n%s:\n\n", head);
	for (; *lines; lines++)
		str_addf(out, "- %s\n", *lines);
}

void
rules_markdown(struct str *out)
{
	str_add(out, intro);
	for (const struct threshold *it = threshold_table; it->name; it++)
		str_addf(out, "| `%s` | %g%s | %s |\n", it->name,
		    it->is_percent ? 100 * it->fallback : it->fallback,
		    it->is_percent ? " %" : "", it->doc);
	str_add(out, "\n## Rules\n");
	for (const struct rule *const *it = rule_table; *it; it++) {
		const struct rule *rule = *it;

		str_addf(out, "\n### %s\n\n%s\n\n- Formula: %s.\n", rule->id,
		    rule->question, rule->formula);
		for (const char *const *name = rule->thresholds; name && *name;
		     name++) {
			str_add(out, "- Threshold: ");
			threshold_text(threshold_find(*name), out);
			str_add(out, ".\n");
		}
		str_addf(out, "- Source: %s.\n", rule->source);
		mark_list("May be", rule->hypotheses, out);
		mark_list("Check next", rule->next_checks, out);
	}
}
