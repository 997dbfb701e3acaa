/* SPDX-License-Identifier: Apache-2.0 */
/* One case in full: its options, and of every attempt all that is known. */
#include "controller/report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "controller/report/proof.h"
#include "controller/report/table.h"
#include "controller/store/kinds.h"
#include "lib/base/units.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define MIB 1048576.0

static void
put_figure(struct table *table, double value)
{
	char buf[FIGURE_BUF];

	table_add(table, figure_text(buf, value));
}

static void
put_count(struct table *table, uint64_t value)
{
	char buf[UNITS_BUF];

	table_add(table, units_count(buf, value));
}

static void
add_ns(struct str *out, const char *before, bool known, double ns)
{
	char buf[UNITS_BUF];

	str_addf(out, "%s%s", before, units_ns(buf, known ? ns : NAN));
}

/* Of clients that do one direction after the other. */
static void
put_own_windows(const struct total *total, struct str *out)
{
	struct str line = {0};

	for (int dir = 0; dir < DIR_COUNT; dir++) {
		const struct total_dir *d = &total->dir[dir];

		if (!d->present || (d->window_from == total->window_from &&
				       d->window_ns == total->window_ns))
			continue;
		str_addf(&line, "%s: ", dir_name((enum dir)dir));
		add_ns(&line, "window of its own: ", true, (double)d->window_ns);
		if (d->window_ns)
			add_ns(&line, " from T + ", true, (double)d->window_from);
		wrap_print(line.s, 2, 4, REPORT_COLUMNS, out);
		str_clear(&line);
	}
	str_free(&line);
}

static void
put_window(const struct attempt *attempt, struct str *out)
{
	const struct total *total = &attempt->total;
	bool skew = total->has_skew;
	struct str line = {0};
	char buf[FIGURE_BUF];

	if (results_is_imported(attempt)) {
		str_add(out, "  window, skew and overlap: unknown (imported)\n");
		return;
	}
	add_ns(&line, "window: ", true, (double)total->window_ns);
	add_ns(&line, " from T + ", true, (double)total->window_from);
	add_ns(&line, " on, give or take ", true, (double)total->window_bound_ns);
	str_add(
	    &line, total->window_kind == TOTAL_WINDOW_FIXED
		       ? " (fixed before the start)"
		       : " (common to all clients, found afterwards; latencies are of "
			 "the whole run)");
	wrap_print(line.s, 2, 4, REPORT_COLUMNS, out);
	put_own_windows(total, out);
	str_clear(&line);
	add_ns(&line, "skew: ", skew, (double)total->skew_ns);
	add_ns(&line, ", give or take ", skew, (double)total->skew_bound_ns);
	add_ns(&line, " (limit ", true, (double)attempt->max_skew_ns);
	str_addf(&line,
	    "); overlap: %s%s; first client done at T + %.4f s, last at T + %.4f s",
	    figure_text(buf, total->overlap * 100), isnan(total->overlap) ? "" : " %",
	    (double)total->first_done_ns / 1e9, (double)total->last_done_ns / 1e9);
	str_addf(&line, "; never completed: %" PRIu64 " I/Os", total->outstanding);
	wrap_print(line.s, 2, 4, REPORT_COLUMNS, out);
	str_free(&line);
}

static void
put_rates(const struct total *total, const char *title, struct str *out)
{
	const struct table_column columns[] = {{title, "", false, 0},
	    {"I/Os", "", true, 0}, {"rate", "MiB/s", true, 0}, {"", "IOPS", true, 0},
	    {"fio-style", "MiB/s", true, 0}, {"", "IOPS", true, 0},
	    {"sum of clients", "MiB/s", true, 0}, {"", "IOPS", true, 0},
	    {"in common", "MiB/s", true, 0}, {"", "IOPS", true, 0}};
	struct table table;

	table_init(&table, columns, COUNT(columns));
	for (int dir = 0; dir < DIR_COUNT; dir++) {
		const struct total_dir *d = &total->dir[dir];

		if (!d->present)
			continue;
		table_add(&table, dir_name(dir));
		if (results_is_counted(total))
			put_count(&table, d->ios);
		else
			table_add(&table, "unknown");
		put_figure(&table, d->bytes_per_s / MIB);
		put_figure(&table, d->iops);
		put_figure(&table, d->fio_bytes_per_s / MIB);
		put_figure(&table, d->fio_iops);
		put_figure(&table, d->sum_bytes_per_s / MIB);
		put_figure(&table, d->sum_iops);
		put_figure(&table, d->common_bytes_per_s / MIB);
		put_figure(&table, d->common_iops);
	}
	table_print(&table, 2, REPORT_COLUMNS, out);
}

