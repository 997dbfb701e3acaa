/* SPDX-License-Identifier: Apache-2.0 */
/* Bars from zero to both sides, and dots in rows; both have names on the left. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

/* The value, beyond the end of its bar and of its interval. */
static void
put_value(const struct chart *chart, const struct chart_point *it, const char *colour,
    struct str *out)
{
	double end = it->y < 0 ? fmin(it->y, isnan(it->low) ? it->y : it->low)
			       : fmax(it->y, isnan(it->high) ? it->y : it->high);
	char where[80];

	end = fmax(fmin(end, chart->x.high), chart->x.low);
	snprintf(where, sizeof where, "first %.10g,%.10g %s offset %d,0", end, it->x,
	    it->y < 0 ? "right" : "left", it->y < 0 ? -1 : 1);
	plot_label(out, it->name ? it->name : "", where, colour);
}

void
plot_bars(const struct chart *chart, struct str *out)
{
	begin(chart, out, 40);
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
			str_addf(out, "%.10g %.10g %.10g %.10g\n", it->x, it->y,
			    isnan(it->low) ? it->y : it->low,
			    isnan(it->high) ? it->y : it->high);
		str_add(out, "EOD\n");
		for (vec_each(const struct chart_point *, it, &series->points))
			put_value(chart, it, colour, out);
	}
	str_add(out, "plot ");
	for (size_t i = 0; i < chart->series.n; i++) {
		char colour[8];

		plot_colour(colour, chart->series.v[i].colour);
		str_addf(out,
		    "%s$d%zu using 2:1:(0):2:($1-0.32):($1+0.32) with boxxyerror fs "
		    "solid noborder lc rgb '%s', $d%zu using 2:1:3:4 with xerrorbars "
		    "pt -1 lw 1.2 lc rgb '" PLOT_INK "'",
		    i ? ", " : "", i, colour, i);
	}
	str_add(out, "\n");
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
