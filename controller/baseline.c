/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the line rate out of the cases of the fabric. */
#include "controller/baseline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "controller/expand/fabric.h"
#include "lib/base/mem.h"
#include "lib/base/vec.h"

typedef VEC(double) rates;

static int
by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double
median(rates *list)
{
	size_t half = list->n / 2;

	if (list->n == 0)
		return NAN;
	qsort(list->v, list->n, sizeof *list->v, by_value);
	return list->n % 2 ? list->v[half] : (list->v[half - 1] + list->v[half]) / 2;
}

static void
take_attempt(rates *list, const struct attempt *attempt, enum dir dir)
{
	if (attempt->state != ATTEMPT_VALID)
		return;
	for (vec_each(const struct attempt_client *, it, &attempt->clients)) {
		double rate, iops;

		if (it->outcome != CLIENT_OK || !it->tally || !tally_has(it->tally, dir))
			continue;
		results_client_rate(it->tally, dir, &rate, &iops);
		if (!isnan(rate))
			vec_push(list, rate);
	}
}

/* Cases of one pattern over one transport, one way. */
static int
take_pattern(rates *list, struct store *store, const struct results_list *items,
    enum fabric_pattern pattern, enum transport transport, enum dir dir,
    struct err *err)
{
	char *workload =
	    mem_printf("%s-%s", fabric_pattern_name(pattern), dir_name(dir));
	int rc = 0;

	for (vec_each(const struct results_item *, item, &items->items)) {
		struct results_case c = {0};

		if (rc < 0 || strcmp(item->storage, FABRIC_STORAGE) != 0 ||
		    strcmp(item->transport, transport_name(transport)) != 0 ||
		    strcmp(item->workload, workload) != 0)
			continue;
		rc = store_load_case(store, item->id, STORE_LATEST, true, &c, err);
		for (vec_each(struct results_attempt *const *, it, &c.attempts))
			take_attempt(list, &(*it)->attempt, dir);
		results_case_free(&c);
	}
	free(workload);
	return rc;
}

int
baseline_load(struct baseline *ret, struct store *store, struct err *err)
{
	static const enum fabric_pattern patterns[] = {FABRIC_PAIRWISE, FABRIC_N_TO_N};
	struct results_list items = {0};
	int rc = store_list(store, &items, err);

	for (int t = 0; t < TRANSPORT_COUNT; t++)
		for (int dir = 0; dir < DIR_COUNT; dir++) {
			rates list = {0};

			for (int p = 0; p < 2 && rc == 0 && list.n == 0; p++)
				rc = take_pattern(&list, store, &items, patterns[p],
				    (enum transport)t, (enum dir)dir, err);
			ret->bytes_per_s[t][dir] = median(&list);
			vec_free(&list);
		}
	results_list_free(&items);
	return rc;
}