static void
put_latency(struct table *table, enum dir dir, const struct dir_tally *d,
    const struct latency_kind *kind, bool counted)
{
	static const double percentiles[] = {50, 90, 95, 99, 99.9, 99.99};
	const struct hist *hist = latency_hist(d, kind);

	table_add(table, dir_name(dir));
	table_add(table, kind->name);
	if (!counted) {
		table_add(table, "unknown");
		put_figure(table, hist_mean(hist) / 1e3);
		for (size_t i = 0; i < 3 + COUNT(percentiles); i++)
			table_add(table, "unknown");
		return;
	}
	put_count(table, hist->count);
	if (hist->count == 0) {
		for (size_t i = 0; i < 4 + COUNT(percentiles); i++)
			table_add(table, "n/a");
		return;
	}
	put_figure(table, hist_mean(hist) / 1e3);
	put_figure(table, hist_stddev(hist) / 1e3);
	put_figure(table, (double)hist->min / 1e3);
	for (size_t i = 0; i < COUNT(percentiles); i++)
		put_figure(table, results_percentile(d, kind, percentiles[i]) / 1e3);
	put_figure(table, (double)hist->max / 1e3);
}

static void
put_latencies(const struct total *total, struct str *out)
{
	static const struct table_column columns[] = {{"latency", "", false, 0},
	    {"", "", false, 0}, {"count", "", true, 0}, {"mean", "us", true, 0},
	    {"stddev", "us", true, 0}, {"min", "us", true, 0}, {"p50", "us", true, 0},
	    {"p90", "us", true, 0}, {"p95", "us", true, 0}, {"p99", "us", true, 0},
	    {"p99.9", "us", true, 0}, {"p99.99", "us", true, 0},
	    {"max", "us", true, 0}};
	struct table table;

	table_init(&table, columns, COUNT(columns));
	for (int dir = 0; dir < DIR_COUNT; dir++) {
		const struct dir_tally *d = &total->merged->dir[dir];

		if (!total->dir[dir].present)
			continue;
		for (const struct latency_kind *kind = latency_kinds; kind->name;
		     kind++)
			if (kind->always || latency_hist(d, kind)->count)
				put_latency(&table, dir, d, kind,
				    results_is_counted(total));
	}
	table_print(&table, 2, REPORT_COLUMNS, out);
}

static void
put_cpu(struct table *table, const struct tally *tally, uint64_t ns)
{
	put_figure(table,
	    tally->cpu_wall_ns ? 100.0 * (double)ns / (double)tally->cpu_wall_ns : NAN);
}

/* One line per direction; the client's own figures stand in its first one. */
static void
put_client(struct table *table, const struct attempt_client *client)
{
	const struct tally *tally = client->tally;
	bool any = false;

	for (int dir = 0; tally && dir < DIR_COUNT; dir++) {
		double bytes_per_s, iops;

		if (!tally_has(tally, dir))
			continue;
		results_client_rate(tally, dir, &bytes_per_s, &iops);
		table_add(table, any ? "" : client->agent);
		table_add(table, any ? "" : client_outcome_name(client->outcome));
		put_figure(table,
		    tally->has_first_io ? (double)client->first_io_ns / 1e3 : NAN);
		table_add(table, dir_name(dir));
		put_figure(table, bytes_per_s / MIB);
		put_figure(table, iops);
		put_figure(table, hist_mean(&tally->dir[dir].clat) / 1e3);
		put_figure(table,
		    results_percentile(
			&tally->dir[dir], latency_kind_find("lat"), 99) /
			1e3);
		put_cpu(table, tally, tally->cpu_user_ns);
		put_cpu(table, tally, tally->cpu_sys_ns);
		any = true;
	}
	if (any)
		return;
	table_add(table, client->agent);
	table_add(table, client_outcome_name(client->outcome));
	for (int i = 0; i < 8; i++)
		table_add(table, i == 1 ? "" : "unknown");
}

static void
put_clients(const struct attempt *attempt, struct str *out)
{
	static const struct table_column columns[] = {{"client", "", false, 12},
	    {"outcome", "", false, 0}, {"first I/O", "us", true, 0},
	    {"dir", "", false, 0}, {"rate", "MiB/s", true, 0}, {"", "IOPS", true, 0},
	    {"mean clat", "us", true, 0}, {"p99 lat", "us", true, 0},
	    {"cpu user", "%", true, 0}, {"cpu sys", "%", true, 0}};
	struct table table;

	table_init(&table, columns, COUNT(columns));
	for (vec_each(const struct attempt_client *, client, &attempt->clients))
		put_client(&table, client);
	table_print(&table, 2, REPORT_COLUMNS, out);
}

