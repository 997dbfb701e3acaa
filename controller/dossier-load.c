/* SPDX-License-Identifier: Apache-2.0 */
/* Each file is read twice: as a model for the analysis, then case by case. */
#include "controller/dossier-load.h"

#include <stdlib.h>

#include "controller/model-load.h"
#include "controller/store/store.h"

static int
load_cases(
    struct dossier *dossier, struct store *store, unsigned source, struct err *err)
{
	struct results_list list = {0};
	int result = store_list(store, &list, err);

	for (size_t i = 0; result == 0 && i < list.items.n; i++) {
		struct results_case c = {0};

		result = store_load_case(
		    store, list.items.v[i].id, STORE_LATEST, false, &c, err);
		if (result == 0)
			dossier_add_case(dossier, source, &c);
		results_case_free(&c);
	}
	results_list_free(&list);
	return result;
}

int
dossier_load(struct dossier *dossier, struct store *store, const char *name,
    struct model_file *ret_file, struct err *err)
{
	static const struct model_choice all = {0};
	unsigned source = (unsigned)dossier->sources.n;
	struct dossier_source *ret = vec_add(&dossier->sources);
	int result;

	ret->path = mem_strdup(name);
	result = model_load_store(&dossier->model, store, source, &all, ret_file, err);
	if (result == 0)
		result = store_load_head(store, &ret->head, err);
	if (result == 0)
		result = load_cases(dossier, store, source, err);
	return result;
}

static int
load_exhibit(struct dossier *dossier, struct store *store,
    const struct exhibit_choice *choice, const char *case_id, struct err *err)
{
	struct attempt attempt = {0};
	int result =
	    store_load_attempt(store, case_id, choice->repeat, 0, &attempt, err);

	if (result == 0)
		dossier_add_exhibit(dossier, choice->at, &attempt);
	attempt_free(&attempt);
	return result;
}

int
dossier_load_exhibits(
    struct dossier *dossier, struct store *const *stores, size_t max, struct err *err)
{
	struct exhibit_choice *list = mem_array(max + 1, sizeof *list);
	size_t n = exhibits_choose(dossier, list, max);
	int result = 0;

	for (size_t i = 0; result == 0 && i < n; i++) {
		const struct dossier_case *c = &dossier->cases.v[list[i].at];

		result =
		    load_exhibit(dossier, stores[c->source], &list[i], c->c.id, err);
	}
	free(list);
	return result;
}
