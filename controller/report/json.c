/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON: the contract that other programs build on (docs/results-schema.md).
 * Fields are only ever added; unknown is null; a direction without I/O is absent.
 */
#include "controller/report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/report/json-notes.h"
#include "controller/report/json-proof.h"
#include "controller/store/jtext.h"
#include "controller/store/kinds.h"

struct json_writer {
	struct str *out;
	json_t *root, *cases;
};

static void
set(json_t *object, const char *name, json_t *value)
{
	json_object_set_new(object, name, value);
}

static json_t *
known_u64(bool known, uint64_t value)
{
	return known ? jtext_u64(value) : json_null();
}

/* A parameter or fact: a number where it is one. */
static json_t *
value_json(const char *text, bool is_number)
{
	json_t *number;

	if (!text || !is_number)
		return jtext(text);
	number = json_loads(text, JSON_DECODE_ANY, NULL);
	return number ? number : jtext(text);
}

static json_t *
latency_json(const struct dir_tally *d, const struct latency_kind *kind, bool counted)
{
	const struct hist *hist = latency_hist(d, kind);
	static const struct {
		const char *name;
		double p;
	} percentiles[] = {{"50", 50}, {"90", 90}, {"95", 95}, {"99", 99},
	    {"99.9", 99.9}, {"99.99", 99.99}};
	json_t *ret = json_object(), *percentile = json_object();

	for (size_t i = 0; i < sizeof percentiles / sizeof *percentiles; i++)
		set(percentile, percentiles[i].name,
		    jtext_real(results_percentile(d, kind, percentiles[i].p)));
	set(ret, "count", known_u64(counted, hist->count));
	set(ret, "mean", jtext_real(hist_mean(hist)));
	set(ret, "stddev", jtext_real(hist_stddev(hist)));
	set(ret, "min", known_u64(counted && hist->count, hist->min));
	set(ret, "max", known_u64(counted && hist->count, hist->max));
	set(ret, "percentile", percentile);
	return ret;
}

static void
set_latencies(json_t *object, const struct dir_tally *d, bool counted)
{
	for (const struct latency_kind *kind = latency_kinds; kind->name; kind++) {
		const struct hist *hist = latency_hist(d, kind);
		char name[24];

		snprintf(name, sizeof name, "%s_ns", kind->name);
		if (kind->always || hist->count)
			set(object, name, latency_json(d, kind, counted));
	}
}

static json_t *
all_dir_json(const struct total *total, enum dir dir)
{
	const struct total_dir *d = &total->dir[dir];
	bool imported = total->merged->imported, counted = results_is_counted(total);
	json_t *ret = json_object();

	set(ret, "bytes_per_s", jtext_real(d->bytes_per_s));
	set(ret, "iops", jtext_real(d->iops));
	set(ret, "ios", known_u64(counted, d->ios));
	set(ret, "bytes", known_u64(counted, d->bytes));
	set(ret, "window_from_ns", known_u64(!imported, d->window_from));
	set(ret, "window_ns", known_u64(!imported, d->window_ns));
	set(ret, "fio_style_bytes_per_s", jtext_real(d->fio_bytes_per_s));
	set(ret, "fio_style_iops", jtext_real(d->fio_iops));
	set(ret, "sum_of_clients_bytes_per_s", jtext_real(d->sum_bytes_per_s));
	set(ret, "sum_of_clients_iops", jtext_real(d->sum_iops));
	set(ret, "common_bytes_per_s", jtext_real(d->common_bytes_per_s));
	set(ret, "common_iops", jtext_real(d->common_iops));
	set_latencies(ret, &total->merged->dir[dir], counted);
	return ret;
}

static json_t *
all_clients_json(const struct total *total, bool has)
{
	json_t *ret = json_object();

	for (int dir = 0; has && dir < DIR_COUNT; dir++)
		if (total->dir[dir].present)
			set(ret, dir_name(dir), all_dir_json(total, dir));
	return ret;
}

