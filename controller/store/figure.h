/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of the store only: a tally (of one client, or of all) with its figures,
 * latencies and series, into the tables and back.
 */
#ifndef VOLLEY_STORE_FIGURE_H
#define VOLLEY_STORE_FIGURE_H

#include <stdint.h>

#include "controller/store/db.h"
#include "lib/stats/tally.h"
#include "lib/stats/total.h"

/* client 0: all clients, with `total`; its buckets and slots become rows too. */
int figure_save(struct store *store, int64_t attempt, int64_t client,
		const struct tally *tally, const struct total *total, struct err *err);
/* *ret is NULL when the file has none.  With `total`, fills its directions too. */
int figure_load(struct store *store, int64_t attempt, int64_t client,
		struct tally **ret, struct total *total, struct err *err);

#endif
