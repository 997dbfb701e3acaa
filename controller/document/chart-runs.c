/* SPDX-License-Identifier: Apache-2.0 */
/* Charts of single runs: latency in time, clients on top of each other and in a row. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "controller/document/compose.h"

#define HEAT_COLUMNS 90u /* seconds are put together until so few are left */
#define FAR_BEHIND 0.8   /* of the median: named */
#define NAMED_MAX 2      /* in a row */

static char *
title_of(const struct dossier *dossier, const struct exhibit *it, const char *what)
{
	const struct dossier_case *c = &dossier->cases.v[it->at];

	return mem_printf("%s %s%s%s %s, %u client%s, repeat %u: %s", c->c.storage,
	    c->c.workload, c->axis[0] ? " " : "", c->axis,
	    transport_label(c->c.transport), CLIENTS(c->c.clients), it->repeat, what);
}

/* "450 ns", "1.2 ms": bounds of buckets. */
static void
tick_ns(struct chart_axis *axis, double at, uint64_t ns)
{
	char buf[UNITS_BUF];

	chart_tick(axis, at, "%s", units_ns(buf, (double)ns));
}

struct chart *
chart_heat(const struct dossier *dossier, const struct exhibit *it)
{
	unsigned low = HEAT_BUCKETS, high = 0;
	size_t wide = (it->heats.n + HEAT_COLUMNS - 1) / HEAT_COLUMNS;
	struct chart *chart;
	char *title;

	for (size_t s = 0; s < it->heats.n; s++)
		for (unsigned b = 0; b < HEAT_BUCKETS; b++)
			if (it->heats.v[s].count[b]) {
				low = b < low ? b : low;
				high = b > high ? b : high;
			}
	if (low > high || it->heats.n < 2)
		return NULL;
	title = title_of(dossier, it, "latency in time");
	chart = chart_new(CHART_GRID, "%s", title);
	free(title);
	chart->columns = (it->heats.n + wide - 1) / wide;
	chart->rows = high - low + 1;
	for (unsigned b = low; b <= high; b++)
		for (size_t column = 0; column < chart->columns; column++) {
			double sum = 0;

			for (size_t s = column * wide;
			     s < (column + 1) * wide && s < it->heats.n; s++)
				sum += it->heats.v[s].count[b];
			vec_push(&chart->fields, sum > 0 ? sum : NAN);
		}
	for (unsigned b = low; b <= high; b += chart->rows > 12 ? 4 : 2)
		tick_ns(&chart->y, (double)(b - low) - 0.5, heat_lower(b));
	for (size_t column = 0; column < chart->columns;
	     column += chart->columns / 8 + 1)
		chart_tick(&chart->x, (double)column - 0.5, "%zu", column * wide);
	chart_axes(chart, "time since the start, s", "completion latency");
	chart->logs = true;
	chart->scale = wide > 1 ? "I/Os per field" : "I/Os per second and field";
	return chart;
}

struct chart *
chart_stack(const struct dossier *dossier, const struct exhibit *it)
{
	const struct dossier_case *c = &dossier->cases.v[it->at];
	unsigned colour = storage_colour(dossier, c->c.storage);
	struct chart *chart;
	double most = 0;
	size_t seconds = 0;
	char *title;

	for (vec_each(const struct exhibit_client *, client, &it->clients))
		seconds = client->rates.n > seconds ? client->rates.n : seconds;
	/* the last second is hardly ever a whole one */
	if (!isnan(it->to_s) && it->to_s >= 2 && seconds > (size_t)it->to_s)
		seconds = (size_t)it->to_s;
	if (seconds < 3)
		return NULL;
	title = title_of(dossier, it, "all clients, stacked");
	chart = chart_new(CHART_STACK, "%s", title);
	free(title);
	for (vec_each(const struct exhibit_client *, client, &it->clients)) {
		struct chart_series *series =
		    chart_series(chart, colour, false, "%s", client->name);

		for (size_t s = 0; s < seconds; s++)
			vec_push(&series->points,
			    ((struct chart_point){.x = (double)s + 0.5,
				.y = s < client->rates.n ? client->rates.v[s] / GIB
							 : 0}));
	}
	for (size_t s = 0; s < seconds; s++) {
		double sum = 0;

		for (vec_each(const struct chart_series *, series, &chart->series))
			sum += series->points.v[s].y;
		most = fmax(most, sum);
	}
	if (most <= 0) {
		chart_free(chart);
		return NULL;
	}
	chart_axes(chart, "time since the start, s", "throughput, GiB/s");
	if (!isnan(it->from_s))
		chart->note = mem_printf(
		    "Sum over each second. The window that counts: %.1f s to %.1f s.",
		    it->from_s, it->to_s);
	chart->x.low = 0.5;
	chart->x.high = (double)seconds - 0.5;
	chart->y.low = 0;
	chart->y.high = most * 1.08;
	return chart;
}

