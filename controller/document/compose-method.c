/* SPDX-License-Identifier: Apache-2.0 */
/* How figures came about, and what they do not say. */
#include <stdio.h>
#include <string.h>

#include "controller/document/compose.h"

static const char *const method[] = {
    "All clients start their I/O at one agreed instant; the skew of their first I/Os "
    "was measured for every run, and a run with too much of it is INVALID.",
    "A figure of all clients is the sum over all of them inside one common window; "
    "latency percentiles come from merged histograms and are never averaged.",
    "mean latency = slat (until the system accepted the I/O) + clat (from then until "
    "it was done), over the same I/Os as the rate; engines without a queue have no "
    "slat.",
    "One run is one value. Intervals are Student's at 95 % on logarithms, paired "
    "where both ran side by side.",
    "VALID: stands. PARTIAL: clients or I/Os are missing, and are named. INVALID: "
    "must not be used; kept for the record.",
};

static const char *const limits[] = {
    "Values are within the scale of this test: its nodes, links, data sets and "
    "duration. They are not the limit of a product.",
    "A ceiling is arithmetic on links as they were declared, not a measurement.",
    "Where data sets fit into caches, a figure may be that of the cache; such cells "
    "are marked cacheable.",
    "Flash that was not preconditioned may write faster than it will later; write "
    "cells say what is known of that.",
    "Imported figures are as their source states them: neither skew nor window nor "
    "spread is known.",
};

static void
add_list(struct document *out, const char *head, const char *const *items, size_t n)
{
	struct block *list = document_add(out, BLOCK_LIST, "%s", head);

	for (size_t i = 0; i < n; i++)
		block_item(list, "%s", items[i]);
}

void
compose_method(struct composer *composer)
{
	const struct thresholds *thresholds = &composer->dossier->thresholds;
	struct block *list;

	document_heading(composer->out, 2, "Method and limits");
	add_list(composer->out, "Method", method, sizeof method / sizeof *method);
	add_list(composer->out, "Limits", limits, sizeof limits / sizeof *limits);
	if (composer->dossier->disguise) {
		list = document_add(composer->out, BLOCK_LIST, "Anonymised");
		block_item(list, "%s", composer->dossier->disguise);
	}
	list = document_add(
	    composer->out, BLOCK_LIST, "Thresholds of the analysis in force");
	for (const struct threshold *it = threshold_table; it->name; it++) {
		double value = thresholds_get(thresholds, it);

		block_item(list, "%s = %g%s: %s", it->name,
		    it->is_percent ? 100 * value : value, it->is_percent ? " %" : "",
		    it->doc);
	}
}
