/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which configuration (a storage over a transport) fits which use?  Workloads stand for
 * uses: sequential reads for checkpoint restore, sequential writes for checkpoint save,
 * random reads for data loaders, random writes for logs.  Of each workload a configuration
 * gets its share of the best one's rate, at the scale that most were measured at; of a use
 * the geometric mean of these.  There is a single winner only if it is best at everything;
 * else there is the Pareto set, and an order by the user's weights.
 */
#ifndef VOLLEY_ANALYZE_RANK_H
#define VOLLEY_ANALYZE_RANK_H

#include "controller/analyze/model.h"
#include "lib/base/err.h"
#include "lib/base/str.h"

enum use { USE_RESTORE, USE_SAVE, USE_LOADER, USE_LOGS, USES };

extern const char *const use_names[USES]; /* "restore" */
/* What a cell stands for; mixed workloads for nothing (USES). */
enum use use_of(const struct cell *cell);

struct ranked {
	const char *storage, *transport;
	double score[USES]; /* 0 to 1; NAN: not measured */
	double total;       /* by the weights; NAN: some use with a weight is unknown */
	bool pareto; /* nothing is at least as good everywhere and better somewhere */
};

struct ranking {
	VEC(struct ranked) list; /* best total first */
	double weight[USES];
	double tie; /* scores this close are equal */
	size_t npareto;
};

/* "restore=3": errors list the uses. */
int rank_weight(double weight[USES], const char *text, struct err *err);
void rank_models(const struct model *model, const double weight[USES], double tie,
    struct ranking *ret);
void ranking_free(struct ranking *ranking);

void ranking_text(const struct ranking *ranking, struct str *out);
void ranking_json(
    const struct ranking *ranking, const char *generator, struct str *out);

#endif
