/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules, as data: each is a question asked of the model, one file a rule
 * (rule-*.c).  docs/analysis.md and `volley explain` are made from this table.
 */
#ifndef VOLLEY_ANALYZE_RULES_H
#define VOLLEY_ANALYZE_RULES_H

#include "controller/analyze/finding.h"
#include "lib/base/err.h"
#include "lib/base/str.h"

/* What counts as much; fractions unless the table says otherwise. */
struct thresholds {
	double margin, anomaly;
	double scale_drop, plateau, late_rise;
	double near_low, near_high;
	double little, tail_spread, tail_transport;
	double straggler, done_gap;
	double noise, drift, within_run, warm_up;
	double tie, sweep_near;
};

struct threshold {
	const char *name, *doc;
	size_t at; /* in struct thresholds */
	double fallback;
	bool is_percent; /* else a plain number */
};

extern const struct threshold threshold_table[]; /* ends with a NULL name */

void thresholds_default(struct thresholds *ret);
/* "margin=3%": sets it; errors list the names there are. */
int thresholds_set(struct thresholds *ret, const char *text, struct err *err);
double thresholds_get(const struct thresholds *thresholds, const struct threshold *it);

struct analysis {
	const struct model *model;
	const struct thresholds *thresholds;
	struct findings *findings;
};

struct rule {
	const char *id, *question, *formula, *source;
	const char *const *thresholds; /* names; NULL-terminated */
	const char *const *hypotheses, *const *next_checks;
	bool outranks; /* the figures themselves are in doubt */
	void (*run)(const struct rule *rule, const struct analysis *analysis);
};

extern const struct rule rule_validity, rule_rdma_inversion, rule_scale_inversion,
    rule_scale_efficiency, rule_late_rise, rule_ceiling, rule_above_ceiling,
    rule_latency, rule_straggler, rule_noise, rule_balance, rule_sweep_peak,
    rule_fabric;

extern const struct rule *const rule_table[]; /* ends with a NULL */
const struct rule *rule_find(const char *id);

/* Every rule over the model, sorted. */
void analyze(const struct model *model, const struct thresholds *thresholds,
    struct findings *ret);

/* ---- writers ---- */

/* What the analysis was made of, for the record. */
struct analysis_head {
	const char *generator;
	const char *const *sources;
	size_t nsources;
	size_t cells;
};

void findings_text(const struct findings *findings, const struct analysis_head *head,
    const struct thresholds *thresholds, struct str *out);
void findings_json(const struct findings *findings, const struct analysis_head *head,
    const struct thresholds *thresholds, struct str *out);
void findings_markdown(const struct findings *findings,
    const struct analysis_head *head, const struct thresholds *thresholds,
    struct str *out);

/* `volley explain`: one rule as text; all of them are docs/analysis.md. */
void rule_explain(const struct rule *rule, struct str *out);
void rules_markdown(struct str *out);

#endif
