/* SPDX-License-Identifier: Apache-2.0 */
/* Lines with points and error bars; each is named where it ends. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "controller/document/plot.h"

#define HEIGHT 400
#define PLOT_HEIGHT 320.0 /* px, about, of it between the axes */
#define LEFT 76
#define LINE_HEIGHT 16.0 /* px of a label */

struct ending {
	const struct chart_series *series;
	double at; /* 0 to 1, of the plot's height */
};

static double
part_of(const struct chart_axis *axis, double value)
{
	if (axis->logs)
		return log(value / axis->low) / log(axis->high / axis->low);
	return (value - axis->low) / (axis->high - axis->low);
}

static int
by_height(const void *a, const void *b)
{
	const struct ending *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->series > y->series) - (x->series < y->series);
}

/* Labels that would overlap move apart: upwards from below, then back down from the
 * top. */
static void
spread(struct ending *endings, size_t n)
{
	double gap = LINE_HEIGHT / PLOT_HEIGHT;

	if (n == 0)
		return;
	if (gap * (double)(n - 1) > 1)
		gap = 1 / (double)(n - 1);
	qsort(endings, n, sizeof *endings, by_height);
	for (size_t i = 1; i < n; i++)
		endings[i].at = fmax(endings[i].at, endings[i - 1].at + gap);
	endings[n - 1].at = fmin(endings[n - 1].at, 1);
	for (size_t i = n - 1; i-- > 0;)
		endings[i].at = fmin(endings[i].at, endings[i + 1].at - gap);
}

static void
put_endings(const struct chart *chart, struct str *out)
{
	struct ending *endings = mem_array(chart->series.n + 1, sizeof *endings);
	size_t n = 0;

	for (vec_each(const struct chart_series *, it, &chart->series))
		if (it->points.n)
			endings[n++] = (struct ending){it,
			    part_of(&chart->y, it->points.v[it->points.n - 1].y)};
	spread(endings, n);
	for (size_t i = 0; i < n; i++) {
		const struct chart_series *it = endings[i].series;
		const struct chart_point *last = &it->points.v[it->points.n - 1];
		char colour[8], where[48];

		plot_colour(colour, it->colour);
		snprintf(where, sizeof where, "graph 1.035,%.4f left", endings[i].at);
		plot_label(out, it->label, where, colour);
		str_addf(out,
		    "set arrow from first %.10g,%.10g to graph 1.028,%.4f nohead back "
		    "lw 0.8 lc rgb '" PLOT_GRID "'\n",
		    last->x, last->y, endings[i].at);
	}
	free(endings);
}

/* A name stands away from its line: above on one that rises, else below. */
static void
put_names(const struct chart_series *series, const char *colour, struct str *out)
{
	for (vec_each(const struct chart_point *, it, &series->points)) {
		char where[96];

		if (!it->name)
			continue;
		snprintf(where, sizeof where,
		    "first %.10g,%.10g center offset 0,0.8 font ',10'", it->x, it->y);
		plot_label(out, it->name, where, colour);
	}
}

static void
put_marks(const struct chart *chart, struct str *out)
{
	for (vec_each(const struct chart_mark *, it, &chart->marks)) {
		char where[64];

		str_addf(out,
		    "set arrow from graph 0,first %.10g to graph 1,first %.10g nohead "
		    "lw 1 dt 4 lc rgb '" PLOT_SOFT "'\n",
		    it->at, it->at);
		snprintf(where, sizeof where,
		    "graph 0.01,first %.10g left offset 0,-0.6 font ',11'", it->at);
		plot_label(out, it->label, where, PLOT_SOFT);
	}
}

/* What is plotted, added to `plots`. */
static void
put_data(const struct chart *chart, struct str *out, struct str *plots)
{
	for (size_t i = 0; i < chart->series.n; i++) {
		const struct chart_series *series = &chart->series.v[i];
		char colour[8];

		plot_colour(colour, series->colour);
		str_addf(out, "$d%zu << EOD\n", i);
		for (vec_each(const struct chart_point *, it, &series->points))
			str_addf(out, "%.10g %.10g\n", it->x, it->y);
		str_add(out, "EOD\n");
		str_addf(plots,
		    "%s$d%zu using 1:2 with lines lw 2%s lc rgb '%s', $d%zu using 1:2 "
		    "with points pt %d ps 0.5 lc rgb '%s'",
		    i ? ", " : "plot ", i, series->dashed ? " dt 2" : "", colour, i,
		    series->dashed ? 6 : 7, colour);
		if (plot_intervals(out, series, i))
			str_addf(plots,
			    ", $e%zu using 1:3:(0):($4-$3) with vectors heads size "
			    "screen 0.004,90 lw 1.2 lc rgb '%s'",
			    i, colour);
	}
}

void
plot_lines(const struct chart *chart, struct str *out)
{
	struct str plots = {0};
	size_t right = 40;

	for (vec_each(const struct chart_series *, it, &chart->series))
		if (plot_width(it->label) + 44 > right)
			right = plot_width(it->label) + 44;
	plot_begin(chart, out, HEIGHT, LEFT, right);
	str_add(out, "set grid ytics lt 1 lw 0.8 lc rgb '" PLOT_GRID "'\n");
	put_marks(chart, out);
	put_endings(chart, out);
	put_data(chart, out, &plots);
	for (vec_each(const struct chart_series *, it, &chart->series)) {
		char colour[8];

		put_names(it, plot_colour(colour, it->colour), out);
	}
	str_add(out, plots.s);
	str_addc(out, '\n');
	str_free(&plots);
}
