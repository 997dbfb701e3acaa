/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A case's repeats put together, as lines of a table: one for all VALID repeats,
 * one for each PARTIAL one, one for what is INVALID.  Rates are means over repeats
 * (of equal windows); latencies come from the repeats' histograms added up, never
 * from averaged percentiles.
 */
#ifndef VOLLEY_REPORT_SUMMARY_H
#define VOLLEY_REPORT_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

#include "controller/store/results.h"

struct summary_latency {
	double mean, p99, p99_9; /* ns; NAN unknown */
	bool counted;		 /* false: there is none (slat of a sync engine) */
};

struct summary {
	enum attempt_state state;
	enum dir dir;
	bool has_figures;	/* false: no client gave any */
	unsigned repeats;	/* how many are in it; 0: the case has not run */
	unsigned clients, of;	/* in the sum, expected */
	const char *why;	/* code of the worst reason, when not VALID */
	double bytes_per_s, iops;
	double rsd;		/* of bytes/s; NAN below two repeats */
	double bytes_low, bytes_high, iops_low, iops_high; /* of the repeats */
	struct summary_latency slat, clat, lat;
	double skew_ns;		/* the largest; NAN unknown */
};

struct summaries {
	VEC(struct summary) lines;
};

/* Over the last attempt of every repeat. */
void summary_make(const struct results_case *c, struct summaries *ret);

#endif
