/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fio's JSON, and json+ with the histograms' buckets.  Figures are of the I/Os that
 * completed inside the window; fio writes 0 where there is nothing.
 */
#include <inttypes.h>
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

#define NS_PER_MS 1e6

struct report_list {
	json_t *jobs;
	bool bins;
};

static double
known(double value)
{
	return isnan(value) ? 0 : value;
}

static json_t *
percentiles_json(const struct hist *hist, const struct job *job)
{
	json_t *ret = json_object();
	size_t n;
	const double *list = figures_percentiles(job, &n);
	char key[32];

	for (size_t i = 0; i < n; i++) {
		snprintf(key, sizeof key, "%f", list[i]);
		json_object_set_new(ret, key,
		    json_integer((json_int_t)hist_percentile_fio(hist, list[i])));
	}
	return ret;
}

static json_t *
bins_json(const struct hist *hist)
{
	json_t *ret = json_object();
	char key[24];

	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		if (hist->bucket[i] == 0)
			continue;
		snprintf(key, sizeof key, "%" PRIu64, hist_midpoint(i));
		json_object_set_new(
		    ret, key, json_integer((json_int_t)hist->bucket[i]));
	}
	return ret;
}

static json_t *
hist_json(const struct report_list *list, const struct hist *hist, const struct job *job,
    bool percentiles)
{
	bool any = hist->count > 0;
	json_t *ret = json_pack("{s:I, s:I, s:f, s:f, s:I}", "min",
	    (json_int_t)(any ? hist->min : 0), "max", (json_int_t)(any ? hist->max : 0),
	    "mean", known(hist_mean(hist)), "stddev", known(hist_stddev(hist)), "N",
	    (json_int_t)hist->count);

	if (!percentiles || !any)
		return ret;
	json_object_set_new(ret, "percentile", percentiles_json(hist, job));
	if (list->bins)
		json_object_set_new(ret, "bins", bins_json(hist));
	return ret;
}

static json_t *
dir_json(const struct report_list *list, const struct job *job,
    const struct dir_tally *figures, uint64_t runtime)
{
	const struct job_output *output = &job->output;
	uint64_t ios = figures->phase[METER_INSIDE].ios;
	uint64_t bytes = figures->phase[METER_INSIDE].bytes;
	double bw = figures_per_s(bytes, runtime);

	return json_pack("{s:I, s:I, s:I, s:I, s:f, s:I, s:I, s:o, s:o, s:o}",
	    "io_bytes", (json_int_t)bytes, "io_kbytes", (json_int_t)(bytes / 1024),
	    "bw_bytes", (json_int_t)bw, "bw", (json_int_t)(bw / 1024), "iops",
	    figures_per_s(ios, runtime), "runtime",
	    (json_int_t)llround((double)runtime / NS_PER_MS), "total_ios",
	    (json_int_t)ios, "slat_ns",
	    hist_json(list, &figures->slat, job, output->slat_percentiles), "clat_ns",
	    hist_json(list, &figures->clat, job, output->clat_percentiles), "lat_ns",
	    hist_json(list, &figures->lat, job, output->lat_percentiles));
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
set_usage(json_t *object, const struct tally *tally)
{
	const struct tally_usage *usage = &tally->usage;

	json_object_set_new(
	    object, "usr_cpu", json_real(known(figures_cpu(tally, tally->cpu_user_ns))));
	json_object_set_new(
	    object, "sys_cpu", json_real(known(figures_cpu(tally, tally->cpu_sys_ns))));
	if (!usage->known)
		return;
	json_object_set_new(object, "ctx", json_integer((json_int_t)usage->switches));
	json_object_set_new(
	    object, "majf", json_integer((json_int_t)usage->major_faults));
	json_object_set_new(
	    object, "minf", json_integer((json_int_t)usage->minor_faults));
}

void
report_list_add(struct report_list *list, const struct report_entry *entry)
{
	const struct tally *tally = entry->tally;
	const struct job *job = entry->job;
	const struct hist *sync = &tally->dir[DIR_WRITE].sync;
	struct dir_tally *no_trim = mem_alloc(sizeof *no_trim);
	json_t *options = json_object(), *object;

	job_each(job, option_json, options);
	object = json_pack("{s:s, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:I}", "jobname",
	    job->name, "groupid", (int)entry->group, "error",
	    entry->failure ? entry->failure->errnum : 0, "job options", options, "read",
	    dir_json(list, job, &tally->dir[DIR_READ], entry->runtime_ns[DIR_READ]),
	    "write",
	    dir_json(list, job, &tally->dir[DIR_WRITE], entry->runtime_ns[DIR_WRITE]),
	    "trim", dir_json(list, job, no_trim, 0), "sync",
	    json_pack("{s:I, s:o}", "total_ios",
		(json_int_t)(job->fsync ? sync->count : 0), "lat_ns",
		hist_json(list, sync, job, true)),
	    "job_runtime", (json_int_t)llround((double)entry->threads_ns / NS_PER_MS));
	free(no_trim);
	set_usage(object, tally);
	set_target(object, job, tally);
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
	list->bins = bins;
	return list;
}

void
report_list_print(struct report_list *list, FILE *out)
{
	json_t *root = json_pack("{s:s, s:s, s:I, s:O}", "fio version", "fio-3.33",
	    "volley version", PACKAGE_VERSION, "timestamp",
	    (json_int_t)(clock_wall_ns() / UNITS_NS_PER_S), "jobs", list->jobs);

	json_dumpf(root, out, JSON_INDENT(2));
	fputc('\n', out);
	json_decref(root);
}

void
report_list_free(struct report_list *list)
{
	if (list)
		json_decref(list->jobs);
	free(list);
}
