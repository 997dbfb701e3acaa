/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON in the shape of `fio --client --output-format=json+` (fio 3.33), for programs
 * that read that: an entry for each client of a run, in the plan's order, then its
 * "All clients"; the latest run's stands last (docs/fio-results.md).
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/report/json-notes.h"
#include "controller/report/report.h"
#include "controller/store/jtext.h"
#include "lib/base/units.h"
#include "lib/fiojson/steady.h"
#include "lib/fiojson/write.h"
#include "lib/work/steady.h"

#define ALL_CLIENTS "All clients"
#define FIO_VERSION "fio-3.33" /* whose format this is */
#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)

struct fio_writer {
	const struct results *head;
	struct str *out;
	json_t *entries;
	struct fio_style style;
	uint64_t ended_wall_ns; /* of the last attempt written */
	json_int_t group;       /* how many attempts were written */
};

static void
set(json_t *object, const char *name, json_t *value)
{
	json_object_set_new(object, name, value);
}

/* ---- which figures ---- */

/* Where a client's figures begin and end, ns since T; to 0: not known. */
static void
client_span(const struct tally *tally, uint64_t *ret_from, uint64_t *ret_to)
{
	*ret_from = tally->window_from;
	*ret_to = tally->window_to;
	if (tally->window_to != UINT64_MAX)
		return;
	if (tally->has_first_io && tally->first_io_ns > (int64_t)tally->window_from)
		*ret_from = (uint64_t)tally->first_io_ns;
	*ret_to = tally->has_first_io && tally->end_ns > *ret_from ? tally->end_ns : 0;
}

/* An import has no span, but its rate came from one. */
static uint64_t
stated_runtime(uint64_t bytes, double bytes_per_s)
{
	if (!(bytes_per_s > 0) || !isfinite(bytes_per_s))
		return 0;
	return (uint64_t)((double)bytes / bytes_per_s * (double)NS_PER_S);
}

static struct fio_figures
client_figures(const struct tally *tally, enum dir dir)
{
	const struct dir_tally *d = &tally->dir[dir];
	struct fio_figures ret = {.ios = d->phase[METER_INSIDE].ios,
	    .bytes = d->phase[METER_INSIDE].bytes,
	    .tally = d};

	results_client_rate(tally, dir, &ret.bytes_per_s, &ret.iops);
	if (ret.ios == 0)
		ret.bytes_per_s = ret.iops = 0;
	if (tally->imported) {
		ret.runtime_ns = stated_runtime(ret.bytes, ret.bytes_per_s);
	} else if (ret.ios) {
		client_span(tally, &ret.from, &ret.to);
		ret.runtime_ns = ret.to > ret.from ? ret.to - ret.from : 0;
		if (d->times.own) {
			ret.from = d->times.last_from_ns;
			ret.to = d->times.first_to_ns;
			ret.runtime_ns = d->times.busy_ns;
		}
	}
	return ret;
}

/* The longest run of the clients that are in the sum. */
static uint64_t
longest_run(const struct attempt *attempt, enum dir dir)
{
	uint64_t longest = 0;

	for (vec_each(const struct attempt_client *, client, &attempt->clients)) {
		uint64_t from, to;

		if (client->outcome != CLIENT_OK || !client->tally)
			continue;
		client_span(client->tally, &from, &to);
		if (client->tally->dir[dir].times.own)
			to = from + client->tally->dir[dir].times.busy_ns;
		if (to > from && to - from > longest)
			longest = to - from;
	}
	return longest;
}

/*
 * Rates are those of the window that all clients share.  Size-bound jobs: counts and
 * latencies are of the clients' whole runs, the rate is of what they have in common.
 */
static struct fio_figures
all_figures(const struct attempt *attempt, enum dir dir)
{
	const struct total *total = &attempt->total;
	const struct total_dir *all = &total->dir[dir];
	const struct dir_tally *d = &total->merged->dir[dir];
	struct fio_figures ret = {.ios = d->phase[METER_INSIDE].ios,
	    .bytes = d->phase[METER_INSIDE].bytes,
	    .tally = d};

	if (ret.ios == 0)
		return ret;
	ret.iops = all->iops;
	ret.bytes_per_s = all->bytes_per_s;
	if (total->merged->imported) {
		ret.runtime_ns = stated_runtime(ret.bytes, all->fio_bytes_per_s);
		return ret;
	}
	ret.from = all->window_from;
	ret.to = all->window_from + all->window_ns;
	ret.runtime_ns = total->window_kind == TOTAL_WINDOW_FIXED
			     ? total->window_ns
			     : longest_run(attempt, dir);
	return ret;
}

/* ---- entries ---- */

