/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One direction of one fio job, from its JSON into counts and histograms.  json+ bins
 * are exact: fio's buckets are the first of ours, and a bin is named by its midpoint.
 */
#ifndef VOLLEY_FIOJSON_FIGURES_H
#define VOLLEY_FIOJSON_FIGURES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/stats/tally.h"

/* From here on fio has one bucket for all; see HIST in docs/fio-results.md. */
#define FIO_HIST_END (UINT64_C(1) << 34)

struct fio_direction {
	uint64_t ios, bytes;
	uint64_t runtime_ms; /* 0: unknown */
	/* owned; INSIDE, the latencies and what is stated are filled */
	struct dir_tally *tally;
	uint64_t beyond;	 /* latencies that fio could not tell apart */
	bool bins_differ;	 /* some N is not the sum of its bins */
};

/* A missing or negative number: false. */
bool fio_number(const json_t *object, const char *name, double *ret);
uint64_t fio_count(const json_t *object, const char *name); /* missing: 0 */

/* Context switches and page faults of an entry; unknown unless all are there. */
struct tally_usage fio_usage_read(const json_t *entry);
/* The depth that latency_target found; 0: it was not sought.  (fio states one always.) */
uint64_t fio_depth_read(const json_t *entry);

/* Absent, or nothing done in it: ret->ios is 0 and tally NULL. */
int fio_direction_read(
    struct fio_direction *ret, const json_t *object, struct err *err);
/* A latency object; fallback_n where it has no N (before fio 3.8 or so). */
int fio_latency_read(struct hist *ret, const json_t *object, uint64_t fallback_n,
    struct fio_direction *notes, struct err *err);

#endif
