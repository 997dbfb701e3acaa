/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of the store only: a tally (of one client, or of all) with its figures,
 * latencies and series, into the tables and back.
 */
#ifndef VOLLEY_STORE_FIGURE_H
#define VOLLEY_STORE_FIGURE_H

#include <stdbool.h>
#include <stdint.h>

#include "controller/store/db.h"
#include "lib/stats/tally.h"
#include "lib/stats/total.h"

/* Whose figures: of one client (0: of all), of all its jobs or of one. */
struct figure_of {
	int64_t attempt, client;
	bool one_job;
	unsigned job;
};

/* All clients come with `total`; their buckets and slots become rows too, but for
 * those of one job. */
int figure_save(struct store *store, const struct figure_of *of,
		const struct tally *tally, const struct total *total, struct err *err);
/* *ret is NULL when the file has none.  With `total`, fills its directions too. */
int figure_load(struct store *store, const struct figure_of *of, struct tally **ret,
		struct total *total, struct err *err);
/* A statement on the tables of `of`: "%s" in `sql` becomes "" or "job_" where it stands
 * first, and nothing or `job` where it stands last. */
int figure_open(struct stmt *ret, struct store *store, const struct figure_of *of,
		const char *sql, const char *job, struct err *err);

#endif
