/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading figures.  Sums come back from means: fio prints six decimals, so they are
 * exact to a few ns even for 10^9 I/Os.
 */
#include "lib/fiojson/figures.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/mem.h"

#define KIB 1024.0

typedef unsigned __int128 u128;

bool
fio_number(const json_t *object, const char *name, double *ret)
{
	const json_t *value = json_object_get(object, name);

	if (!json_is_number(value) || !(json_number_value(value) >= 0))
		return false;
	*ret = json_number_value(value);
	return true;
}

/* Above 2^63 fio means that there is none. */
uint64_t
fio_count(const json_t *object, const char *name)
{
	double value;

	return fio_number(object, name, &value) && value < 0x1p63 ? (uint64_t)value : 0;
}

struct tally_usage
fio_usage_read(const json_t *entry)
{
	double switches, major, minor;

	if (!fio_number(entry, "ctx", &switches) ||
	    !fio_number(entry, "majf", &major) || !fio_number(entry, "minf", &minor))
		return (struct tally_usage){.known = false};
	return (struct tally_usage){.known = true,
	    .switches = fio_count(entry, "ctx"),
	    .major_faults = fio_count(entry, "majf"),
	    .minor_faults = fio_count(entry, "minf")};
}

uint64_t
fio_depth_read(const json_t *entry)
{
	return fio_count(entry, "latency_target") ? fio_count(entry, "latency_depth")
						  : 0;
}

/* ---- latencies ---- */

static int
read_bin(struct hist *ret, const char *key, const json_t *value, struct err *err)
{
	char *end;
	uint64_t at;
	unsigned index;

	errno = 0;
	at = strtoull(key, &end, 10);
	index = hist_index(at);
	if (end == key || *end || errno || index > HIST_FIO_LAST ||
	    hist_midpoint(index) != at)
		return err_set(
		    err, ERR_USAGE, "bins: \"%s\" is not the middle of a bucket", key);
	if (!json_is_number(value) || !(json_number_value(value) >= 0) ||
	    json_number_value(value) >= 0x1p53)
		return err_set(
		    err, ERR_USAGE, "bins: \"%s\" does not have a count", key);
	ret->bucket[index] += (uint64_t)json_number_value(value);
	return 0;
}

/* fio's last bucket, when it holds more than belongs there: >= 17.18 s. */
static void
move_beyond(struct hist *hist, struct fio_direction *notes)
{
	uint64_t last = hist->bucket[HIST_FIO_LAST];

	if (last == 0 || hist->max < FIO_HIST_END)
		return;
	hist->bucket[HIST_FIO_LAST] = 0;
	hist->bucket[hist_index(FIO_HIST_END)] = last;
	notes->beyond += last;
}

static int
read_bins(struct hist *ret, json_t *bins, struct fio_direction *notes, struct err *err)
{
	uint64_t sum = 0;
	const char *key;
	json_t *value;

	json_object_foreach(
	    bins, key, value) if (read_bin(ret, key, value, err) != 0) return -1;
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		sum += ret->bucket[i];
	if (sum == 0)
		return 0;
	notes->bins_differ = notes->bins_differ || (ret->count && sum != ret->count);
	ret->count = sum;
	move_beyond(ret, notes);
	return 0;
}

/* False: beyond what a histogram can hold. */
static bool
set_moments(struct hist *hist, double mean, double stddev)
{
	long double n = (long double)hist->count, m = (long double)mean;
	long double squares =
	    (long double)stddev * (long double)stddev * (n - 1) + m * m * n;
	u128 sumsq;

	if (!(m * n < 0x1p63L) || !(squares < 0x1p127L))
		return false;
	sumsq = (u128)roundl(squares);
	hist->sum = (uint64_t)llroundl(m * n);
	hist->sumsq_lo = (uint64_t)sumsq;
	hist->sumsq_hi = (uint64_t)(sumsq >> 64);
	return true;
}

int
fio_latency_read(struct hist *ret, const json_t *object, uint64_t fallback_n,
    struct fio_direction *notes, struct err *err)
{
	json_t *bins = json_object_get(object, "bins");
	double mean = 0, stddev = 0;

