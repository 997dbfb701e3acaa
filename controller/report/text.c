/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table that `volley run` ends with: per workload, one line per case and state,
 * the denominators in view, and beneath it in sentences what is wrong with what.
 */
#include "controller/report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "controller/report/notes.h"
#include "controller/report/summary.h"
#include "controller/report/table.h"
#include "lib/base/units.h"

#define BIG_BLOCK 65536.0 /* from here on bytes/s matter, below I/Os per second */

/* A line of a table; figures wait for the unit of the whole table. */
struct text_line {
	char *storage, *transport, *why;
	unsigned clients;
	bool not_run;
	struct summary summary;
};

struct text_group {
	char *title, *what;
	bool big, has[DIR_COUNT];
	double window_min, window_max; /* ns; NAN: no attempt has one */
	VEC(struct text_line) lines;
	struct notes notes;
};

struct text_writer {
	struct str *out;
	const struct results *head;
	VEC(struct text_group) groups;
	unsigned cases, states[ATTEMPT_INVALID + 1];
	bool withheld;
};

enum column {
	COL_STORAGE,
	COL_TRANSPORT,
	COL_CLIENTS,
	COL_DIR,
	COL_REPEATS,
	COL_STATE,
	COL_RATE,
	COL_LAT,
	COL_SLAT,
	COL_CLAT,
	COL_P99,
	COL_P99_9,
	COL_SPREAD,
	COL_SKEW,
	COLUMNS
};

/* Mean bytes per I/O decide: the option may differ between directions. */
static bool
is_big(const struct results_case *c)
{
	const char *bs = results_case_param(c, "bs");

	for (vec_each(struct results_attempt *const *, one, &c->attempts)) {
		const struct attempt *attempt = &(*one)->attempt;
		uint64_t ios = 0, bytes = 0;

		for (int dir = 0; attempt->has_total && dir < DIR_COUNT; dir++) {
			ios += attempt->total.dir[dir].ios;
			bytes += attempt->total.dir[dir].bytes;
		}
		if (ios)
			return (double)bytes / (double)ios >= BIG_BLOCK;
	}
	return bs && strtod(bs, NULL) >= BIG_BLOCK;
}

/* Bytes with their unit: "4096-65536" and "4096/60:65536/40" (percents stay). */
static void
put_sizes(struct str *text, const char *value)
{
	char bytes[UNITS_BUF];

	for (const char *s = value; *s;) {
		size_t digits = strspn(s, "0123456789");

		if (digits && (s == value || s[-1] != '/'))
			str_add(text, units_bytes(bytes, strtod(s, NULL)));
		else
			str_addn(text, s, digits ? digits : 1);
		s += digits ? digits : 1;
	}
}

/* "randread, bs 4 KiB, iodepth 32, numjobs 8, libaio, direct 1": what is the same in
 * all of its cases. */
static char *
describe(const struct results_case *c)
{
	static const char *const shown[] = {
	    "rw", "bs", "bsrange", "bssplit", "iodepth", "numjobs", "ioengine", "direct"};
	struct str text = {0};

	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		for (vec_each(const struct results_param *, p, &c->params)) {
			if (strcmp(p->name, shown[i]) != 0 || p->is_axis)
				continue;
			str_add(&text, text.len ? ", " : "");
			if (strcmp(p->name, "rw") == 0 ||
			    strcmp(p->name, "ioengine") == 0)
				str_add(&text, p->value);
			else if (strncmp(p->name, "bs", 2) == 0) {
				str_addf(&text, "%s ", p->name);
				put_sizes(&text, p->value);
			} else
				str_addf(&text, "%s %s", p->name, p->value);
		}
	return str_take(&text);
}

/* "rand-read-4k, iodepth=8, numjobs=1": a table of its own for each swept value. */
static char *
title_of(const struct results_case *c)
{
	struct str text = {0};

	str_add(&text, c->workload);
	for (vec_each(const struct results_param *, p, &c->params))
		if (p->is_axis)
			str_addf(&text, ", %s=%s", p->name, p->value);
	return str_take(&text);
}

static struct text_group *
find_group(struct text_writer *writer, const struct results_case *c)
{
	struct text_group *group;
	char *title = title_of(c), *what = describe(c);

	/* The same name with other options is another workload. */
	for (vec_each(struct text_group *, it, &writer->groups))
		if (strcmp(it->title, title) == 0 && strcmp(it->what, what) == 0) {
			free(title);
			free(what);
			return it;
		}
	group = vec_add(&writer->groups);
	group->title = title;
	group->what = what;
	group->big = is_big(c);
	group->window_min = group->window_max = NAN;
	return group;
}

static void
add_line(struct text_group *group, const struct results_case *c,
    const struct summary *summary)
{
	struct text_line *line = vec_add(&group->lines);

	line->storage = mem_strdup(c->storage);
	line->transport = mem_strdup(c->transport);
	line->why = mem_strdup(summary->why);
	line->clients = c->clients;
	line->not_run = summary->repeats == 0;
	line->summary = *summary;
	line->summary.why = NULL;
	if (summary->has_figures)
		group->has[summary->dir] = true;
}

