/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rates that are not kept but follow from the figures: a client's own, and those of
 * both directions together.
 */
#include <math.h>

#include "controller/store/results.h"

/* As total.h defines a client's run: from its first I/O, or the ramp's end, on. */
static double
run_seconds(const struct tally *tally)
{
	double from = (double)tally->window_from;

	if (tally->window_to != UINT64_MAX)
		return (double)(tally->window_to - tally->window_from) / 1e9;
	if (!tally->has_first_io)
		return NAN;
	if ((double)tally->first_io_ns > from)
		from = (double)tally->first_io_ns;
	return ((double)tally->end_ns - from) / 1e9;
}

struct amount {
	double bytes, ios;
};

/* What counts in that time. */
static struct amount
job_amount(const struct tally *tally, enum dir dir)
{
	const struct dir_tally *d = &tally->dir[dir];
	struct amount ret = {(double)d->phase[METER_INSIDE].bytes,
	    (double)d->phase[METER_INSIDE].ios};

	if (tally->window_to == UINT64_MAX) {
		ret.bytes += (double)d->phase[METER_AFTER].bytes;
		ret.ios += (double)d->phase[METER_AFTER].ios;
	}
	return ret;
}

static void
set_rate(struct amount amount, double seconds, double *ret_bytes_per_s, double *ret_iops)
{
	*ret_bytes_per_s = seconds > 0 ? amount.bytes / seconds : NAN;
	*ret_iops = seconds > 0 ? amount.ios / seconds : NAN;
}

/* Of one job. */
static void
job_rate(
    const struct tally *tally, enum dir dir, double *ret_bytes_per_s, double *ret_iops)
{
	const struct dir_tally *d = &tally->dir[dir];

	if (!tally->imported) {
		set_rate(job_amount(tally, dir),
		    d->times.own ? (double)d->times.busy_ns / 1e9 : run_seconds(tally),
		    ret_bytes_per_s, ret_iops);
		return;
	}
	*ret_bytes_per_s = d->stated ? d->stated->bytes_per_s : NAN;
	*ret_iops = d->stated ? d->stated->iops : NAN;
}

void
results_client_rate(
    const struct tally *tally, enum dir dir, double *ret_bytes_per_s, double *ret_iops)
{
	double bytes_per_s, iops;

	job_rate(tally, dir, ret_bytes_per_s, ret_iops);
	if (tally->njobs == 0)
		return;
	*ret_bytes_per_s = *ret_iops = 0;
	for (size_t i = 0; i < tally->njobs; i++) {
		if (!tally_has(tally->jobs[i], dir))
			continue;
		job_rate(tally->jobs[i], dir, &bytes_per_s, &iops);
		*ret_bytes_per_s += bytes_per_s;
		*ret_iops += iops;
	}
}

static double
sum_known(double sum, double value)
{
	if (isnan(value))
		return sum;
	return isnan(sum) ? value : sum + value;
}

/* Of one job, both directions. */
static void
job_rate_both(const struct tally *tally, double *ret_bytes_per_s, double *ret_iops)
{
	struct amount all = {0, 0};
	bool apart = false;

	*ret_bytes_per_s = *ret_iops = NAN;
	for (int dir = 0; dir < DIR_COUNT; dir++) {
		struct amount amount = job_amount(tally, dir);
		double bytes_per_s, iops;

		if (!tally_has(tally, dir))
			continue;
		job_rate(tally, dir, &bytes_per_s, &iops);
		*ret_bytes_per_s = sum_known(*ret_bytes_per_s, bytes_per_s);
		*ret_iops = sum_known(*ret_iops, iops);
		all.bytes += amount.bytes;
		all.ios += amount.ios;
		apart = apart || tally->dir[dir].times.own;
	}
	if (apart)
		set_rate(all, run_seconds(tally), ret_bytes_per_s, ret_iops);
}

void
results_client_rate_both(
    const struct tally *tally, double *ret_bytes_per_s, double *ret_iops)
{
	*ret_bytes_per_s = *ret_iops = NAN;
	for (size_t i = 0; i < tally_job_count(tally); i++) {
		double bytes_per_s, iops;

		job_rate_both(tally_job(tally, i), &bytes_per_s, &iops);
		*ret_bytes_per_s = sum_known(*ret_bytes_per_s, bytes_per_s);
		*ret_iops = sum_known(*ret_iops, iops);
	}
}

/* How long the union of two spans is. */
static uint64_t
union_ns(const struct total_dir *a, const struct total_dir *b)
{
	uint64_t a_to = a->window_from + a->window_ns, from = a->window_from;
	uint64_t b_to = b->window_from + b->window_ns, to = a_to;

	if (a->window_ns == 0 || b->window_ns == 0 || a_to <= b->window_from ||
	    b_to <= a->window_from)
		return a->window_ns + b->window_ns;
	from = b->window_from < from ? b->window_from : from;
	to = b_to > to ? b_to : to;
	return to - from;
}

void
results_rate_both(const struct total *total, double *ret_bytes_per_s, double *ret_iops)
{
	const struct total_dir *reads = &total->dir[DIR_READ];
	const struct total_dir *writes = &total->dir[DIR_WRITE];
	struct amount all = {(double)(reads->bytes + writes->bytes),
	    (double)(reads->ios + writes->ios)};
	bool apart = reads->window_from != writes->window_from ||
		     reads->window_ns != writes->window_ns;

	*ret_bytes_per_s = *ret_iops = NAN;
	for (int dir = 0; dir < DIR_COUNT; dir++)
		if (total->dir[dir].present) {
			*ret_bytes_per_s =
			    sum_known(*ret_bytes_per_s, total->dir[dir].bytes_per_s);
			*ret_iops = sum_known(*ret_iops, total->dir[dir].iops);
		}
	if (reads->present && writes->present && apart)
		set_rate(all, (double)union_ns(reads, writes) / 1e9, ret_bytes_per_s,
		    ret_iops);
}
