/* SPDX-License-Identifier: Apache-2.0 */
#include "controller/plan-thresholds.h"

#include <stdlib.h>
#include <string.h>

/* Its place in the table, and its value, of "margin=3%". */
static int
read_one(const char *text, size_t *ret_at, double *ret_value, struct err *err)
{
	struct thresholds one;

	thresholds_default(&one);
	if (thresholds_set(&one, text, err) != 0)
		return -1;
	for (*ret_at = 0; threshold_table[*ret_at].name; (*ret_at)++) {
		const struct threshold *it = &threshold_table[*ret_at];

		if (strcspn(text, "=") == strlen(it->name) &&
		    strncmp(text, it->name, strlen(it->name)) == 0) {
			*ret_value = thresholds_get(&one, it);
			break;
		}
	}
	return 0;
}

int
thresholds_read(struct thresholds *ret, struct threshold_origins *origins,
    const struct cli *cli, struct err *err)
{
	const char **given;
	size_t n, at;
	double value;
	int result = 0;

	thresholds_default(ret);
	for (const struct threshold *it = threshold_table; it->name; it++)
		vec_push(&origins->from, NULL);
	given = cli_all(cli, "threshold", &n);
	for (size_t i = 0; result == 0 && i < n; i++) {
		result = read_one(given[i], &at, &value, err);
		if (result == 0) {
			result = thresholds_set(ret, given[i], err);
			origins->from.v[at] = "";
		}
	}
	free(given);
	return result;
}

int
thresholds_add_plan(struct thresholds *ret, struct threshold_origins *origins,
    const struct plan *plan, const char *path, struct err *err)
{
	for (size_t i = 0; plan && i < plan->thresholds.n; i++) {
		const char *text = plan->thresholds.v[i].text;
		const char **from;
		double value;
		size_t at;

		if (read_one(text, &at, &value, err) != 0)
			return err_prefix(err, "%s: its plan", path);
		from = &origins->from.v[at];
		if (*from && !**from)
			continue;
		if (*from && value != thresholds_get(ret, &threshold_table[at]))
			return err_set(err, ERR_USAGE,
			    "the plans of %s and %s have different thresholds '%s'; "
			    "say which with --threshold",
			    *from, path, threshold_table[at].name);
		if (thresholds_set(ret, text, err) != 0)
			return -1;
		*from = path;
	}
	return 0;
}

int
thresholds_check_plan(const struct plan *plan, struct err *err)
{
	struct thresholds ignored;

	thresholds_default(&ignored);
	for (vec_each(const struct plan_threshold *, it, &plan->thresholds))
		if (thresholds_set(&ignored, it->text, err) != 0)
			return plan_err_at(err, plan, it->pos);
	return 0;
}

void
threshold_origins_free(struct threshold_origins *origins)
{
	vec_free(&origins->from);
}
