/* SPDX-License-Identifier: Apache-2.0 */
/* Making, ordering and releasing findings. */
#include "controller/analyze/finding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/analyze/rules.h"
#include "lib/base/str.h"

static const char *const severities[] = {"info", "warning", "critical"};

const char *
severity_name(enum severity severity)
{
	return severities[severity];
}

bool
severity_parse(const char *name, enum severity *ret)
{
	for (unsigned i = 0; i < sizeof severities / sizeof *severities; i++)
		if (strcmp(severities[i], name) == 0) {
			*ret = (enum severity)i;
			return true;
		}
	return false;
}

struct finding *
finding_add(struct findings *findings, const struct rule *rule, enum severity severity,
    enum verdict verdict)
{
	struct finding *finding = vec_add(&findings->list);

	finding->rule = rule;
	finding->severity = severity;
	finding->verdict = verdict;
	for (const char *const *it = rule->hypotheses; it && *it; it++)
		finding_suppose(finding, "%s", *it);
	for (const char *const *it = rule->next_checks; it && *it; it++)
		finding_check(finding, "%s", *it);
	return finding;
}

void
finding_cell(struct finding *finding, const struct cell *cell)
{
	enum metric metric = cell_rate_metric(cell);

	*vec_add(&finding->cells) = (struct finding_cell){.cell = cell,
	    .metric = metric,
	    .n = (unsigned)cell->samples.n,
	    .effect = NAN,
	    .low = NAN,
	    .high = NAN,
	    .value = cell_middle(cell, metric),
	    .base = NAN};
}

void
finding_contrast(
    struct finding *finding, const struct cell *cell, const struct contrast *contrast)
{
	*vec_add(&finding->cells) = (struct finding_cell){.cell = cell,
	    .metric = contrast->metric,
	    .n = contrast->n < contrast->n_base ? contrast->n : contrast->n_base,
	    .effect = contrast->effect,
	    .low = contrast->low,
	    .high = contrast->high,
	    .value = contrast->value,
	    .base = contrast->base};
	if (-contrast->effect > finding->depth)
		finding->depth = -contrast->effect;
}

#define PRINT_INTO(fmt, ret) \
	do { \
		va_list ap; \
		va_start(ap, fmt); \
		(ret) = mem_vprintf(fmt, ap); \
		va_end(ap); \
	} while (0)

void
finding_title(struct finding *finding, const char *fmt, ...)
{
	free(finding->title);
	PRINT_INTO(fmt, finding->title);
}

void
finding_scope(struct finding *finding, const char *fmt, ...)
{
	free(finding->scope);
	PRINT_INTO(fmt, finding->scope);
}

void
finding_evidence(struct finding *finding, const char *fmt, ...)
{
	char **line = vec_add(&finding->evidence);

	PRINT_INTO(fmt, *line);
}

void
finding_suppose(struct finding *finding, const char *fmt, ...)
{
	char **line = vec_add(&finding->hypotheses);

	PRINT_INTO(fmt, *line);
}

void
finding_check(struct finding *finding, const char *fmt, ...)
{
	char **line = vec_add(&finding->next_checks);

	PRINT_INTO(fmt, *line);
}

char *
cell_label(const struct cell *cell)
{
	return mem_printf("%s %s%s%s %s, %u client%s", cell->storage, cell->workload,
	    cell->axis[0] ? " " : "", cell->axis, cell->transport, cell->clients,
	    cell->clients == 1 ? "" : "s");
}

const char *
percent_text(char buf[PERCENT_BUF], double fraction)
{
	if (isnan(fraction))
		return "unknown";
	snprintf(buf, PERCENT_BUF, "%+.1f %%", 100 * fraction);
	return buf;
}

const char *
effect_text(char buf[PERCENT_BUF], double effect, double low, double high)
{
	if (isnan(low) || isnan(effect))
		return percent_text(buf, effect);
	snprintf(buf, PERCENT_BUF, "%+.1f %% (95 %%: %+.1f to %+.1f)", 100 * effect,
	    100 * low, 100 * high);
	return buf;
}

/* ---- order ---- */

static int
compare_cells(const struct finding *x, const struct finding *y)
{
	for (size_t i = 0; i < x->cells.n && i < y->cells.n; i++) {
		const struct cell *a = x->cells.v[i].cell, *b = y->cells.v[i].cell;

		/* of one model, which is in order of names */
		if (a != b)
			return a < b ? -1 : 1;
	}
	return (x->cells.n > y->cells.n) - (x->cells.n < y->cells.n);
}

static int
by_weight(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (x->severity != y->severity)
		return x->severity > y->severity ? -1 : 1;
	if (x->rule->outranks != y->rule->outranks)
		return x->rule->outranks ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth > y->depth ? -1 : 1;
	if (x->rule != y->rule)
		return strcmp(x->rule->id, y->rule->id);
	return compare_cells(x, y);
}

/* What makes figures worthless comes before everything else, whatever its weight. */
static int
by_rank(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;
	bool first = x->rule->outranks && x->severity != SEVERITY_INFO;
	bool second = y->rule->outranks && y->severity != SEVERITY_INFO;

	if (first != second)
		return first ? -1 : 1;
	return by_weight(a, b);
}

void
findings_sort(struct findings *findings)
{
	if (findings->list.n)
		qsort(findings->list.v, findings->list.n, sizeof *findings->list.v,
		    by_rank);
}

bool
findings_worst(const struct findings *findings, enum severity *ret)
{
	*ret = SEVERITY_INFO;
	for (vec_each(const struct finding *, it, &findings->list))
		if (it->severity > *ret)
			*ret = it->severity;
	return findings->list.n > 0;
}

static void
free_lines(finding_lines *lines)
{
	for (vec_each(char **, it, lines))
		free(*it);
	vec_free(lines);
}

void
findings_free(struct findings *findings)
{
	for (vec_each(struct finding *, it, &findings->list)) {
		free(it->title);
		free(it->scope);
		vec_free(&it->cells);
		free_lines(&it->evidence);
		free_lines(&it->hypotheses);
		free_lines(&it->next_checks);
	}
	vec_free(&findings->list);
}
