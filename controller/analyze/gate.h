/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The regression check for CI: has something become worse than is allowed?  A check
 * passes only when the data shows that it has not; without repeats nothing is evaluated,
 * and without any evaluated check a gate does not pass.  Nor does it when a cell of the
 * base has no VALID repeat any more, unless the plans differ and were to be compared
 * anyway: then it is not evaluated.
 */
#ifndef VOLLEY_ANALYZE_GATE_H
#define VOLLEY_ANALYZE_GATE_H

#include "controller/analyze/compare.h"

struct gate_limits {
	double max_drop;        /* of the rate: 0.05 */
	double max_rise;        /* of the mean latency: 0.10 */
	double max_tail_rise;   /* of p99.9: 0.20 */
	double efficiency_drop; /* of scale efficiency, as a fraction of 1: 0.10 */
};

enum gate_result { GATE_PASS, GATE_SKIPPED, GATE_INCONCLUSIVE, GATE_REGRESSION };

struct gate_check {
	const struct cell *cell; /* of the new results; of the base if it is lost */
	const char *what;        /* "throughput", "efficiency" … */
	enum gate_result result;
	char *text; /* one line: figures, interval, limit */
};

struct gate {
	VEC(struct gate_check) checks;
};

void gate_run(const struct comparisons *comparisons, const struct gate_limits *limits,
    struct gate *ret);
void gate_free(struct gate *gate);
/* PASS only with something evaluated and nothing in doubt; SKIPPED never. */
enum gate_result gate_verdict(const struct gate *gate);
const char *gate_result_name(enum gate_result result); /* "regression" */

void gate_text(const struct gate *gate, struct str *out);
void gate_json(const struct gate *gate, const char *generator, struct str *out);
void gate_junit(const struct gate *gate, struct str *out);
/* Annotations of a GitHub workflow. */
void gate_github(const struct gate *gate, struct str *out);

#endif
