/* SPDX-License-Identifier: Apache-2.0 */
/* Rule balance: which storage is best at what, and is any best at both? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "controller/analyze/rules.h"
#include "lib/stats/dist.h"

/* A storage's best transport in one workload at one scale. */
struct entry {
	const struct cell *cell;
	double middle, low, high; /* interval of the mean; equal without repeats */
	unsigned rank;
};

struct race {
	const char *workload, *axis;
	unsigned clients;
	enum cell_kind kind;
	enum metric metric;
	VEC(struct entry) entries;
};

static void
set_interval(struct entry *entry, enum metric metric, double tie)
{
	double values[CELL_SAMPLES_MAX], half;
	size_t n = cell_values(entry->cell, metric, values, CELL_SAMPLES_MAX);

	for (size_t i = 0; i < n; i++)
		values[i] = log(values[i]);
	if (n < 2)
		half = log1p(tie) / 2; /* nothing is known: as far as the margin */
	else
		half = sample_sd(values, n) / sqrt((double)n) *
		       dist_t_quantile(0.975, (double)n - 1);
	entry->low = entry->middle * exp(-half);
	entry->high = entry->middle * exp(half);
}

static void
enter(struct race *race, const struct cell *cell)
{
	double middle = cell_middle(cell, race->metric);
	struct entry *entry = NULL;

	if (isnan(middle))
		return;
	for (vec_each(struct entry *, it, &race->entries))
		if (strcmp(it->cell->storage, cell->storage) == 0)
			entry = it;
	if (!entry)
		entry = vec_add(&race->entries);
	if (!entry->cell || middle > entry->middle)
		*entry = (struct entry){.cell = cell, .middle = middle};
}

static int
by_middle(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->middle != y->middle)
		return x->middle > y->middle ? -1 : 1;
	return strcmp(x->cell->storage, y->cell->storage);
}

/* Whoever's interval reaches that of the first of a rank shares it. */
static void
rank(struct race *race, double tie)
{
	const struct entry *leader = NULL;

	qsort(race->entries.v, race->entries.n, sizeof *race->entries.v, by_middle);
	for (size_t i = 0; i < race->entries.n; i++) {
		struct entry *it = &race->entries.v[i];

		set_interval(it, race->metric, tie);
		if (leader && it->high >= leader->low) {
			it->rank = leader->rank;
			continue;
		}
		it->rank = (unsigned)i + 1;
		leader = it;
	}
}

/* ---- which scale of which workload ---- */

static int
by_workload(const void *a, const void *b)
{
	const struct cell *x = *(const struct cell *const *)a;
	const struct cell *y = *(const struct cell *const *)b;
	int order = strcmp(x->workload, y->workload);

	if (order == 0)
		order = strcmp(x->axis, y->axis);
	if (order == 0)
		order = (x->clients < y->clients) - (x->clients > y->clients);
	return order ? order : (x > y) - (x < y);
}

static bool
same_workload(const struct cell *x, const struct cell *y)
{
	return strcmp(x->workload, y->workload) == 0 && strcmp(x->axis, y->axis) == 0;
}

/* Of the scales of a workload, from the largest on, the one with most storages. */
static void
best_scale(const struct cell *const *cells, size_t n, struct race *ret)
{
	*ret = (struct race){0};
	for (size_t from = 0, i = 1; i <= n; i++) {
		struct race race = {.workload = cells[from]->workload,
		    .axis = cells[from]->axis,
		    .clients = cells[from]->clients,
		    .kind = cells[from]->kind,
		    .metric = METRIC_IOPS};

		if (i < n && cells[i]->clients == cells[from]->clients)
			continue;
		for (size_t k = from; k < i; k++)
			if (cell_has(cells[k], METRIC_RATE))
				race.metric = METRIC_RATE;
		for (size_t k = from; k < i; k++)
			enter(&race, cells[k]);
		from = i;
		if (race.entries.n > ret->entries.n) {
			vec_free(&ret->entries);
			*ret = race;
		} else {
			vec_free(&race.entries);
		}
	}
}

/* ---- the finding ---- */

struct wins {
	const char *storage;
	unsigned first[CELL_MIXED + 1];
};

struct table {
	VEC(struct wins) list;
	unsigned races[CELL_MIXED + 1];
};

static void
count_wins(struct table *table, const struct race *race)
{
	table->races[race->kind]++;
	for (vec_each(const struct entry *, it, &race->entries)) {
		struct wins *wins = NULL;

		for (vec_each(struct wins *, w, &table->list))
			if (strcmp(w->storage, it->cell->storage) == 0)
				wins = w;
		if (!wins) {
			wins = vec_add(&table->list);
			wins->storage = it->cell->storage;
		}
		wins->first[race->kind] += it->rank == 1;
	}
}

static void
add_race(struct finding *finding, const struct race *race)
{
	struct str text = {0};

	for (vec_each(const struct entry *, it, &race->entries)) {
		char buf[UNITS_BUF];

		str_addf(&text, "%s%u. %s %s (%s)", text.len ? ", " : "", it->rank,
		    it->cell->storage, metrics[race->metric].text(buf, it->middle),
		    it->cell->transport);
		if (it->rank == 1)
			finding_cell(finding, it->cell);
	}
	finding_evidence(finding, "%s%s%s, %u client%s: %s", race->workload,
	    race->axis[0] ? " " : "", race->axis, CLIENTS(race->clients), text.s);
	str_free(&text);
}

/* First, or sharing it, in every workload of both kinds. */
static void
set_title(struct finding *finding, const struct table *table)
{
	if (!table->races[CELL_READS] || !table->races[CELL_WRITES]) {
		finding_title(finding, "ranks of the storages per workload");
		return;
	}
	for (vec_each(const struct wins *, it, &table->list))
		if (it->first[CELL_READS] == table->races[CELL_READS] &&
		    it->first[CELL_WRITES] == table->races[CELL_WRITES]) {
			finding_title(finding,
			    "%s is best, or shares it, at reads and"
			    " writes alike",
			    it->storage);
			return;
		}
	finding_title(finding, "no storage is best at all reads and all writes");
}

static void
run(const struct rule *rule, const struct analysis *analysis)
{
	size_t n = analysis->model->cells.n, from = 0;
	const struct cell **cells = mem_array(n + 1, sizeof *cells);
	struct finding *finding = NULL;
	struct table table = {0};

	for (size_t i = 0; i < n; i++)
		cells[i] = &analysis->model->cells.v[i];
	qsort(cells, n, sizeof *cells, by_workload);
	for (size_t i = 1; i <= n; i++) {
		struct race race;

		if (i < n && same_workload(cells[i], cells[from]))
			continue;
		best_scale(&cells[from], i - from, &race);
		from = i;
		if (race.entries.n >= 2) {
			if (!finding)
				finding = finding_add(analysis->findings, rule,
				    SEVERITY_INFO, VERDICT_OBSERVED);
			rank(&race, analysis->thresholds->tie);
			count_wins(&table, &race);
			add_race(finding, &race);
		}
		vec_free(&race.entries);
	}
	if (finding)
		set_title(finding, &table);
	vec_free(&table.list);
	free(cells);
}

static const char *const thresholds[] = {"tie", NULL};

const struct rule rule_balance = {
    .id = "balance",
    .question = "Which storage is best at what?",
    .formula =
	"per workload, at the scale that most storages were measured at, each with "
	"its better transport, by geometric mean; a rank is shared where the 95 % "
	"intervals overlap (without repeats: within tie)",
    .source = "one figure of merit hides that no storage is best at everything",
    .thresholds = thresholds,
    .run = run,
};
