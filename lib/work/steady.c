/* SPDX-License-Identifier: Apache-2.0 */
/* See steady.h. */
#include "lib/work/steady.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/units.h"

/* fio's criterion where only steadystate_duration is given. */
#define USUAL_LIMIT 0.01

bool
steady_wanted(const struct job *job)
{
	return job->output.steady_ns > 0;
}

void
steady_init(struct steady *steady, const struct job *job)
{
	const struct job_output *output = &job->output;

	*steady = (struct steady){.of = output->steady,
	    .limit = output->steady_limit,
	    .is_percent = output->steady_is_percent,
	    .wanted = (size_t)(output->steady_ns / UNITS_NS_PER_S)};
	if (steady->of == JOB_STEADY_NONE) {
		steady->of = JOB_STEADY_IOPS_SLOPE;
		steady->limit = USUAL_LIMIT;
		steady->is_percent = true;
	}
	if (steady->wanted == 0)
		steady->wanted = 1;
	steady->seconds = mem_array(steady->wanted, sizeof *steady->seconds);
}

void
steady_free(struct steady *steady)
{
	free(steady->seconds);
	steady->seconds = NULL;
}

static bool
is_of_ios(const struct steady *steady)
{
	return steady->of == JOB_STEADY_IOPS || steady->of == JOB_STEADY_IOPS_SLOPE;
}

static double
value_of(const struct steady *steady, size_t i)
{
	const struct steady_second *second = &steady->seconds[i];

	return (double)(is_of_ios(steady) ? second->ios : second->bytes);
}

static double
mean_of(const struct steady *steady)
{
	double sum = 0;

	for (size_t i = 0; i < steady->n; i++)
		sum += value_of(steady, i);
	return sum / (double)steady->n;
}

static double
deviation_of(const struct steady *steady, double mean)
{
	double most = 0;

	for (size_t i = 0; i < steady->n; i++)
		most = fmax(most, fabs(value_of(steady, i) - mean));
	return most;
}

static double
slope_of(const struct steady *steady, double mean)
{
	double middle = (double)(steady->n - 1) / 2, sum = 0, square = 0;

	for (size_t i = 0; i < steady->n; i++) {
		double x = (double)i - middle;

		sum += x * (value_of(steady, i) - mean);
		square += x * x;
	}
	return square > 0 ? sum / square : 0;
}

static void
judge(struct steady *steady)
{
	bool by_slope = steady->of == JOB_STEADY_IOPS_SLOPE ||
			steady->of == JOB_STEADY_BW_SLOPE;
	double mean = mean_of(steady);

	steady->judged = true;
	if (by_slope)
		steady->slope = slope_of(steady, mean);
	else
		steady->deviation = deviation_of(steady, mean);
	steady->criterion = by_slope ? steady->slope : steady->deviation;
	if (steady->is_percent)
		steady->criterion = mean > 0 ? 100 * steady->criterion / mean
					     : INFINITY;
	steady->attained = fabs(steady->criterion) < steady->limit;
}

bool
steady_add(struct steady *steady, struct steady_second second)
{
	if (steady->attained)
		return true;
	if (steady->n == steady->wanted)
		memmove(steady->seconds, steady->seconds + 1,
		    --steady->n * sizeof *steady->seconds);
	steady->seconds[steady->n++] = second;
	if (steady->n == steady->wanted)
		judge(steady);
	return steady->attained;
}

struct steady_second
steady_mean(const struct steady *steady)
{
	struct steady_second sum = {0};

	for (size_t i = 0; i < steady->n; i++) {
		sum.ios += steady->seconds[i].ios;
		sum.bytes += steady->seconds[i].bytes;
	}
	if (steady->n > 0) {
		sum.ios /= steady->n;
		sum.bytes /= steady->n;
	}
	return sum;
}

void
steady_describe(const struct steady *steady, struct str *ret)
{
	static const char *const names[] = {[JOB_STEADY_NONE] = "",
	    [JOB_STEADY_IOPS] = "iops",
	    [JOB_STEADY_IOPS_SLOPE] = "iops_slope",
	    [JOB_STEADY_BW] = "bw",
	    [JOB_STEADY_BW_SLOPE] = "bw_slope"};

	str_addf(ret, "%s:%f%s", names[steady->of], steady->limit,
	    steady->is_percent ? "%" : "");
}

uint64_t
steady_first_slot(const struct job *job, uint64_t from_ns)
{
	return (from_ns + job->output.steady_ramp_ns + SLOT_NS - 1) / SLOT_NS;
}

struct steady_second
steady_second_of(const struct slot *slots, uint64_t n, uint64_t first)
{
	struct steady_second sum = {0};

	for (uint64_t i = first; i < first + STEADY_SLOTS && i < n; i++) {
		sum.ios += meter_load(&slots[i].ios);
		sum.bytes += meter_load(&slots[i].bytes);
	}
	return sum;
}

void
steady_replay(struct steady *ret, const struct job *job, const struct tally *tally)
{
	uint64_t first = steady_first_slot(job, tally->window_from);

	steady_init(ret, job);
	for (; (first + STEADY_SLOTS) * SLOT_NS <= tally->end_ns; first += STEADY_SLOTS) {
		struct steady_second sum = {0};

		for (int dir = 0; dir < DIR_COUNT; dir++) {
			const struct slots *slots = &tally->dir[dir].slots;
			struct steady_second one =
			    steady_second_of(slots->v, slots->n, first);

			sum.ios += one.ios;
			sum.bytes += one.bytes;
		}
		if (steady_add(ret, sum))
			return;
	}
}
