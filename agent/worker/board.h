/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The board: a memfd that the worker maps and its parent (the agent, or nobody)
 * reads at any time, even while every thread of the worker hangs in the kernel or
 * after it was killed.  It holds no pointers.  Commands and events travel over
 * the socket (link.h); numbers stay here.
 *
 *   struct board_head │ thread 0 │ thread 1 │ …      each `thread_stride` bytes
 *   thread: struct board_thread │ struct board_flight[iodepth] │ struct meter
 */
#ifndef VOLLEY_WORKER_BOARD_H
#define VOLLEY_WORKER_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/stats/meter.h"
#include "lib/stats/tally.h"
#include "lib/work/job.h"
#include "lib/work/orders.h"

/* "bvolley1", and the sizes of what it holds: an agent and a worker of two builds
 * refuse each other instead of reading each other's fields. */
#define BOARD_MAGIC                                                                    \
	(UINT64_C(0x3179656c6c6f7662) ^ (uint64_t)sizeof(struct board_head) << 48 ^    \
	    (uint64_t)sizeof(struct board_thread) << 32 ^                              \
	    (uint64_t)sizeof(struct board_flight) << 24 ^ sizeof(struct meter))

enum board_phase {
	BOARD_NEW, BOARD_LAYOUT, BOARD_PARKED, BOARD_ARMED, BOARD_RUNNING,
	BOARD_DONE, BOARD_FAILED, BOARD_NOT_STARTED
};

struct board_head {
	uint64_t magic;
	uint64_t size;		/* of the whole board */
	uint64_t threads, iodepth, thread_stride, meter_offset;
	uint64_t duration_ns;	/* what slots and heats cover after T */
	uint64_t phase;		/* enum board_phase, written by the worker */
	uint64_t start_ns;	/* T; written before a thread is armed */
	uint64_t go;		/* 1: may start; looked at by every thread at T */
	uint64_t stop;		/* 1: submit nothing more */
	uint64_t layout_done, layout_total; /* bytes */
	uint64_t direct;	/* 1: O_DIRECT effective on every file */
	uint64_t cpu_user_ns, cpu_sys_ns, cpu_wall_ns; /* set at the end */
	/* Of another program that does the I/O, as in struct tally. */
	uint64_t first_io_bound_ns, window_own;
	char runner[TALLY_RUNNER_MAX];
};

struct board_thread {
	uint64_t first_submit_ns; /* clock just before the first submit; 0: never */
	/* Last completion, or the end of end_fsync, when the thread is out of work. */
	uint64_t end_ns;
	uint64_t submitted, completed, errors;
	uint64_t fifo;		  /* waited under SCHED_FIFO */
	uint64_t delay_ns;	  /* it was to begin so long after T */
	/* What the fault engine really gave, when there is one, known at the end. */
	uint64_t fault_ios, fault_delay_ns;
	uint64_t latency_depth; /* which latency_target found; 0: it was not sought */
	uint64_t in_time; /* 1: it ran until its time was over */
	/* Its own share of the process, at its end (usage.h). */
	uint64_t cpu_user_ns, cpu_sys_ns, cpu_wall_ns; /* wall 0: not known */
	uint64_t switches, major_faults, minor_faults;
};

/* An I/O in flight: since when (0: the place is free), where, how much. */
struct board_flight {
	uint64_t since_ns, offset;
	uint32_t file, bytes;
};

/* The layout is copied out of the head once it was checked: a reader never
 * follows an offset that the worker could still change. */
struct board {
	int fd;
	struct board_head *head;
	uint64_t size, threads, iodepth, thread_stride, meter_offset, duration_ns;
};

/* Size for `threads` threads of `job`; the parent creates, the worker attaches.
 * `duration_ns`: what slots and heats must cover after T. */
int board_create(struct board *board, const struct job *job, uint64_t duration_ns,
		 struct err *err);
/* Maps an inherited fd; checks magic and size.  Takes the fd over on success. */
int board_attach(struct board *board, int fd, struct err *err);
void board_close(struct board *board);

enum board_phase board_phase(const struct board *board);
void board_set_phase(struct board *board, enum board_phase phase);

struct board_thread *board_thread(const struct board *board, unsigned thread);
struct board_flight *board_flight(const struct board *board, unsigned thread);
struct meter *board_meter(const struct board *board, unsigned thread);

/* Reader side: all threads of the board as one client's tally.  `now_ns` dates
 * what is outstanding.  Caller frees with tally_free. */
struct tally *board_tally(const struct board *board, uint64_t now_ns);
/* One thread's, with the CPU time of that thread. */
struct tally *board_thread_tally(const struct board *board, unsigned thread,
				 uint64_t now_ns);
void board_sample(const struct board *board, uint64_t now_ns, struct sample *ret);

#endif
