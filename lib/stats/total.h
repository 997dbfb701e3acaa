/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All clients of one attempt added up, with the denominators: how many clients,
 * which window.  Pure.  This file is where "All clients" is defined.
 *
 * Time-based jobs: every client's window is [T + ramp, T + ramp + runtime) on
 * its own clock, so the sum over clients inside the window is exact to the
 * offset error.  Size-bound jobs: the common window [last start, first end) is
 * found afterwards and snapped inward to slots; the rate then is of whole slots.
 */
#ifndef VOLLEY_STATS_TOTAL_H
#define VOLLEY_STATS_TOTAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/stats/tally.h"

enum total_window_kind { TOTAL_WINDOW_FIXED, TOTAL_WINDOW_COMMON };

/* One client as the controller sees it. */
struct total_client {
	const struct tally *tally;
	/* first_io_ns on the controller's timebase: agent offset error included in
	 * bound_ns (RTT/2 of the best ping, plus drift). */
	int64_t first_io_skewed_ns; /* relative to the common T, controller timebase */
	uint64_t bound_ns;
};

struct total_dir {
	bool present;
	uint64_t ios, bytes;		 /* inside the window, all clients */
	double bytes_per_s, iops;	 /* over the window */
	double fio_bytes_per_s, fio_iops; /* Σ / longest client run, as fio's "All clients" */
	double sum_bytes_per_s, sum_iops; /* Σ of per-client averages over own runs */
	const struct hist *slat, *clat, *lat; /* into `merged` */
};

struct total {
	enum total_window_kind window_kind;
	size_t clients;
	uint64_t window_from, window_ns; /* since T */
	uint64_t window_bound_ns;	 /* ± of the common window: one slot + bounds */
	bool latency_in_window;		 /* false for size-bound: latency is of the run */
	double overlap;			 /* common window / longest client run, 0..1 */
	uint64_t skew_ns, skew_bound_ns; /* max − min of first I/Os, ± */
	uint64_t first_done_ns, last_done_ns; /* since T: first and last client to end */
	uint64_t outstanding;
	double outstanding_share;	 /* of all I/Os inside */
	struct total_dir dir[DIR_COUNT];
	struct tally *merged;		 /* owned: all clients' histograms and slots */
};

/* n ≥ 1.  Fills *ret; release with total_free. */
void total_compute(struct total *ret, const struct total_client *clients, size_t n);
void total_free(struct total *total);

#endif
