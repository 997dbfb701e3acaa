/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one job thread counts while it runs.  One thread writes, anybody may
 * read at any time: every store is a relaxed atomic, counters only grow, and a
 * reader subtracts snapshots.  A meter has no pointers, so it can live in memory
 * that worker and agent share.  The only file of lib/stats with atomics.
 *
 *                T          T+ramp        T+ramp+runtime
 *   ─────────────┼────────────┼──────────────────┼─────────▶ done time
 *                   BEFORE          INSIDE           AFTER (drain)
 *
 * Rate, slat, clat and lat of a result are all over the I/Os whose completion
 * fell INSIDE.  The drain has a histogram of its own.
 */
#ifndef VOLLEY_STATS_METER_H
#define VOLLEY_STATS_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/stats/dir.h"
#include "lib/stats/hist.h"
#include "lib/stats/slots.h"

enum meter_phase { METER_BEFORE, METER_INSIDE, METER_AFTER, METER_PHASES };

struct meter_dir {
	struct {
		uint64_t ios, bytes;
	} phase[METER_PHASES];
	struct hist slat; /* count 0 for synchronous engines */
	struct hist clat, lat;
	struct hist drain;    /* lat of I/Os done AFTER */
	struct hist response; /* from the intended start; count 0 in closed loops */
	struct hist sync;     /* fsync, fdatasync, sync_file_range between the I/Os of this
			       * thread, done INSIDE; write side only */
	uint64_t slot_overflow; /* completions before T or beyond the last slot: in
				 * the phase counts, but in no slot */
	/* Of its own, ns since T: began, ended and was busy (tally.h); to 0: none. */
	uint64_t from_ns, to_ns, busy_ns;
};

/* Fixed part, then dir 0's slots, dir 1's slots, dir 0's heats, dir 1's heats. */
struct meter {
	uint64_t start_ns;	/* T on this host's CLOCK_MONOTONIC */
	uint64_t window_from;	/* ns since T */
	uint64_t window_to;	/* ns since T; UINT64_MAX for size-bound jobs */
	uint64_t slot_cap, heat_cap;
	struct meter_dir dir[DIR_COUNT];
	unsigned char tail[];
};

struct dir_tally;

/* One completed I/O.  Times are this host's CLOCK_MONOTONIC, ns. */
struct meter_io {
	enum dir dir;
	uint32_t bytes;
	bool has_slat;	     /* false: synchronous; lat = clat, accepted unused */
	uint64_t intended;   /* 0 in closed loops */
	uint64_t start, accepted, done;
};

/* Bytes for a meter that covers `duration_ns` since T; a multiple of 64, so that
 * meters in one region do not share cache lines. */
size_t meter_size(uint64_t duration_ns);
/* Zeroes `meter` (meter_size(duration_ns) bytes) and touches every page. */
void meter_init(struct meter *meter, uint64_t duration_ns);
/* Before the first record: the instant and the window. */
void meter_window(struct meter *meter, uint64_t start_ns, uint64_t window_from,
		  uint64_t window_to);
/* void meter_record(struct meter *, const struct meter_io *) is inline: */
#include "lib/stats/meter-record.h"
void meter_record_sync(struct meter *meter, uint64_t from, uint64_t to);
/* A job whose directions follow each other was in this one from its first submit to
 * its last completion, both on CLOCK_MONOTONIC.  Once for every pass. */
void meter_record_stage(struct meter *meter, enum dir dir, uint64_t from, uint64_t to);
/* Counts of another program (no heats; slots as far as there is room) take the place
 * of what the meter holds.  A reader at that moment may see some of both. */
void meter_set(struct meter *meter, enum dir dir, const struct dir_tally *from);

/* Single counters for the live view, each exact at some moment of the call. */
uint64_t meter_ios(const struct meter *meter, enum dir dir);   /* all phases */
uint64_t meter_bytes(const struct meter *meter, enum dir dir); /* all phases */
uint64_t meter_lat_sum(const struct meter *meter, enum dir dir); /* INSIDE only */

/*
 * Adds this thread's counts of one direction into `into` (tally.h).  Slots and
 * heats end with the last one that is not empty.  While the thread still runs,
 * a histogram counts what its buckets hold at that moment; its sums may be one
 * I/O ahead or behind.
 */
void meter_collect(const struct meter *meter, enum dir dir, struct dir_tally *into);

#endif
