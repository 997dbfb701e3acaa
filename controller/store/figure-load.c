/* SPDX-License-Identifier: Apache-2.0 */
/* Figures back from the tables, exactly as they were saved. */
#include "controller/store/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "controller/store/kinds.h"
#include "controller/store/usage.h"

static void
read_scalars(struct stmt *stmt, struct tally *tally)
{
	tally->imported = col_is_null(stmt);
	tally->start_ns = col_u64(stmt);
	tally->window_from = col_u64(stmt);
	tally->window_to = col_is_null(stmt) ? UINT64_MAX : 0;
	tally->window_to |= col_u64(stmt);
	tally->has_first_io = !col_is_null(stmt);
	tally->first_io_ns = col_int(stmt);
	tally->last_first_io_ns = col_int(stmt);
	tally->first_end_ns = col_u64(stmt);
	tally->end_ns = col_u64(stmt);
	tally->threads = col_u64(stmt);
	tally->outstanding = col_u64(stmt);
	tally->oldest_outstanding_ns = col_u64(stmt);
	tally->io_errors = col_u64(stmt);
	tally->cpu_user_ns = col_u64(stmt);
	tally->cpu_sys_ns = col_u64(stmt);
	tally->cpu_wall_ns = col_u64(stmt);
	tally->fifo = col_int(stmt) != 0;
	tally->direct = col_int(stmt) != 0;
}

static void
read_total_dir(struct stmt *stmt, struct total_dir *ret)
{
	ret->present = true;
	ret->ios = col_u64(stmt);
	ret->bytes = col_u64(stmt);
	ret->iops = col_real(stmt);
	ret->bytes_per_s = col_real(stmt);
	ret->fio_iops = col_real(stmt);
	ret->fio_bytes_per_s = col_real(stmt);
	ret->sum_iops = col_real(stmt);
	ret->sum_bytes_per_s = col_real(stmt);
	ret->common_ios = col_u64(stmt);
	ret->common_bytes = col_u64(stmt);
	ret->common_iops = col_real(stmt);
	ret->common_bytes_per_s = col_real(stmt);
}

/* A direction without a row: nothing counted, no rates. */
static void
clear_total(struct total *total, const struct tally *merged)
{
	for (int dir = 0; dir < DIR_COUNT; dir++)
		total->dir[dir] = (struct total_dir){.window_from = total->window_from,
		    .window_ns = total->window_ns,
		    .iops = NAN,
		    .bytes_per_s = NAN,
		    .fio_iops = NAN,
		    .fio_bytes_per_s = NAN,
		    .sum_iops = NAN,
		    .sum_bytes_per_s = NAN,
		    .common_iops = NAN,
		    .common_bytes_per_s = NAN,
		    .slat = &merged->dir[dir].slat,
		    .clat = &merged->dir[dir].clat,
		    .lat = &merged->dir[dir].lat};
}

/* `all` of all clients, else NULL. */
static int
read_times(const void *data, size_t len, struct dir_tally *d, struct total_dir *all,
    struct err *err)
{
	struct direction_times times;

	if (codec_get_times(data, len, &times, err) != 0)
		return -1;
	d->times = times.times;
	if (all) {
		all->window_from = times.window_from;
		all->window_ns = times.window_ns;
	}
	return 0;
}

static int
read_series(
    struct stmt *stmt, struct dir_tally *d, struct total_dir *all, struct err *err)
{
	const char *kind = (const char *)sqlite3_column_text(stmt->handle, 0);
	const struct latency_kind *latency = latency_kind_find(kind);
	const void *data;
	size_t len;

	stmt->next = 1;
	data = col_blob(stmt, &len);
	if (latency)
		return codec_get_hist(data, len, latency_hist_of(d, latency), err);
	if (strcmp(kind, "slots") == 0)
		return codec_get_slots(data, len, &d->slots, err);
	if (strcmp(kind, "heats") == 0)
		return codec_get_heats(data, len, &d->heats, err);
	if (strcmp(kind, "times") == 0)
		return read_times(data, len, d, all, err);
	return 0; /* a kind that later versions added */
}

static int
load_series(struct store *store, const struct figure_of *of, int64_t figure,
    struct dir_tally *d, struct total_dir *all, struct err *err)
{
	struct stmt stmt;
	int result = figure_open(&stmt, store, of,
	    "SELECT kind, data FROM %sseries WHERE figure = ?", "", err);

	if (result == 0)
		stmt_int(&stmt, figure);
	while (result == 0) {
		result = stmt_row(&stmt, err);
		if (result <= 0)
			break;
		result = read_series(&stmt, d, all, err);
		if (result != 0)
			err_prefix(err, "%s", store->path);
	}
	stmt_close(&stmt);
	return result;
}

/* What an import states that came without buckets. */
static void
read_stated(struct stmt *stmt, const struct latency_kind *kind, struct dir_tally *d)
{
	if (kind->stated == TALLY_LATENCIES || !d->stated)
		return;
	for (size_t i = 0; i < TALLY_PERCENTILES; i++)
		d->stated->percentile[kind->stated][i] = col_real(stmt);
}

