/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fio's JSON, and json+ with the histograms' buckets.  Figures are of the I/Os that
 * completed inside the window; fio writes 0 where there is nothing.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "agent/worker/figures.h"
#include "agent/worker/report.h"
#include "config.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"
#include "lib/fiojson/steady.h"
#include "lib/fiojson/write.h"

#define NS_PER_MS 1e6

struct report_list {
	json_t *jobs, *warnings;
	bool bins;
};

static double
known(double value)
{
	return isnan(value) ? 0 : value;
}

/* percentile_list, and which latencies have any. */
static void
style_init(struct fio_style *style, const struct job *job, bool bins)
{
	const struct job_output *output = &job->output;
	size_t n;
	const double *list = figures_percentiles(job, &n);

	*style = (struct fio_style){.bins = bins,
	    .plain = {[TALLY_SLAT] = !output->slat_percentiles,
		[TALLY_CLAT] = !output->clat_percentiles,
		[TALLY_LAT] = !output->lat_percentiles}};
	for (size_t i = 0; i < n; i++)
		vec_push(&style->percentiles, list[i]);
}

static void
set_dir(json_t *object, const struct report_entry *entry, enum dir dir,
    const struct fio_style *style)
{
	const struct tally *tally = entry->tally;
	const struct dir_tally *d = &tally->dir[dir];
	uint64_t runtime = entry->runtime_ns[dir];
	struct fio_figures figures = {.ios = d->phase[METER_INSIDE].ios,
	    .bytes = d->phase[METER_INSIDE].bytes,
	    .runtime_ns = runtime,
	    .from = d->times.own ? d->times.last_from_ns : tally->window_from,
	    .to = d->times.own ? d->times.first_to_ns : tally->window_to,
	    .tally = d};

	if (figures.to > tally->end_ns)
		figures.to = tally->end_ns;
	figures.iops = figures_per_s(figures.ios, runtime);
	figures.bytes_per_s = figures_per_s(figures.bytes, runtime);
	json_object_set_new(object, dir_name(dir), fio_direction_json(&figures, style));
}

static void
option_json(
    void *arg, const char *name, const char *value, bool is_number, bool is_default)
{
	(void)is_number;
	if (!is_default)
		json_object_set_new(arg, name, json_string(value));
}

/* Of no use without latency_target, but fio has them always. */
static void
set_target(json_t *object, const struct job *job, const struct tally *tally)
{
	const struct job_pacing *pacing = &job->pacing;
	uint64_t depth = tally->latency_depth ? tally->latency_depth : job->iodepth;

	json_object_set_new(object, "latency_depth", json_integer((json_int_t)depth));
	json_object_set_new(
	    object, "latency_target", json_integer((json_int_t)pacing->target_ns));
	json_object_set_new(
	    object, "latency_percentile", json_real(pacing->target_percentile));
	json_object_set_new(object, "latency_window",
	    json_integer((json_int_t)(pacing->window_ns / UNITS_NS_PER_US)));
}

static void
set_cpu(json_t *object, const struct tally *tally)
{
	json_object_set_new(
	    object, "usr_cpu", json_real(known(figures_cpu(tally, tally->cpu_user_ns))));
	json_object_set_new(
	    object, "sys_cpu", json_real(known(figures_cpu(tally, tally->cpu_sys_ns))));
	fio_set_usage(object, &tally->usage);
}

static void
set_figures(json_t *object, const struct report_entry *entry, bool bins)
{
	const struct tally *tally = entry->tally;
	const struct job *job = entry->job;
	struct fio_style style;

	style_init(&style, job, bins);
	for (int dir = 0; dir < DIR_COUNT; dir++)
		set_dir(object, entry, (enum dir)dir, &style);
	json_object_set_new(object, "trim", fio_nothing_json());
	json_object_set_new(object, "sync",
	    fio_sync_json(&tally->dir[DIR_WRITE].sync, job->fsync != 0,
		job->fdatasync || job->files.sfr_every, &style));
	json_object_set_new(object, "job_runtime",
	    json_integer((json_int_t)llround((double)entry->threads_ns / NS_PER_MS)));
	fio_set_latency_maps(object, tally);
	vec_free(&style.percentiles);
}

void
report_list_add(struct report_list *list, const struct report_entry *entry)
{
	const struct job *job = entry->job;
	json_t *options = json_object(), *object;

	job_each(job, option_json, options);
	object = json_pack("{s:s, s:i, s:i, s:o}", "jobname", job->name, "groupid",
	    (int)entry->group, "error", entry->failure ? entry->failure->errnum : 0,
	    "job options", options);
	set_figures(object, entry, list->bins);
	set_cpu(object, entry->tally);
	set_target(object, job, entry->tally);
	if (entry->whole)
		json_object_set_new(
		    object, "steadystate", fio_steady_json(job, entry->whole));
	json_array_append_new(list->jobs, object);
}

struct report_list *
report_list_new(bool bins)
{
	struct report_list *list = mem_alloc(sizeof *list);

	list->jobs = json_array();
	list->warnings = json_array();
	list->bins = bins;
	return list;
}

void
report_list_warn(struct report_list *list, const char *text)
{
	json_array_append_new(list->warnings, json_string(text));
}

void
report_list_print(struct report_list *list, FILE *out)
{
	json_t *root = json_pack(
	    "{s:s, s:s}", "fio version", "fio-3.33", "volley version", PACKAGE_VERSION);

	fio_set_time(root, clock_wall_ns());
	json_object_set(root, "volley warnings", list->warnings);
	json_object_set(root, "jobs", list->jobs);
	json_dumpf(root, out, JSON_INDENT(2));
	fputc('\n', out);
	json_decref(root);
}

void
report_list_free(struct report_list *list)
{
	if (!list)
		return;
	json_decref(list->jobs);
	json_decref(list->warnings);
	free(list);
}