/* The denominator of every rate in the table. */
static void
add_windows(struct text_group *group, const struct results_case *c)
{
	for (vec_each(struct results_attempt *const *, one, &c->attempts)) {
		const struct attempt *attempt = &(*one)->attempt;

		if (!attempt->has_total || attempt->state == ATTEMPT_INVALID ||
		    results_is_imported(attempt))
			continue;
		for (int dir = 0; dir < DIR_COUNT; dir++) {
			const struct total_dir *d = &attempt->total.dir[dir];

			if (!d->present)
				continue;
			group->window_min =
			    fmin(group->window_min, (double)d->window_ns);
			group->window_max =
			    fmax(group->window_max, (double)d->window_ns);
		}
	}
}

static void
put_what(const struct text_group *group, struct str *out)
{
	struct str text = {0};
	char from[UNITS_BUF], to[UNITS_BUF];

	units_ns(from, group->window_min);
	units_ns(to, group->window_max);
	str_add(&text, group->what);
	if (!isnan(group->window_min))
		str_addf(&text, "; window %s", from);
	if (strcmp(from, to) != 0)
		str_addf(&text, " to %s", to);
	wrap_print(text.s, 2, 2, REPORT_COLUMNS, out);
	str_free(&text);
}

static void *
text_begin(const struct results *head, struct str *out)
{
	struct text_writer *writer = mem_alloc(sizeof *writer);

	writer->out = out;
	writer->head = head;
	return writer;
}

static void
text_case(void *arg, const struct results_case *c)
{
	struct text_writer *writer = arg;
	struct text_group *group = find_group(writer, c);
	struct summaries summaries;

	writer->cases++;
	for (size_t i = 0; i < c->attempts.n; i++)
		if (results_is_latest(c, i))
			writer->states[c->attempts.v[i]->attempt.state]++;
	summary_make(c, &summaries);
	for (vec_each(const struct summary *, summary, &summaries.lines))
		add_line(group, c, summary);
	vec_free(&summaries.lines);
	notes_of_case(&group->notes, c);
	add_windows(group, c);
}

static void
put_state(struct table *table, const struct text_line *line)
{
	const struct summary *s = &line->summary;

	if (line->not_run)
		table_add(table, "not run");
	else if (s->state == ATTEMPT_INVALID && line->why)
		table_addf(table, "INVALID %s", line->why);
	else
		table_add(table, attempt_state_name(s->state));
}

static void
put_figure(struct table *table, double value)
{
	char buf[FIGURE_BUF];

	table_add(table, figure_text(buf, value));
}

/* In the column's unit; of a table that states only the other, that one with its own. */
static void
put_rate(struct table *table, bool big, const struct summary *s)
{
	double gib_per_s = s->bytes_per_s / 1073741824.0;
	double wanted = big ? gib_per_s : s->iops, other = big ? s->iops : gib_per_s;
	char buf[FIGURE_BUF];

	if (!isnan(wanted) || isnan(other)) {
		put_figure(table, wanted);
		return;
	}
	char *text =
	    mem_printf("%s %s", figure_text(buf, other), big ? "IOPS" : "GiB/s");
	table_add(table, text);
	free(text);
}

static void
put_figures(struct table *table, const struct text_group *group,
    const struct summary *s, double unit_ns)
{
	put_rate(table, group->big, s);
	put_figure(table, s->lat.mean / unit_ns);
	if (s->slat.counted)
		put_figure(table, s->slat.mean / unit_ns);
	else
		table_add(table, s->clat.counted ? "n/a" : "unknown");
	put_figure(table, s->clat.mean / unit_ns);
	put_figure(table, s->lat.p99 / unit_ns);
	put_figure(table, s->lat.p99_9 / unit_ns);
	if (s->repeats < 2)
		table_add(table, "-");
	else
		put_figure(table, s->rsd * 100);
}

static void
put_line(struct table *table, const struct text_group *group,
    const struct text_line *line, double unit_ns)
{
	const struct summary *s = &line->summary;
	bool mixed = group->has[DIR_READ] && group->has[DIR_WRITE];

	table_add(table, line->storage);
	table_add(table, line->transport);
	if (s->state == ATTEMPT_PARTIAL)
		table_addf(table, "%u of %u", s->clients, s->of);
	else
		table_addf(table, "%u", line->clients);
	table_add(table, mixed && s->has_figures ? dir_name(s->dir) : "");
	table_addf(table, "%u", s->repeats);
	put_state(table, line);
	/* an INVALID figure in a table is copied without its state */
	if (s->state == ATTEMPT_INVALID || line->not_run)
		for (int i = COL_RATE; i <= COL_SPREAD; i++)
			table_add(table, "-");
	else
		put_figures(table, group, s, unit_ns);
	if (line->not_run)
		table_add(table, "-");
	else
		put_figure(table, s->skew_ns / 1e6);
}

