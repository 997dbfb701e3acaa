/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thresholds in force: those of the command line, else those that the plans of
 * the results state, else the defaults.
 */
#ifndef VOLLEY_PLAN_THRESHOLDS_H
#define VOLLEY_PLAN_THRESHOLDS_H

#include "controller/analyze/rules.h"
#include "controller/cli.h"
#include "controller/plan/plan.h"

#define THRESHOLD_OPTION \
	{ \
		"threshold", "NAME=VALUE", \
		    "what counts as much (volley explain RULE lists them)", true \
	}

/* Where each threshold comes from, by its place in threshold_table. */
struct threshold_origins {
	VEC(const char *) from; /* NULL: the default; "": the command line */
};

/* The defaults and the command line's. */
int thresholds_read(struct thresholds *ret, struct threshold_origins *origins,
    const struct cli *cli, struct err *err);
/*
 * Those of the plan behind the results `path` (which must outlive origins).  Two files
 * that say different things are an error, unless the command line decided.
 */
int thresholds_add_plan(struct thresholds *ret, struct threshold_origins *origins,
    const struct plan *plan, const char *path, struct err *err);
/* Are the plan's thresholds sound?  An error names its place. */
int thresholds_check_plan(const struct plan *plan, struct err *err);
void threshold_origins_free(struct threshold_origins *origins);

#endif
