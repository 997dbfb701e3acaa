/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the charts: what the scripts have in common; one file a kind. */
#ifndef VOLLEY_DOCUMENT_PLOT_H
#define VOLLEY_DOCUMENT_PLOT_H

#include "controller/document/chart.h"

/* Stand-ins for colours of the page: series #5e1dNN, steps of a scale #5e1fNN. */
#define PLOT_COLOURS 7u
#define PLOT_STEPS 8u
#define PLOT_INK "#5e1e00"
#define PLOT_SOFT "#5e1e01"
#define PLOT_GRID "#5e1e02"
#define PLOT_NOISE "#5e1e03"
#define PLOT_PAPER "#5e1e04"

void plot_quote(struct str *out, const char *text);
/* set label TEXT at WHERE in this colour. */
void plot_label(
    struct str *out, const char *text, const char *where, const char *colour);
const char *plot_colour(char buf[8], unsigned colour);
/* The intervals of series i as datablock $eN, lines "x y low high"; false: it has none
 * and there is no block. */
bool plot_intervals(struct str *out, const struct chart_series *series, size_t i);
size_t plot_width(const char *text); /* px, about */
/* Terminal, axes, margins in px. */
void plot_begin(const struct chart *chart, struct str *out, unsigned height,
    size_t left, size_t right);

void plot_lines(const struct chart *chart, struct str *out);
void plot_bars(const struct chart *chart, struct str *out);
void plot_strip(const struct chart *chart, struct str *out);
void plot_grid(const struct chart *chart, struct str *out);
void plot_stack(const struct chart *chart, struct str *out);

#endif
