/* SPDX-License-Identifier: Apache-2.0 */
/* Models made by hand, and questions about what the rules found in them. */
#ifndef VOLLEY_TESTS_ANALYZE_BUILD_H
#define VOLLEY_TESTS_ANALYZE_BUILD_H

#include "controller/analyze/rules.h"
#include "lib/base/rng.h"

/* A cell with n repeats of these rates (bytes/s); interleaved: transports of one
 * storage, workload and scale ran as pairs. */
struct cell *build_cell(struct model *model, const char *storage, const char *workload,
    const char *transport, unsigned clients, const double *rates, size_t n);
/* n repeats around `rate` with this relative deviation. */
struct cell *build_noisy(struct model *model, struct rng *rng, const char *storage,
    const char *workload, const char *transport, unsigned clients, double rate,
    double rsd, size_t n);
/* The rows of a table, with one 400G link of MTU 9000 everywhere. */
void build_table(struct model *model, const char *path);
double build_normal(struct rng *rng);

/* Default thresholds; closes the model. */
void build_analyze(struct model *model, struct findings *ret);
/* How many findings of a rule; the i-th of them. */
size_t found(const struct findings *findings, const char *rule);
const struct finding *found_at(
    const struct findings *findings, const char *rule, size_t i);
/* The finding of a rule with a cell of this storage and workload, or NULL. */
const struct finding *found_for(const struct findings *findings, const char *rule,
    const char *storage, const char *workload);
/* Does some line hold this text? */
bool says(const finding_lines *lines, const char *text);

#endif