/* What clients said, had open, or refused: only where there is something. */
static void
put_remarks(const struct attempt *attempt, struct str *out)
{
	for (vec_each(const struct attempt_client *, client, &attempt->clients)) {
		const struct tally *tally = client->tally;
		struct str line = {0};

		if (client->error)
			str_addf(&line, "; error: %s", client->error);
		if (tally && tally->io_errors)
			str_addf(&line, "; I/O errors: %" PRIu64, tally->io_errors);
		if (tally && tally->outstanding) {
			str_addf(
			    &line, "; never completed: %" PRIu64, tally->outstanding);
			add_ns(&line, ", the oldest after ", true,
			    (double)tally->oldest_outstanding_ns);
		}
		if (tally && !tally->fifo && !tally->imported)
			str_add(&line, "; waited for the start without SCHED_FIFO");
		if (line.len) {
			char *text = mem_printf("%s: %s", client->agent, line.s + 2);

			wrap_print(text, 2, 4, REPORT_COLUMNS, out);
			free(text);
		}
		str_free(&line);
	}
}

static void
put_events(const struct attempt *attempt, struct str *out)
{
	for (vec_each(const struct attempt_reason *, reason, &attempt->reasons)) {
		char *text = mem_printf("%s (%s): %s", reason->code,
		    reason->makes == ATTEMPT_VALID ? "note"
						   : attempt_state_name(reason->makes),
		    reason->text);

		wrap_print(text, 2, 4, REPORT_COLUMNS, out);
		free(text);
	}
	for (vec_each(const struct attempt_event *, event, &attempt->events)) {
		char *text =
		    mem_printf("at %+.3f s, %s: %s", (double)event->at_ns / 1e9,
			event->agent ? event->agent : "controller", event->text);

		wrap_print(text, 2, 4, REPORT_COLUMNS, out);
		free(text);
	}
}

/* One of several jobs: what it is, and what its clients came to. */
static void
put_job(const struct results_case *c, const struct attempt *attempt, size_t i,
    struct str *out)
{
	const struct attempt_job *job = &attempt->jobs.v[i];
	struct str line = {0};

	str_addf(&line, "job %s, %zu of %u clients", job->name,
	    job->has_total ? job->total.clients : 0, job->clients_expected);
	if (job->has_total)
		add_ns(&line, ", window ", true, (double)job->total.window_ns);
	for (size_t k = 0; i < c->jobs.n && k < c->jobs.v[i].params.n; k++)
		str_addf(&line, "%s%s=%s", k ? " " : ": ", c->jobs.v[i].params.v[k].name,
		    c->jobs.v[i].params.v[k].value);
	str_addc(out, '\n');
	wrap_print(line.s, 2, 4, REPORT_COLUMNS, out);
	str_free(&line);
	if (!job->has_total)
		return;
	put_rates(&job->total, job->name, out);
	str_addc(out, '\n');
	put_latencies(&job->total, out);
}

static void
put_attempt(const struct results_case *c, const struct attempt *attempt, struct str *out)
{
	char from[RESULTS_UTC_BUF], to[RESULTS_UTC_BUF], seed[24];
	bool imported = results_is_imported(attempt);

	snprintf(seed, sizeof seed, "%" PRIu64, attempt->seed);
	char *title = mem_printf(
	    "repeat %u, attempt %u: %s, %u of %u clients, %s to %s, run %016" PRIx64
	    "%s%s",
	    attempt->repeat, attempt->attempt, attempt_state_name(attempt->state),
	    results_reported(attempt), attempt->clients_expected,
	    results_utc(from, attempt->started_wall_ns),
	    results_utc(to, attempt->ended_wall_ns), attempt->run_id,
	    imported ? "" : ", seed ", imported ? "" : seed);

	str_addc(out, '\n');
	wrap_print(title, 0, 2, REPORT_COLUMNS, out);
	free(title);
	put_events(attempt, out);
	if (attempt->has_total) {
		put_window(attempt, out);
		str_addc(out, '\n');
		put_rates(&attempt->total, "all clients", out);
		str_addc(out, '\n');
		put_latencies(&attempt->total, out);
	}
	for (size_t i = 0; i < attempt->jobs.n; i++)
		put_job(c, attempt, i, out);
	str_addc(out, '\n');
	put_clients(attempt, out);
	put_remarks(attempt, out);
	report_proof(attempt, out);
}

void
report_detail(const struct results_case *c, struct str *out)
{
	struct str text = {0};

	str_addf(&text, "case %s: %s over %s (%s), %s, %u client%s", c->id, c->storage,
	    c->transport, c->path, c->workload, c->clients, c->clients == 1 ? "" : "s");
	wrap_print(text.s, 0, 2, REPORT_COLUMNS, out);
	str_clear(&text);
	for (vec_each(const struct results_param *, p, &c->params))
		str_addf(&text, "%s%s=%s", text.len ? " " : "", p->name, p->value);
	if (text.len)
		wrap_print(text.s, 2, 2, REPORT_COLUMNS, out);
	str_free(&text);
	for (vec_each(const struct fio_note *, note, &c->notes)) {
		char *line = fio_note_line(note);

		wrap_print(line, 2, 4, REPORT_COLUMNS, out);
		free(line);
	}
	if (c->attempts.n == 0)
		str_add(out, "  not run yet\n");
	for (vec_each(struct results_attempt *const *, one, &c->attempts))
		put_attempt(c, &(*one)->attempt, out);
}
