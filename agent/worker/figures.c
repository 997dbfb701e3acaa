/* SPDX-License-Identifier: Apache-2.0 */
/* See figures.h. */
#include "agent/worker/figures.h"

#include <math.h>

/* fio's default percentile_list */
static const double usual[] = {
    1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};

uint64_t
figures_runtime_ns(const struct tally *tally, const struct dir_tally *figures)
{
	uint64_t to = tally->window_to;

	if (figures->times.own)
		return figures->times.busy_ns;

	if (to == UINT64_MAX || tally->end_ns < to)
		to = tally->end_ns;
	return to > tally->window_from ? to - tally->window_from : 0;
}

double
figures_per_s(uint64_t n, uint64_t runtime_ns)
{
	return runtime_ns ? (double)n * 1e9 / (double)runtime_ns : 0;
}

double
figures_cpu(const struct tally *tally, uint64_t cpu_ns)
{
	if (tally->cpu_wall_ns == 0 || tally->threads == 0)
		return NAN;
	return 100.0 * (double)cpu_ns /
	       ((double)tally->cpu_wall_ns * (double)tally->threads);
}

const double *
figures_percentiles(const struct job *job, size_t *ret_n)
{
	const struct job_output *output = &job->output;

	*ret_n = output->npercentiles ? output->npercentiles
				      : sizeof usual / sizeof *usual;
	return output->npercentiles ? output->percentiles : usual;
}