static json_t *
client_dir_json(const struct tally *tally, enum dir dir)
{
	const struct dir_tally *d = &tally->dir[dir];
	double bytes_per_s, iops;
	json_t *ret = json_object();

	results_client_rate(tally, dir, &bytes_per_s, &iops);
	set(ret, "bytes_per_s", jtext_real(bytes_per_s));
	set(ret, "iops", jtext_real(iops));
	set(ret, "ios", jtext_u64(d->phase[METER_INSIDE].ios));
	set(ret, "bytes", jtext_u64(d->phase[METER_INSIDE].bytes));
	set_latencies(ret, d, true);
	return ret;
}

/* Per cent of one CPU; a worker with many threads has more than 100. */
static json_t *
cpu_json(const struct tally *tally, uint64_t ns)
{
	return jtext_real(
	    tally->cpu_wall_ns ? 100.0 * (double)ns / (double)tally->cpu_wall_ns : NAN);
}

static void
set_tally(json_t *object, const struct tally *tally)
{
	bool own = !tally->imported;

	for (int dir = 0; dir < DIR_COUNT; dir++)
		if (tally_has(tally, dir))
			set(object, dir_name(dir), client_dir_json(tally, dir));
	set(object, "cpu_user_pct", cpu_json(tally, tally->cpu_user_ns));
	set(object, "cpu_sys_pct", cpu_json(tally, tally->cpu_sys_ns));
	set(object, "threads", known_u64(own || tally->threads, tally->threads));
	set(object, "outstanding", known_u64(own, tally->outstanding));
	set(object, "oldest_outstanding_ns",
	    known_u64(own, tally->oldest_outstanding_ns));
	set(object, "io_errors", known_u64(own || tally->io_errors, tally->io_errors));
	set(object, "direct",
	    own || tally->direct ? json_boolean(tally->direct) : json_null());
	set(object, "fifo", own ? json_boolean(tally->fifo) : json_null());
}

static json_t *
client_json(const struct attempt_client *client)
{
	const struct offset *offset = &client->offset;
	bool started = client->tally && client->tally->has_first_io;
	json_t *ret = json_object();

	set(ret, "agent", jtext(client->agent));
	set(ret, "state", jtext(client_outcome_name(client->outcome)));
	set(ret, "error", jtext(client->error));
	set(ret, "first_io_offset_ns",
	    started ? json_integer(client->first_io_ns) : json_null());
	set(ret, "clock_offset_ns",
	    offset->valid ? json_integer(offset->offset_ns) : json_null());
	set(ret, "clock_bound_ns", known_u64(offset->valid, offset->bound_ns));
	set(ret, "clock_rtt_ns", known_u64(offset->valid, offset->rtt_ns));
	if (client->tally)
		set_tally(ret, client->tally);
	else
		for (const char *const *name = (const char *const[]){"cpu_user_pct",
			 "cpu_sys_pct", "threads", "outstanding",
			 "oldest_outstanding_ns", "io_errors", "direct", "fifo", NULL};
		     *name; name++)
			set(ret, *name, json_null());
	json_set_proof(ret, client);
	return ret;
}

static json_t *
reasons_json(const struct attempt *attempt)
{
	json_t *ret = json_array();

	for (vec_each(const struct attempt_reason *, reason, &attempt->reasons)) {
		json_t *one = json_object();

		set(one, "code", jtext(reason->code));
		set(one, "agent", jtext(reason->agent));
		set(one, "text", jtext(reason->text));
		set(one, "makes", jtext(attempt_state_name(reason->makes)));
		json_array_append_new(ret, one);
	}
	return ret;
}

static json_t *
events_json(const struct attempt *attempt)
{
	json_t *ret = json_array();

	for (vec_each(const struct attempt_event *, event, &attempt->events)) {
		json_t *one = json_object();

		set(one, "at_ns", json_integer(event->at_ns));
		set(one, "agent", jtext(event->agent));
		set(one, "text", jtext(event->text));
		json_array_append_new(ret, one);
	}
	return ret;
}

static void
set_skew(json_t *object, const struct total *total, bool has)
{
	set(object, "skew_ns", known_u64(has && total->has_skew, total->skew_ns));
	set(object, "skew_bound_ns",
	    known_u64(has && total->has_skew, total->skew_bound_ns));
}

