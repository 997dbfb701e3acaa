/* SPDX-License-Identifier: Apache-2.0 */
/* A ranking as a table and as JSON (schema volley.ranking). */
#include <jansson.h>
#include <math.h>

#include "controller/analyze/rank.h"
#include "controller/report/report.h"
#include "controller/report/table.h"
#include "controller/store/jtext.h"

static const struct table_column columns[] = {
    {"storage", "", false, 24},
    {"via", "", false, 0},
    {"restore", "%", true, 0},
    {"save", "%", true, 0},
    {"loader", "%", true, 0},
    {"logs", "%", true, 0},
    {"weighted", "%", true, 0},
    {"", "", false, 0},
};

static void
add_share(struct table *table, double share)
{
	if (isnan(share))
		table_add(table, "unknown");
	else
		table_addf(table, "%.0f", 100 * share);
}

void
ranking_text(const struct ranking *ranking, struct str *out)
{
	struct table table;

	table_init(&table, columns, sizeof columns / sizeof *columns);
	for (vec_each(const struct ranked *, it, &ranking->list)) {
		table_add(&table, it->storage);
		table_add(&table, it->transport);
		for (int i = 0; i < USES; i++)
			add_share(&table, it->score[i]);
		add_share(&table, it->total);
		table_add(&table, it->pareto ? "Pareto" : "");
	}
	table_print(&table, 0, REPORT_COLUMNS, out);
	str_add(out, "\nShare of the best rate. Weights:");
	for (int i = 0; i < USES; i++)
		str_addf(out, " %s=%g", use_names[i], ranking->weight[i]);
	str_add(out, "\n");
	if (ranking->npareto == 1)
		str_add(out, "One is as good as every other everywhere, and better "
			     "somewhere.\n");
	else
		str_addf(out,
		    "No single winner: %zu are each better somewhere than what is "
		    "better "
		    "elsewhere (Pareto).\n",
		    ranking->npareto);
}

void
ranking_json(const struct ranking *ranking, const char *generator, struct str *out)
{
	json_t *list = json_array(), *weights = json_object(), *root;
	char *text;

	for (int i = 0; i < USES; i++)
		json_object_set_new(
		    weights, use_names[i], jtext_real(ranking->weight[i]));
	for (vec_each(const struct ranked *, it, &ranking->list)) {
		json_t *one = json_pack("{s:o, s:o}", "storage", jtext(it->storage),
		    "transport", jtext(it->transport));

		for (int i = 0; i < USES; i++)
			json_object_set_new(
			    one, use_names[i], jtext_real(it->score[i]));
		json_object_set_new(one, "weighted", jtext_real(it->total));
		json_object_set_new(one, "pareto", json_boolean(it->pareto));
		json_array_append_new(list, one);
	}
	root = json_pack("{s:s, s:i, s:o, s:o, s:o}", "schema", "volley.ranking",
	    "schema_version", 1, "generator", jtext(generator), "weights", weights,
	    "ranking", list);
	text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
	str_addf(out, "%s\n", text);
	free(text);
	json_decref(root);
}
