/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All clients of one attempt added up, with the denominators: how many clients,
 * which window.  Pure.  This file is where "All clients" is defined.
 *
 * FIXED: every client has the same window [T + ramp, T + ramp + runtime) on its
 * own clock, so the sum over clients inside it is exact to the offset error.
 * COMMON: size-bound jobs (or windows that differ) get a window afterwards, and
 * the rate is of its whole slots.
 *
 *            T
 *   client 1 ┼──■■■■■■■■■■■■■■■■■■□□──        ■ all its threads have work
 *   client 2 ┼────────■■■■■■■■■■■■■■■□□       □ some are out of work already
 *                     ├──────────┤            common window, then snapped inward
 *                                             to whole 100 ms slots
 *
 * The common window is [last client's first I/O, or the end of the ramp if that
 * is later; the first moment at which any thread of any client ran out of work,
 * or the window's end if that is earlier).  It is found for both kinds: when a
 * fixed window has clients that came late or left early, common_* is the rate
 * while all of them ran.
 *
 * Clients that read back what they wrote are in one direction after the other.  Then
 * each direction of a COMMON window has a window of its own, found in the same way
 * from when the clients were in it (tally.h, struct dir_times).
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
	bool present;		  /* any I/O in any phase */
	uint64_t window_from, window_ns; /* since T; the total's, or its own */
	uint64_t ios, bytes;	  /* inside the window, all clients */
	double bytes_per_s, iops; /* over the window; NAN when it is empty */
	/* Σ / longest client run, as fio's "All clients".  Here and in sum_*, a
	 * client's run goes from its first I/O or the ramp's end to its last
	 * completion, and what it did is all but the ramp (INSIDE and AFTER).  In a
	 * direction with times of its own: while it was busy with that, and INSIDE. */
	double fio_bytes_per_s, fio_iops;
	double sum_bytes_per_s, sum_iops; /* Σ of per-client averages over own runs */
	/* Whole slots of the common window; of its own one where it has that. */
	uint64_t common_ios, common_bytes;
	double common_bytes_per_s, common_iops;	 /* NAN when it has none */
	const struct hist *slat, *clat, *lat;	 /* into `merged` */
};

struct total {
	enum total_window_kind window_kind;
	size_t clients;
	size_t started;			 /* clients that submitted an I/O */
	/* Since T; 0 ns: no whole slot in common.  FIXED, and other programs did the
	 * I/O, which end their windows by themselves: the longest of them. */
	uint64_t window_from, window_ns;
	/* ± of where the window lies: FIXED: the worst offset bound; COMMON: one slot,
	 * plus the bounds of the client that started last and of the first to end. */
	uint64_t window_bound_ns;
	uint64_t common_from_ns, common_ns; /* since T, whole slots */
	bool latency_in_window;		 /* false for COMMON: latency is of the run */
	/* (first client's end − last client's first I/O) / longest client run, ramp
	 * and drain included; 0 when a client never started. */
	double overlap;
	/* max − min of first I/Os of those that started, and by how much the real
	 * skew may be larger; has_skew: at least one did.  One client: 0 ± 0. */
	bool has_skew;
	uint64_t skew_ns, skew_bound_ns;
	uint64_t first_done_ns, last_done_ns; /* since T: first and last client to end */
	uint64_t outstanding;
	double outstanding_share;   /* of inside + outstanding; NAN when both are 0 */
	struct total_dir dir[DIR_COUNT];
	struct tally *merged; /* owned: all clients' histograms, slots and counts; times
			       * are the earliest firsts and the latest lasts */
};

/* n ≥ 1.  Fills *ret; release with total_free. */
void total_compute(struct total *ret, const struct total_client *clients, size_t n);
void total_free(struct total *total);

#endif