static json_t *
options_json(
    const struct results_case *c, const char *name, const results_params *params)
{
	json_t *ret = json_object();

	set(ret, "name", jtext(name));
	if (c->path && *c->path)
		set(ret, "directory", jtext(c->path));
	for (vec_each(const struct results_param *, param, params))
		if (job_option_name(param->name))
			set(ret, param->name, jtext(param->value));
	return ret;
}

/* The errno that stands for it; the text is in "volley". */
static int
error_of(const struct attempt_client *client, const struct tally *tally)
{
	static const int errors[CLIENT_OUTCOME_COUNT] = {
	    [CLIENT_PENDING] = ETIMEDOUT,
	    [CLIENT_FAILED] = EIO,
	    [CLIENT_STALLED] = ETIMEDOUT,
	    [CLIENT_NOT_STARTED] = ECANCELED,
	    [CLIENT_LOST] = ECONNRESET,
	    [CLIENT_ABORTED] = ECANCELED,
	};

	if (client->outcome == CLIENT_OK && tally && tally->io_errors)
		return EIO;
	return errors[client->outcome];
}

/* That of the first client that has one; clients that are not there count, too. */
static int
error_of_all(const struct attempt *attempt)
{
	for (vec_each(const struct attempt_client *, client, &attempt->clients))
		if (error_of(client, client->tally))
			return error_of(client, client->tally);
	if (attempt->has_total && !results_is_counted(&attempt->total))
		return 0; /* a table knows no clients */
	return attempt->error || attempt->clients.n < attempt->clients_expected
		   ? ECANCELED
		   : 0;
}

/* fio's are per cent of the time that all threads together ran; cpu_wall_ns is the
 * clients' time added up. */
static void
set_cpu(json_t *entry, const struct tally *tally, size_t clients)
{
	double of =
	    (double)tally->cpu_wall_ns * (double)tally->threads / (double)clients;

	if (!(of > 0))
		return;
	set(entry, "usr_cpu", json_real(100.0 * (double)tally->cpu_user_ns / of));
	set(entry, "sys_cpu", json_real(100.0 * (double)tally->cpu_sys_ns / of));
}

static bool
is_on(const results_params *params, const char *name)
{
	for (vec_each(const struct results_param *, param, params))
		if (strcmp(param->name, name) == 0)
			return strcmp(param->value, "0") != 0;
	return false;
}

/* Trims are none: volley does not send any. */
static void
set_figures(json_t *entry, const results_params *params,
    const struct fio_figures figures[DIR_COUNT], const struct tally *tally,
    const struct fio_style *style)
{
	bool others = is_on(params, "fdatasync") || is_on(params, "sync_file_range");

	for (int dir = 0; dir < DIR_COUNT; dir++)
		set(entry, dir_name((enum dir)dir),
		    fio_direction_json(&figures[dir], style));
	set(entry, "trim", fio_nothing_json());
	set(entry, "sync", fio_sync_json(&tally->dir[DIR_WRITE].sync,
			       is_on(params, "fsync"), others, style));
}

static double
number_param(const struct results_case *c, const char *name, double otherwise)
{
	const char *text = results_case_param(c, name);
	char *end;
	double value = text ? strtod(text, &end) : 0;

	return text && end > text && *end == '\0' ? value : otherwise;
}

static uint64_t
time_param_ns(const struct results_case *c, const char *name)
{
	const char *text = results_case_param(c, name);
	uint64_t ns;

	return text && units_parse_time(text, 1, &ns, NULL) == 0 ? ns : 0;
}

/* What was asked for; without a target the depth is that of the job.  Units as in fio:
 * the target in ns, the window in us. */
static void
set_latency_target(
    json_t *entry, const struct results_case *c, const struct tally *tally)
{
	uint64_t target = time_param_ns(c, "latency_target");
	double depth = (double)tally->latency_depth;

	if (target == 0)
		depth = number_param(c, "iodepth", 0);
	if (depth > 0)
		set(entry, "latency_depth", json_integer((json_int_t)depth));
	set(entry, "latency_target", jtext_u64(target));
	set(entry, "latency_percentile",
	    json_real(number_param(c, "latency_percentile", 100)));
	set(entry, "latency_window",
	    jtext_u64(time_param_ns(c, "latency_window") / 1000));
}

/* Worked out again of what the client did; the sum of all clients was never judged. */
static void
set_steady(json_t *entry, const results_params *params, const struct tally *tally)
{
	struct job job;

	job_init(&job);
	for (vec_each(const struct results_param *, param, params))
		if (str_starts(param->name, "steadystate"))
			job_set(&job, param->name, param->value, NULL);
	if (steady_wanted(&job) && !tally->imported)
		set(entry, "steadystate", fio_steady_json(&job, tally));
	job_free(&job);
}

