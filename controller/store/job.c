/* SPDX-License-Identifier: Apache-2.0 */
/* See job.h. */
#include "controller/store/job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"

void
total_bind(struct stmt *stmt, const struct total *total, bool summed, bool has)
{
	stmt_u64_or_null(stmt, summed, total->clients);
	if (has)
		stmt_text(stmt,
		    total->window_kind == TOTAL_WINDOW_FIXED ? "fixed" : "common");
	else
		stmt_null(stmt);
	stmt_u64_or_null(stmt, has, total->window_from);
	stmt_u64_or_null(stmt, has, total->window_ns);
	stmt_u64_or_null(stmt, has, total->window_bound_ns);
	stmt_int_or_null(stmt, has, total->latency_in_window);
	stmt_real(stmt, has ? total->overlap : NAN);
	stmt_u64_or_null(stmt, has && total->has_skew, total->skew_ns);
	stmt_u64_or_null(stmt, has && total->has_skew, total->skew_bound_ns);
	stmt_u64_or_null(stmt, has, total->first_done_ns);
	stmt_u64_or_null(stmt, has, total->last_done_ns);
	stmt_u64_or_null(stmt, has, total->outstanding);
	stmt_real(stmt, has ? total->outstanding_share : NAN);
	stmt_u64_or_null(stmt, has, total->started);
	stmt_u64_or_null(stmt, has, total->common_from_ns);
	stmt_u64_or_null(stmt, has, total->common_ns);
}

bool
total_read(struct stmt *stmt, struct total *ret)
{
	bool has = !col_is_null(stmt);
	char *kind;

	ret->clients = col_u64(stmt);
	kind = col_text(stmt);
	ret->window_kind = kind && strcmp(kind, "common") == 0 ? TOTAL_WINDOW_COMMON
							       : TOTAL_WINDOW_FIXED;
	free(kind);
	ret->window_from = col_u64(stmt);
	ret->window_ns = col_u64(stmt);
	ret->window_bound_ns = col_u64(stmt);
	ret->latency_in_window = col_int(stmt) != 0;
	ret->overlap = col_real(stmt);
	ret->has_skew = !col_is_null(stmt);
	ret->skew_ns = col_u64(stmt);
	ret->skew_bound_ns = col_u64(stmt);
	ret->first_done_ns = col_u64(stmt);
	ret->last_done_ns = col_u64(stmt);
	ret->outstanding = col_u64(stmt);
	ret->outstanding_share = col_real(stmt);
	ret->started = col_u64(stmt);
	ret->common_from_ns = col_u64(stmt);
	ret->common_ns = col_u64(stmt);
	return has;
}

/* ---- what they are ---- */

int
case_jobs_save(struct store *store, const struct results_case *c, struct err *err)
{
	struct stmt stmt;
	int result = stmt_open(&stmt, store,
	    "INSERT INTO case_job VALUES(?, ?, ?, ?, ?, ?)"
	    " ON CONFLICT(\"case\", position) DO NOTHING",
	    err);

	for (size_t i = 0; result == 0 && i < c->jobs.n; i++) {
		const struct results_job *job = &c->jobs.v[i];
		char *params = NULL;

		stmt_text(&stmt, c->id);
		stmt_int(&stmt, (int64_t)i);
		stmt_text(&stmt, job->name);
		stmt_int(&stmt, job->first_client);
		stmt_int(&stmt, job->clients);
		stmt_json(&stmt, params_json(&job->params), &params);
		result = stmt_run(&stmt, err);
		free(params);
	}
	stmt_close(&stmt);
	return result;
}

int
case_jobs_load(struct store *store, struct results_case *ret, struct err *err)
{
	struct stmt stmt;
	int result;

	if (!db_has_table(store, "case_job"))
		return 0;
	result = stmt_open(&stmt, store,
	    "SELECT name, first_client, clients, params FROM case_job WHERE \"case\" = ?"
	    " ORDER BY position",
	    err);
	if (result == 0) {
		stmt_text(&stmt, ret->id);
		while ((result = stmt_row(&stmt, err)) == 1) {
			struct results_job *job = vec_add(&ret->jobs);
			char *params;

			job->name = col_text(&stmt);
			job->first_client = (unsigned)col_int(&stmt);
			job->clients = (unsigned)col_int(&stmt);
			params = col_text(&stmt);
			params_read(params, &job->params);
			free(params);
		}
	}
	stmt_close(&stmt);
	return result;
}

/* ---- what they came to ---- */

static int
save_totals(struct store *store, int64_t attempt, const struct attempt *from,
    struct err *err)
{
	struct stmt stmt;
	int result = stmt_open(&stmt, store,
	    "INSERT INTO job VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
	    " ?, ?)",
	    err);

