/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The summary and fio's JSON.  Figures are of the I/Os that completed inside the
 * window; what the drain delivered is named beside them.
 */
#include "agent/worker/report.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "config.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"

#define NS_PER_MS 1e6
#define MIB 1048576.0
#define MB 1e6

/* fio's default percentile_list */
static const double report_percentiles[] = {
    1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};
#define REPORT_PERCENTILES (sizeof report_percentiles / sizeof report_percentiles[0])

/* How long the window was: as planned, or up to the last completion. */
static uint64_t
report_runtime_ns(const struct tally *tally)
{
	uint64_t to = tally->window_to;

	if (to == UINT64_MAX || tally->end_ns < to)
		to = tally->end_ns;
	return to > tally->window_from ? to - tally->window_from : 0;
}

static double
report_per_s(uint64_t n, uint64_t runtime_ns)
{
	return runtime_ns ? (double)n * 1e9 / (double)runtime_ns : 0;
}

/* Average share of one CPU per thread, as fio states it. */
static double
report_cpu(const struct tally *tally, uint64_t cpu_ns)
{
	if (tally->cpu_wall_ns == 0 || tally->threads == 0)
		return NAN;
	return 100.0 * (double)cpu_ns /
	       ((double)tally->cpu_wall_ns * (double)tally->threads);
}

/* The unit in which fio would print a latency. */
struct report_unit {
	const char *name;
	double ns;
};

static struct report_unit
report_unit_for(const struct hist *hist)
{
	double mean = hist_mean(hist);

	if (mean >= 2e6)
		return (struct report_unit){"msec", 1e6};
	if (mean >= 2e3)
		return (struct report_unit){"usec", 1e3};
	return (struct report_unit){"nsec", 1};
}

static void
report_text_hist(FILE *out, const char *name, const struct hist *hist)
{
	struct report_unit unit = report_unit_for(hist);
	double stddev = hist_stddev(hist);

	if (hist->count == 0) {
		fprintf(out, "    %8s: n/a\n", name);
		return;
	}
	fprintf(out,
	    "    %8s (%s): min=%.2f, max=%.2f, avg=%.2f, stdev=%.2f, n=%" PRIu64 "\n",
	    name, unit.name, (double)hist->min / unit.ns, (double)hist->max / unit.ns,
	    hist_mean(hist) / unit.ns, isnan(stddev) ? 0 : stddev / unit.ns,
	    hist->count);
}

static void
report_text_percentiles(FILE *out, const struct hist *hist)
{
	struct report_unit unit = report_unit_for(hist);

	fprintf(out, "    clat percentiles (%s):\n", unit.name);
	for (size_t i = 0; i < REPORT_PERCENTILES; i++) {
		fprintf(out, "%s%5.2fth=[%10.2f]%s", i % 4 == 0 ? "     | " : " ",
		    report_percentiles[i],
		    hist_percentile_any(hist, report_percentiles[i]) / unit.ns,
		    i + 1 == REPORT_PERCENTILES ? "\n"
		    : i % 4 == 3                ? ",\n"
						: ",");
	}
}

static void
report_text_dir(FILE *out, const struct tally *tally, enum dir dir)
{
	const struct dir_tally *figures = &tally->dir[dir];
	uint64_t runtime = report_runtime_ns(tally);
	uint64_t ios = figures->phase[METER_INSIDE].ios;
	uint64_t bytes = figures->phase[METER_INSIDE].bytes;
	double bw = report_per_s(bytes, runtime);

	fprintf(out,
	    "  %s: IOPS=%.1f, BW=%.2fMiB/s (%.2fMB/s)(%.1fMiB in %.0fms; %" PRIu64
	    " I/Os)\n",
	    dir_name(dir), report_per_s(ios, runtime), bw / MIB, bw / MB,
	    (double)bytes / MIB, (double)runtime / NS_PER_MS, ios);
	report_text_hist(out, "slat", &figures->slat);
	report_text_hist(out, "clat", &figures->clat);
	report_text_hist(out, "lat", &figures->lat);
	if (figures->response.count > 0)
		report_text_hist(out, "response", &figures->response);
	if (figures->sync.count > 0)
		report_text_hist(out, "sync", &figures->sync);
	if (figures->clat.count > 0)
		report_text_percentiles(out, &figures->clat);
	if (figures->phase[METER_AFTER].ios > 0)
		report_text_hist(out, "drain", &figures->drain);
}

