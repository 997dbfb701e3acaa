/* SPDX-License-Identifier: Apache-2.0 */
/* Rules ceiling and above-ceiling: is the network what was measured? */
#include <math.h>
#include <string.h>

#include "controller/analyze/ceiling.h"
#include "controller/analyze/rules.h"

/* What the counters of the same runs say: did the bytes cross the wire? */
static void
add_wire(struct finding *finding, const struct cell *cell, const char *label)
{
	double least = NAN;

	for (vec_each(const struct sample *, sample, &cell->samples))
		least = fmin(least, sample->wire_share);
	if (!isnan(least))
		finding_evidence(finding,
		    "%s: by the counters of its clients %.1f %% of the bytes crossed "
		    "the network",
		    label, 100 * least);
}

/* Cells of a storage are next to each other: one finding each.  Titles: of a declared
 * ceiling, and of a measured one. */
static void
find(const struct rule *rule, const struct analysis *analysis, double from, double to,
    enum severity severity, const char *const title[2])
{
	const struct cell *last = NULL;

	for (vec_each(const struct cell *, cell, &analysis->model->cells)) {
		double share = ceiling_share(cell);
		struct finding *finding;
		char rate[UNITS_BUF], most[UNITS_BUF], *label;

		if (!(share >= from && share < to))
			continue;
		if (!last || strcmp(last->storage, cell->storage) != 0) {
			finding = finding_add(
			    analysis->findings, rule, severity, VERDICT_OBSERVED);
			finding_title(finding, "%s: %s", cell->storage,
			    title[ceiling_is_measured(cell)]);
		}
		last = cell;
		finding = &analysis->findings->list.v[analysis->findings->list.n - 1];
		finding_cell(finding, cell);
		finding->depth = fmax(finding->depth, share);
		label = cell_label(cell);
		finding_evidence(finding,
		    "%s: %s is %.1f %% of the %s that %s", label,
		    units_bytes_per_s(rate, cell_middle(cell, METRIC_RATE)),
		    100 * share, units_bytes_per_s(most, ceiling_of(cell)),
		    ceiling_is_measured(cell) ? "the fabric was measured to carry"
					      : "the links can carry");
		add_wire(finding, cell, label);
		free(label);
	}
}

static void
run_near(const struct rule *rule, const struct analysis *analysis)
{
	static const char near[] = "at the ceiling of the network, so these cells say "
				   "little about the storage";

	find(rule, analysis, analysis->thresholds->near_low,
	    analysis->thresholds->near_high, SEVERITY_INFO,
	    (const char *const[]){near, near});
}

static void
run_above(const struct rule *rule, const struct analysis *analysis)
{
	find(rule, analysis, analysis->thresholds->near_high, INFINITY,
	    SEVERITY_WARNING,
	    (const char *const[]){"more than the declared links can carry",
		"more than the fabric was measured to carry"});
}

#define FORMULA \
	"rate / min(n x client links, storage links, n x measured line rate), in " \
	"payload: " \
	"per frame TCP carries MTU - 52 of MTU + 38 bytes, RoCEv2 its path MTU of " \
	"path " \
	"MTU + 82"
#define SOURCE "Ethernet, IPv4, TCP and RoCEv2 header sizes; arithmetic"

static const char *const near_thresholds[] = {"near_low", "near_high", NULL};
static const char *const near_checks[] = {
    "more links, or fewer clients per link, if the storage is to be seen",
    "the line rate without the storage", NULL};

const struct rule rule_ceiling = {
    .id = "ceiling",
    .question = "Is the rate that of the network rather than of the storage?",
    .formula = FORMULA,
    .source = SOURCE,
    .thresholds = near_thresholds,
    .next_checks = near_checks,
    .run = run_near,
};

static const char *const above_thresholds[] = {"near_high", NULL};
static const char *const above_hypotheses[] = {
    "the storage or the clients have more links than declared",
    "a cache on the clients served part of it",
    "GB and GiB, or bits and bytes, were mixed up", NULL};
static const char *const above_checks[] = {
    "links: of the storage and of the clients in the plan",
    "port counters over the case: did the bytes cross the wire?",
    "direct=1 and the size of the data set against memory", NULL};

const struct rule rule_above_ceiling = {
    .id = "above-ceiling",
    .question = "Is the rate more than the declared links can carry?",
    .formula = FORMULA "; the cell stays in comparisons, since a declaration is not a "
		       "measurement",
    .source = SOURCE,
    .thresholds = above_thresholds,
    .hypotheses = above_hypotheses,
    .next_checks = above_checks,
    .run = run_above,
};
