/* SPDX-License-Identifier: Apache-2.0 */
/* The latency histograms of a direction, under the names that files give them. */
#ifndef VOLLEY_STORE_KINDS_H
#define VOLLEY_STORE_KINDS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/stats/tally.h"

struct latency_kind {
	const char *name;
	size_t at;	/* in struct dir_tally */
	bool always;	/* kept even when nothing was counted */
	enum tally_latency stated; /* TALLY_LATENCIES: imports have none */
};

extern const struct latency_kind latency_kinds[]; /* ends with a NULL name */
/* NULL: no such kind. */
const struct latency_kind *latency_kind_find(const char *name);

static inline struct hist *latency_hist_of(struct dir_tally *d,
					   const struct latency_kind *kind)
{
	return (struct hist *)((char *)d + kind->at);
}

static inline const struct hist *latency_hist(const struct dir_tally *d,
					      const struct latency_kind *kind)
{
	return (const struct hist *)((const char *)d + kind->at);
}

#endif
