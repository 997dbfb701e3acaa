/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the chosen cases one at a time and hands them to a writer. */
#include "controller/output.h"

#include <stdlib.h>
#include <string.h>

#include "controller/expand/fabric.h"
#include "lib/base/str.h"

const struct report_format *
output_format(const char *name, struct err *err)
{
	const struct report_format *format = report_format_find(name);
	struct str names = {0};

	if (format)
		return format;
	for (const char *const *it = report_format_names(); *it; it++)
		str_addf(&names, "%s%s", names.len ? ", " : "", *it);
	err_set(err, ERR_USAGE, "unknown format '%s'; there are %s", name, names.s);
	str_free(&names);
	return NULL;
}

static int
select_cases(struct store *store, const char *selector, struct results_list *list,
    struct results_selection *selection, struct err *err)
{
	if (store_list(store, list, err) < 0)
		return -1;
	if (selector)
		return results_select(list, selector, selection, err);
	for (size_t i = 0; i < list->items.n; i++)
		vec_push(&selection->indexes, i);
	return 0;
}

static void
keep_chosen(struct results_case *c, const struct output_choice *choice)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->attempts.n; i++) {
		struct results_attempt *one = c->attempts.v[i];
		if ((choice->repeat == 0 || one->attempt.repeat == choice->repeat) &&
		    one->attempt.started_wall_ns >= choice->since_wall_ns) {
			c->attempts.v[kept++] = one;
			continue;
		}
		attempt_free(&one->attempt);
		free(one);
	}
	c->attempts.n = kept;
}

static int
each_case(struct store *store, const struct output_choice *choice,
    const struct results_list *list, const struct results_selection *selection,
    struct report *report, struct err *err)
{
	for (size_t i = 0; i < selection->indexes.n; i++) {
		const char *id = list->items.v[selection->indexes.v[i]].id;
		struct results_case c = {0};
		if (choice->only && !cases_find(choice->only, id) &&
		    strcmp(list->items.v[selection->indexes.v[i]].storage,
			FABRIC_STORAGE) != 0)
			continue;
		if (store_load_case(store, id, choice->which,
			choice->format->wants_clients, &c, err) < 0)
			return -1;
		keep_chosen(&c, choice);
		report_case(report, &c);
		results_case_free(&c);
	}
	return 0;
}

int
output_results(
    struct store *store, const struct output_choice *choice, FILE *to, struct err *err)
{
	struct results_list list = {0};
	struct results_selection selection = {0};
	struct results head = {0};
	struct str out = {0};

	int r = select_cases(store, choice->selector, &list, &selection, err);
	if (r == 0)
		r = store_load_head(store, &head, err);
	if (r == 0) {
		struct report *report = report_begin(choice->format, &head, &out);
		r = each_case(store, choice, &list, &selection, report, err);
		report_end(report);
	}
	if (r == 0 && out.s)
		fwrite(out.s, 1, out.len, to);
	str_free(&out);
	results_free(&head);
	vec_free(&selection.indexes);
	results_list_free(&list);
	return r;
}

int
output_details(struct store *store, const char *selector, FILE *to, struct err *err)
{
	struct results_list list = {0};
	struct results_selection selection = {0};
	struct str out = {0};
	int r = select_cases(store, selector, &list, &selection, err);

	for (size_t i = 0; r == 0 && i < selection.indexes.n; i++) {
		struct results_case c = {0};
		const char *id = list.items.v[selection.indexes.v[i]].id;
		r = store_load_case(store, id, STORE_ALL, true, &c, err);
		if (r == 0)
			report_detail(&c, &out);
		results_case_free(&c);
	}
	if (r == 0 && out.s)
		fwrite(out.s, 1, out.len, to);
	str_free(&out);
	vec_free(&selection.indexes);
	results_list_free(&list);
	return r;
}