/* Milliseconds, unless every mean is below one. */
static bool
in_microseconds(const struct text_group *group)
{
	double largest = 0;

	for (vec_each(const struct text_line *, line, &group->lines))
		if (line->summary.state != ATTEMPT_INVALID)
			largest = fmax(largest, line->summary.lat.mean);
	return largest > 0 && largest < 1e6;
}

/* Where the table knows more of one figure than of the other (imports), that one. */
static bool
in_bytes(const struct text_group *group)
{
	size_t bytes = 0, ios = 0;

	for (vec_each(const struct text_line *, line, &group->lines)) {
		bytes += !isnan(line->summary.bytes_per_s);
		ios += !isnan(line->summary.iops);
	}
	return bytes == ios ? group->big : bytes > ios;
}

static void
put_group(struct text_writer *writer, struct text_group *group)
{
	bool us = in_microseconds(group);
	const char *unit = us ? "us" : "ms";
	const struct table_column columns[COLUMNS] = {
	    [COL_STORAGE] = {"storage", "", false, 8},
	    [COL_TRANSPORT] = {"via", "", false, 0},
	    [COL_CLIENTS] = {"clients", "", true, 0},
	    [COL_DIR] = {"dir", "", false, 0},
	    [COL_REPEATS] = {"n", "", true, 0},
	    [COL_STATE] = {"state", "", false, 8},
	    [COL_RATE] = {"rate", group->big ? "GiB/s" : "IOPS", true, 0},
	    [COL_LAT] = {"lat", unit, true, 0},
	    [COL_SLAT] = {"slat", unit, true, 0},
	    [COL_CLAT] = {"clat", unit, true, 0},
	    [COL_P99] = {"p99", unit, true, 0},
	    [COL_P99_9] = {"p99.9", unit, true, 0},
	    [COL_SPREAD] = {"spread", "%", true, 0},
	    [COL_SKEW] = {"skew", "ms", true, 0},
	};
	struct table table;

	plain_print(group->title, writer->out);
	str_addc(writer->out, '\n');
	put_what(group, writer->out);
	table_init(&table, columns, COLUMNS);
	for (vec_each(const struct text_line *, line, &group->lines)) {
		writer->withheld =
		    writer->withheld || (line->summary.state == ATTEMPT_INVALID &&
					    line->summary.has_figures);
		put_line(&table, group, line, us ? 1e3 : 1e6);
	}
	table_print(&table, 2, REPORT_COLUMNS, writer->out);
	notes_print(&group->notes, REPORT_COLUMNS, writer->out);
	str_addc(writer->out, '\n');
}

static void
put_foot(struct text_writer *writer)
{
	struct str *out = writer->out;

	str_addf(out, "%u case%s; repeats: %u VALID, %u PARTIAL, %u INVALID\n",
	    writer->cases, writer->cases == 1 ? "" : "s", writer->states[ATTEMPT_VALID],
	    writer->states[ATTEMPT_PARTIAL], writer->states[ATTEMPT_INVALID]);
	wrap_print(
	    "rate: all clients added up inside the window, mean over the n repeats; "
	    "lat, slat, clat: means, p99, p99.9: of lat, all over the I/Os of all "
	    "clients and of the n repeats; spread: standard deviation of the rate "
	    "over the repeats, in % of the mean; skew: largest distance between the "
	    "clients' first I/Os.",
	    0, 0, REPORT_COLUMNS, out);
	if (writer->withheld)
		wrap_print(
		    "Figures of INVALID repeats are not shown here; `volley show DB "
		    "CASE` and -o json have them.",
		    0, 0, REPORT_COLUMNS, out);
}

static void
group_free(struct text_group *group)
{
	for (vec_each(struct text_line *, line, &group->lines)) {
		free(line->storage);
		free(line->transport);
		free(line->why);
	}
	vec_free(&group->lines);
	notes_free(&group->notes);
	free(group->title);
	free(group->what);
}

static void
text_end(void *arg)
{
	struct text_writer *writer = arg;
	const struct results *head = writer->head;
	char utc[RESULTS_UTC_BUF];
	struct str title = {0};

	str_addf(&title, "%s: %s, started %s, seed %" PRIu64, head->plan,
	    head->generator, results_utc(utc, head->started_wall_ns), head->seed);
	wrap_print(title.s, 0, 2, REPORT_COLUMNS, writer->out);
	str_free(&title);
	str_addc(writer->out, '\n');
	for (vec_each(struct text_group *, group, &writer->groups)) {
		group->big = in_bytes(group);
		put_group(writer, group);
		group_free(group);
	}
	vec_free(&writer->groups);
	put_foot(writer);
	free(writer);
}

const struct report_format report_text = {
    "text", "tables and sentences, for people", false, text_begin, text_case, text_end};
