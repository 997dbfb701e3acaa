/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fio's json+ into counts and histograms.  A bin is the midpoint of its bucket, and
 * the buckets are the first of ours, so nothing is lost.  Sums come back from means:
 * fio prints six decimals, which is exact to a few ns even for 10^9 I/Os.
 */
#include "agent/worker/fio-out.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"

#define LAST_BIN (UINT64_C(255) << 26) /* fio's last bucket: all from here on */
#define BINS_END (UINT64_C(1) << 34)   /* where that bucket would end by its width */

typedef unsigned __int128 u128;

/* ---- finding documents ---- */

/* The end of the object that begins at `from`; 0: not there yet. */
static size_t
object_end(const char *text, size_t from, size_t len)
{
	bool quoted = false;
	unsigned depth = 0;

	for (size_t i = from; i < len; i++) {
		char c = text[i];

		if (quoted) {
			i += c == '\\';
			quoted = c != '"';
		} else if (c == '"') {
			quoted = true;
		} else if (c == '{') {
			depth++;
		} else if (c == '}' && --depth == 0) {
			return i + 1;
		}
	}
	return 0;
}

bool
fioout_next(const char *text, size_t len, size_t *ret_from, size_t *ret_to)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] != '{' || (i > 0 && text[i - 1] != '\n'))
			continue;
		*ret_from = i;
		*ret_to = object_end(text, i, len);
		return *ret_to != 0;
	}
	*ret_from = len;
	return false;
}

/* ---- one document ---- */

static uint64_t
number(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	if (json_is_real(value) && json_real_value(value) > 0)
		return (uint64_t)json_real_value(value);
	return json_is_integer(value) && json_integer_value(value) > 0
		   ? (uint64_t)json_integer_value(value)
		   : 0;
}

static double
real(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static uint64_t
take_bins(struct hist *ret, json_t *bins)
{
	const char *key;
	json_t *value;
	uint64_t sum = 0;

	json_object_foreach(bins, key, value)
	{
		uint64_t at = strtoull(key, NULL, 10);
		uint64_t times = json_integer_value(value) > 0
				     ? (uint64_t)json_integer_value(value)
				     : 0;

		/* All that fio could not tell apart. */
		if (at >= LAST_BIN && ret->max >= BINS_END)
			at = BINS_END;
		ret->bucket[hist_index(at)] += times;
		sum += times;
	}
	return sum;
}

/* Without bins only the sums are known. */
static void
take_hist(struct hist *ret, const json_t *object)
{
	long double mean = (long double)real(object, "mean"), dev, squares;
	u128 sumsq;

	*ret = (struct hist){.count = number(object, "N")};
	if (ret->count == 0 || !(mean >= 0)) {
		ret->count = 0;
		return;
	}
	ret->min = number(object, "min");
	ret->max = number(object, "max");
	uint64_t binned = take_bins(ret, json_object_get(object, "bins"));
	if (binned > 0)
		ret->count = binned;
	dev = (long double)real(object, "stddev");
	if (!(dev >= 0))
		dev = 0;
	ret->sum = (uint64_t)roundl(mean * ret->count);
	squares = dev * dev * (ret->count - 1) + mean * mean * ret->count;
	sumsq = (u128)squares;
	ret->sumsq_lo = (uint64_t)sumsq;
	ret->sumsq_hi = (uint64_t)(sumsq >> 64);
}

static void
take_dir(struct fioout_thread *thread, enum dir dir, const json_t *object)
{
	struct dir_tally *ret = &thread->dir[dir];
	uint64_t runtime = number(object, "runtime");

	take_hist(&ret->slat, json_object_get(object, "slat_ns"));
	take_hist(&ret->clat, json_object_get(object, "clat_ns"));
	take_hist(&ret->lat, json_object_get(object, "lat_ns"));
	/* total_ios counts what was begun; with a ramp that is not what was done. */
	ret->phase[METER_INSIDE].ios = ret->clat.count;
	if (ret->clat.count == 0)
		ret->phase[METER_INSIDE].ios = number(object, "total_ios");
	ret->phase[METER_INSIDE].bytes = number(object, "io_bytes");
	if (runtime > thread->runtime_ms)
		thread->runtime_ms = runtime;
}

static void
take_thread(struct fioout_thread *ret, const json_t *job)
{
	ret->error = (int)number(job, "error");
	ret->errors = number(job, "total_err");
	ret->job_runtime_ms = number(job, "job_runtime");
	ret->user = real(job, "usr_cpu") / 100;
	ret->sys = real(job, "sys_cpu") / 100;
	for (int dir = 0; dir < DIR_COUNT; dir++)
		take_dir(
		    ret, (enum dir)dir, json_object_get(job, dir_name((enum dir)dir)));
	take_hist(&ret->dir[DIR_WRITE].sync,
	    json_object_get(json_object_get(job, "sync"), "lat_ns"));
}

int
fioout_parse(struct fioout *ret, const char *text, size_t len, struct err *err)
{
	json_error_t where;
	json_t *root = json_loadb(text, len, 0, &where);
	const json_t *jobs = json_object_get(root, "jobs");

	*ret = (struct fioout){0};
	if (!json_is_array(jobs)) {
		err_set(err, ERR_PROTOCOL, "fio's output: %s",
		    root ? "no list \"jobs\"" : where.text);
		json_decref(root);
		return -1;
	}
	ret->n = json_array_size(jobs);
	ret->threads = mem_array(ret->n, sizeof *ret->threads);
	for (size_t i = 0; i < ret->n; i++)
		take_thread(&ret->threads[i], json_array_get(jobs, i));
	json_decref(root);
	return 0;
}

void
fioout_free(struct fioout *out)
{
	free(out->threads);
	*out = (struct fioout){0};
}
