/* SPDX-License-Identifier: Apache-2.0 */
/* See variant.h. */
#include "controller/expand/variant.h"

#include <string.h>

static bool
overridden(const struct plan_workload *workload, const struct plan_option *option)
{
	for (vec_each(const struct plan_option *, own, &workload->options))
		if (strcmp(own->name, option->name) == 0)
			return true;
	return false;
}

void
variant_first(
    struct variant *v, const struct plan *plan, const struct plan_workload *workload)
{
	memset(v, 0, sizeof *v);
	v->workload = workload;
	for (vec_each(const struct plan_option *, o, &plan->defaults))
		if (!overridden(workload, o) && v->n < OPTIONS_MAX)
			v->options[v->n++] = o;
	for (vec_each(const struct plan_option *, o, &workload->options))
		if (v->n < OPTIONS_MAX)
			v->options[v->n++] = o;
}

bool
variant_next(struct variant *v)
{
	for (size_t i = v->n; i-- > 0;) {
		if (++v->at[i] < v->options[i]->values.n)
			return true;
		v->at[i] = 0;
	}
	return false;
}

bool
variant_sets(const struct variant *v, const char *name)
{
	for (size_t i = 0; i < v->n; i++)
		if (strcmp(v->options[i]->name, name) == 0)
			return true;
	return false;
}

bool
variant_is_axis(const struct variant *v, const char *name)
{
	for (size_t i = 0; i < v->n; i++)
		if (strcmp(v->options[i]->name, name) == 0)
			return v->options[i]->values.n > 1;
	return false;
}

uint64_t
variant_count(const struct variant *v, uint64_t most)
{
	uint64_t n = 1;

	for (size_t i = 0; i < v->n && n <= most; i++)
		n *= v->options[i]->values.n;
	return n;
}