	hist_reset(ret);
	if (!json_is_object(object) || !fio_number(object, "mean", &mean))
		return 0;
	fio_number(object, "stddev", &stddev);
	ret->max = fio_count(object, "max");
	if (json_object_get(object, "N"))
		ret->count = fio_count(object, "N");
	else if (ret->max > 0)
		ret->count = fallback_n;
	if (read_bins(ret, bins, notes, err) != 0)
		return -1;
	if (ret->count == 0) {
		hist_reset(ret);
		return 0;
	}
	ret->min = fio_count(object, "min");
	if (!set_moments(ret, mean, stddev))
		return err_set(err, ERR_USAGE, "latencies that cannot be");
	return 0;
}

/* fio's keys are "99.000000"; a 0 stands where it counted nothing. */
static void
read_percentiles(
    double ret[TALLY_PERCENTILES], const json_t *latency, const struct hist *hist)
{
	const json_t *object = json_object_get(latency, "percentile");
	json_t *value;
	const char *key;

	json_object_foreach((json_t *)object, key, value)
	{
		for (size_t i = 0; hist->count && i < TALLY_PERCENTILES; i++)
			if (fabs(strtod(key, NULL) - tally_percentiles[i]) < 1e-6)
				ret[i] = json_number_value(value);
	}
}

static int
read_latencies(struct fio_direction *ret, const json_t *object, struct err *err)
{
	const struct {
		const char *name;
		enum tally_latency stated;
		struct hist *hist;
	} kinds[] = {
	    {"slat_ns", TALLY_SLAT, &ret->tally->slat},
	    {"clat_ns", TALLY_CLAT, &ret->tally->clat},
	    {"lat_ns", TALLY_LAT, &ret->tally->lat},
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		const json_t *latency = json_object_get(object, kinds[i].name);

		if (fio_latency_read(kinds[i].hist, latency, ret->ios, ret, err) != 0)
			return err_prefix(err, "%s", kinds[i].name);
		read_percentiles(ret->tally->stated->percentile[kinds[i].stated],
		    latency, kinds[i].hist);
	}
	return 0;
}

/* ---- counts and rates ---- */

/* fio's own, which it prints with six decimals, is of its runtime; another writer may
 * know the time better than in milliseconds (volley does). */
static double
exact_ms(const struct fio_direction *dir, const json_t *object)
{
	double ms = (double)dir->runtime_ms, ios = (double)dir->ios, iops;

	if (!fio_number(object, "iops", &iops) || fabs(iops - 1000 * ios / ms) < 1e-6 ||
	    !(fabs(1000 * ios / iops - ms) <= 0.5))
		return ms;
	return 1000 * ios / iops;
}

/* From the counts, which are exact; fio's own figures are rounded down. */
static void
set_rates(struct fio_direction *ret, const json_t *object)
{
	struct tally_stated *stated = ret->tally->stated;
	double value;

	if (ret->runtime_ms) {
		double ms = exact_ms(ret, object);

		stated->iops = 1000.0 * (double)ret->ios / ms;
		stated->bytes_per_s = 1000.0 * (double)ret->bytes / ms;
		return;
	}
	if (fio_number(object, "iops", &value) && value > 0)
		stated->iops = value;
	if (fio_number(object, "bw_bytes", &value) && value > 0)
		stated->bytes_per_s = value;
	else if (fio_number(object, "bw", &value) && value > 0)
		stated->bytes_per_s = value * KIB;
}

int
fio_direction_read(struct fio_direction *ret, const json_t *object, struct err *err)
{
	double ios, bytes;

	*ret = (struct fio_direction){0};
	if (!object)
		return 0;
	if (!fio_number(object, "total_ios", &ios) ||
	    !fio_number(object, "io_bytes", &bytes))
		return err_set(err, ERR_USAGE, "without total_ios or io_bytes");
	if (ios < 1)
		return 0;
	if (ios >= 0x1p53 || bytes >= 0x1p63)
		return err_set(err, ERR_USAGE, "counts that cannot be");
	ret->ios = (uint64_t)ios;
	ret->bytes = (uint64_t)bytes;
	ret->runtime_ms = fio_count(object, "runtime");
	ret->tally = mem_alloc(sizeof *ret->tally);
	ret->tally->stated = tally_stated_new();
	ret->tally->phase[METER_INSIDE].ios = ret->ios;
	ret->tally->phase[METER_INSIDE].bytes = ret->bytes;
	set_rates(ret, object);
	if (read_latencies(ret, object, err) == 0)
		return 0;
	dir_tally_free(ret->tally);
	free(ret->tally);
	ret->tally = NULL;
	return -1;
}
