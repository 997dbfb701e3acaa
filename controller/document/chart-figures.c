/* SPDX-License-Identifier: Apache-2.0 */
/* Charts of a workload: against clients, against each other, and the tail. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/analyze/ceiling.h"
#include "controller/analyze/drop.h"
#include "controller/document/compose.h"

#define SERIES_MAX 14       /* more lines than that nobody can follow */
#define SMALL_BLOCK 16384.0 /* up to this IOPS say more than bytes/s */
#define MILLIONS_FROM 2e6   /* IOPS */
#define LOG_FROM 20.0       /* scales this far apart */
#define CEILING_NEAR 1.6    /* times the data: further off it would flatten them */

/* How the rate of a workload is drawn. */
struct unit {
	enum metric metric;
	double scale;
	const char *title;
};

static struct unit
unit_of(const struct dossier *dossier, const char *workload)
{
	static const struct unit bytes = {METRIC_RATE, GIB, "throughput, GiB/s"};
	static const struct unit thousands = {METRIC_IOPS, 1e3, "thousand IOPS"};
	static const struct unit millions = {METRIC_IOPS, 1e6, "million IOPS"};
	bool has = false, small = false;
	double most = 0;

	for (vec_each(const struct cell *, it, &dossier->model.cells)) {
		if (strcmp(it->workload, workload) != 0)
			continue;
		small |= it->block_bytes <= SMALL_BLOCK;
		has |= cell_has(it, METRIC_RATE);
		most = fmax(most, cell_middle(it, METRIC_IOPS));
	}
	if (has && !small)
		return bytes;
	return most < MILLIONS_FROM ? thousands : millions;
}

static void
range_of(const struct cell *cell, enum metric metric, double *ret_low, double *ret_high)
{
	*ret_low = *ret_high = NAN;
	for (vec_each(const struct sample *, it, &cell->samples))
		if (it->state == ATTEMPT_VALID && it->value[metric] > 0) {
			*ret_low = fmin(*ret_low, it->value[metric]);
			*ret_high = fmax(*ret_high, it->value[metric]);
		}
}

/* 0 to something round above. */
static void
from_zero(struct chart_axis *axis, double most)
{
	double step = pow(10, floor(log10(most > 0 ? most : 1))) / 2;

	axis->low = 0;
	axis->high = step * ceil(most * 1.06 / step);
}

static void
around_logs(struct chart_axis *axis, double least, double most)
{
	axis->logs = true;
	axis->low = least / (most > 2 * least ? 1.35 : 2);
	axis->high = most * (most > 2 * least ? 1.35 : 2);
	/* 1, 2 and 5 of every decade; only the ones of wide ranges */
	for (double decade = pow(10, floor(log10(axis->low))); decade <= axis->high;
	     decade *= 10)
		for (int i = 0; i < 3; i++) {
			static const double steps[] = {1, 2, 5};
			double at = steps[i] * decade;

			if (at >= axis->low && at <= axis->high &&
			    (i == 0 || most < 300 * least))
				chart_tick(axis, at, "%g", at);
		}
}

/* ---- against the number of clients ---- */

static void
scale_axis(struct chart *chart)
{
	double least = INFINITY, most = 0;

	for (vec_each(const struct chart_series *, s, &chart->series))
		for (vec_each(const struct chart_point *, it, &s->points)) {
			bool known = false;

			for (vec_each(const double *, at, &chart->x.ticks))
				known |= *at == it->x;
			if (!known)
				chart_tick(&chart->x, it->x, "%g", it->x);
			least = fmin(least, it->x);
			most = fmax(most, it->x);
		}
	chart->x.logs = most > LOG_FROM * least;
	chart->x.low = chart->x.logs ? least / 1.1 : 0;
	chart->x.high = chart->x.logs ? most * 1.05 : most * 1.02;
}

static void
add_ceiling(struct chart *chart, const char *transport, double value, double *most)
{
	for (vec_each(struct chart_mark *, it, &chart->marks))
		if (fabs(it->at / value - 1) < 0.02) {
			char *label = it->label;

			it->label = mem_printf(
			    "%s, %s %.2f", label, transport_label(transport), value);
			free(label);
			return;
		}
	*vec_add(&chart->marks) = (struct chart_mark){.at = value,
	    .label = mem_printf("ceiling of links, GiB/s: %s %.2f",
		transport_label(transport), value)};
	*most = fmax(*most, value);
}

/* Of the largest scale of each transport. */
static void
add_ceilings(struct chart *chart, const struct dossier *dossier, const char *workload,
    double *most)
{
	static const char *const names[] = {"rdma", "tcp"};
	double data = *most;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		double ceiling = NAN;

		for (vec_each(const struct cell *, it, &dossier->model.cells))
			if (strcmp(it->workload, workload) == 0 &&
			    strcmp(it->transport, names[i]) == 0)
				ceiling = fmax(ceiling, ceiling_of(it) / GIB);
		if (ceiling <= data * CEILING_NEAR)
			add_ceiling(chart, names[i], ceiling, most);
	}
}

