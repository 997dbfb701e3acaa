/* SPDX-License-Identifier: Apache-2.0 */
/* Judging drops, and the cells of a family as lines over the number of clients. */
#include "controller/analyze/drop.h"

#include <math.h>
#include <string.h>

struct drop
drop_judge(const struct contrast *c, double anomaly)
{
	if (!c->known || !(c->effect <= -anomaly))
		return (struct drop){.verdict = c->verdict};
	if (contrast_is_few(c)) {
		if (contrast_is_noise(c) || c->high >= 0)
			return (struct drop){true, SEVERITY_INFO, VERDICT_INCONCLUSIVE};
		return (struct drop){true, SEVERITY_WARNING, VERDICT_SUSPECT};
	}
	if (c->verdict == VERDICT_WORSE)
		return (struct drop){true, SEVERITY_CRITICAL, VERDICT_WORSE};
	if (c->high < 0)
		return (struct drop){true, SEVERITY_WARNING, VERDICT_SUSPECT};
	return (struct drop){true, SEVERITY_INFO, VERDICT_INCONCLUSIVE};
}

void
drop_merge(struct drop *into, const struct drop *other)
{
	if (other->found && (!into->found || other->severity > into->severity))
		*into = *other;
}

void
drop_explain(struct finding *finding, const struct cell *cell, const struct contrast *c)
{
	char a[PERCENT_BUF], b[PERCENT_BUF];

	if (isnan(c->high))
		finding_evidence(finding, "%u client%s: %s, n = 1: no repeats",
		    CLIENTS(cell->clients), percent_text(a, c->effect));
	else
		finding_evidence(finding,
		    "%u client%s: %s%s, n = %u%s; Hodges-Lehmann %s",
		    CLIENTS(cell->clients), effect_text(a, c->effect, c->low, c->high),
		    c->paired ? " paired" : "", c->n, c->paired ? " pairs" : " repeats",
		    percent_text(b, c->hl));
	if (!contrast_is_few(c))
		return;
	if (isnan(c->noise))
		finding_evidence(finding,
		    "%u client%s: noise unknown: no other cell of"
		    " this storage has repeats",
		    CLIENTS(cell->clients));
	else
		finding_evidence(finding,
		    "%u client%s: repeats of this storage deviate by %.1f %%, so a drop"
		    " down to %s may be noise",
		    CLIENTS(cell->clients), 100 * c->noise, percent_text(b, c->least));
}

static struct line *
line_of(struct lines *lines, const char *transport)
{
	struct line *line;

	for (vec_each(struct line *, it, &lines->list))
		if (strcmp(it->transport, transport) == 0)
			return it;
	line = vec_add(&lines->list);
	line->transport = transport;
	return line;
}

void
lines_find(const struct family *family, struct lines *ret)
{
	*ret = (struct lines){0};
	for (size_t i = 0; i < family->n; i++) {
		const struct cell *cell = &family->cells[i];

		if (cell_has(cell, cell_rate_metric(cell)))
			vec_push(&line_of(ret, cell->transport)->cells, cell);
	}
}

void
lines_free(struct lines *lines)
{
	for (vec_each(struct line *, it, &lines->list))
		vec_free(&it->cells);
	vec_free(&lines->list);
}
