/* SPDX-License-Identifier: Apache-2.0 */
/* Scores, dominance, order. */
#include "controller/analyze/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const use_names[USES] = {"restore", "save", "loader", "logs"};

int
rank_weight(double weight[USES], const char *text, struct err *err)
{
	size_t len = strcspn(text, "=");

	for (int i = 0; i < USES; i++) {
		char *end;
		double value;

		if (strlen(use_names[i]) != len || memcmp(use_names[i], text, len) != 0)
			continue;
		if (!text[len])
			break;
		value = strtod(text + len + 1, &end);
		if (end == text + len + 1 || *end || !(value >= 0 && value <= 1e6))
			return err_set(err, ERR_USAGE,
			    "weight '%s': '%s' is not a number from 0 on", use_names[i],
			    text + len + 1);
		weight[i] = value;
		return 0;
	}
	return err_set(err, ERR_USAGE,
	    "weight '%s': write USE=NUMBER; uses are restore, save, loader, logs",
	    text);
}

/* ---- scores ---- */

/* Σ of log shares and how many, per use. */
struct tally_of {
	double sum[USES];
	unsigned n[USES];
};

struct config {
	const char *storage, *transport;
	struct tally_of tally;
};

struct configs {
	VEC(struct config) list;
};

static struct config *
config_of(struct configs *configs, const struct cell *cell)
{
	struct config *config;

	for (vec_each(struct config *, it, &configs->list))
		if (strcmp(it->storage, cell->storage) == 0 &&
		    strcmp(it->transport, cell->transport) == 0)
			return it;
	config = vec_add(&configs->list);
	config->storage = cell->storage;
	config->transport = cell->transport;
	return config;
}

enum use
use_of(const struct cell *cell)
{
	if (cell->kind == CELL_MIXED)
		return USES;
	if (cell->kind == CELL_WRITES)
		return cell->random ? USE_LOGS : USE_SAVE;
	return cell->random ? USE_LOADER : USE_RESTORE;
}

static int
by_workload(const void *a, const void *b)
{
	const struct cell *x = *(const struct cell *const *)a;
	const struct cell *y = *(const struct cell *const *)b;
	int order = strcmp(x->workload, y->workload);

	if (order == 0)
		order = strcmp(x->axis, y->axis);
	if (order == 0) /* the largest scale first */
		order = (x->clients < y->clients) - (x->clients > y->clients);
	return order ? order : (x > y) - (x < y);
}

static bool
same_workload(const struct cell *x, const struct cell *y)
{
	return strcmp(x->workload, y->workload) == 0 && strcmp(x->axis, y->axis) == 0;
}

/* Of the cells of a workload, those of the scale with most of them. */
static const struct cell *const *
best_scale(const struct cell *const *cells, size_t n, size_t *ret_n)
{
	const struct cell *const *ret = cells;

	*ret_n = 0;
	for (size_t from = 0, i = 1; i <= n; i++) {
		if (i < n && cells[i]->clients == cells[from]->clients)
			continue;
		if (i - from > *ret_n) {
			ret = &cells[from];
			*ret_n = i - from;
		}
		from = i;
	}
	return ret;
}

/* A race of one storage among several measured says nothing about the others. */
static bool
is_race(const struct cell *const *cells, size_t n, bool one_storage)
{
	for (size_t i = 1; i < n; i++)
		if (strcmp(cells[i]->storage, cells[0]->storage) != 0)
			return true;
	return one_storage;
}

static void
score_workload(struct configs *configs, const struct cell *const *cells, size_t n,
    bool one_storage)
{
	enum metric metric = METRIC_IOPS;
	double best = 0;

	cells = best_scale(cells, n, &n);
	if (!is_race(cells, n, one_storage))
		return;
	for (size_t i = 0; i < n; i++)
		if (cell_has(cells[i], METRIC_RATE))
			metric = METRIC_RATE;
	for (size_t i = 0; i < n; i++)
		best = fmax(best, cell_middle(cells[i], metric));
	for (size_t i = 0; i < n; i++) {
		double middle = cell_middle(cells[i], metric);
		struct config *config;

		if (isnan(middle))
			continue;
		config = config_of(configs, cells[i]);
		config->tally.sum[use_of(cells[i])] += log(middle / best);
		config->tally.n[use_of(cells[i])]++;
	}
}

static void
score_all(const struct model *model, struct configs *ret)
{
	VEC(const struct cell *) cells = {0};
	size_t from = 0;

	for (vec_each(const struct cell *, it, &model->cells))
		if (it->kind != CELL_MIXED && !it->paced &&
		    cell_has(it, cell_rate_metric(it)))
			vec_push(&cells, it);
	if (cells.n)
		qsort(cells.v, cells.n, sizeof *cells.v, by_workload);
	for (size_t i = 1; i <= cells.n; i++) {
		if (i < cells.n && same_workload(cells.v[i], cells.v[from]))
			continue;
		score_workload(ret, &cells.v[from], i - from, model->noise.n == 1);
		from = i;
	}
	vec_free(&cells);
}

/* ---- dominance and order ---- */

/* x is known wherever y is, nowhere worse, and somewhere better; beyond a tie. */
static bool
dominates(const struct ranked *x, const struct ranked *y, double tie)
{
	bool better = false;

	for (int i = 0; i < USES; i++) {
		if (isnan(y->score[i]))
			continue;
		if (!(x->score[i] >= y->score[i] * (1 - tie)))
			return false;
		better |= x->score[i] * (1 - tie) > y->score[i];
	}
	return better;
}

static int
by_total(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	int order;

	if (isnan(x->total) != isnan(y->total))
		return isnan(x->total) ? 1 : -1;
	if (x->total != y->total && !isnan(x->total))
		return x->total > y->total ? -1 : 1;
	order = strcmp(x->storage, y->storage);
	return order ? order : strcmp(x->transport, y->transport);
}

static double
weigh(const struct ranked *it, const double weight[USES])
{
	double sum = 0, all = 0;

	for (int i = 0; i < USES; i++) {
		if (weight[i] == 0)
			continue;
		sum += weight[i] * log(it->score[i]); /* NAN: unknown as a whole */
		all += weight[i];
	}
	return all > 0 ? exp(sum / all) : NAN;
}

void
rank_models(const struct model *model, const double weight[USES], double tie,
    struct ranking *ret)
{
	struct configs configs = {0};

	*ret = (struct ranking){.tie = tie};
	memcpy(ret->weight, weight, sizeof ret->weight);
	score_all(model, &configs);
	for (vec_each(const struct config *, it, &configs.list)) {
		struct ranked *ranked = vec_add(&ret->list);

		ranked->storage = it->storage;
		ranked->transport = it->transport;
		for (int i = 0; i < USES; i++)
			ranked->score[i] = it->tally.n[i]
					       ? exp(it->tally.sum[i] / it->tally.n[i])
					       : NAN;
		ranked->total = weigh(ranked, weight);
	}
	for (vec_each(struct ranked *, it, &ret->list)) {
		it->pareto = true;
		for (vec_each(const struct ranked *, other, &ret->list))
			if (other != it && dominates(other, it, tie))
				it->pareto = false;
		ret->npareto += it->pareto;
	}
	if (ret->list.n)
		qsort(ret->list.v, ret->list.n, sizeof *ret->list.v, by_total);
	vec_free(&configs.list);
}

void
ranking_free(struct ranking *ranking)
{
	vec_free(&ranking->list);
}