static void
set_window(json_t *object, const struct total *total, bool has)
{
	const char *kind =
	    total->window_kind == TOTAL_WINDOW_FIXED ? "fixed" : "common";

	set(object, "window_ns", known_u64(has, total->window_ns));
	set(object, "window_kind", jtext(has ? kind : NULL));
	set(object, "window_from_ns", known_u64(has, total->window_from));
	set(object, "window_bound_ns", known_u64(has, total->window_bound_ns));
	set(object, "common_window_ns", known_u64(has, total->common_ns));
	set(object, "overlap", jtext_real(has ? total->overlap : NAN));
	set(object, "latency_in_window",
	    has ? json_boolean(total->latency_in_window) : json_null());
	set(object, "first_done_ns", known_u64(has, total->first_done_ns));
	set(object, "last_done_ns", known_u64(has, total->last_done_ns));
	set(object, "outstanding", known_u64(has, total->outstanding));
	set(object, "outstanding_share",
	    jtext_real(has ? total->outstanding_share : NAN));
}

static json_t *
params_json(const results_params *params)
{
	json_t *ret = json_object();

	for (vec_each(const struct results_param *, param, params))
		set(ret, param->name, value_json(param->value, param->is_number));
	return ret;
}

static bool
writes(const struct results_case *c)
{
	const char *rw = results_case_param(c, "rw");

	return !rw || !strstr(rw, "read") || strstr(rw, "write");
}

static void
set_case(json_t *object, const struct results_case *c)
{
	set(object, "id", jtext(c->id));
	set(object, "storage", jtext(c->storage));
	set(object, "transport", jtext(c->transport));
	set(object, "path", jtext(c->path));
	set(object, "workload", jtext(c->workload));
	set(object, "clients", json_integer(c->clients));
	set(object, "params", params_json(&c->params));
	json_set_notes(object, &c->notes);
	/* the plan cannot ask for it yet, so nobody knows what was written before */
	if (writes(c))
		set(object, "preconditioned", json_string("unknown"));
}

/* What one client did in one job. */
static json_t *
job_client_json(const struct attempt_client *client, const struct tally *tally)
{
	json_t *ret = json_object();
	/* The client's is the earliest of its jobs'. */
	int64_t first = client->first_io_ns + tally->first_io_ns -
			client->tally->first_io_ns;

	set(ret, "agent", jtext(client->agent));
	set(ret, "state", jtext(client_outcome_name(client->outcome)));
	set(ret, "first_io_offset_ns",
	    tally->has_first_io ? json_integer(first) : json_null());
	set_tally(ret, tally);
	return ret;
}

/* Of a case with several jobs: what each of them is, and came to. */
static json_t *
jobs_json(const struct results_case *c, const struct attempt *attempt)
{
	json_t *ret = json_array();

	for (size_t i = 0; i < attempt->jobs.n; i++) {
		const struct attempt_job *job = &attempt->jobs.v[i];
		json_t *one = json_object(), *clients = json_array();

		set(one, "name", jtext(job->name));
		set(one, "params",
		    i < c->jobs.n ? params_json(&c->jobs.v[i].params) : json_object());
		set(one, "clients_expected", json_integer(job->clients_expected));
		set(one, "clients",
		    json_integer(job->has_total ? (json_int_t)job->total.clients : 0));
		set_skew(one, &job->total, job->has_total);
		set_window(one, &job->total, job->has_total);
		set(one, "all_clients",
		    all_clients_json(&job->total, job->has_total));
		for (vec_each(const struct attempt_client *, client, &attempt->clients))
			for (size_t k = 0;
			     client->tally && k < tally_job_count(client->tally); k++)
				if (tally_job(client->tally, k)->job == i)
					json_array_append_new(clients,
					    job_client_json(
						client, tally_job(client->tally, k)));
		set(one, "per_client", clients);
		json_array_append_new(ret, one);
	}
	return ret;
}

