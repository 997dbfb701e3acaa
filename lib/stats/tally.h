/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The figures of one client (its threads merged), and of all clients (the
 * clients merged).  Plain data: travels over the wire, into the store and into
 * reports.  Merging adds; nothing is averaged.
 */
#ifndef VOLLEY_STATS_TALLY_H
#define VOLLEY_STATS_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/stats/dir.h"
#include "lib/stats/hist.h"
#include "lib/stats/meter.h"
#include "lib/stats/slots.h"

/* Of results that come without buckets these percentiles are kept as stated. */
#define TALLY_PERCENTILES 6
extern const double tally_percentiles[TALLY_PERCENTILES]; /* 50 90 95 99 99.9 99.99 */

enum tally_latency { TALLY_SLAT, TALLY_CLAT, TALLY_LAT, TALLY_LATENCIES };

/* Figures as another program states them. */
struct tally_stated {
	double iops, bytes_per_s;
	double percentile[TALLY_LATENCIES][TALLY_PERCENTILES]; /* ns; NAN unknown */
};

/*
 * When a direction ran.  A job that reads back what it wrote does one after the
 * other, so its directions have times of their own; with all other jobs the tally's
 * hold for both.  ns since T, passes and readings back in between included.
 */
struct dir_times {
	bool own;		/* false: the rest is 0 */
	uint64_t last_from_ns;	/* the last of its threads began */
	uint64_t first_to_ns;	/* the first of its threads was through */
	uint64_t busy_ns;	/* of the thread that took longest: its time in this
				 * direction alone, inside the window */
};

struct dir_tally {
	struct {
		uint64_t ios, bytes;
	} phase[METER_PHASES];
	struct dir_times times;
	struct hist slat, clat, lat, drain, response, sync;
	struct slots slots;
	struct heats heats;
	uint64_t slot_overflow;
	struct tally_stated *stated; /* owned; only of an import */
};

/* What the kernel says of the threads that did the I/O, from their start on. */
struct tally_usage {
	bool known; /* of all of them */
	uint64_t switches, major_faults, minor_faults;
};

/* Adds up; unknown of one is unknown of all.  `first`: `into` is nothing yet. */
void tally_usage_merge(
    struct tally_usage *into, const struct tally_usage *from, bool first);

#define TALLY_RUNNER_MAX 32

/* Times are ns since T on the client's own clock, unless they say otherwise. */
struct tally {
	uint64_t start_ns;	   /* T, client's CLOCK_MONOTONIC */
	uint64_t window_from, window_to; /* window_to UINT64_MAX: size-bound */
	bool has_first_io;
	int64_t first_io_ns;	   /* clock just before the first submit of any thread */
	int64_t last_first_io_ns;  /* the latest of its threads' first submits */
	uint64_t first_io_bound_ns; /* ± of both, where another program did the I/O
				     * (runner), which volley can only see from outside */
	uint64_t first_end_ns;	   /* first thread out of work */
	uint64_t end_ns;	   /* last completion of the last thread; with end_fsync,
				    * the end of that */
	uint64_t threads;
	uint64_t outstanding;	   /* submitted, never completed */
	uint64_t oldest_outstanding_ns; /* its age when the client was read */
	uint64_t io_errors;
	uint64_t cpu_user_ns, cpu_sys_ns; /* worker process, over cpu_wall_ns */
	uint64_t cpu_wall_ns;	   /* 0: CPU unknown */
	struct tally_usage usage;
	bool fifo;		   /* threads waited for T under SCHED_FIFO */
	bool direct;		   /* O_DIRECT was effective on every file */
	char runner[TALLY_RUNNER_MAX]; /* "fio-3.33"; "": volley itself; of clients
					* that differ, one of them */
	/* That program ends its window by itself, with its last completion: what it
	 * drained cannot be told from the rest, and window_to is where that was. */
	bool window_own;
	/* Taken over from another program's result: only the counts INSIDE, the
	 * latencies, the stated rates and the CPU are known; threads, io_errors and
	 * direct where they are not 0. */
	bool imported;
	uint64_t latency_depth; /* which latency_target found, the deepest of its threads;
				 * 0: unknown */
	struct dir_tally dir[DIR_COUNT]; /* a direction with 0 ios in all phases is absent */
	/* Of a client that ran several jobs: owned, the figures of each, of which this
	 * is the sum.  None: one job. */
	struct tally **jobs;
	size_t njobs;
	unsigned job; /* of one job: its number within the case, from 0 */
};

struct tally *tally_new(void);
void tally_free(struct tally *tally);
bool tally_has(const struct tally *tally, enum dir dir);
/* The figures of a client's jobs one by one: itself when it ran one. */
size_t tally_job_count(const struct tally *tally);
const struct tally *tally_job(const struct tally *tally, size_t i);
/* One client's jobs, n >= 1, as its figures; takes them over (the array stays the
 * caller's).  Its window is what its jobs' windows have in common. */
struct tally *tally_of_jobs(struct tally *const *jobs, size_t n);
/* Adds counts, latencies and CPU; times become the earliest firsts and the latest
 * lasts, the window what both have in common.  `first`: nothing was added yet. */
void tally_merge(struct tally *into, const struct tally *from, bool first);
/* Adds counts, histograms, slots and heats of one direction, and merges its times. */
void dir_tally_merge(struct dir_tally *into, const struct dir_tally *from);
/* Of threads or clients that run side by side. */
void dir_times_merge(struct dir_times *into, const struct dir_times *from);
/* Everything NAN. */
struct tally_stated *tally_stated_new(void);
void dir_tally_free(struct dir_tally *tally);

#endif
