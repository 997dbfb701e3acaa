/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the cells that belong together, and what all of them say together. */
#include "controller/analyze/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stats/difference.h"

#define LEVEL 0.95

static int
by_key(
    const struct cell *x, const struct cell *y, const struct compare_options *options)
{
	int order = options->across_storages ? 0 : strcmp(x->storage, y->storage);

	if (order == 0)
		order = strcmp(x->workload, y->workload);
	if (order == 0)
		order = strcmp(x->axis, y->axis);
	if (order == 0)
		order = (x->clients > y->clients) - (x->clients < y->clients);
	if (order == 0 && !options->across_transports)
		order = strcmp(x->transport, y->transport);
	return order;
}

struct keyed {
	const struct cell *cell;
	const struct compare_options *options;
};

static int
by_keyed(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;
	int order = by_key(x->cell, y->cell, x->options);

	return order ? order : (x->cell > y->cell) - (x->cell < y->cell);
}

static struct keyed *
sorted(const struct model *model, const struct compare_options *options)
{
	struct keyed *ret = mem_array(model->cells.n + 1, sizeof *ret);

	for (size_t i = 0; i < model->cells.n; i++)
		ret[i] = (struct keyed){&model->cells.v[i], options};
	qsort(ret, model->cells.n, sizeof *ret, by_keyed);
	return ret;
}

static bool
same_engine(const struct cell *x, const struct cell *y)
{
	return x->engine && y->engine ? strcmp(x->engine, y->engine) == 0
				      : x->engine == y->engine;
}

static void
compare_pair(const struct model *model, const struct cell *base,
    const struct cell *fresh, double margin, struct comparisons *ret)
{
	struct comparison *it = vec_add(&ret->list);

	*it = (struct comparison){
	    .base = base, .fresh = fresh, .same_engine = same_engine(base, fresh)};
	contrast_cells(
	    model, base, fresh, cell_rate_metric(fresh), LEVEL, margin, &it->c);
	contrast_cells(model, base, fresh, METRIC_LAT, LEVEL, margin, &it->lat);
	contrast_cells(model, base, fresh, METRIC_P999, LEVEL, margin, &it->tail);
	contrast_bootstrap(base, fresh, &it->c, &it->hl_low, &it->hl_high);
	it->detectable = contrast_detectable(&it->c);
}

/* How many from i on have the key of the first. */
static size_t
run_of(const struct keyed *cells, size_t i, size_t n,
    const struct compare_options *options)
{
	size_t end = i + 1;

	while (end < n && by_key(cells[i].cell, cells[end].cell, options) == 0)
		end++;
	return end - i;
}

static void
adjust(struct comparisons *ret)
{
	double *p = mem_array(ret->list.n + 1, sizeof *p);

	for (size_t i = 0; i < ret->list.n; i++)
		p[i] = ret->list.v[i].c.p;
	difference_holm(p, ret->list.n);
	for (size_t i = 0; i < ret->list.n; i++)
		ret->list.v[i].p_holm = p[i];
	free(p);
}

static void
add_alone(struct comparisons *ret, const struct cell *base)
{
	ret->only_base++;
	if (cell_has(base, cell_rate_metric(base)))
		vec_push(&ret->lost, base);
}

void
compare_models(const struct model *base, const struct model *fresh,
    const struct compare_options *options, struct comparisons *ret)
{
	struct keyed *x = sorted(base, options), *y = sorted(fresh, options);
	size_t i = 0, j = 0, nx = base->cells.n, ny = fresh->cells.n;

	*ret = (struct comparisons){0};
	while (i < nx && j < ny) {
		int order = by_key(x[i].cell, y[j].cell, options);
		size_t run_x, run_y;

		if (order < 0) {
			add_alone(ret, x[i++].cell);
			continue;
		}
		if (order > 0) {
			ret->only_fresh++;
			j++;
			continue;
		}
		run_x = run_of(x, i, nx, options);
		run_y = run_of(y, j, ny, options);
		if (run_x == 1 && run_y == 1)
			compare_pair(fresh, x[i].cell, y[j].cell, options->margin, ret);
		else
			ret->twice += run_x + run_y;
		i += run_x;
		j += run_y;
	}
	while (i < nx)
		add_alone(ret, x[i++].cell);
	ret->only_fresh += ny - j;
	adjust(ret);
	free(x);
	free(y);
}

void
comparisons_free(struct comparisons *comparisons)
{
	vec_free(&comparisons->list);
	vec_free(&comparisons->lost);
}

bool
comparisons_mixed_engines(const struct comparisons *comparisons)
{
	for (vec_each(const struct comparison *, it, &comparisons->list))
		if (!it->same_engine)
			return true;
	return false;
}
