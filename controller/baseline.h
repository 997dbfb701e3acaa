/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The line rate that results hold of the fabric: what one client reached in its
 * pairwise cases, else in those of n-to-n, the median over clients and repeats.
 */
#ifndef VOLLEY_CONTROLLER_BASELINE_H
#define VOLLEY_CONTROLLER_BASELINE_H

#include "controller/plan/plan.h"
#include "controller/store/store.h"

struct baseline {
	double bytes_per_s[TRANSPORT_COUNT][DIR_COUNT]; /* NAN: not measured */
};

int baseline_load(struct baseline *ret, struct store *store, struct err *err);

#endif
