/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Charts as data: what is drawn, in which units.  chart-*.c make them of a dossier,
 * plot.c turns one into a script for gnuplot; nothing here runs anything.
 */
#ifndef VOLLEY_DOCUMENT_CHART_H
#define VOLLEY_DOCUMENT_CHART_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/str.h"
#include "lib/base/vec.h"

enum chart_kind {
	CHART_LINES, /* series of points, joined in order */
	CHART_BARS,  /* one horizontal bar per category from 0, with its interval */
	CHART_STRIP, /* one dot per point in a row per series */
	CHART_GRID,  /* a value for each field of columns × rows, as a colour */
	CHART_STACK, /* areas on top of each other */
};

/* low and high: of y (of x in bars); NAN where a bound is unknown. */
struct chart_point {
	double x, y, low, high;
	const char *name; /* beside the point; NULL none */
};

struct chart_series {
	char *label;
	unsigned colour; /* of the palette, see plot.c */
	bool dashed;     /* TCP */
	VEC(struct chart_point) points;
	VEC(char *) names; /* of points, owned here */
};

/* A line at one value, with words. */
struct chart_mark {
	double at;
	char *label;
	unsigned colour;
};

struct chart_axis {
	char *title; /* with its unit */
	bool logs;
	double low, high; /* NAN: by the data */
	VEC(double) ticks;
	VEC(char *) names; /* of the ticks, or of categories from 0 on */
};

struct chart {
	enum chart_kind kind;
	char *title, *note; /* note: what the marks mean, in words */
	struct chart_axis x, y;
	VEC(struct chart_series) series;
	VEC(struct chart_mark) marks; /* of y */
	double band;                  /* ± around 0 that is noise; NAN none */
	size_t columns, rows;         /* of a grid */
	VEC(double) fields;           /* row by row from below; NAN: none */
	bool fields_in_words;         /* write each value into its field */
	bool logs;                    /* colours by the logarithm */
	const char *scale;            /* what the colour means, with its unit */
};

struct chart *chart_new(enum chart_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void chart_free(struct chart *chart); /* NULL is fine */
void chart_axes(struct chart *chart, const char *x, const char *y);
struct chart_series *chart_series(
    struct chart *chart, unsigned colour, bool dashed, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Beside the last point of a series; copied. */
void chart_name(struct chart_series *series, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void chart_tick(struct chart_axis *axis, double at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#define CHART_WIDTH 760 /* of the drawing, in CSS pixels */

/* The script, which prints SVG. */
void chart_plot(const struct chart *chart, struct str *out);
/* gnuplot's SVG made fit for a page: no ids that another could have, colours as classes
 * that follow light and dark, the chart's title for readers who cannot see it.  -1 when
 * it is no SVG. */
int chart_embed(
    const struct chart *chart, const char *svg, unsigned number, struct str *out);

#endif
