/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What both reports of volley-io (report.h) say of a tally: rates over its window,
 * and which percentiles of which latency its job asks for.
 */
#ifndef VOLLEY_WORKER_FIGURES_H
#define VOLLEY_WORKER_FIGURES_H

#include "lib/stats/tally.h"
#include "lib/work/job.h"

/* How long the window was, as planned, or up to the last completion; what of it belonged
 * to the direction where the directions follow each other. */
uint64_t figures_runtime_ns(const struct tally *tally, const struct dir_tally *figures);
double figures_per_s(uint64_t n, uint64_t runtime_ns);
/* Average share of one CPU per thread, as fio states it; NAN: unknown. */
double figures_cpu(const struct tally *tally, uint64_t cpu_ns);
/* percentile_list, or fio's 17. */
const double *figures_percentiles(const struct job *job, size_t *ret_n);

#endif