static void
add_line(struct chart *chart, const struct dossier *dossier, const struct line *line,
    const struct unit *unit, double *most)
{
	const struct cell *first = line->cells.v[0];
	struct chart_series *series;

	if (chart->series.n == SERIES_MAX)
		return;
	series = chart_series(chart, storage_colour(dossier, first->storage),
	    strcmp(line->transport, "tcp") == 0, "%s %s%s%s", first->storage,
	    transport_label(line->transport), first->axis[0] ? " " : "", first->axis);
	for (vec_each(const struct cell *const *, it, &line->cells)) {
		double low, high, y = cell_middle(*it, unit->metric);

		if (isnan(y))
			continue;
		range_of(*it, unit->metric, &low, &high);
		vec_push(&series->points,
		    ((struct chart_point){(*it)->clients, y / unit->scale,
			low / unit->scale, high / unit->scale, NULL}));
		*most = fmax(*most, high / unit->scale);
	}
	if (series->points.n == 0) {
		free(series->label);
		chart->series.n--;
	}
}

/* Storages of one scale are dots beside others; dots alone are no curve. */
static bool
has_curve(const struct chart *chart)
{
	for (vec_each(const struct chart_series *, it, &chart->series))
		if (it->points.n > 1)
			return true;
	return false;
}

struct chart *
chart_scale(const struct dossier *dossier, const char *workload)
{
	struct unit unit = unit_of(dossier, workload);
	struct chart *chart =
	    chart_new(CHART_LINES, "%s: more clients", workload);
	double most = 0;

	for (vec_each(const struct family *, it, &dossier->model.families)) {
		struct lines lines;

		if (strcmp(it->cells->workload, workload) != 0)
			continue;
		lines_find(it, &lines);
		for (vec_each(const struct line *, line, &lines.list))
			add_line(chart, dossier, line, &unit, &most);
		lines_free(&lines);
	}
	if (!has_curve(chart)) {
		chart_free(chart);
		return NULL;
	}
	chart_axes(chart, "clients", unit.title);
	chart->note = mem_strdup("Dashed: TCP. Bars: from the lowest to "
				 "the highest repeat.");
	if (unit.metric == METRIC_RATE)
		add_ceilings(chart, dossier, workload, &most);
	from_zero(&chart->y, most);
	scale_axis(chart);
	return chart;
}

/* ---- RDMA against TCP ---- */

static struct chart_series *
series_of(struct chart *chart, unsigned colour)
{
	for (vec_each(struct chart_series *, it, &chart->series))
		if (it->colour == colour)
			return it;
	return chart_series(chart, colour, false, "%u", colour);
}

#define INTERVAL_MAX 0.6 /* shown of an interval, if the changes are less */

static void
widen(struct chart_axis *axis, double fraction)
{
	axis->low = fmin(axis->low, 100 * fraction);
	axis->high = fmax(axis->high, 100 * fraction);
}

static void
add_change(struct chart *chart, const struct dossier *dossier, const struct change *it)
{
	struct chart_series *series =
	    series_of(chart, storage_colour(dossier, it->rdma->storage));
	double at = (double)chart->y.names.n;
	enum verdict verdict = change_verdict(it, dossier->thresholds.anomaly);

	chart_tick(&chart->y, at, "%s%s%s, %u client%s", it->rdma->storage,
	    it->rdma->axis[0] ? " " : "", it->rdma->axis, CLIENTS(it->rdma->clients));
	vec_push(&series->points,
	    ((struct chart_point){at, 100 * it->contrast.effect,
		100 * it->contrast.low, 100 * it->contrast.high, NULL}));
	chart_name(series, "%+.1f %% %s", 100 * it->contrast.effect,
	    verdict_name(verdict));
	widen(&chart->x, it->contrast.effect);
	/* an interval of few repeats can be without bounds, nearly */
	widen(&chart->x, fmax(it->contrast.low, -INTERVAL_MAX));
	widen(&chart->x, fmin(it->contrast.high, INTERVAL_MAX));
}

struct chart *
chart_changes(const struct dossier *dossier, const char *workload)
{
	struct chart *chart =
	    chart_new(CHART_BARS, "%s: RDMA against TCP", workload);
	double span;

	chart->x.low = chart->x.high = 0;
	for (vec_each(const struct change *, it, &dossier->changes.list))
		if (strcmp(it->rdma->workload, workload) == 0)
			add_change(chart, dossier, it);
	if (chart->series.n == 0) {
		chart_free(chart);
		return NULL;
	}
	chart_axes(chart, "change, % (right: RDMA is better)", "");
	chart->band = 100 * dossier->thresholds.margin;
	chart->note = mem_printf("Grey: ±%.0f %%, differences within are none. Lines: 95 "
				 "%% interval, where there are repeats.",
	    chart->band);
	span = fmax(chart->x.high - chart->x.low, 4 * chart->band);
	chart->x.low -= 0.06 * span;
	chart->x.high += 0.06 * span;
	return chart;
}

/* ---- latency against rate ---- */

