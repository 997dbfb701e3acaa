/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of colour in a few steps, with a legend; and areas on top of each other. */
#include <math.h>
#include <stdio.h>

#include "controller/document/document.h"
#include "controller/document/plot.h"

#define LEFT 84
#define STEP_WIDTH 26.0 /* px of one in the legend */
#define GRID_TOP 60.0
#define GRID_HEIGHT 330.0
#define STACK_HEIGHT 320

struct shades {
	double low, high;
	bool logs;
};

static struct shades
shades_of(const struct chart *chart)
{
	struct shades ret = {NAN, NAN, chart->logs};

	for (vec_each(const double *, it, &chart->fields))
		if (isfinite(*it) && (!chart->logs || *it > 0)) {
			ret.low = fmin(ret.low, *it);
			ret.high = fmax(ret.high, *it);
		}
	return ret;
}

/* -1: nothing to show. */
static int
step_of(const struct shades *shades, double value)
{
	double part;

	if (!isfinite(value) || (shades->logs && value <= 0))
		return -1;
	if (shades->high <= shades->low)
		return PLOT_STEPS - 1;
	part = shades->logs
		   ? log(value / shades->low) / log(shades->high / shades->low)
		   : (value - shades->low) / (shades->high - shades->low);
	return (int)fmin(part * PLOT_STEPS, PLOT_STEPS - 1);
}

/* Neighbours of one colour are one box. */
static void
put_fields(const struct chart *chart, const struct shades *shades, struct str *out)
{
	str_add(out, "$d << EOD\n");
	for (size_t row = 0; row < chart->rows; row++) {
		const double *fields = &chart->fields.v[row * chart->columns];

		for (size_t from = 0, to; from < chart->columns; from = to) {
			int step = step_of(shades, fields[from]);

			for (to = from + 1; to < chart->columns &&
					    !chart->fields_in_words &&
					    step_of(shades, fields[to]) == step;)
				to++;
			if (step >= 0)
				str_addf(out, "%g %g %g %g %d\n", (double)from - 0.5,
				    (double)to - 0.5, (double)row - 0.5,
				    (double)row + 0.5, 0x5e1f00 + step);
		}
	}
	str_add(out, "EOD\n");
}

static void
put_words(const struct chart *chart, const struct shades *shades, struct str *out)
{
	for (size_t i = 0; i < chart->fields.n; i++) {
		double value = chart->fields.v[i];
		char where[64], buf[32];

		if (!isfinite(value))
			continue;
		snprintf(where, sizeof where, "first %zu,%zu center front",
		    i % chart->columns, i / chart->columns);
		plot_label(out, figure(buf, value), where,
		    step_of(shades, value) * 2 >= (int)PLOT_STEPS ? PLOT_PAPER
								  : PLOT_INK);
	}
}

/* Above the plot, on the right: least [steps] most, and what they are of. */
static void
put_legend(const struct chart *chart, const struct shades *shades, struct str *out)
{
	double y = 1 - 22 / (GRID_TOP + GRID_HEIGHT), h = 12 / (GRID_TOP + GRID_HEIGHT);
	double x = 1 - (STEP_WIDTH * PLOT_STEPS + 90) / CHART_WIDTH;
	double w = STEP_WIDTH / CHART_WIDTH;
	const char *(*word)(char *, double) = shades->logs ? figure_whole : figure;
	char where[64], low[32], high[32], *text;

	for (unsigned i = 0; i < PLOT_STEPS; i++)
		str_addf(out,
		    "set object rectangle from screen %.4f,%.4f to screen %.4f,%.4f "
		    "front fs solid noborder fc rgb '#%06x'\n",
		    x + i * w, y, x + (i + 1) * w, y + h, 0x5e1f00 + i);
	snprintf(where, sizeof where, "screen %.4f,%.4f right", x - 0.01, y + h / 2);
	text = mem_printf("%s  %s", chart->scale, word(low, shades->low));
	plot_label(out, text, where, PLOT_SOFT);
	free(text);
	snprintf(where, sizeof where, "screen %.4f,%.4f left",
	    x + PLOT_STEPS * w + 0.01, y + h / 2);
	plot_label(out, word(high, shades->high), where, PLOT_SOFT);
}

void
plot_grid(const struct chart *chart, struct str *out)
{
	struct shades shades = shades_of(chart);
	unsigned height = (unsigned)(GRID_TOP + GRID_HEIGHT);

	plot_begin(chart, out, height, LEFT, 24);
	str_addf(out,
	    "set tmargin at screen %.4f\nset xrange [-0.5:%g]\nset yrange [-0.5:%g]\n"
	    "set tics scale 0\nset border 0\n",
	    1 - 36.0 / height, (double)chart->columns - 0.5, (double)chart->rows - 0.5);
	put_legend(chart, &shades, out);
	put_fields(chart, &shades, out);
	if (chart->fields_in_words)
		put_words(chart, &shades, out);
	str_add(out, "plot $d using (($1+$2)/2):(($3+$4)/2):1:2:3:4:5 with boxxyerror "
		     "fs solid noborder lc rgb variable\n");
}

/* Each area reaches from the sum of those below to its own. */
void
plot_stack(const struct chart *chart, struct str *out)
{
	size_t n = chart->series.n ? chart->series.v[0].points.n : 0;

	plot_begin(chart, out, STACK_HEIGHT, 76, 110);
	str_add(out, "$d << EOD\n");
	for (size_t i = 0; i < n; i++) {
		double sum = 0;

		str_addf(out, "%.6g 0", chart->series.v[0].points.v[i].x);
		for (vec_each(const struct chart_series *, it, &chart->series)) {
			sum += it->points.v[i].y;
			str_addf(out, " %.8g", sum);
		}
		str_add(out, "\n");
	}
	str_add(out, "EOD\n");
	for (size_t k = 0; k < chart->series.n; k += chart->series.n - 1) {
		const struct chart_series *it = &chart->series.v[k];
		char where[48], colour[8];
		double below = 0;

		for (size_t i = 0; i < k; i++)
			below += chart->series.v[i].points.v[n - 1].y;
		snprintf(where, sizeof where, "graph 1.02,first %.8g left",
		    below + it->points.v[n - 1].y / 2);
		plot_label(out, it->label, where, plot_colour(colour, it->colour));
		if (chart->series.n == 1)
			break;
	}
	str_add(out, "plot ");
	for (size_t i = 0; i < chart->series.n; i++) {
		char colour[8];

		str_addf(out,
		    "%s$d using 1:%zu:%zu with filledcurves fs transparent solid %s "
		    "noborder lc rgb '%s'",
		    i ? ", " : "", i + 2, i + 3, i % 2 ? "0.55" : "0.85",
		    plot_colour(colour, chart->series.v[i].colour));
	}
	str_add(out, "\n");
}
