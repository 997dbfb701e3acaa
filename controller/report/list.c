/* SPDX-License-Identifier: Apache-2.0 */
/* The list of cases with the states of their attempts, in the order of repeats. */
#include "controller/report/report.h"

#include "controller/report/table.h"

/* "VALID VALID INVALID→VALID": an arrow leads to the next attempt of a repeat. */
static void
put_states(struct table *table, const struct results_item *item)
{
	struct str text = {0};

	for (size_t i = 0; i < item->states.n; i++) {
		const struct results_state *state = &item->states.v[i];
		bool again = i > 0 && state[-1].repeat == state->repeat;

		str_add(&text, i == 0 ? "" : again ? "→" : " ");
		str_add(&text, attempt_state_name(state->state));
	}
	table_add(table, text.s ? text.s : "not run");
	str_free(&text);
}

void
report_list(const struct results_list *list, struct str *out)
{
	static const struct table_column columns[] = {{"case", "", false, 0},
	    {"storage", "", false, 8}, {"via", "", false, 0},
	    {"workload", "", false, 8}, {"clients", "", true, 0},
	    {"repeats", "", false, 0}};
	struct table table;

	table_init(&table, columns, sizeof columns / sizeof *columns);
	for (vec_each(const struct results_item *, item, &list->items)) {
		table_add(&table, item->id);
		table_add(&table, item->storage);
		table_add(&table, item->transport);
		table_add(&table, item->workload);
		table_addf(&table, "%u", item->clients);
		put_states(&table, item);
	}
	table_print(&table, 0, REPORT_COLUMNS, out);
}
