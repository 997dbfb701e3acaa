/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as JSON: schema volley.findings (docs/analysis.md). */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "controller/analyze/rules.h"
#include "controller/store/jtext.h"

#define SCHEMA "volley.findings"
#define SCHEMA_VERSION 1

static void
set(json_t *object, const char *name, json_t *value)
{
	json_object_set_new(object, name, value);
}

/* Two decimals of a per cent are more than any of this is worth. */
static json_t *
percent(double fraction)
{
	return jtext_real(round(fraction * 1e4) / 100);
}

static json_t *
interval(const struct finding_cell *cell)
{
	json_t *ret;

	if (isnan(cell->low) || isnan(cell->high))
		return json_null();
	ret = json_array();
	json_array_append_new(ret, percent(cell->low));
	json_array_append_new(ret, percent(cell->high));
	return ret;
}

static json_t *
cell_json(const struct finding_cell *it)
{
	json_t *ret = json_object();

	set(ret, "storage", jtext(it->cell->storage));
	set(ret, "workload", jtext(it->cell->workload));
	if (it->cell->axis[0])
		set(ret, "axis", jtext(it->cell->axis));
	set(ret, "transport", jtext(it->cell->transport));
	set(ret, "clients", json_integer(it->cell->clients));
	set(ret, "metric", json_string(metrics[it->metric].name));
	set(ret, "value", jtext_real(it->value));
	set(ret, "base", jtext_real(it->base));
	set(ret, "effect_pct", percent(it->effect));
	set(ret, "interval_pct", interval(it));
	set(ret, "n", json_integer(it->n));
	return ret;
}

static json_t *
lines_json(const finding_lines *lines)
{
	json_t *ret = json_array();

	for (vec_each(char *const *, it, lines))
		json_array_append_new(ret, jtext(*it));
	return ret;
}

static json_t *
finding_json(const struct finding *finding)
{
	json_t *ret = json_object(), *cells = json_array();

	for (vec_each(const struct finding_cell *, it, &finding->cells))
		json_array_append_new(cells, cell_json(it));
	set(ret, "rule", json_string(finding->rule->id));
	set(ret, "severity", json_string(severity_name(finding->severity)));
	set(ret, "verdict", json_string(verdict_name(finding->verdict)));
	set(ret, "title", jtext(finding->title));
	set(ret, "cells", cells);
	set(ret, "onset_clients",
	    finding->onset ? json_integer(finding->onset) : json_null());
	set(ret, "scope", jtext(finding->scope));
	set(ret, "evidence", lines_json(&finding->evidence));
	set(ret, "hypotheses", lines_json(&finding->hypotheses));
	set(ret, "next_checks", lines_json(&finding->next_checks));
	return ret;
}

static json_t *
thresholds_json(const struct thresholds *thresholds)
{
	json_t *ret = json_object();

	for (const struct threshold *it = threshold_table; it->name; it++) {
		char *name = mem_printf("%s%s", it->name, it->is_percent ? "_pct" : "");
		double value = thresholds_get(thresholds, it);

		set(ret, name, it->is_percent ? percent(value) : jtext_real(value));
		free(name);
	}
	return ret;
}

void
findings_json(const struct findings *findings, const struct analysis_head *head,
    const struct thresholds *thresholds, struct str *out)
{
	json_t *root = json_object(), *list = json_array();
	char *text;

	for (vec_each(const struct finding *, it, &findings->list))
		json_array_append_new(list, finding_json(it));
	set(root, "schema", json_string(SCHEMA));
	set(root, "schema_version", json_integer(SCHEMA_VERSION));
	set(root, "generator", jtext(head->generator));
	set(root, "sources", jtext_array(head->sources, head->nsources));
	set(root, "cells_analyzed", json_integer((json_int_t)head->cells));
	set(root, "thresholds", thresholds_json(thresholds));
	set(root, "findings", list);
	text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
	str_add(out, text);
	str_addc(out, '\n');
	free(text);
	json_decref(root);
}
