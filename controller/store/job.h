/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of the store only: cases with several jobs.  What each job is and what it came
 * to, on one client and on all.
 */
#ifndef VOLLEY_STORE_JOB_H
#define VOLLEY_STORE_JOB_H

#include <jansson.h>

#include "controller/store/figure.h"
#include "controller/store/results.h"

int case_jobs_save(struct store *store, const struct results_case *c, struct err *err);
int case_jobs_load(struct store *store, struct results_case *ret, struct err *err);

/* Each job's total of an attempt. */
int jobs_save(struct store *store, int64_t attempt, const struct attempt *from,
	      struct err *err);
int jobs_load(struct store *store, int64_t attempt, struct attempt *ret,
	      struct err *err);
/* Of one client: each of its jobs. */
int jobs_save_client(struct store *store, const struct figure_of *client,
		     const struct tally *tally, struct err *err);
int jobs_load_client(struct store *store, const struct figure_of *client,
		     struct tally *ret, struct err *err);

/* The columns clients_summed to common_ns of an attempt or a job; has: its times and
 * windows are known. */
void total_bind(struct stmt *stmt, const struct total *total, bool summed, bool has);
/* False: there is none. */
bool total_read(struct stmt *stmt, struct total *ret);

/* {"bs": 1048576, "rw": "read"} and back. */
/* Takes the JSON; the text must live until the statement has run. */
void stmt_json(struct stmt *stmt, json_t *json, char **ret_text);
json_t *params_json(const results_params *params);
void params_read(const char *text, results_params *ret);

#endif