static json_t *
attempt_json(const struct results_case *c, const struct results_attempt *one)
{
	const struct attempt *attempt = &one->attempt;
	json_t *ret = json_object(), *clients = json_array();
	bool imported = results_is_imported(attempt);
	char utc[RESULTS_UTC_BUF];

	set_case(ret, c);
	set(ret, "repeat", json_integer(attempt->repeat));
	set(ret, "attempt", json_integer(attempt->attempt));
	set(ret, "order_position", known_u64(one->order_position, one->order_position));
	set(ret, "seed", known_u64(!imported, attempt->seed));
	set(ret, "started_utc", jtext(results_utc(utc, attempt->started_wall_ns)));
	set(ret, "ended_utc", jtext(results_utc(utc, attempt->ended_wall_ns)));
	set(ret, "state", jtext(attempt_state_name(attempt->state)));
	set(ret, "error", jtext(attempt->error));
	set(ret, "transport_proof",
	    jtext(proof_verdict_name(attempt_proof(attempt))));
	set(ret, "reasons", reasons_json(attempt));
	set(ret, "clients_expected", json_integer(attempt->clients_expected));
	set(ret, "clients_reported", json_integer(results_reported(attempt)));
	set_skew(ret, &attempt->total, attempt->has_total && !imported);
	set(ret, "max_skew_ns", known_u64(!imported, attempt->max_skew_ns));
	set_window(ret, &attempt->total, attempt->has_total && !imported);
	set(ret, "all_clients",
	    all_clients_json(&attempt->total, attempt->has_total));
	if (attempt->jobs.n)
		set(ret, "jobs", jobs_json(c, attempt));
	for (vec_each(const struct attempt_client *, client, &attempt->clients))
		json_array_append_new(clients, client_json(client));
	set(ret, "per_client", clients);
	set(ret, "events", events_json(attempt));
	return ret;
}

static json_t *
hosts_json(const struct results *head)
{
	json_t *ret = json_array();

	for (vec_each(const struct results_host *, host, &head->hosts)) {
		json_t *one = json_object(), *facts = json_array();

		for (vec_each(const struct results_fact *, fact, &host->facts))
			json_array_append_new(facts,
			    json_pack("{s:o, s:o}", "name", jtext(fact->name), "value",
				value_json(fact->value, fact->is_number)));
		set(one, "agent", jtext(host->agent));
		set(one, "facts", facts);
		json_array_append_new(ret, one);
	}
	return ret;
}

static json_t *
commands_json(const struct results *head)
{
	json_t *ret = json_array();

	for (vec_each(const struct results_command *, command, &head->commands)) {
		json_t *one = json_object();

		set(one, "storage", jtext(command->storage));
		set(one, "transport", jtext(command->transport));
		set(one, "name", jtext(command->name));
		set(one, "agent", jtext(command->agent));
		set(one, "duration_ns",
		    jtext_u64(command->ended_wall_ns - command->started_wall_ns));
		set(one, "problem", jtext(command->problem));
		set(one, "output", jtext(command->output));
		json_array_append_new(ret, one);
	}
	return ret;
}

static void *
json_begin(const struct results *head, struct str *out)
{
	struct json_writer *writer = mem_alloc(sizeof *writer);
	json_t *root = json_object();
	char utc[RESULTS_UTC_BUF];
	bool ended = head->ended_wall_ns != 0;

	writer->out = out;
	writer->root = root;
	writer->cases = json_array();
	set(root, "schema", json_string(REPORT_SCHEMA));
	set(root, "schema_version", json_integer(REPORT_SCHEMA_VERSION));
	set(root, "generator", jtext(head->generator));
	set(root, "plan", jtext(head->plan));
	set(root, "started_utc", jtext(results_utc(utc, head->started_wall_ns)));
	set(root, "ended_utc",
	    jtext(ended ? results_utc(utc, head->ended_wall_ns) : NULL));
	set(root, "arguments",
	    jtext_array((const char *const *)head->arguments.v, head->arguments.n));
	set(root, "seed", jtext_u64(head->seed));
	set(root, "runs", json_integer(head->runs));
	set(root, "hosts", hosts_json(head));
	set(root, "commands", commands_json(head));
	set(root, "cases", writer->cases);
	return writer;
}

static void
json_case(void *arg, const struct results_case *c)
{
	struct json_writer *writer = arg;

	for (vec_each(struct results_attempt *const *, one, &c->attempts))
		json_array_append_new(writer->cases, attempt_json(c, *one));
}

static void
json_end(void *arg)
{
	struct json_writer *writer = arg;
	char *text = json_dumps(writer->root, JSON_INDENT(1) | JSON_REAL_PRECISION(15));

	str_add(writer->out, text);
	str_addc(writer->out, '\n');
	free(text);
	json_decref(writer->root);
	free(writer);
}

const struct report_format report_json = {
    "json", "everything, for programs", true, json_begin, json_case, json_end};
