/* SPDX-License-Identifier: Apache-2.0 */
/* Figures into the tables: rows for people, byte strings for exact reading. */
#include "controller/store/figure.h"

#include <math.h>
#include <string.h>

#include "controller/store/kinds.h"
#include "controller/store/usage.h"
#include "lib/base/str.h"

int
figure_open(struct stmt *ret, struct store *store, const struct figure_of *of,
    const char *sql, const char *job, struct err *err)
{
	const char *first = strstr(sql, "%s"), *last = strstr(first + 2, "%s");
	struct str text = {0};
	int rc;

	str_addn(&text, sql, (size_t)(first - sql));
	str_add(&text, of->one_job ? "job_" : "");
	first += 2;
	str_addn(&text, first, last ? (size_t)(last - first) : strlen(first));
	str_add(&text, last && of->one_job ? job : "");
	str_add(&text, last ? last + 2 : "");
	rc = stmt_open(ret, store, text.s, err);
	str_free(&text);
	return rc;
}

static int
save_scalars(struct store *store, const struct figure_of *of, const struct tally *tally,
    struct err *err)
{
	bool first = tally->has_first_io, cpu = tally->cpu_wall_ns != 0;
	bool own = !tally->imported;
	struct stmt stmt;
	int result = -1;

	if (figure_open(&stmt, store, of,
		"INSERT INTO %stally VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
		" ?, ?, ?, ?, ?, ?%s)",
		", ?", err) == 0) {
		stmt_int(&stmt, of->attempt);
		stmt_int_or_null(&stmt, of->client != 0, of->client);
		stmt_u64_or_null(&stmt, own, tally->start_ns);
		stmt_u64_or_null(&stmt, own, tally->window_from);
		stmt_u64_or_null(
		    &stmt, tally->window_to != UINT64_MAX, tally->window_to);
		stmt_int_or_null(&stmt, first, tally->first_io_ns);
		stmt_int_or_null(&stmt, first, tally->last_first_io_ns);
		stmt_u64_or_null(&stmt, own, tally->first_end_ns);
		stmt_u64_or_null(&stmt, own, tally->end_ns);
		stmt_u64_or_null(&stmt, own || tally->threads, tally->threads);
		stmt_u64_or_null(&stmt, own, tally->outstanding);
		stmt_u64_or_null(&stmt, own, tally->oldest_outstanding_ns);
		stmt_u64_or_null(&stmt, own || tally->io_errors, tally->io_errors);
		stmt_u64_or_null(&stmt, cpu, tally->cpu_user_ns);
		stmt_u64_or_null(&stmt, cpu, tally->cpu_sys_ns);
		stmt_u64_or_null(&stmt, cpu, tally->cpu_wall_ns);
		stmt_int_or_null(&stmt, own, tally->fifo);
		stmt_int_or_null(&stmt, own || tally->direct, tally->direct);
		if (of->one_job)
			stmt_int(&stmt, of->job);
		result = stmt_run(&stmt, err);
	}
	stmt_close(&stmt);
	return result;
}

/* The rates: all clients' as total.h defines them, or a client's own averages. */
static void
bind_rates(struct stmt *stmt, const struct tally *tally, enum dir dir,
    const struct total_dir *all)
{
	double bytes_per_s, iops;
	size_t only_all = 8;

	if (!all) {
		results_client_rate(tally, dir, &bytes_per_s, &iops);
		stmt_u64(stmt, tally->dir[dir].phase[METER_INSIDE].ios);
		stmt_u64(stmt, tally->dir[dir].phase[METER_INSIDE].bytes);
		stmt_real(stmt, iops);
		stmt_real(stmt, bytes_per_s);
		while (only_all--)
			stmt_null(stmt);
		return;
	}
	stmt_u64(stmt, all->ios);
	stmt_u64(stmt, all->bytes);
	stmt_real(stmt, all->iops);
	stmt_real(stmt, all->bytes_per_s);
	stmt_real(stmt, all->fio_iops);
	stmt_real(stmt, all->fio_bytes_per_s);
	stmt_real(stmt, all->sum_iops);
	stmt_real(stmt, all->sum_bytes_per_s);
	stmt_u64(stmt, all->common_ios);
	stmt_u64(stmt, all->common_bytes);
	stmt_real(stmt, all->common_iops);
	stmt_real(stmt, all->common_bytes_per_s);
}

static int64_t
save_figure(struct store *store, const struct figure_of *of, const struct tally *tally,
    enum dir dir, const struct total *total, struct err *err)
{
	const struct dir_tally *d = &tally->dir[dir];
	struct stmt stmt;
	int result = -1;

	if (figure_open(&stmt, store, of,
		"INSERT INTO %sfigure VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
		" ?, ?, ?, ?, ?, ?, ?, ?, ?, ?%s)",
		", ?", err) == 0) {
		stmt_int(&stmt, of->attempt);
		stmt_int_or_null(&stmt, of->client != 0, of->client);
		stmt_text(&stmt, dir_name(dir));
		bind_rates(&stmt, tally, dir, total ? &total->dir[dir] : NULL);
		for (int i = 0; i < METER_PHASES; i++) {
			stmt_u64(&stmt, d->phase[i].ios);
			stmt_u64(&stmt, d->phase[i].bytes);
		}
		stmt_u64(&stmt, d->slot_overflow);
		if (of->one_job)
			stmt_int(&stmt, of->job);
		result = stmt_run(&stmt, err);
	}
	stmt_close(&stmt);
	return result == 0 ? sqlite3_last_insert_rowid(store->db) : -1;
}

