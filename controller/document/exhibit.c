/* SPDX-License-Identifier: Apache-2.0 */
/* Which runs are shown second by second, and what is kept of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "controller/document/dossier.h"

struct chosen {
	struct exhibit_choice *list;
	size_t n, max;
};

/* The first VALID repeat, else the first with figures; 0: there is none. */
static unsigned
repeat_of(const struct dossier_case *c)
{
	unsigned any = 0;

	for (size_t i = 0; i < c->c.attempts.n; i++) {
		const struct attempt *attempt = &c->c.attempts.v[i]->attempt;

		if (!attempt->has_total || attempt->total.window_ns == 0 ||
		    !results_is_latest(&c->c, i))
			continue;
		if (attempt->state == ATTEMPT_VALID)
			return attempt->repeat;
		if (any == 0)
			any = attempt->repeat;
	}
	return any;
}

static void
choose(struct chosen *chosen, const struct dossier *dossier, size_t at)
{
	const struct cell *cell = dossier_cell(dossier, &dossier->cases.v[at]);
	unsigned repeat = repeat_of(&dossier->cases.v[at]);

	/* of another program's figures no course is known */
	if (chosen->n == chosen->max || repeat == 0 || !cell || cell->imported)
		return;
	for (size_t i = 0; i < chosen->n; i++)
		if (chosen->list[i].at == at)
			return;
	chosen->list[chosen->n++] = (struct exhibit_choice){at, repeat};
}

static void
choose_cell(struct chosen *chosen, const struct dossier *dossier,
    const struct cell *cell)
{
	for (size_t i = 0; chosen->n < chosen->max && i < dossier->cases.n; i++)
		if (dossier_cell(dossier, &dossier->cases.v[i]) == cell) {
			choose(chosen, dossier, i);
			return;
		}
}

/* Is there no larger scale of the same storage, workload and transport? */
static bool
is_largest(const struct model *model, const struct cell *cell)
{
	for (vec_each(const struct family *, family, &model->families)) {
		if (cell < family->cells || cell >= family->cells + family->n)
			continue;
		for (size_t i = 0; i < family->n; i++)
			if (family->cells[i].clients > cell->clients &&
			    strcmp(family->cells[i].transport, cell->transport) == 0)
				return false;
	}
	return true;
}

size_t
exhibits_choose(const struct dossier *dossier, struct exhibit_choice *ret, size_t max)
{
	/* of findings half at most: else one storage's troubles fill all pages */
	struct chosen chosen = {ret, 0, max / 2};

	for (vec_each(const struct finding *, it, &dossier->findings.list))
		if (it->severity > SEVERITY_INFO && it->cells.n)
			choose_cell(
			    &chosen, dossier, it->cells.v[it->cells.n - 1].cell);
	chosen.max = max;
	for (size_t i = 0; chosen.n < max && i < dossier->cases.n; i++) {
		const struct cell *cell =
		    dossier_cell(dossier, &dossier->cases.v[i]);

		if (cell && is_largest(&dossier->model, cell))
			choose(&chosen, dossier, i);
	}
	return chosen.n;
}

/* ---- the course of a run ---- */

#define SLOTS_PER_S (UNITS_NS_PER_S / SLOT_NS)

static void
add_rates(struct exhibit_client *client, const struct slots *slots)
{
	for (size_t i = 0; i < slots->n; i++) {
		while (client->rates.n <= i / SLOTS_PER_S)
			vec_push(&client->rates, 0);
		client->rates.v[i / SLOTS_PER_S] += (double)slots->v[i].bytes;
	}
}

void
dossier_add_exhibit(struct dossier *dossier, size_t at, const struct attempt *attempt)
{
	struct exhibit *ret = vec_add(&dossier->exhibits);

	ret->at = at;
	ret->repeat = attempt->repeat;
	ret->from_s = ret->to_s = NAN;
	if (attempt->has_total && attempt->total.window_ns) {
		const struct total *total = &attempt->total;

		ret->from_s = (double)total->window_from / 1e9;
		ret->to_s = (double)(total->window_from + total->window_ns) / 1e9;
	}
	for (vec_each(const struct attempt_client *, it, &attempt->clients)) {
		struct exhibit_client *client;

		if (!it->tally)
			continue;
		client = vec_add(&ret->clients);
		client->name = mem_strdup(it->agent);
		for (int dir = 0; dir < DIR_COUNT; dir++) {
			add_rates(client, &it->tally->dir[dir].slots);
			heats_merge(&ret->heats, &it->tally->dir[dir].heats);
		}
	}
}
