/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of the store only: the table usage, what a tally says beside its times and
 * counts: what its threads used of their hosts, and the depth that latency_target found.
 */
#ifndef VOLLEY_STORE_USAGE_H
#define VOLLEY_STORE_USAGE_H

#include "controller/store/figure.h"

/* Without a row where nothing is known. */
int usage_save(struct store *store, const struct figure_of *of, const struct tally *tally,
	       struct err *err);
int usage_load(struct store *store, const struct figure_of *of, struct tally *ret,
	       struct err *err);

#endif
