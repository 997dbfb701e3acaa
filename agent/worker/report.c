/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The summary.  Figures are of the I/Os that completed inside the window; what the
 * drain delivered is named beside them.
 */
#include "agent/worker/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "agent/worker/figures.h"

#define NS_PER_MS 1e6
#define MIB 1048576.0
#define MB 1e6
#define COUNT(array) (sizeof(array) / sizeof *(array))

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
report_text_percentiles(
    FILE *out, const struct job *job, const char *name, const struct hist *hist)
{
	struct report_unit unit = report_unit_for(hist);
	size_t n;
	const double *list = figures_percentiles(job, &n);

	fprintf(out, "    %s percentiles (%s):\n", name, unit.name);
	for (size_t i = 0; i < n; i++) {
		fprintf(out, "%s%5.2fth=[%10.2f]%s", i % 4 == 0 ? "     | " : " ",
		    list[i], hist_percentile_any(hist, list[i]) / unit.ns,
		    i + 1 == n	 ? "\n"
		    : i % 4 == 3 ? ",\n"
				 : ",");
	}
}

/* significant_figures: digits behind the point until there are so many. */
static int
report_decimals(const struct job *job, double value)
{
	int digits = (int)job->output.significant_figures;

	for (; value >= 1 && digits > 0; value /= 10)
		digits--;
	return digits;
}

static void
report_text_rates(FILE *out, const struct report_entry *entry, enum dir dir)
{
	const struct dir_tally *figures = &entry->tally->dir[dir];
	const struct job *job = entry->job;
	uint64_t runtime = entry->runtime_ns[dir];
	uint64_t ios = figures->phase[METER_INSIDE].ios;
	uint64_t bytes = figures->phase[METER_INSIDE].bytes;
	double bw = figures_per_s(bytes, runtime), iops = figures_per_s(ios, runtime);

	fprintf(out,
	    "  %s: IOPS=%.*f, BW=%.*fMiB/s (%.*fMB/s)(%.1fMiB in %.0fms; %" PRIu64
	    " I/Os)\n",
	    dir_name(dir), report_decimals(job, iops), iops,
	    report_decimals(job, bw / MIB), bw / MIB, report_decimals(job, bw / MB),
	    bw / MB, (double)bytes / MIB, (double)runtime / NS_PER_MS, ios);
}

static void
report_text_dir(FILE *out, const struct report_entry *entry, enum dir dir)
{
	const struct dir_tally *figures = &entry->tally->dir[dir];
	const struct job *job = entry->job;
	const struct {
		const char *name;
		const struct hist *hist;
		bool percentiles;
	} kinds[] = {{"slat", &figures->slat, job->output.slat_percentiles},
	    {"clat", &figures->clat, job->output.clat_percentiles},
	    {"lat", &figures->lat, job->output.lat_percentiles}};

	report_text_rates(out, entry, dir);
	for (size_t i = 0; i < COUNT(kinds); i++)
		report_text_hist(out, kinds[i].name, kinds[i].hist);
	if (figures->response.count > 0)
		report_text_hist(out, "response", &figures->response);
	if (figures->sync.count > 0)
		report_text_hist(out, "sync", &figures->sync);
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (kinds[i].percentiles && kinds[i].hist->count > 0)
			report_text_percentiles(out, job, kinds[i].name, kinds[i].hist);
	if (figures->phase[METER_AFTER].ios > 0)
		report_text_hist(out, "drain", &figures->drain);
}

void
report_text(FILE *out, const struct report_entry *entry)
{
	const struct tally *tally = entry->tally;
	const struct job *job = entry->job;

	fprintf(out,
	    "%s: rw=%s, ioengine=%s, iodepth=%u, jobs=%" PRIu64 ", direct=%d, err=%d\n",
	    job->name, job_rw_name(job->rw), job->ioengine, job->iodepth, tally->threads,
	    tally->direct, entry->failure ? entry->failure->errnum : 0);
	for (int dir = 0; dir < DIR_COUNT; dir++)
		if (tally_has(tally, (enum dir)dir))
			report_text_dir(out, entry, (enum dir)dir);
	if (tally->cpu_wall_ns == 0)
		fprintf(out, "  cpu: n/a");
	else
		fprintf(out, "  cpu: usr=%.2f%%, sys=%.2f%%",
		    figures_cpu(tally, tally->cpu_user_ns),
		    figures_cpu(tally, tally->cpu_sys_ns));
	if (tally->usage.known)
		fprintf(out, ", ctx=%" PRIu64 ", majf=%" PRIu64 ", minf=%" PRIu64,
		    tally->usage.switches, tally->usage.major_faults,
		    tally->usage.minor_faults);
	fprintf(
	    out, "\n  window: from %.0fms to ", (double)tally->window_from / NS_PER_MS);
	if (tally->window_to == UINT64_MAX)
		fprintf(out, "the end");
	else
		fprintf(out, "%.0fms", (double)tally->window_to / NS_PER_MS);
	if (tally->end_ns == 0) /* a thread that never came to its end did not say */
		fprintf(out, ", last completion unknown\n");
	else
		fprintf(out, ", last completion %.0fms after the start\n",
		    (double)tally->end_ns / NS_PER_MS);
	if (tally->outstanding > 0)
		fprintf(out, "  outstanding: %" PRIu64 " I/Os, the oldest for %.0fms\n",
		    tally->outstanding,
		    (double)tally->oldest_outstanding_ns / NS_PER_MS);
	if (tally->io_errors > 0)
		fprintf(out, "  I/O errors: %" PRIu64 "\n", tally->io_errors);
}