static int
save_latency(struct store *store, const struct figure_of *of, int64_t figure,
    const struct dir_tally *d, const struct latency_kind *kind, struct err *err)
{
	const struct hist *hist = latency_hist(d, kind);
	struct stmt stmt;
	int result = -1;

	if (figure_open(&stmt, store, of,
		"INSERT INTO %slatency VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		"", err) == 0) {
		stmt_int(&stmt, figure);
		stmt_text(&stmt, kind->name);
		stmt_u64(&stmt, hist->count);
		stmt_real(&stmt, hist_mean(hist));
		stmt_real(&stmt, hist_stddev(hist));
		stmt_u64_or_null(&stmt, hist->count != 0, hist->min);
		stmt_u64_or_null(&stmt, hist->count != 0, hist->max);
		for (size_t i = 0; i < TALLY_PERCENTILES; i++)
			stmt_real(
			    &stmt, results_percentile(d, kind, tally_percentiles[i]));
		result = stmt_run(&stmt, err);
	}
	stmt_close(&stmt);
	return result;
}

static int
save_buckets(struct store *store, int64_t figure, const char *kind,
    const struct hist *hist, struct err *err)
{
	struct stmt stmt;
	int result =
	    stmt_open(&stmt, store, "INSERT INTO bucket VALUES(?, ?, ?, ?)", err);

	for (unsigned i = 0; result == 0 && i < HIST_BUCKETS; i++) {
		if (hist->bucket[i] == 0)
			continue;
		stmt_int(&stmt, figure);
		stmt_text(&stmt, kind);
		stmt_u64(&stmt, hist_lower(i));
		stmt_u64(&stmt, hist->bucket[i]);
		result = stmt_run(&stmt, err);
	}
	stmt_close(&stmt);
	return result;
}

static int
save_slot_rows(
    struct store *store, int64_t figure, const struct slots *slots, struct err *err)
{
	struct stmt stmt;
	int result =
	    stmt_open(&stmt, store, "INSERT INTO slot VALUES(?, ?, ?, ?, ?)", err);

	for (size_t i = 0; result == 0 && i < slots->n; i++) {
		stmt_int(&stmt, figure);
		stmt_u64(&stmt, i * (SLOT_NS / 1000000));
		stmt_u64(&stmt, slots->v[i].ios);
		stmt_u64(&stmt, slots->v[i].bytes);
		stmt_u64(&stmt, slots->v[i].lat_ns);
		result = stmt_run(&stmt, err);
	}
	stmt_close(&stmt);
	return result;
}

/* Takes the blob's memory. */
static int
save_series(struct store *store, const struct figure_of *of, int64_t figure,
    const char *kind, struct blob *blob, struct err *err)
{
	struct stmt stmt;
	int result = figure_open(
	    &stmt, store, of, "INSERT INTO %sseries VALUES(?, ?, ?)", "", err);

	if (result == 0) {
		stmt_int(&stmt, figure);
		stmt_text(&stmt, kind);
		stmt_blob(&stmt, blob);
		result = stmt_run(&stmt, err);
	}
	stmt_close(&stmt);
	blob_free(blob);
	return result;
}

static int
save_hists(struct store *store, const struct figure_of *of, int64_t figure,
    const struct dir_tally *d, bool rows, struct err *err)
{
	for (const struct latency_kind *kind = latency_kinds; kind->name; kind++) {
		const struct hist *hist = latency_hist(d, kind);
		struct blob blob = {0};

		if (hist->count == 0 && !kind->always)
			continue;
		codec_put_hist(&blob, hist);
		if (save_latency(store, of, figure, d, kind, err) != 0 ||
		    save_series(store, of, figure, kind->name, &blob, err) != 0)
			return blob_free(&blob), -1;
		if (rows && save_buckets(store, figure, kind->name, hist, err) != 0)
			return -1;
	}
	return 0;
}

/* Only of a direction that has times or a window of its own. */
static int
save_times(struct store *store, const struct figure_of *of, int64_t figure,
    const struct dir_tally *d, const struct total *total, enum dir dir, struct err *err)
{
	struct direction_times times = {.times = d->times};
	struct blob blob = {0};

	if (total) {
		times.window_from = total->dir[dir].window_from;
		times.window_ns = total->dir[dir].window_ns;
	}
	if (!d->times.own && (!total || (times.window_from == total->window_from &&
					    times.window_ns == total->window_ns)))
		return 0;
	codec_put_times(&blob, &times);
	return save_series(store, of, figure, "times", &blob, err);
}

static int
save_dir(struct store *store, const struct figure_of *of, int64_t figure,
    const struct dir_tally *d, bool rows, struct err *err)
{
	struct blob slots = {0}, heats = {0};

	if (save_hists(store, of, figure, d, rows, err) != 0)
		return -1;
	codec_put_slots(&slots, &d->slots);
	if (save_series(store, of, figure, "slots", &slots, err) != 0)
		return -1;
	codec_put_heats(&heats, &d->heats);
	if (save_series(store, of, figure, "heats", &heats, err) != 0)
		return -1;
	return rows ? save_slot_rows(store, figure, &d->slots, err) : 0;
}

int
figure_save(struct store *store, const struct figure_of *of, const struct tally *tally,
    const struct total *total, struct err *err)
{
	bool rows = of->client == 0 && !of->one_job;

	if (save_scalars(store, of, tally, err) != 0 ||
	    usage_save(store, of, tally, err) != 0)
		return -1;
	for (int dir = 0; dir < DIR_COUNT; dir++) {
		int64_t figure;

		if (!tally_has(tally, dir) && !(total && total->dir[dir].present))
			continue;
		figure = save_figure(store, of, tally, dir, total, err);
		if (figure < 0 ||
		    save_dir(store, of, figure, &tally->dir[dir], rows, err) != 0 ||
		    save_times(
			store, of, figure, &tally->dir[dir], total, dir, err) != 0)
			return -1;
	}
	return 0;
}