/* range: most x, least and most y, least x */
static void
add_trade(struct chart *chart, const struct dossier *dossier, const struct line *line,
    const struct unit *unit, double range[4])
{
	const struct cell *first = line->cells.v[0];
	struct chart_series *series;

	if (chart->series.n == SERIES_MAX)
		return;
	series = chart_series(chart, storage_colour(dossier, first->storage),
	    strcmp(line->transport, "tcp") == 0, "%s %s%s%s", first->storage,
	    transport_label(line->transport), first->axis[0] ? " " : "", first->axis);
	for (vec_each(const struct cell *const *, it, &line->cells)) {
		double x = cell_middle(*it, unit->metric) / unit->scale;
		double y = cell_middle(*it, METRIC_LAT) / 1e6;

		if (isnan(x) || isnan(y))
			continue;
		vec_push(
		    &series->points, ((struct chart_point){x, y, NAN, NAN, NULL}));
		chart_name(series, "%u", (*it)->clients);
		range[0] = fmax(range[0], x);
		range[3] = fmin(range[3], x);
		range[1] = fmin(range[1], y);
		range[2] = fmax(range[2], y);
	}
	if (series->points.n == 0) {
		free(series->label);
		chart->series.n--;
	}
}

/* One or two dots are no chart. */
static bool
is_worth_it(const struct chart *chart)
{
	size_t n = 0;

	for (vec_each(const struct chart_series *, it, &chart->series))
		n += it->points.n;
	return n > 2;
}

struct chart *
chart_trade(const struct dossier *dossier, const char *workload)
{
	struct unit unit = unit_of(dossier, workload);
	struct chart *chart =
	    chart_new(CHART_LINES, "%s: what latency the rate costs", workload);
	double range[4] = {0, INFINITY, 0, INFINITY};

	for (vec_each(const struct family *, it, &dossier->model.families)) {
		struct lines lines;

		if (strcmp(it->cells->workload, workload) != 0)
			continue;
		lines_find(it, &lines);
		for (vec_each(const struct line *, line, &lines.list))
			add_trade(chart, dossier, line, &unit, range);
		lines_free(&lines);
	}
	if (!is_worth_it(chart)) {
		chart_free(chart);
		return NULL;
	}
	chart_axes(chart, unit.title, "mean latency, ms");
	chart->note = mem_strdup("At each point: the number of clients. Dashed: "
				 "TCP.");
	from_zero(&chart->x, range[0]);
	if (range[3] > 0.4 * range[0])
		chart->x.low = 0.9 * range[3];
	around_logs(&chart->y, range[1], range[2]);
	return chart;
}

/* ---- the tail ---- */

/* The largest scale of a workload that any curve is known of. */
static unsigned
largest(const struct dossier *dossier, const char *workload)
{
	unsigned ret = 0;

	for (vec_each(const struct dossier_case *, it, &dossier->cases))
		if (it->curves.n && it->c.clients > ret &&
		    strcmp(it->c.workload, workload) == 0)
			ret = it->c.clients;
	return ret;
}

static void
add_tail(struct chart *chart, const struct dossier *dossier,
    const struct dossier_case *c, double range[3])
{
	for (vec_each(const struct dossier_curve *, curve, &c->curves)) {
		struct chart_series *series;

		if (chart->series.n == SERIES_MAX)
			return;
		series = chart_series(chart, storage_colour(dossier, c->c.storage),
		    strcmp(c->c.transport, "tcp") == 0, "%s %s%s%s%s%s", c->c.storage,
		    transport_label(c->c.transport), c->axis[0] ? " " : "", c->axis,
		    c->curves.n > 1 ? " " : "",
		    c->curves.n > 1 ? dir_name(curve->dir) : "");
		for (vec_each(const struct dossier_point *, it, &curve->points)) {
			double x = -log10(1 - it->percent / 100);

			vec_push(&series->points,
			    ((struct chart_point){
				x, it->ns / 1e6, NAN, NAN, NULL}));
			range[0] = fmax(range[0], x);
			range[1] = fmin(range[1], it->ns / 1e6);
			range[2] = fmax(range[2], it->ns / 1e6);
		}
	}
}

struct chart *
chart_tail(const struct dossier *dossier, const char *workload)
{
	static const char *const nines[] = {
	    "0 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %", "99.9999 %"};
	unsigned clients = largest(dossier, workload);
	struct chart *chart;
	double range[3] = {0, INFINITY, 0};

	if (clients == 0)
		return NULL;
	chart = chart_new(CHART_LINES, "%s: tail of the latency at %u client%s", workload,
	    CLIENTS(clients));
	for (vec_each(const struct dossier_case *, it, &dossier->cases))
		if (it->c.clients == clients && strcmp(it->c.workload, workload) == 0)
			add_tail(chart, dossier, it, range);
	chart_axes(chart, "share of all I/Os that took no longer", "latency, ms");
	chart->note = mem_strdup("From the merged histograms of all clients and repeats; "
				 "ends where fewer than 10 I/Os are beyond.");
	chart->x.low = 0;
	chart->x.high = range[0] * 1.02;
	for (size_t i = 0; i < sizeof nines / sizeof *nines && (double)i <= chart->x.high;
	     i++)
		chart_tick(&chart->x, (double)i, "%s", nines[i]);
	around_logs(&chart->y, range[1], range[2]);
	return chart;
}