/* fio adds up the time that each thread ran, whatever it did; 0: not known. */
static uint64_t
threads_ns(const struct tally *tally, const struct fio_figures figures[DIR_COUNT])
{
	uint64_t from = 0, to = figures[DIR_READ].runtime_ns;

	if (figures[DIR_WRITE].runtime_ns > to)
		to = figures[DIR_WRITE].runtime_ns;
	if (!tally->imported)
		client_span(tally, &from, &to);
	return to > from ? tally->threads * (to - from) : 0;
}

/* Those of the clients that are in the sum. */
static uint64_t
all_threads_ns(const struct attempt *attempt, const struct fio_figures figures[DIR_COUNT])
{
	uint64_t sum = 0;

	if (attempt->total.merged->imported)
		return threads_ns(attempt->total.merged, figures);
	for (vec_each(const struct attempt_client *, client, &attempt->clients))
		if (client->outcome == CLIENT_OK && client->tally)
			sum += threads_ns(client->tally, figures);
	return sum;
}

static void
set_job_runtime(json_t *entry, uint64_t ns)
{
	if (ns)
		set(entry, "job_runtime", jtext_u64((ns + NS_PER_MS / 2) / NS_PER_MS));
}

static json_t *
entry_json(const struct fio_writer *writer, const char *name, int error,
    const struct results_case *c)
{
	json_t *ret = json_object();

	set(ret, "jobname", jtext(name));
	set(ret, "groupid", json_integer(writer->group));
	set(ret, "error", json_integer(error));
	set(ret, "job options", options_json(c, c->workload, &c->params));
	return ret;
}

/* What fio's shape has no place for: which case this is, and its worth. */
static json_t *
volley_json(const struct results_case *c, const struct attempt *attempt)
{
	json_t *ret = json_object();

	set(ret, "case", jtext(c->id));
	set(ret, "storage", jtext(c->storage));
	set(ret, "transport", jtext(c->transport));
	set(ret, "workload", jtext(c->workload));
	set(ret, "clients", json_integer(c->clients));
	set(ret, "repeat", json_integer(attempt->repeat));
	set(ret, "attempt", json_integer(attempt->attempt));
	set(ret, "state", jtext(attempt_state_name(attempt->state)));
	return ret;
}

/* One client's entry: of one job (its number), or of all (job is jobs.n). */
static void
add_entry(struct fio_writer *writer, const struct results_case *c,
    const struct attempt *attempt, const struct attempt_client *client,
    const struct tally *tally, size_t job)
{
	const struct results_job *of = job < c->jobs.n ? &c->jobs.v[job] : NULL;
	json_t *entry = entry_json(writer, of ? of->name : c->workload,
	    error_of(client, tally), c);
	json_t *own = volley_json(c, attempt);

	if (of)
		set(entry, "job options", options_json(c, of->name, &of->params));
	if (tally && tally->io_errors) {
		set(entry, "total_err", jtext_u64(tally->io_errors));
		set(entry, "first_error", json_integer(EIO));
	}
	if (tally) {
		struct fio_figures figures[DIR_COUNT];

		for (int dir = 0; dir < DIR_COUNT; dir++)
			figures[dir] = client_figures(tally, (enum dir)dir);
		set_figures(entry, of ? &of->params : &c->params, figures, tally,
		    &writer->style);
		set_job_runtime(entry, threads_ns(tally, figures));
		set_cpu(entry, tally, 1);
		fio_set_usage(entry, &tally->usage);
		fio_set_latency_maps(entry, tally);
		set_latency_target(entry, c, tally);
		set_steady(entry, of ? &of->params : &c->params, tally);
	}
	set(entry, "hostname", jtext(client->agent));
	set(own, "outcome", jtext(client_outcome_name(client->outcome)));
	set(own, "error", jtext(client->error));
	set(entry, "volley", own);
	json_array_append_new(writer->entries, entry);
}

/* As fio: jobs that are reported as a group have one entry for each client. */
static bool
is_grouped(const struct results_case *c)
{
	for (vec_each(const struct results_job *, job, &c->jobs))
		if (!is_on(&job->params, "group_reporting"))
			return false;
	return true;
}

static void
add_client(struct fio_writer *writer, const struct results_case *c,
    const struct attempt *attempt, const struct attempt_client *client)
{
	const struct tally *tally = client->tally;

	if (!tally || is_grouped(c)) {
		add_entry(writer, c, attempt, client, tally, c->jobs.n);
		return;
	}
	for (size_t i = 0; i < tally_job_count(tally); i++)
		add_entry(writer, c, attempt, client, tally_job(tally, i),
		    tally_job(tally, i)->job);
}

static json_t *
codes_json(const struct attempt *attempt)
{
	json_t *ret = json_array();

	for (vec_each(const struct attempt_reason *, reason, &attempt->reasons))
		json_array_append_new(ret, jtext(reason->code));
	return ret;
}

