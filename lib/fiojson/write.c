/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figures in fio's shape.  The percentile rule is fio's own: no share of samples must
 * lie beyond, and the bucket's midpoint may lie outside of min and max.
 */
#include "lib/fiojson/write.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lib/base/mem.h"
#include "lib/base/units.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define NS_PER_MS 1000000
#define SLOTS_PER_S 10.0
#define KIB 1024.0

static void
set(json_t *object, const char *name, json_t *value)
{
	json_object_set_new(object, name, value);
}

static void
set_known(json_t *object, const char *name, double value)
{
	if (isfinite(value))
		set(object, name, json_real(value));
}

/* JSON readers stop at INT64_MAX. */
static json_t *
count(uint64_t value)
{
	return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

static json_t *
whole(double value)
{
	return count((uint64_t)value);
}

void
fio_style_percentiles(struct fio_style *style, const char *list)
{
	static const double usual[] = {
	    1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};
	char *end;

	style->percentiles.n = 0;
	while (list && *list) {
		double p = strtod(list, &end);

		if (end == list)
			break;
		vec_push(&style->percentiles, p);
		list = *end ? end + 1 : end;
	}
	for (size_t i = 0; style->percentiles.n == 0 && i < COUNT(usual); i++)
		while (i < COUNT(usual))
			vec_push(&style->percentiles, usual[i++]);
}

/* fio has no buckets from 2^34 ns on; its last one takes them all. */
static unsigned
fio_index(unsigned index)
{
	return index > HIST_FIO_LAST ? HIST_FIO_LAST : index;
}

static json_t *
percentiles_json(const struct hist *hist, const struct fio_style *style)
{
	json_t *ret = json_object();
	char name[32];

	for (vec_each(const double *, p, &style->percentiles)) {
		snprintf(name, sizeof name, "%f", *p);
		set(ret, name, count(hist_percentile_fio(hist, *p)));
	}
	return ret;
}

static json_t *
bins_json(const struct hist *hist)
{
	json_t *ret = json_object();
	uint64_t waiting = 0;
	char name[24];

	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		waiting += hist->bucket[i];
		if (waiting == 0 || (i >= HIST_FIO_LAST && i + 1 < HIST_BUCKETS))
			continue;
		snprintf(name, sizeof name, "%" PRIu64, hist_midpoint(fio_index(i)));
		set(ret, name, count(waiting));
		waiting = 0;
	}
	return ret;
}

static json_t *
moments_json(const struct hist *hist)
{
	json_t *ret = json_object();
	bool any = hist->count > 0;

	set(ret, "min", count(any ? hist->min : 0));
	set(ret, "max", count(any ? hist->max : 0));
	set(ret, "mean", json_real(any ? hist_mean(hist) : 0));
	set(ret, "stddev", json_real(hist->count > 1 ? hist_stddev(hist) : 0));
	set(ret, "N", count(hist->count));
	return ret;
}

json_t *
fio_latency_json(const struct hist *hist, const struct fio_style *style)
{
	json_t *ret = moments_json(hist);

	if (!hist_has_buckets(hist))
		return ret;
	set(ret, "percentile", percentiles_json(hist, style));
	if (style->bins)
		set(ret, "bins", bins_json(hist));
	return ret;
}

static void
set_latency(json_t *object, const char *name, const struct hist *hist,
    const struct fio_style *style, enum tally_latency kind)
{
	set(object, name,
	    style->plain[kind] ? moments_json(hist) : fio_latency_json(hist, style));
}

json_t *
fio_sync_json(
    const struct hist *hist, bool fsync, bool others, const struct fio_style *style)
{
	json_t *ret = json_object();

	if (!fsync || !others)
		set(ret, "total_ios", count(fsync ? hist->count : 0));
	set(ret, "lat_ns", fio_latency_json(hist, style));
	return ret;
}

/* ---- samples of bandwidth and IOPS, from the 100 ms slots ---- */

struct samples {
	uint64_t n, min, max;
	double sum, sumsq;
};

static void
add_sample(struct samples *samples, uint64_t value)
{
	if (samples->n == 0 || value < samples->min)
		samples->min = value;
	if (value > samples->max)
		samples->max = value;
	samples->sum += (double)value;
	samples->sumsq += (double)value * (double)value;
	samples->n++;
}

static void
set_samples(json_t *object, const char *what, const char *deviation,
    const struct samples *samples, double unit)
{
	double n = (double)samples->n, mean = samples->sum / n;
	double square = (samples->sumsq - mean * samples->sum) / (n - 1);
	const struct {
		const char *name;
		json_t *value;
	} keys[] = {
	    {"min", whole((double)samples->min * unit)},
	    {"max", whole((double)samples->max * unit)},
	    {"mean", json_real(mean * unit)},
	    {deviation,
		json_real(samples->n > 1 && square > 0 ? sqrt(square) * unit : 0)},
	    {"samples", count(samples->n)},
	};
	char name[24];

	for (size_t i = 0; i < COUNT(keys); i++) {
		snprintf(name, sizeof name, "%s_%s", what, keys[i].name);
		set(object, name, keys[i].value);
	}
}

/* Whole slots only; one without any I/O counts as 0. */
static void
set_series(json_t *object, const struct fio_figures *figures)
{
	const struct slots *slots = &figures->tally->slots;
	struct samples bytes = {0}, ios = {0};
	uint64_t from = (figures->from + SLOT_NS - 1) / SLOT_NS;

	if (figures->tally->slot_overflow || slots->n == 0)
		return;
	for (uint64_t i = from; (i + 1) * SLOT_NS <= figures->to; i++) {
		struct slot slot = i < slots->n ? slots->v[i] : (struct slot){0};

		add_sample(&bytes, slot.bytes);
		add_sample(&ios, slot.ios);
	}
	if (ios.n == 0)
		return;
	set_samples(object, "bw", "dev", &bytes, SLOTS_PER_S / KIB);
	set_samples(object, "iops", "stddev", &ios, SLOTS_PER_S);
}

