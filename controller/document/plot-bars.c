/* SPDX-License-Identifier: Apache-2.0 */
/* Bars from zero to both sides, and dots in rows; both have names on the left. */
#include <math.h>
#include <stdio.h>

#include "controller/document/plot.h"

#define ROW 22.0 /* px */
#define AROUND 84

static unsigned
begin(const struct chart *chart, struct str *out, size_t right)
{
	unsigned height = (unsigned)(AROUND + ROW * (double)chart->y.names.n);
	size_t left = 40;

	for (vec_each(char *const *, it, &chart->y.names))
		if (plot_width(*it) + 24 > left)
			left = plot_width(*it) + 24;
	plot_begin(chart, out, height, left, right);
	str_addf(out,
	    "set yrange [%.1f:-0.5]\nset ytics scale 0\nset border 1 lc rgb '" PLOT_GRID
	    "'\nset grid xtics lt 1 lw 0.8 lc rgb '" PLOT_GRID "'\n",
	    (double)chart->y.names.n - 0.5);
	return height;
}

/* In a column on the right, where no bar is in the way. */
static void
put_value(const struct chart_point *it, const char *colour, struct str *out)
{
	char where[80];

	snprintf(where, sizeof where, "graph 1.02,first %.10g left", it->x);
	plot_label(out, it->name ? it->name : "", where, colour);
}

void
plot_bars(const struct chart *chart, struct str *out)
{
	struct str plots = {0};

	begin(chart, out, 170);
	if (!isnan(chart->band))
		str_addf(out,
		    "set object rectangle from first %.10g,graph 0 to first "
		    "%.10g,graph 1 behind fs solid noborder fc rgb '" PLOT_NOISE "'\n",
		    -chart->band, chart->band);
	str_add(out, "set arrow from first 0,graph 0 to first 0,graph 1 nohead front lw 1 "
		     "lc rgb '" PLOT_SOFT "'\n");
	for (size_t i = 0; i < chart->series.n; i++) {
		const struct chart_series *series = &chart->series.v[i];
		char colour[8];

		plot_colour(colour, series->colour);
		str_addf(out, "$d%zu << EOD\n", i);
		for (vec_each(const struct chart_point *, it, &series->points))
			str_addf(out, "%.10g %.10g\n", it->x, it->y);
		str_add(out, "EOD\n");
		for (vec_each(const struct chart_point *, it, &series->points))
			put_value(it, colour, out);
		str_addf(&plots,
		    "%s$d%zu using 2:1:(0):2:($1-0.32):($1+0.32) with boxxyerror fs "
		    "solid noborder lc rgb '%s'",
		    i ? ", " : "plot ", i, colour);
		if (plot_intervals(out, series, i))
			str_addf(&plots,
			    ", $e%zu using 3:1:($4-$3):(0) with vectors heads size "
			    "screen 0.004,90 lw 1.2 lc rgb '" PLOT_INK "'",
			    i);
	}
	str_add(out, plots.s);
	str_addc(out, '\n');
	str_free(&plots);
}

void
plot_strip(const struct chart *chart, struct str *out)
{
	begin(chart, out, 90);
	for (size_t i = 0; i < chart->series.n; i++) {
		const struct chart_series *series = &chart->series.v[i];

		str_addf(out, "$d%zu << EOD\n", i);
		for (vec_each(const struct chart_point *, it, &series->points))
			str_addf(out, "%.10g %.10g\n", it->x, it->y);
		str_add(out, "EOD\n");
		for (vec_each(const struct chart_point *, it, &series->points)) {
			char colour[8], where[96];

			if (!it->name)
				continue;
			snprintf(where, sizeof where,
			    "first %.10g,%.10g left offset 1,0 font ',11'", it->y,
			    it->x);
			plot_label(out, it->name, where,
			    plot_colour(colour, series->colour));
		}
	}
	str_add(out, "plot ");
	for (size_t i = 0; i < chart->series.n; i++) {
		char colour[8];

		str_addf(out,
		    "%s$d%zu using 2:1 with points pt %d ps 0.55 lw 1.2 lc rgb '%s'",
		    i ? ", " : "", i, chart->series.v[i].dashed ? 6 : 7,
		    plot_colour(colour, chart->series.v[i].colour));
	}
	str_add(out, "\n");
}
