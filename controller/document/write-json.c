/* SPDX-License-Identifier: Apache-2.0 */
/* JSON: schema volley.report (docs/report-schema.md).  Unknown is null. */
#include <jansson.h>
#include <math.h>

#include "controller/analyze/ceiling.h"
#include "controller/document/format.h"
#include "controller/report/json-notes.h"
#include "controller/store/jtext.h"

static void
set(json_t *object, const char *name, json_t *value)
{
	json_object_set_new(object, name, value);
}

/* ---- where it comes from ---- */

static json_t *
hosts_json(const struct results *head)
{
	json_t *ret = json_array();

	for (vec_each(const struct results_host *, host, &head->hosts)) {
		json_t *one = json_object(), *facts = json_object();

		for (vec_each(const struct results_fact *, it, &host->facts))
			set(facts, it->name,
			    it->is_number && it->value
				? json_integer(strtoll(it->value, NULL, 10))
				: jtext(it->value));
		set(one, "agent", jtext(host->agent));
		set(one, "facts", facts);
		json_array_append_new(ret, one);
	}
	return ret;
}

static json_t *
utc_json(uint64_t wall_ns)
{
	char utc[RESULTS_UTC_BUF];

	return wall_ns ? json_string(results_utc(utc, wall_ns)) : json_null();
}

static json_t *
sources_json(const struct dossier *dossier)
{
	json_t *ret = json_array();

	for (vec_each(const struct dossier_source *, it, &dossier->sources)) {
		json_t *one = json_object();

		set(one, "path", jtext(it->path));
		set(one, "plan", jtext(it->head.plan));
		set(one, "plan_text", jtext(it->head.plan_text));
		set(one, "generator", jtext(it->head.generator));
		set(one, "arguments",
		    jtext_array((const char *const *)it->head.arguments.v,
			it->head.arguments.n));
		set(one, "seed", jtext_u64(it->head.seed));
		set(one, "started_utc", utc_json(it->head.started_wall_ns));
		set(one, "ended_utc", utc_json(it->head.ended_wall_ns));
		set(one, "hosts", hosts_json(&it->head));
		json_array_append_new(ret, one);
	}
	return ret;
}

/* ---- cells ---- */

static json_t *
line_json(const struct summary *it)
{
	json_t *ret = json_object();

	set(ret, "direction",
	    it->has_figures ? json_string(dir_name(it->dir)) : json_null());
	set(ret, "state",
	    json_string(it->repeats ? attempt_state_name(it->state) : "NOT_RUN"));
	set(ret, "repeats", json_integer(it->repeats));
	set(ret, "clients_reported", json_integer(it->clients));
	set(ret, "clients_expected", json_integer(it->of));
	set(ret, "bytes_per_s", jtext_real(it->bytes_per_s));
	set(ret, "bytes_per_s_lowest", jtext_real(it->bytes_low));
	set(ret, "bytes_per_s_highest", jtext_real(it->bytes_high));
	set(ret, "bytes_per_s_rsd", jtext_real(it->rsd));
	set(ret, "iops", jtext_real(it->iops));
	set(ret, "iops_lowest", jtext_real(it->iops_low));
	set(ret, "iops_highest", jtext_real(it->iops_high));
	set(ret, "slat_mean_ns", jtext_real(it->slat.mean));
	set(ret, "clat_mean_ns", jtext_real(it->clat.mean));
	set(ret, "lat_mean_ns", jtext_real(it->lat.mean));
	set(ret, "lat_p99_ns", jtext_real(it->lat.p99));
	set(ret, "lat_p99_9_ns", jtext_real(it->lat.p99_9));
	set(ret, "skew_ns", jtext_real(it->skew_ns));
	return ret;
}

static json_t *
curves_json(const struct dossier_case *c)
{
	json_t *ret = json_array();

	for (vec_each(const struct dossier_curve *, curve, &c->curves)) {
		json_t *one = json_object(), *points = json_array();

		for (vec_each(const struct dossier_point *, it, &curve->points))
			json_array_append_new(
			    points, json_pack("[f, f]", it->percent, it->ns));
		set(one, "direction", json_string(dir_name(curve->dir)));
		set(one, "percent_ns", points);
		json_array_append_new(ret, one);
	}
	return ret;
}

