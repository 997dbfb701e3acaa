/* SPDX-License-Identifier: Apache-2.0 */
/* Building and releasing charts. */
#include "controller/document/chart.h"

#include <math.h>
#include <stdlib.h>

#define PRINT_INTO(fmt, ret) \
	do { \
		va_list ap; \
		va_start(ap, fmt); \
		(ret) = mem_vprintf(fmt, ap); \
		va_end(ap); \
	} while (0)

struct chart *
chart_new(enum chart_kind kind, const char *fmt, ...)
{
	struct chart *chart = mem_alloc(sizeof *chart);

	chart->kind = kind;
	chart->band = NAN;
	chart->x.low = chart->x.high = chart->y.low = chart->y.high = NAN;
	PRINT_INTO(fmt, chart->title);
	return chart;
}

static void
free_axis(struct chart_axis *axis)
{
	free(axis->title);
	vec_free(&axis->ticks);
	for (vec_each(char **, it, &axis->names))
		free(*it);
	vec_free(&axis->names);
}

void
chart_free(struct chart *chart)
{
	if (!chart)
		return;
	free(chart->title);
	free(chart->note);
	free_axis(&chart->x);
	free_axis(&chart->y);
	for (vec_each(struct chart_series *, it, &chart->series)) {
		free(it->label);
		vec_free(&it->points);
		for (vec_each(char **, name, &it->names))
			free(*name);
		vec_free(&it->names);
	}
	vec_free(&chart->series);
	for (vec_each(struct chart_mark *, it, &chart->marks))
		free(it->label);
	vec_free(&chart->marks);
	vec_free(&chart->fields);
	free(chart);
}

void
chart_axes(struct chart *chart, const char *x, const char *y)
{
	chart->x.title = mem_strdup(x);
	chart->y.title = mem_strdup(y);
}

struct chart_series *
chart_series(struct chart *chart, unsigned colour, bool dashed, const char *fmt, ...)
{
	struct chart_series *series = vec_add(&chart->series);

	series->colour = colour;
	series->dashed = dashed;
	PRINT_INTO(fmt, series->label);
	return series;
}

void
chart_name(struct chart_series *series, const char *fmt, ...)
{
	char **name = vec_add(&series->names);

	PRINT_INTO(fmt, *name);
	series->points.v[series->points.n - 1].name = *name;
}

void
chart_tick(struct chart_axis *axis, double at, const char *fmt, ...)
{
	char **name = vec_add(&axis->names);

	vec_push(&axis->ticks, at);
	PRINT_INTO(fmt, *name);
}