/* Of the mean of the samples and the rate of all, which are the same I/Os here. */
static void
set_share(json_t *object)
{
	double mean = json_number_value(json_object_get(object, "bw_mean"));
	double rate = json_number_value(json_object_get(object, "bw_bytes")) / KIB;

	if (mean > 0 && rate > 0)
		set(object, "bw_agg", json_real(fmin(100.0 * mean / rate, 100)));
}

json_t *
fio_nothing_json(void)
{
	struct dir_tally *none = mem_alloc(sizeof *none);
	const struct fio_figures figures = {.tally = none};
	const struct fio_style style = {.bins = false};
	const struct samples samples = {.n = 0};
	json_t *ret = fio_direction_json(&figures, &style);

	set(ret, "short_ios", json_integer(0));
	set(ret, "drop_ios", json_integer(0));
	set_samples(ret, "bw", "dev", &samples, 0);
	set_samples(ret, "iops", "stddev", &samples, 0);
	set(ret, "bw_mean", json_real(0));
	set(ret, "iops_mean", json_real(0));
	set(ret, "bw_agg", json_real(0));
	free(none);
	return ret;
}

static void
set_rates(json_t *ret, const struct fio_figures *figures)
{
	if (isfinite(figures->bytes_per_s)) {
		set(ret, "bw_bytes", whole(figures->bytes_per_s));
		set(ret, "bw", whole(figures->bytes_per_s / KIB));
	}
	set_known(ret, "iops", figures->iops);
}

json_t *
fio_stated_json(const struct fio_figures *figures)
{
	json_t *ret = json_object(), *lat = json_object();

	set_rates(ret, figures);
	set_known(lat, "mean", hist_mean(&figures->tally->lat));
	set(ret, "lat_ns", lat);
	return ret;
}

json_t *
fio_direction_json(const struct fio_figures *figures, const struct fio_style *style)
{
	json_t *ret = json_object();
	uint64_t ms = (figures->runtime_ns + NS_PER_MS / 2) / NS_PER_MS;

	set(ret, "io_bytes", count(figures->bytes));
	set(ret, "io_kbytes", count(figures->bytes / 1024));
	set_rates(ret, figures);
	if (figures->runtime_ns || figures->ios == 0)
		set(ret, "runtime", count(ms));
	set(ret, "total_ios", count(figures->ios));
	set_latency(ret, "slat_ns", &figures->tally->slat, style, TALLY_SLAT);
	set_latency(ret, "clat_ns", &figures->tally->clat, style, TALLY_CLAT);
	set_latency(ret, "lat_ns", &figures->tally->lat, style, TALLY_LAT);
	set_series(ret, figures);
	set_share(ret);
	return ret;
}

/* ---- maps of latencies ---- */

static const unsigned map_bounds[] = {
    2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000, 0};
#define MAP_SHORT 10 /* bounds of the maps in ns and us */
#define MAPS 3

/* A bucket counts as a whole by its midpoint. */
static void
count_latency(uint64_t counts[MAPS][COUNT(map_bounds)], uint64_t ns, uint64_t times)
{
	unsigned map = 0, i = 0;

	while (map + 1 < MAPS && ns >= 1000) {
		ns /= 1000;
		map++;
	}
	while (map_bounds[i] && ns >= map_bounds[i])
		i++;
	counts[map][i] += times;
}

void
fio_set_latency_maps(json_t *object, const struct tally *tally)
{
	static const char *const names[MAPS] = {
	    "latency_ns", "latency_us", "latency_ms"};
	uint64_t counts[MAPS][COUNT(map_bounds)] = {0}, all = 0;

	for (int dir = 0; dir < DIR_COUNT; dir++) {
		const struct hist *clat = &tally->dir[dir].clat;

		if (clat->count && !hist_has_buckets(clat))
			return;
		for (unsigned i = 0; i < HIST_BUCKETS; i++)
			if (clat->bucket[i])
				count_latency(
				    counts, hist_midpoint(i), clat->bucket[i]);
		all += clat->count;
	}
	for (unsigned map = 0; map < MAPS; map++) {
		json_t *one = json_object();

		for (unsigned i = 0;
		     i < (map + 1 < MAPS ? MAP_SHORT : COUNT(map_bounds)); i++) {
			char name[16];

			snprintf(name, sizeof name, "%u", map_bounds[i]);
			set(one, map_bounds[i] ? name : ">=2000",
			    json_real(all ? 100.0 * (double)counts[map][i] / (double)all
					  : 0));
		}
		set(object, names[map], one);
	}
}

/* ---- beside the figures ---- */

void
fio_set_usage(json_t *object, const struct tally_usage *usage)
{
	if (!usage->known)
		return;
	set(object, "ctx", count(usage->switches));
	set(object, "majf", count(usage->major_faults));
	set(object, "minf", count(usage->minor_faults));
}

/* "Mon Nov 30 21:05:32 2026", as ctime has it. */
void
fio_set_time(json_t *root, uint64_t wall_ns)
{
	time_t seconds = (time_t)(wall_ns / UNITS_NS_PER_S);
	char text[64];
	struct tm tm;

	set(root, "timestamp", json_integer((json_int_t)seconds));
	set(root, "timestamp_ms", count(wall_ns / UNITS_NS_PER_MS));
	if (gmtime_r(&seconds, &tm) &&
	    strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &tm) > 0)
		set(root, "time", json_string(text));
}