static json_t *
runs_json(const struct dossier_case *c)
{
	json_t *ret = json_array();

	for (vec_each(struct results_attempt *const *, it, &c->c.attempts)) {
		const struct attempt *attempt = &(*it)->attempt;
		json_t *one = json_object(), *reasons = json_array();

		for (vec_each(const struct attempt_reason *, r, &attempt->reasons)) {
			json_t *reason = json_object();

			set(reason, "code", jtext(r->code));
			set(reason, "agent", jtext(r->agent));
			set(reason, "text", jtext(r->text));
			set(reason, "makes",
			    json_string(attempt_state_name(r->makes)));
			json_array_append_new(reasons, reason);
		}
		set(one, "repeat", json_integer(attempt->repeat));
		set(one, "attempt", json_integer(attempt->attempt));
		set(one, "state", json_string(attempt_state_name(attempt->state)));
		set(one, "started_utc", utc_json(attempt->started_wall_ns));
		set(one, "reasons", reasons);
		json_array_append_new(ret, one);
	}
	return ret;
}

static json_t *
params_json(const struct results_case *c)
{
	json_t *ret = json_object();

	for (vec_each(const struct results_param *, it, &c->params))
		set(ret, it->name,
		    it->is_number ? jtext_real(strtod(it->value, NULL))
				  : jtext(it->value));
	return ret;
}

static json_t *
cells_json(const struct dossier *dossier)
{
	json_t *ret = json_array();

	for (vec_each(const struct dossier_case *, c, &dossier->cases)) {
		const struct cell *cell = dossier_cell(dossier, c);
		json_t *one = json_object(), *lines = json_array();

		for (vec_each(const struct summary *, it, &c->lines.lines))
			json_array_append_new(lines, line_json(it));
		set(one, "source", json_integer(c->source + 1));
		set(one, "case_id", jtext(c->c.id));
		set(one, "storage", jtext(c->c.storage));
		set(one, "workload", jtext(c->c.workload));
		set(one, "axis", jtext(c->axis));
		set(one, "transport", jtext(c->c.transport));
		set(one, "clients", json_integer(c->c.clients));
		set(one, "params", params_json(&c->c));
		json_set_notes(one, &c->c.notes);
		set(one, "ceiling_bytes_per_s",
		    jtext_real(cell ? ceiling_of(cell) : NAN));
		set(one, "figures", lines);
		set(one, "latency_curves", curves_json(c));
		set(one, "runs", runs_json(c));
		json_array_append_new(ret, one);
	}
	return ret;
}

/* ---- what was found ---- */

static json_t *
changes_json(const struct dossier *dossier)
{
	json_t *ret = json_array();

	for (vec_each(const struct change *, it, &dossier->changes.list)) {
		const struct contrast *c = &it->contrast;
		json_t *one = json_object();

		set(one, "storage", jtext(it->rdma->storage));
		set(one, "workload", jtext(it->rdma->workload));
		set(one, "axis", jtext(it->rdma->axis));
		set(one, "clients", json_integer(it->rdma->clients));
		set(one, "metric", json_string(metrics[c->metric].name));
		set(one, "tcp", jtext_real(c->base));
		set(one, "rdma", jtext_real(c->value));
		set(one, "effect", jtext_real(c->effect));
		set(one, "effect_low", jtext_real(c->low));
		set(one, "effect_high", jtext_real(c->high));
		set(one, "n", json_integer(c->n));
		set(one, "verdict",
		    json_string(verdict_name(
			change_verdict(it, dossier->thresholds.anomaly))));
		json_array_append_new(ret, one);
	}
	return ret;
}

/* The same objects that `volley analyze -o json` and `volley rank -o json` write. */
static json_t *
findings_object(const struct dossier *dossier, const char *generator)
{
	struct analysis_head head = {.generator = generator,
	    .cells = dossier->model.cells.n};
	struct str text = {0};
	json_t *ret;

	findings_json(&dossier->findings, &head, &dossier->thresholds, &text);
	ret = json_loads(text.s, 0, NULL);
	str_free(&text);
	return ret;
}

static json_t *
ranking_object(const struct dossier *dossier, const char *generator)
{
	struct str text = {0};
	json_t *ret;

	ranking_json(&dossier->ranking, generator, &text);
	ret = json_loads(text.s, 0, NULL);
	str_free(&text);
	return ret;
}

static void
write_json(const struct publication *publication, struct str *out)
{
	const struct dossier *dossier = publication->dossier;
	json_t *root = json_object();
	char *text;

	set(root, "schema", json_string(DOCUMENT_SCHEMA));
	set(root, "schema_version", json_integer(DOCUMENT_SCHEMA_VERSION));
	set(root, "generator", json_string(publication->generator));
	set(root, "sources", sources_json(dossier));
	set(root, "cells", cells_json(dossier));
	set(root, "rdma_against_tcp", changes_json(dossier));
	set(root, "analysis", findings_object(dossier, publication->generator));
	set(root, "ranking", ranking_object(dossier, publication->generator));
	text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
	str_add(out, text);
	str_addc(out, '\n');
	free(text);
	json_decref(root);
}

const struct document_format document_json = {
    "json", "everything the report shows, for programs", false, write_json};
