/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each client of a case is to run, as the fleet wants to know it: its jobs with
 * its own seeds, and its place among the clients of each.
 */
#ifndef VOLLEY_CONTROLLER_SHARES_H
#define VOLLEY_CONTROLLER_SHARES_H

#include "controller/expand/cases.h"
#include "controller/fleet/fleet.h"

struct shares {
	size_t clients; /* those that run anything: all, or the first of the case's */
	struct fleet_share *share; /* of each */
	struct attempt_part *parts;
	size_t nparts;
	struct order_job *jobs; /* of all shares, one after the other */
	size_t njobs;
	unsigned *numbers;
};

struct shares_env {
	const struct plan *plan;
	const struct fleet *fleet; /* who is there; they lay out files that all share */
	uint64_t seed;
	unsigned repeat;
};

int shares_init(struct shares *ret, const struct plan_case *c,
    const struct shares_env *env, struct err *err);
void shares_free(struct shares *shares);

#endif
