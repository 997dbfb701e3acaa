/* SPDX-License-Identifier: Apache-2.0 */
/* Single runs, second by second and client by client. */
#include "controller/document/compose.h"

void
compose_runs(struct composer *composer)
{
	const struct dossier *dossier = composer->dossier;

	document_heading(composer->out, 2, "Runs in time, and their clients");
	if (dossier->exhibits.n == 0) {
		document_add(composer->out, BLOCK_TEXT,
		    "No run is known second by second: the figures were imported, or "
		    "nothing ran.");
		return;
	}
	document_add(composer->out, BLOCK_NOTE,
	    "One run each of the cells that findings name, then of the largest scale "
	    "of every storage, workload and transport: %zu in all.",
	    dossier->exhibits.n);
	for (vec_each(const char **, it, &composer->workloads))
		add_chart(composer, chart_strip(dossier, *it));
	for (vec_each(const struct exhibit *, it, &dossier->exhibits)) {
		add_chart(composer, chart_stack(dossier, it));
		add_chart(composer, chart_heat(dossier, it));
	}
}