static void
set_window(json_t *own, const struct attempt *attempt)
{
	bool known = attempt->has_total && !results_is_imported(attempt);
	const struct total *total = &attempt->total;

	set(own, "window_ns", known ? jtext_u64(total->window_ns) : json_null());
	set(own, "overlap", jtext_real(known ? total->overlap : NAN));
	set(own, "skew_ns",
	    known && total->has_skew ? jtext_u64(total->skew_ns) : json_null());
}

/* Nobody counted these I/Os: rates and means are all there is. */
static void
set_stated(json_t *entry, const struct total *total)
{
	for (int dir = 0; dir < DIR_COUNT; dir++) {
		const struct total_dir *d = &total->dir[dir];
		struct fio_figures figures = {.iops = d->iops,
		    .bytes_per_s = d->bytes_per_s,
		    .tally = &total->merged->dir[dir]};

		if (d->present)
			set(entry, dir_name((enum dir)dir), fio_stated_json(&figures));
	}
}

static void
add_all(struct fio_writer *writer, const struct results_case *c,
    const struct attempt *attempt)
{
	json_t *entry = entry_json(writer, ALL_CLIENTS, error_of_all(attempt), c);
	json_t *own = volley_json(c, attempt);

	if (attempt->has_total && !results_is_counted(&attempt->total)) {
		set_stated(entry, &attempt->total);
	} else if (attempt->has_total) {
		const struct tally *merged = attempt->total.merged;
		struct fio_figures figures[DIR_COUNT];

		for (int dir = 0; dir < DIR_COUNT; dir++)
			figures[dir] = all_figures(attempt, (enum dir)dir);
		set_figures(entry, &c->params, figures, merged, &writer->style);
		set_job_runtime(entry, all_threads_ns(attempt, figures));
		set_cpu(entry, merged, attempt->total.clients);
		fio_set_usage(entry, &merged->usage);
		fio_set_latency_maps(entry, merged);
		set_latency_target(entry, c, merged);
	}
	set(entry, "hostname", json_string(ALL_CLIENTS));
	set(own, "clients_expected", json_integer(attempt->clients_expected));
	set(own, "clients_reported", json_integer(results_reported(attempt)));
	set_window(own, attempt);
	set(own, "reasons", codes_json(attempt));
	json_set_notes(own, &c->notes);
	set(entry, "volley", own);
	json_array_append_new(writer->entries, entry);
}

/* ---- the document ---- */

static void *
begin(const struct results *head, struct str *out, bool bins)
{
	struct fio_writer *writer = mem_alloc(sizeof *writer);

	writer->head = head;
	writer->out = out;
	writer->entries = json_array();
	writer->style.bins = bins;
	writer->ended_wall_ns = head->ended_wall_ns;
	return writer;
}

static void *
begin_plain(const struct results *head, struct str *out)
{
	return begin(head, out, false);
}

static void *
begin_plus(const struct results *head, struct str *out)
{
	return begin(head, out, true);
}

static void
fio_case(void *arg, const struct results_case *c)
{
	struct fio_writer *writer = arg;

	fio_style_percentiles(&writer->style, results_case_param(c, "percentile_list"));
	for (vec_each(struct results_attempt *const *, one, &c->attempts)) {
		const struct attempt *attempt = &(*one)->attempt;

		for (vec_each(const struct attempt_client *, client, &attempt->clients))
			add_client(writer, c, attempt, client);
		add_all(writer, c, attempt);
		writer->ended_wall_ns = attempt->ended_wall_ns;
		writer->group++;
	}
}

/* "fio-3.33-volley-0.1.0": tools that take versions apart see which format it is, as
 * with fio's own development versions; people see who wrote it. */
static json_t *
version_json(const char *generator)
{
	struct str text = {0};
	json_t *ret;

	str_addf(&text, "%s-%s", FIO_VERSION, generator);
	for (char *p = text.s; *p; p++)
		if (*p == ' ')
			*p = '-';
	ret = jtext(text.s);
	str_free(&text);
	return ret;
}

static void
fio_end(void *arg)
{
	struct fio_writer *writer = arg;
	json_t *root = json_object();
	char *text;

	set(root, "fio version", version_json(writer->head->generator));
	fio_set_time(root, writer->ended_wall_ns);
	set(root, "global options", json_object());
	set(root, "client_stats", writer->entries);
	text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
	str_add(writer->out, text);
	str_addc(writer->out, '\n');
	free(text);
	json_decref(root);
	vec_free(&writer->style.percentiles);
	free(writer);
}

const struct report_format report_fio_json = {"fio-json",
    "as fio --client --output-format=json", true, begin_plain, fio_case, fio_end};
const struct report_format report_fio_json_plus = {"fio-json+",
    "as fio --client --output-format=json+, with latency bins", true, begin_plus,
    fio_case, fio_end};
