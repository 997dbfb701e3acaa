/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chart as a script for gnuplot.  Colours are stand-ins that chart-embed.c turns into
 * those of the page; text is quoted so that nothing in it is a command.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "controller/document/chart.h"
#include "controller/document/plot.h"
#include "controller/report/table.h"

#define LABEL_MAX 48 /* characters of a label */
#define CHARACTER 7  /* px, about, of one */

/* '...' keeps gnuplot from looking at $, ` and \; names of ticks are formats. */
static void
quote(struct str *out, const char *text, bool format)
{
	struct str plain = {0};
	size_t columns = 0;

	plain_print(text, &plain);
	str_addc(out, '\'');
	for (const char *p = plain.s ? plain.s : ""; *p; columns++) {
		size_t len = str_utf8_len((const unsigned char *)p);

		if (columns == LABEL_MAX) {
			str_add(out, "…");
			break;
		}
		if (*p == '\'' || (format && *p == '%'))
			str_addc(out, *p);
		str_addn(out, p, len);
		p += len;
	}
	str_addc(out, '\'');
	str_free(&plain);
}

void
plot_quote(struct str *out, const char *text)
{
	quote(out, text, false);
}

void
plot_label(struct str *out, const char *text, const char *where, const char *colour)
{
	str_add(out, "set label ");
	plot_quote(out, text);
	str_addf(out, " at %s textcolor rgb '%s'\n", where, colour);
}

const char *
plot_colour(char buf[8], unsigned colour)
{
	snprintf(buf, 8, "#5e1d%02x", colour % PLOT_COLOURS);
	return buf;
}

bool
plot_intervals(struct str *out, const struct chart_series *series, size_t i)
{
	bool any = false;

	for (vec_each(const struct chart_point *, it, &series->points)) {
		if (isnan(it->low) || isnan(it->high) || it->low == it->high)
			continue;
		if (!any)
			str_addf(out, "$e%zu << EOD\n", i);
		any = true;
		str_addf(
		    out, "%.10g %.10g %.10g %.10g\n", it->x, it->y, it->low, it->high);
	}
	if (any)
		str_add(out, "EOD\n");
	return any;
}

size_t
plot_width(const char *text)
{
	size_t n = str_columns(text);

	return CHARACTER * (n < LABEL_MAX ? n : LABEL_MAX);
}

static void
put_axis(struct str *out, char which, const struct chart_axis *axis)
{
	str_addf(out, "set %clabel ", which);
	plot_quote(out, axis->title ? axis->title : "");
	str_addf(out, " textcolor rgb '" PLOT_SOFT "'\n");
	if (axis->logs)
		str_addf(out, "set logscale %c\n", which);
	if (!isnan(axis->low) && !isnan(axis->high))
		str_addf(out, "set %crange [%.10g:%.10g]\n", which, axis->low, axis->high);
	if (axis->names.n) {
		str_addf(out, "set %ctics (", which);
		for (size_t i = 0; i < axis->names.n; i++) {
			str_add(out, i ? ", " : "");
			quote(out, axis->names.v[i], true);
			str_addf(out, " %.10g", axis->ticks.v[i]);
		}
		str_add(out, ")\n");
	}
}

void
plot_begin(const struct chart *chart, struct str *out, unsigned height, size_t left,
    size_t right)
{
	str_addf(out,
	    "set terminal svg size %d,%u dynamic noenhanced rounded font "
	    "'sans-serif,12'\n"
	    "set encoding utf8\nset key off\nset border 3 lc rgb '" PLOT_GRID "'\n"
	    "set tics nomirror scale 0.5 textcolor rgb '" PLOT_SOFT "'\n"
	    "set lmargin at screen %.4f\nset rmargin at screen %.4f\n",
	    CHART_WIDTH, height, (double)left / CHART_WIDTH,
	    1 - (double)right / CHART_WIDTH);
	put_axis(out, 'x', &chart->x);
	put_axis(out, 'y', &chart->y);
}

void
chart_plot(const struct chart *chart, struct str *out)
{
	static void (*const plots[])(const struct chart *, struct str *) = {
	    [CHART_LINES] = plot_lines,
	    [CHART_BARS] = plot_bars,
	    [CHART_STRIP] = plot_strip,
	    [CHART_GRID] = plot_grid,
	    [CHART_STACK] = plot_stack};

	plots[chart->kind](chart, out);
}