	for (size_t i = 0; result == 0 && i < from->jobs.n; i++) {
		const struct attempt_job *job = &from->jobs.v[i];

		stmt_int(&stmt, attempt);
		stmt_int(&stmt, (int64_t)i);
		stmt_text(&stmt, job->name);
		stmt_int(&stmt, job->clients_expected);
		total_bind(&stmt, &job->total, job->has_total, job->has_total);
		result = stmt_run(&stmt, err);
	}
	stmt_close(&stmt);
	return result;
}

int
jobs_save(
    struct store *store, int64_t attempt, const struct attempt *from, struct err *err)
{
	int result = from->jobs.n ? save_totals(store, attempt, from, err) : 0;

	for (unsigned i = 0; result == 0 && i < from->jobs.n; i++) {
		const struct attempt_job *job = &from->jobs.v[i];
		struct figure_of of = {.attempt = attempt, .one_job = true, .job = i};

		if (job->has_total)
			result = figure_save(
			    store, &of, job->total.merged, &job->total, err);
	}
	return result;
}

static int
load_totals(struct store *store, int64_t attempt, struct attempt *ret, struct err *err)
{
	struct stmt stmt;
	int result = stmt_open(&stmt, store,
	    "SELECT name, clients_expected, clients_summed, window_kind, window_from_ns,"
	    " window_ns, window_bound_ns, latency_in_window, overlap, skew_ns,"
	    " skew_bound_ns, first_done_ns, last_done_ns, outstanding,"
	    " outstanding_share, clients_started, common_from_ns, common_ns"
	    " FROM job WHERE attempt = ? ORDER BY position",
	    err);

	if (result == 0) {
		stmt_int(&stmt, attempt);
		while ((result = stmt_row(&stmt, err)) == 1) {
			struct attempt_job *job = vec_add(&ret->jobs);

			job->name = col_text(&stmt);
			job->clients_expected = (unsigned)col_int(&stmt);
			job->has_total = total_read(&stmt, &job->total);
		}
	}
	stmt_close(&stmt);
	return result;
}

int
jobs_load(struct store *store, int64_t attempt, struct attempt *ret, struct err *err)
{
	int result = 0;

	if (db_has_table(store, "job"))
		result = load_totals(store, attempt, ret, err);
	for (unsigned i = 0; result == 0 && i < ret->jobs.n; i++) {
		struct attempt_job *job = &ret->jobs.v[i];
		struct figure_of of = {.attempt = attempt, .one_job = true, .job = i};

		if (!job->has_total)
			continue;
		result = figure_load(store, &of, &job->total.merged, &job->total, err);
		if (result == 0 && !job->total.merged)
			result = err_set(err, ERR_PROTOCOL,
			    "%s: a job of an attempt lacks its figures", store->path);
	}
	return result;
}

int
jobs_save_client(struct store *store, const struct figure_of *client,
    const struct tally *tally, struct err *err)
{
	struct figure_of of = *client;
	int result = 0;

	of.one_job = true;
	for (size_t i = 0; result == 0 && i < tally_job_count(tally); i++) {
		const struct tally *job = tally_job(tally, i);

		of.job = job->job;
		result = figure_save(store, &of, job, NULL, err);
	}
	return result;
}

/* Which jobs it ran. */
static int
client_jobs(struct store *store, const struct figure_of *client, unsigned **ret,
    size_t *ret_n, struct err *err)
{
	VEC(unsigned) jobs = {0};
	struct stmt stmt;
	int result = stmt_open(&stmt, store,
	    "SELECT job FROM job_tally WHERE attempt = ? AND client = ? ORDER BY job",
	    err);

	if (result == 0) {
		stmt_int(&stmt, client->attempt);
		stmt_int(&stmt, client->client);
		while ((result = stmt_row(&stmt, err)) == 1)
			vec_push(&jobs, (unsigned)col_int(&stmt));
	}
	stmt_close(&stmt);
	*ret = jobs.v;
	*ret_n = jobs.n;
	return result;
}

int
jobs_load_client(struct store *store, const struct figure_of *client, struct tally *ret,
    struct err *err)
{
	struct figure_of of = *client;
	unsigned *jobs;
	size_t n;
	int result;

	if (!db_has_table(store, "job_tally"))
		return 0;
	result = client_jobs(store, client, &jobs, &n, err);
	if (result == 0 && n == 1)
		ret->job = jobs[0];
	if (result == 0 && n > 1)
		ret->jobs = mem_array(n, sizeof(struct tally *));
	of.one_job = true;
	for (size_t i = 0; result == 0 && n > 1 && i < n; i++) {
		of.job = jobs[i];
		result = figure_load(store, &of, &ret->jobs[i], NULL, err);
		ret->njobs += result == 0;
	}
	free(jobs);
	return result;
}
