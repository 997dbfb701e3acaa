/* SPDX-License-Identifier: Apache-2.0 */
/* Two swept options against each other: one field per point of the sweep. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/document/compose.h"

/* "iodepth=8 numjobs=4" */
struct point {
	char x_name[32], y_name[32];
	double x, y;
};

/* The last two numbers that are swept, if there are no others. */
static bool
parse(const char *axis, struct point *ret)
{
	int len = 0;

	return sscanf(axis, "%31[a-z_]=%lf %31[a-z_]=%lf%n", ret->x_name, &ret->x,
		   ret->y_name, &ret->y, &len) == 4 &&
	       axis[len] == '\0';
}

struct values {
	VEC(double) list; /* ascending */
};

static void
add_value(struct values *values, double value)
{
	size_t at = 0;

	while (at < values->list.n && values->list.v[at] < value)
		at++;
	if (at < values->list.n && values->list.v[at] == value)
		return;
	vec_push(&values->list, value);
	for (size_t i = values->list.n - 1; i > at; i--)
		values->list.v[i] = values->list.v[i - 1];
	values->list.v[at] = value;
}

static size_t
index_of(const struct values *values, double value)
{
	size_t at = 0;

	while (values->list.v[at] != value)
		at++;
	return at;
}

/* Cells of the sweep that `cell` begins: same storage, workload, transport and clients.
 * The model is in order of names, so they are not far apart. */
static bool
is_same(const struct cell *cell, const struct cell *it)
{
	return strcmp(cell->storage, it->storage) == 0 &&
	       strcmp(cell->workload, it->workload) == 0 &&
	       strcmp(cell->transport, it->transport) == 0 &&
	       cell->clients == it->clients;
}

static bool
find(const struct dossier *dossier, const struct cell *cell, struct values *x,
    struct values *y)
{
	for (vec_each(const struct cell *, it, &dossier->model.cells)) {
		struct point point;

		if (!is_same(cell, it))
			continue;
		/* one chart per sweep: of its first cell */
		if (!parse(it->axis, &point) || (it < cell))
			return false;
		add_value(x, point.x);
		add_value(y, point.y);
	}
	return x->list.n > 1 && y->list.n > 1;
}

static void
fill(struct chart *chart, const struct dossier *dossier, const struct cell *cell,
    const struct values *x, const struct values *y, bool ios)
{
	for (size_t i = 0; i < x->list.n * y->list.n; i++)
		vec_push(&chart->fields, NAN);
	for (vec_each(const struct cell *, it, &dossier->model.cells)) {
		struct point point;

		if (is_same(cell, it) && parse(it->axis, &point))
			chart->fields.v[index_of(y, point.y) * x->list.n +
					index_of(x, point.x)] =
			    ios ? cell_middle(it, METRIC_IOPS) / 1e3
				: cell_middle(it, METRIC_RATE) / GIB;
	}
	for (size_t i = 0; i < x->list.n; i++)
		chart_tick(&chart->x, (double)i, "%g", x->list.v[i]);
	for (size_t i = 0; i < y->list.n; i++)
		chart_tick(&chart->y, (double)i, "%g", y->list.v[i]);
}

struct chart *
chart_sweep(const struct dossier *dossier, const struct cell *cell)
{
	struct values x = {0}, y = {0};
	struct chart *chart = NULL;
	struct point point;
	bool ios = !cell_has(cell, METRIC_RATE) || cell->block_bytes <= 16384;

	if (parse(cell->axis, &point) && find(dossier, cell, &x, &y)) {
		chart = chart_new(CHART_GRID, "%s %s %s, %u client%s: %s × %s",
		    cell->storage, cell->workload, transport_label(cell->transport),
		    CLIENTS(cell->clients), point.x_name, point.y_name);
		chart->columns = x.list.n;
		chart->rows = y.list.n;
		fill(chart, dossier, cell, &x, &y, ios);
		chart_axes(chart, point.x_name, point.y_name);
		chart->scale = ios ? "thousand IOPS" : "GiB/s";
		chart->fields_in_words = true;
	}
	vec_free(&x.list);
	vec_free(&y.list);
	return chart;
}
