/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A finding: one cause, the cells that show it, how sure it is, what may be behind it
 * and what to check next.
 */
#ifndef VOLLEY_ANALYZE_FINDING_H
#define VOLLEY_ANALYZE_FINDING_H

#include "controller/analyze/contrast.h"
#include "lib/base/vec.h"

enum severity { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_CRITICAL };

const char *severity_name(enum severity severity);
/* False when there is no such severity. */
bool severity_parse(const char *name, enum severity *ret);

struct rule;

struct finding_cell {
	const struct cell *cell; /* of the model, which must outlive the finding */
	enum metric metric;
	unsigned n;
	double effect, low, high; /* fractions; NAN unknown */
	double value, base;       /* of the metric; NAN unknown */
};

typedef VEC(char *) finding_lines;

struct finding {
	const struct rule *rule;
	enum severity severity;
	enum verdict verdict;
	char *title;    /* one sentence */
	char *scope;    /* where else it is, or is not; NULL nothing to say */
	unsigned onset; /* clients; 0 none */
	double depth;   /* how bad, for the order: larger is worse */
	VEC(struct finding_cell) cells;
	finding_lines evidence, hypotheses, next_checks;
};

struct findings {
	VEC(struct finding) list;
};

/* A new finding with the rule's usual hypotheses and next checks. */
struct finding *finding_add(struct findings *findings, const struct rule *rule,
    enum severity severity, enum verdict verdict);
void finding_cell(struct finding *finding, const struct cell *cell);
void finding_contrast(
    struct finding *finding, const struct cell *cell, const struct contrast *contrast);
void finding_title(struct finding *finding, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void finding_scope(struct finding *finding, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void finding_evidence(struct finding *finding, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void finding_suppose(struct finding *finding, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void finding_check(struct finding *finding, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* For "%u client%s". */
#define CLIENTS(n) (n), (n) == 1 ? "" : "s"
/* "D seq-read-1m bs=4096 rdma 16": what the cell is, as one word after the other. */
char *cell_label(const struct cell *cell);
/* "-64.0 %" and "-64.0 % (-70.1 to -57.2)" */
#define PERCENT_BUF 64
const char *percent_text(char buf[PERCENT_BUF], double fraction);
const char *effect_text(char buf[PERCENT_BUF], double effect, double low, double high);

/* Rules that outrank first, then severity, depth and names. */
void findings_sort(struct findings *findings);
void findings_free(struct findings *findings);
/* The worst severity; false when there is none. */
bool findings_worst(const struct findings *findings, enum severity *ret);

#endif
