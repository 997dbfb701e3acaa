/* SPDX-License-Identifier: Apache-2.0 */
/* Findings for people: text for terminals, and Markdown. */
#include <math.h>
#include <string.h>

#include "controller/analyze/rules.h"
#include "controller/report/report.h"
#include "controller/report/table.h"

static void
count(const struct findings *findings, unsigned ret[SEVERITY_CRITICAL + 1])
{
	for (vec_each(const struct finding *, it, &findings->list))
		ret[it->severity]++;
}

static void
summary(
    const struct findings *findings, const struct analysis_head *head, struct str *out)
{
	unsigned n[SEVERITY_CRITICAL + 1] = {0};

	count(findings, n);
	str_addf(out, "%zu cell%s of", head->cells, head->cells == 1 ? "" : "s");
	for (size_t i = 0; i < head->nsources; i++)
		str_addf(out, "%s %s", i ? "," : "", head->sources[i]);
	str_addf(out, ": %u critical, %u warning%s, %u for information\n",
	    n[SEVERITY_CRITICAL], n[SEVERITY_WARNING],
	    n[SEVERITY_WARNING] == 1 ? "" : "s", n[SEVERITY_INFO]);
}

/* Thresholds that are not the usual ones belong to the result. */
static void
changed(const struct thresholds *thresholds, struct str *out)
{
	struct str list = {0};

	for (const struct threshold *it = threshold_table; it->name; it++) {
		double value = thresholds_get(thresholds, it);

		if (value != it->fallback)
			str_addf(&list, "%s %s=%g%s", list.len ? "," : "", it->name,
			    it->is_percent ? 100 * value : value,
			    it->is_percent ? "%" : "");
	}
	if (list.len)
		str_addf(out, "Thresholds:%s\n", list.s);
	str_free(&list);
}

static void
print_lines(const char *head, const finding_lines *lines, struct str *out)
{
	if (lines->n == 0)
		return;
	str_addf(out, "  %s\n", head);
	for (vec_each(char *const *, it, lines)) {
		struct str plain = {0};

		str_add(&plain, "- ");
		plain_print(*it, &plain);
		wrap_print(plain.s, 4, 6, REPORT_COLUMNS, out);
		str_free(&plain);
	}
}

static void
print_one(const struct finding *it, struct str *out)
{
	struct str title = {0};

	str_addf(&title, "%s  %s, %s: ",
	    it->severity == SEVERITY_CRITICAL  ? "CRITICAL"
	    : it->severity == SEVERITY_WARNING ? "WARNING"
					       : "info",
	    it->rule->id, verdict_name(it->verdict));
	plain_print(it->title ? it->title : "", &title);
	str_addc(out, '\n');
	wrap_print(title.s, 0, 2, REPORT_COLUMNS, out);
	str_clear(&title);
	if (it->scope) {
		str_add(&title, "scope: ");
		plain_print(it->scope, &title);
		wrap_print(title.s, 2, 4, REPORT_COLUMNS, out);
	}
	str_free(&title);
	print_lines("evidence", &it->evidence, out);
	print_lines("may be", &it->hypotheses, out);
	print_lines("check next", &it->next_checks, out);
}

void
findings_text(const struct findings *findings, const struct analysis_head *head,
    const struct thresholds *thresholds, struct str *out)
{
	summary(findings, head, out);
	changed(thresholds, out);
	for (vec_each(const struct finding *, it, &findings->list))
		print_one(it, out);
}

/* ---- Markdown ---- */

/* Text of unknown origin: nothing in it is markup. */
static void
escape(const char *text, struct str *out)
{
	struct str plain = {0};

	plain_print(text, &plain);
	for (const char *p = plain.s ? plain.s : ""; *p; p++) {
		if (strchr("\\`*_{}[]<>#|", *p))
			str_addc(out, '\\');
		str_addc(out, *p);
	}
	str_free(&plain);
}

static void
mark_lines(const char *head, const finding_lines *lines, struct str *out)
{
	if (lines->n == 0)
		return;
	str_addf(out, "\n%s:\n\n", head);
	for (vec_each(char *const *, it, lines)) {
		str_add(out, "- ");
		escape(*it, out);
		str_addc(out, '\n');
	}
}

static void
mark_cells(const struct finding *finding, struct str *out)
{
	str_add(out, "\n| storage | workload | transport | clients | effect | n |\n"
		     "|---|---|---|---:|---:|---:|\n");
	for (vec_each(const struct finding_cell *, it, &finding->cells)) {
		char buf[PERCENT_BUF];
		const char *effect =
		    isnan(it->effect) ? ""
				      : effect_text(buf, it->effect, it->low, it->high);

		str_add(out, "| ");
		escape(it->cell->storage, out);
		str_add(out, " | ");
		escape(it->cell->workload, out);
		if (it->cell->axis[0])
			str_addc(out, ' ');
		escape(it->cell->axis, out);
		str_add(out, " | ");
		escape(it->cell->transport, out);
		str_addf(out, " | %u | %s | %u |\n", it->cell->clients, effect, it->n);
	}
}

void
findings_markdown(const struct findings *findings, const struct analysis_head *head,
    const struct thresholds *thresholds, struct str *out)
{
	str_add(out, "# Findings\n\n");
	summary(findings, head, out);
	changed(thresholds, out);
	for (vec_each(const struct finding *, it, &findings->list)) {
		str_addf(out, "\n## %s: ", severity_name(it->severity));
		escape(it->title ? it->title : "", out);
		str_addf(out, "\n\nRule `%s`, verdict %s.", it->rule->id,
		    verdict_name(it->verdict));
		if (it->scope) {
			str_add(out, " Scope: ");
			escape(it->scope, out);
			str_addc(out, '.');
		}
		str_addc(out, '\n');
		mark_cells(it, out);
		mark_lines("Evidence", &it->evidence, out);
		mark_lines("May be", &it->hypotheses, out);
		mark_lines("Check next", &it->next_checks, out);
	}
}