/* ---- one dot per client ---- */

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(const struct sample *sample)
{
	VEC(double) all = {0};
	double ret;

	for (vec_each(const struct sample_client *, it, &sample->clients))
		vec_push(&all, it->rate);
	qsort(all.v, all.n, sizeof *all.v, by_value);
	ret = all.n % 2 ? all.v[all.n / 2]
			: (all.v[all.n / 2 - 1] + all.v[all.n / 2]) / 2;
	vec_free(&all);
	return ret;
}

static const struct sample *
sample_of(const struct cell *cell)
{
	for (vec_each(const struct sample *, it, &cell->samples))
		if (it->clients.n > 1 && it->state != ATTEMPT_INVALID)
			return it;
	return NULL;
}

static bool
is_last_scale(const struct dossier *dossier, const struct cell *cell)
{
	const struct cell *next = cell;

	/* the model is in order of names, then clients */
	while (++next < dossier->model.cells.v + dossier->model.cells.n)
		if (strcmp(next->storage, cell->storage) != 0 ||
		    strcmp(next->workload, cell->workload) != 0 ||
		    strcmp(next->axis, cell->axis) != 0)
			return true;
		else if (strcmp(next->transport, cell->transport) == 0)
			return false;
	return true;
}

static void
add_row(struct chart *chart, const struct dossier *dossier, const struct cell *cell,
    const struct sample *sample, double *most)
{
	struct chart_series *series = chart_series(chart,
	    storage_colour(dossier, cell->storage),
	    strcmp(cell->transport, "tcp") == 0, "%s", cell->storage);
	double at = (double)chart->y.names.n, middle = median(sample);
	unsigned named = 0;

	chart_tick(&chart->y, at, "%s %s%s%s, %u", cell->storage,
	    transport_label(cell->transport), cell->axis[0] ? " " : "", cell->axis,
	    cell->clients);
	for (vec_each(const struct sample_client *, it, &sample->clients)) {
		if (isnan(it->rate))
			continue;
		vec_push(&series->points,
		    ((struct chart_point){
			at, it->rate / GIB * 1024, NAN, NAN, NULL}));
		if (it->rate < FAR_BEHIND * middle && named++ < NAMED_MAX)
			chart_name(series, "%s", it->name);
		*most = fmax(*most, it->rate / GIB * 1024);
	}
}

#define ROWS_MAX 24

struct chart *
chart_strip(const struct dossier *dossier, const char *workload)
{
	struct chart *chart =
	    chart_new(CHART_STRIP, "%s: each client by itself", workload);
	double most = 0;

	for (vec_each(const struct cell *, it, &dossier->model.cells)) {
		const struct sample *sample = sample_of(it);

		if (sample && strcmp(it->workload, workload) == 0 &&
		    chart->y.names.n < ROWS_MAX && is_last_scale(dossier, it))
			add_row(chart, dossier, it, sample, &most);
	}
	if (most <= 0) {
		chart_free(chart);
		return NULL;
	}
	chart_axes(chart, "throughput of one client, MiB/s", "");
	chart->note = mem_strdup("A dot is a client; who is 20 % or more below the median "
				 "is named. Open: TCP.");
	chart->x.low = 0;
	chart->x.high = most * 1.08;
	return chart;
}
