/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rule fabric: counters of hosts and ports that explain other findings.  Runs last, and
 * adds its evidence to findings that are there; without counters it says nothing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/analyze/rules.h"
#include "lib/base/str.h"
#include "lib/stats/counters.h"

#define EVIDENCE_MAX 6 /* counters per finding's cell */

/* One that rose, and in which repeat. */
struct risen {
	const struct sample *sample;
	const struct sample_counter *counter;
	const struct counter_kind *kind;
	bool own; /* of the cell's own transport */
};

/* The transport's own first, then by how far they rose. */
static int
by_weight(const void *a, const void *b)
{
	const struct risen *x = a, *y = b;

	if (x->own != y->own)
		return x->own ? -1 : 1;
	return x->counter->delta < y->counter->delta ? 1 : -1;
}

static bool
is_own(const struct cell *cell, const char *object)
{
	return str_starts(object, strcmp(cell->transport, "rdma") == 0 ? "rdma/" : "tcp");
}

static void
explain(struct finding *finding, const struct cell *cell, const struct risen *risen)
{
	const struct sample_counter *it = risen->counter;
	const char *way = counter_way_text(risen->kind->way);
	bool said = !*way || strstr(risen->kind->reading, "this host") != NULL;
	char rate[32] = "";

	if (!isnan(it->per_s))
		snprintf(rate, sizeof rate, ", %.3g/s", it->per_s);
	finding_evidence(finding,
	    "%u client%s, repeat %u: %s on %s (%s) rose by %.0f %s%s%s%s: %s",
	    CLIENTS(cell->clients), risen->sample->repeat, it->name, it->agent,
	    it->object, it->delta, risen->kind->unit, rate, said ? "" : ", ",
	    said ? "" : way, risen->kind->reading);
}

static void
join_cell(struct finding *finding, const struct cell *cell)
{
	VEC(struct risen) list = {0};

	for (vec_each(const struct sample *, sample, &cell->samples))
		for (vec_each(const struct sample_counter *, it, &sample->counters)) {
			const struct counter_kind *kind = counter_kind_find(it->name);

			if (kind && kind->reading && it->delta > 0)
				*vec_add(&list) = (struct risen){
				    sample, it, kind, is_own(cell, it->object)};
		}
	if (list.n)
		qsort(list.v, list.n, sizeof *list.v, by_weight);
	for (size_t i = 0; i < list.n && i < EVIDENCE_MAX; i++)
		explain(finding, cell, &list.v[i]);
	vec_free(&list);
}

/* A drop that noise might explain is worth its counters most of all. */
static bool
wants_evidence(const struct finding *finding)
{
	return finding->severity != SEVERITY_INFO ||
	       finding->verdict == VERDICT_INCONCLUSIVE;
}

static void
run(const struct rule *rule, const struct analysis *analysis)
{
	(void)rule;
	for (vec_each(struct finding *, it, &analysis->findings->list))
		if (wants_evidence(it))
			for (vec_each(const struct finding_cell *, cell, &it->cells))
				join_cell(it, cell->cell);
}

const struct rule rule_fabric = {
    .id = "fabric",
    .question = "Which counters explain a finding?",
    .formula =
	"counters that rose over the runs of a finding's cells become its evidence, "
	"with direction and reading; a counter that a driver does not have is "
	"unknown, never 0",
    .source = "Linux: mlx5 counters.rst, sysfs-class-infiniband; /proc/net/netstat",
    .run = run,
};
