/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons as a table and as JSON (schema volley.comparison). */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "controller/analyze/compare.h"
#include "controller/analyze/finding.h"
#include "controller/report/report.h"
#include "controller/report/table.h"
#include "controller/store/jtext.h"

static const struct table_column columns[] = {
    {"storage", "", false, 24},
    {"workload", "", false, 32},
    {"via", "", false, 0},
    {"clients", "", true, 0},
    {"base", "", true, 0},
    {"new", "", true, 0},
    {"change", "", true, 0},
    {"95 %", "", true, 0},
    {"n", "", true, 0},
    {"p", "Holm", true, 0},
    {"verdict", "", false, 0},
    {"visible", "from", true, 0},
};

static void
add_names(struct table *table, const char *base, const char *fresh)
{
	if (strcmp(base, fresh) == 0)
		table_add(table, base);
	else
		table_addf(table, "%s/%s", base, fresh);
}

static void
add_fraction(struct table *table, double value)
{
	char buf[PERCENT_BUF];

	table_add(table, isnan(value) ? "-" : percent_text(buf, value));
}

static void
add_row(struct table *table, const struct comparison *it)
{
	const struct metric_info *info = &metrics[it->c.metric];
	char buf[UNITS_BUF];

	add_names(table, it->base->storage, it->fresh->storage);
	table_addf(table, "%s%s%s", it->fresh->workload, it->fresh->axis[0] ? " " : "",
	    it->fresh->axis);
	add_names(table, it->base->transport, it->fresh->transport);
	table_addf(table, "%u", it->fresh->clients);
	table_add(table, info->text(buf, it->c.base));
	table_add(table, info->text(buf, it->c.value));
	add_fraction(table, it->c.effect);
	if (isnan(it->c.low))
		table_add(table, "-");
	else
		table_addf(table, "%+.1f to %+.1f", 100 * it->c.low, 100 * it->c.high);
	if (it->c.paired)
		table_addf(table, "%u pairs", it->c.n);
	else
		table_addf(table, "%u/%u", it->c.n_base, it->c.n);
	if (isnan(it->p_holm))
		table_add(table, "-");
	else
		table_addf(table, "%.4f", it->p_holm);
	table_add(table, it->c.known ? verdict_name(it->c.verdict) : "no figures");
	if (isnan(it->detectable))
		table_add(table, "-");
	else
		table_addf(table, "-%.1f %%", 100 * it->detectable);
}

/* What is inconclusive is no proof of sameness: how much would have been seen? */
static void
say_detectable(const struct comparisons *all, struct str *out)
{
	bool first = true;

	for (vec_each(const struct comparison *, it, &all->list)) {
		unsigned n = it->c.n < it->c.n_base ? it->c.n : it->c.n_base;
		char *label, *line;

		if (it->c.verdict != VERDICT_INCONCLUSIVE || isnan(it->detectable))
			continue;
		label = cell_label(it->fresh);
		line = mem_printf("%s%s is inconclusive: with %u %s you could only "
				  "have seen a drop of %.1f %% or more\n",
		    first ? "\n" : "", label, n, it->c.paired ? "pairs" : "repeats",
		    100 * it->detectable);
		plain_print(line, out);
		first = false;
		free(line);
		free(label);
	}
}

void
comparisons_text(const struct comparisons *all, struct str *out)
{
	struct table table;

	table_init(&table, columns, sizeof columns / sizeof *columns);
	for (vec_each(const struct comparison *, it, &all->list))
		add_row(&table, it);
	table_print(&table, 0, REPORT_COLUMNS + 40, out);
	say_detectable(all, out);
	if (all->other_plan)
		str_add(out, "\nNot the same plan: compared because of --anyway.\n");
	if (comparisons_mixed_engines(all))
		str_add(out, "\nNot the same engine: compared because of --anyway.\n");
	if (all->only_base || all->only_fresh)
		str_addf(out,
		    "\nWithout a partner: %zu cells of the base, %zu of the new.\n",
		    all->only_base, all->only_fresh);
	if (all->twice)
		str_addf(out,
		    "\n%zu cells are more than one of a name: choose one storage and "
		    "one "
		    "transport for each side.\n",
		    all->twice);
	str_add(out,
	    "\nvisible from: the least drop that these repeats would have shown "
	    "(5 %, chance 80 %)\n");
}

static json_t *
percent(double fraction)
{
	return jtext_real(round(fraction * 1e4) / 100);
}

static json_t *
interval_json(double low, double high)
{
	if (isnan(low) || isnan(high))
		return json_null();
	return json_pack("[o, o]", percent(low), percent(high));
}

static json_t *
contrast_json(const struct contrast *c)
{
	if (!c->known)
		return json_null();
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:i, s:i, s:b, s:o, s:o, s:o, s:s}",
	    "metric", metrics[c->metric].name, "base", jtext_real(c->base), "value",
	    jtext_real(c->value), "effect_pct", percent(c->effect), "interval_pct",
	    interval_json(c->low, c->high), "n_base", (int)c->n_base, "n", (int)c->n,
	    "paired", c->paired, "p", jtext_real(c->p), "hodges_lehmann_pct",
	    percent(c->hl), "mann_whitney_p", jtext_real(c->mann_whitney), "verdict",
	    verdict_name(c->verdict));
}

static json_t *
side_json(const struct cell *cell)
{
	return json_pack("{s:o, s:o, s:o}", "storage", jtext(cell->storage),
	    "transport", jtext(cell->transport), "engine", jtext(cell->engine));
}

void
comparisons_json(const struct comparisons *all, const char *generator, const char *base,
    const char *fresh, struct str *out)
{
	json_t *cells = json_array(), *root;
	char *text;

	for (vec_each(const struct comparison *, it, &all->list))
		json_array_append_new(cells,
		    json_pack("{s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			"workload", jtext(it->fresh->workload), "axis",
			jtext(it->fresh->axis[0] ? it->fresh->axis : NULL), "clients",
			(int)it->fresh->clients, "base", side_json(it->base), "new",
			side_json(it->fresh), "rate", contrast_json(&it->c), "latency",
			contrast_json(&it->lat), "tail", contrast_json(&it->tail),
			"hodges_lehmann_bootstrap_pct",
			interval_json(it->hl_low, it->hl_high), "p_holm",
			jtext_real(it->p_holm), "detectable_pct",
			percent(it->detectable)));
	root = json_pack("{s:s, s:i, s:o, s:o, s:o, s:b, s:b, s:I, s:I, s:o}", "schema",
	    "volley.comparison", "schema_version", 1, "generator", jtext(generator),
	    "base", jtext(base), "new", jtext(fresh), "same_plan", !all->other_plan,
	    "same_engines", !comparisons_mixed_engines(all), "only_base",
	    (json_int_t)all->only_base, "only_new", (json_int_t)all->only_fresh,
	    "cells", cells);
	text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
	str_addf(out, "%s\n", text);
	free(text);
	json_decref(root);
}