void
report_text(FILE *out, const struct job *job, const struct tally *tally,
    const struct err *failure)
{
	fprintf(out, "%s: rw=%s, ioengine=%s, iodepth=%u, jobs=%u, direct=%d, err=%d\n",
	    job->name, job_rw_name(job->rw), job->ioengine, job->iodepth, job->numjobs,
	    tally->direct, failure ? failure->errnum : 0);
	for (int dir = 0; dir < DIR_COUNT; dir++)
		if (tally_has(tally, (enum dir)dir))
			report_text_dir(out, tally, (enum dir)dir);
	fprintf(out, "  cpu: usr=%.2f%%, sys=%.2f%%\n",
	    report_cpu(tally, tally->cpu_user_ns),
	    report_cpu(tally, tally->cpu_sys_ns));
	fprintf(
	    out, "  window: from %.0fms to ", (double)tally->window_from / NS_PER_MS);
	if (tally->window_to == UINT64_MAX)
		fprintf(out, "the end");
	else
		fprintf(out, "%.0fms", (double)tally->window_to / NS_PER_MS);
	fprintf(out, ", last completion %.0fms after the start\n",
	    (double)tally->end_ns / NS_PER_MS);
	if (tally->outstanding > 0)
		fprintf(out, "  outstanding: %" PRIu64 " I/Os, the oldest for %.0fms\n",
		    tally->outstanding,
		    (double)tally->oldest_outstanding_ns / NS_PER_MS);
	if (tally->io_errors > 0)
		fprintf(out, "  I/O errors: %" PRIu64 "\n", tally->io_errors);
}

/* fio writes 0 where there is nothing. */
static double
report_known(double value)
{
	return isnan(value) ? 0 : value;
}

static json_t *
report_json_hist(const struct hist *hist, bool percentiles)
{
	bool any = hist->count > 0;
	json_t *object = json_pack("{s:I, s:I, s:f, s:f, s:I}", "min",
	    (json_int_t)(any ? hist->min : 0), "max", (json_int_t)(any ? hist->max : 0),
	    "mean", report_known(hist_mean(hist)), "stddev",
	    report_known(hist_stddev(hist)), "N", (json_int_t)hist->count);
	json_t *list;
	char key[32];

	if (!percentiles || !any)
		return object;
	list = json_object();
	for (size_t i = 0; i < REPORT_PERCENTILES; i++) {
		double value = hist_percentile_any(hist, report_percentiles[i]);

		snprintf(key, sizeof key, "%.6f", report_percentiles[i]);
		json_object_set_new(list, key, json_integer((json_int_t)value));
	}
	json_object_set_new(object, "percentile", list);
	return object;
}

static json_t *
report_json_dir(const struct tally *tally, enum dir dir)
{
	const struct dir_tally *figures = &tally->dir[dir];
	uint64_t runtime = report_runtime_ns(tally);
	uint64_t ios = figures->phase[METER_INSIDE].ios;
	uint64_t bytes = figures->phase[METER_INSIDE].bytes;
	double bw = report_per_s(bytes, runtime);

	return json_pack("{s:I, s:I, s:I, s:I, s:f, s:I, s:I, s:o, s:o, s:o}",
	    "io_bytes", (json_int_t)bytes, "io_kbytes", (json_int_t)(bytes / 1024),
	    "bw_bytes", (json_int_t)bw, "bw", (json_int_t)(bw / 1024), "iops",
	    report_per_s(ios, runtime), "runtime",
	    (json_int_t)(ios ? llround((double)runtime / NS_PER_MS) : 0), "total_ios",
	    (json_int_t)ios, "slat_ns", report_json_hist(&figures->slat, false),
	    "clat_ns", report_json_hist(&figures->clat, true), "lat_ns",
	    report_json_hist(&figures->lat, false));
}

static void
report_json_option(
    void *arg, const char *name, const char *value, bool is_number, bool is_default)
{
	(void)is_number;
	if (!is_default)
		json_object_set_new(arg, name, json_string(value));
}

static json_t *
report_json_job(const struct job *job, unsigned group, const struct tally *tally,
    const struct err *failure)
{
	json_t *options = json_object();

	job_each(job, report_json_option, options);
	return json_pack("{s:s, s:i, s:i, s:o, s:o, s:o, s:o, s:I, s:f, s:f}",
	    "jobname", job->name, "groupid", (int)group, "error", failure ? failure->errnum : 0,
	    "job options", options, "read", report_json_dir(tally, DIR_READ), "write",
	    report_json_dir(tally, DIR_WRITE), "sync",
	    json_pack("{s:I, s:o}", "total_ios",
		(json_int_t)tally->dir[DIR_WRITE].sync.count, "lat_ns",
		report_json_hist(&tally->dir[DIR_WRITE].sync, true)),
	    "job_runtime", (json_int_t)llround((double)tally->end_ns / NS_PER_MS),
	    "usr_cpu", report_known(report_cpu(tally, tally->cpu_user_ns)), "sys_cpu",
	    report_known(report_cpu(tally, tally->cpu_sys_ns)));
}

struct report_list {
	json_t *jobs;
};

struct report_list *
report_list_new(void)
{
	struct report_list *list = mem_alloc(sizeof *list);

	list->jobs = json_array();
	return list;
}

void
report_list_add(struct report_list *list, const struct job *job, unsigned group,
    const struct tally *tally, const struct err *failure)
{
	json_array_append_new(list->jobs, report_json_job(job, group, tally, failure));
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