/* Rows and byte strings say the same, or neither can be believed. */
static int
load_latencies(struct store *store, const struct figure_of *of, int64_t figure,
    struct dir_tally *d, struct err *err)
{
	struct stmt stmt;
	int result = figure_open(&stmt, store, of,
	    "SELECT kind, count, p50_ns, p90_ns, p95_ns, p99_ns, p99_9_ns, p99_99_ns"
	    " FROM %slatency WHERE figure = ?",
	    "", err);

	if (result == 0) {
		stmt_int(&stmt, figure);
		while ((result = stmt_row(&stmt, err)) == 1) {
			char *name = col_text(&stmt);
			const struct latency_kind *kind = latency_kind_find(name);

			free(name);
			if (!kind)
				continue;
			if (latency_hist(d, kind)->count == col_u64(&stmt)) {
				read_stated(&stmt, kind, d);
				continue;
			}
			result = err_set(err, ERR_PROTOCOL,
			    "%s: a stored histogram (%s) is missing", store->path,
			    kind->name);
			break;
		}
	}
	stmt_close(&stmt);
	return result;
}

/* One row of figure: its direction, rates and phases, then its series. */
static int
read_figure(struct store *store, const struct figure_of *of, struct stmt *stmt,
    struct tally *tally, struct total *total, struct err *err)
{
	int64_t id = col_int(stmt);
	const char *name =
	    (const char *)sqlite3_column_text(stmt->handle, stmt->next++);
	enum dir dir = strcmp(name, dir_name(DIR_READ)) == 0 ? DIR_READ : DIR_WRITE;
	struct dir_tally *d = &tally->dir[dir];
	struct total_dir own, *rates = total ? &total->dir[dir] : &own;

	read_total_dir(stmt, rates);
	if (tally->imported) {
		d->stated = tally_stated_new();
		d->stated->iops = rates->iops;
		d->stated->bytes_per_s = rates->bytes_per_s;
	}
	for (int i = 0; i < METER_PHASES; i++) {
		d->phase[i].ios = col_u64(stmt);
		d->phase[i].bytes = col_u64(stmt);
	}
	d->slot_overflow = col_u64(stmt);
	if (load_series(store, of, id, d, total ? &total->dir[dir] : NULL, err) != 0)
		return -1;
	return load_latencies(store, of, id, d, err);
}

static void
bind_of(struct stmt *stmt, const struct figure_of *of)
{
	stmt_int(stmt, of->attempt);
	stmt_int_or_null(stmt, of->client != 0, of->client);
	if (of->one_job)
		stmt_int(stmt, of->job);
}

static int
load_figures(struct store *store, const struct figure_of *of, struct tally *tally,
    struct total *total, struct err *err)
{
	struct stmt stmt;
	int result = figure_open(&stmt, store, of,
	    "SELECT id, direction, ios, bytes, iops, bytes_per_s, fio_style_iops,"
	    " fio_style_bytes_per_s, sum_of_clients_iops, sum_of_clients_bytes_per_s,"
	    " common_ios, common_bytes, common_iops, common_bytes_per_s,"
	    " ios_before, bytes_before, ios_inside, bytes_inside, ios_after, "
	    "bytes_after,"
	    /* +: by the index of attempts; that of clients finds NULL in all of them */
	    " slot_overflow FROM %sfigure WHERE attempt = ? AND +client IS ?%s",
	    " AND job = ?", err);

	if (result == 0)
		bind_of(&stmt, of);
	while (result == 0) {
		result = stmt_row(&stmt, err);
		if (result <= 0)
			break;
		result = read_figure(store, of, &stmt, tally, total, err);
	}
	stmt_close(&stmt);
	return result;
}

int
figure_load(struct store *store, const struct figure_of *of, struct tally **ret,
    struct total *total, struct err *err)
{
	struct stmt stmt;
	int result = -1;

	*ret = NULL;
	if (figure_open(&stmt, store, of,
		"SELECT start_ns, window_from_ns, window_to_ns, first_io_ns,"
		" last_first_io_ns, first_end_ns, end_ns, threads, outstanding,"
		" oldest_outstanding_ns, io_errors, cpu_user_ns, cpu_sys_ns, "
		"cpu_wall_ns,"
		" fifo, direct FROM %stally WHERE attempt = ? AND client IS ?%s",
		" AND job = ?", err) == 0) {
		bind_of(&stmt, of);
		result = stmt_row(&stmt, err);
	}
	if (result == 1) {
		*ret = tally_new();
		read_scalars(&stmt, *ret);
		(*ret)->job = of->job;
	}
	stmt_close(&stmt);
	if (result == 1) {
		if (total)
			clear_total(total, *ret);
		result = usage_load(store, of, *ret, err);
		if (result == 0)
			result = load_figures(store, of, *ret, total, err);
		if (result != 0) {
			tally_free(*ret);
			*ret = NULL;
		}
	}
	return result;
}
