/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSV: tidy, one row per case, repeat and direction, base units in the column
 * names, quoted as RFC 4180 says (lines end with LF).  Unknown is an empty field.
 */
#include "controller/report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/report/csv-field.h"

struct csv_writer {
	struct str *out;
	const struct results *head;
	bool first; /* field of its line */
};

static const char *const latencies[] = {"slat", "clat", "lat"};
static const double percentiles[] = {50, 90, 95, 99, 99.9, 99.99};
static const char *const percentile_names[] = {
    "p50", "p90", "p95", "p99", "p99_9", "p99_99"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void
field(struct csv_writer *writer, const char *text)
{
	csv_field(writer->out, writer->first, text);
	writer->first = false;
}

static void
number(struct csv_writer *writer, bool known, uint64_t value)
{
	char text[24] = "";

	if (known)
		snprintf(text, sizeof text, "%" PRIu64, value);
	field(writer, text);
}

static void
real(struct csv_writer *writer, double value)
{
	char text[32] = "";

	if (isfinite(value))
		snprintf(text, sizeof text, "%.15g", value);
	field(writer, text);
}

static void
end_line(struct csv_writer *writer)
{
	str_addc(writer->out, '\n');
	writer->first = true;
}

static const char *const case_columns[] = {"schema_version", "plan", "case_id",
    "storage", "transport", "path", "workload", "clients", "ioengine", "rw", "bs_bytes",
    "iodepth", "numjobs", "direct", "params"};
static const char *const attempt_columns[] = {"repeat", "attempt", "order_position",
    "started_utc", "state", "reasons", "clients_expected", "clients_reported",
    "skew_ns", "skew_bound_ns", "max_skew_ns", "window_kind", "window_ns",
    "common_window_ns", "overlap", "outstanding_ios"};
static const char *const figure_columns[] = {"direction", "ios", "bytes", "iops",
    "bytes_per_s", "fio_style_iops", "fio_style_bytes_per_s", "sum_of_clients_iops",
    "sum_of_clients_bytes_per_s", "common_iops", "common_bytes_per_s"};

/* At the end of each row, where new columns go. */
static const char *const note_columns[] = {
    "skipped_options", "warnings", "transport_proof", "job", "job_clients"};

static void
put_names(struct csv_writer *writer, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		field(writer, names[i]);
}

static void
put_heading(struct csv_writer *writer)
{
	char name[32];

	put_names(writer, case_columns, COUNT(case_columns));
	put_names(writer, attempt_columns, COUNT(attempt_columns));
	put_names(writer, figure_columns, COUNT(figure_columns));
	for (size_t i = 0; i < COUNT(latencies); i++) {
		static const char *const of[] = {
		    "count", "mean_ns", "stddev_ns", "min_ns", "max_ns"};

		for (size_t k = 0; k < COUNT(of); k++) {
			snprintf(name, sizeof name, "%s_%s", latencies[i], of[k]);
			field(writer, name);
		}
		for (size_t k = 0; k < COUNT(percentiles); k++) {
			snprintf(name, sizeof name, "%s_%s_ns", latencies[i],
			    percentile_names[k]);
			field(writer, name);
		}
	}
	put_names(writer, note_columns, COUNT(note_columns));
	end_line(writer);
}

static void
put_case(struct csv_writer *writer, const struct results_case *c)
{
	static const char *const own[] = {
	    "ioengine", "rw", "bs", "iodepth", "numjobs", "direct"};
	struct str params = {0};

	number(writer, true, REPORT_SCHEMA_VERSION);
	field(writer, writer->head->plan);
	field(writer, c->id);
	field(writer, c->storage);
	field(writer, c->transport);
	field(writer, c->path);
	field(writer, c->workload);
	number(writer, true, c->clients);
	for (size_t i = 0; i < COUNT(own); i++)
		field(writer, results_case_param(c, own[i]));
	for (vec_each(const struct results_param *, param, &c->params))
		str_addf(&params, "%s%s=%s", params.len ? " " : "", param->name,
		    param->value);
	field(writer, params.s);
	str_free(&params);
}

/* `total`: of all jobs, or of the one that the row is of.  d NULL: no figures. */
static void
put_attempt(struct csv_writer *writer, const struct results_attempt *one,
    const struct total *total, const struct total_dir *d)
{
	const struct attempt *attempt = &one->attempt;
	bool imported = results_is_imported(attempt);
	bool has = attempt->has_total && !imported, skew = has && total->has_skew;
	struct str codes = {0};
	char utc[RESULTS_UTC_BUF];

	for (vec_each(const struct attempt_reason *, reason, &attempt->reasons))
		str_addf(&codes, "%s%s", codes.len ? ";" : "", reason->code);
	number(writer, true, attempt->repeat);
	number(writer, true, attempt->attempt);
	number(writer, one->order_position, one->order_position);
	field(writer, results_utc(utc, attempt->started_wall_ns));
	field(writer, attempt_state_name(attempt->state));
	field(writer, codes.s);
	number(writer, true, attempt->clients_expected);
	number(writer, true, results_reported(attempt));
	number(writer, skew, total->skew_ns);
	number(writer, skew, total->skew_bound_ns);
	number(writer, !imported, attempt->max_skew_ns);
	field(writer, !has                                       ? NULL
		      : total->window_kind == TOTAL_WINDOW_FIXED ? "fixed"
								 : "common");
	number(writer, has, d ? d->window_ns : total->window_ns);
	number(writer, has, total->common_ns);
	real(writer, has ? total->overlap : NAN);
	number(writer, has, total->outstanding);
	str_free(&codes);
}

static void
put_hist(struct csv_writer *writer, const struct hist *hist, bool counted)
{
	number(writer, counted, hist->count);
	real(writer, hist_mean(hist));
	real(writer, hist_stddev(hist));
	number(writer, counted && hist->count, hist->min);
	number(writer, counted && hist->count, hist->max);
	for (size_t i = 0; i < COUNT(percentiles); i++)
		real(writer, hist_percentile(hist, percentiles[i]));
}

static void
put_figures(struct csv_writer *writer, const struct total *total, enum dir dir)
{
	const struct total_dir *d = &total->dir[dir];
	bool counted = results_is_counted(total);

	field(writer, dir_name(dir));
	number(writer, counted, d->ios);
	number(writer, counted, d->bytes);
	real(writer, d->iops);
	real(writer, d->bytes_per_s);
	real(writer, d->fio_iops);
	real(writer, d->fio_bytes_per_s);
	real(writer, d->sum_iops);
	real(writer, d->sum_bytes_per_s);
	real(writer, d->common_iops);
	real(writer, d->common_bytes_per_s);
	put_hist(writer, d->slat, counted);
	put_hist(writer, d->clat, counted);
	put_hist(writer, d->lat, counted);
}

/* An attempt without figures still has its row: it must not vanish. */
static void
put_no_figures(struct csv_writer *writer)
{
	size_t n = COUNT(figure_columns) + COUNT(latencies) * (5 + COUNT(percentiles));

	while (n--)
		field(writer, NULL);
}

/* "exec_prerun=/x;mem=shm", and the warnings' lines. */
static void
put_notes(struct csv_writer *writer, const fio_notes *notes)
{
	struct str skipped = {0}, warnings = {0};

	for (vec_each(const struct fio_note *, note, notes)) {
		if (note->kind == FIO_NOTE_SKIPPED)
			str_addf(&skipped, "%s%s%s%s", skipped.len ? ";" : "",
			    note->option, note->value ? "=" : "",
			    note->value ? note->value : "");
		if (note->kind == FIO_NOTE_WARNING)
			str_addf(
			    &warnings, "%s%s", warnings.len ? "\n" : "", note->text);
	}
	field(writer, skipped.s);
	field(writer, warnings.s);
	str_free(&skipped);
	str_free(&warnings);
}

static void
put_proof(struct csv_writer *writer, const struct attempt *attempt)
{
	field(writer, proof_verdict_name(attempt_proof(attempt)));
}

static void *
csv_begin(const struct results *head, struct str *out)
{
	struct csv_writer *writer = mem_alloc(sizeof *writer);

	*writer = (struct csv_writer){.out = out, .head = head, .first = true};
	put_heading(writer);
	return writer;
}

/* d NULL: no figures.  job NULL: of all jobs. */
static void
put_row(struct csv_writer *writer, const struct results_case *c,
    const struct results_attempt *one, const struct total_dir *d, enum dir dir,
    const struct attempt_job *job)
{
	const struct total *total = job ? &job->total : &one->attempt.total;

	put_case(writer, c);
	put_attempt(writer, one, total, d);
	if (d)
		put_figures(writer, total, dir);
	else
		put_no_figures(writer);
	put_notes(writer, &c->notes);
	put_proof(writer, &one->attempt);
	field(writer, job ? job->name : NULL);
	number(writer, job != NULL, job ? job->total.clients : 0);
	end_line(writer);
}

/* Of several jobs each one's share of the rows before. */
static void
put_jobs(struct csv_writer *writer, const struct results_case *c,
    const struct results_attempt *one)
{
	for (vec_each(const struct attempt_job *, job, &one->attempt.jobs))
		for (int dir = 0; job->has_total && dir < DIR_COUNT; dir++)
			if (job->total.dir[dir].present)
				put_row(writer, c, one, &job->total.dir[dir], dir, job);
}

static void
csv_case(void *arg, const struct results_case *c)
{
	struct csv_writer *writer = arg;

	for (vec_each(struct results_attempt *const *, one, &c->attempts)) {
		const struct attempt *attempt = &(*one)->attempt;
		bool any = false;

		for (int dir = 0; attempt->has_total && dir < DIR_COUNT; dir++) {
			if (!attempt->total.dir[dir].present)
				continue;
			any = true;
			put_row(writer, c, *one, &attempt->total.dir[dir], dir, NULL);
		}
		if (!any)
			put_row(writer, c, *one, NULL, DIR_READ, NULL);
		put_jobs(writer, c, *one);
	}
}

static void
csv_end(void *arg)
{
	free(arg);
}

const struct report_format report_csv = {"csv",
    "one row per case, repeat and direction, for spreadsheets", false, csv_begin,
    csv_case, csv_end};
