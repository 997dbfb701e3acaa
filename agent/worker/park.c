/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting and waking, and the real-time priority around the start instant.
 */
#include "agent/worker/park.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PARK_SECOND UINT64_C(1000000000)
#define PARK_FIFO_PRIORITY 10

void
park_wait(const uint32_t *word, uint32_t value, uint64_t until_ns)
{
	struct timespec until = {
	    .tv_sec = (time_t)(until_ns / PARK_SECOND),
	    .tv_nsec = (long)(until_ns % PARK_SECOND),
	};

	/* The absolute form is FUTEX_WAIT_BITSET; its clock is CLOCK_MONOTONIC. */
	(void)syscall(SYS_futex, word, FUTEX_WAIT_BITSET, value,
	    until_ns == UINT64_MAX ? NULL : &until, NULL, FUTEX_BITSET_MATCH_ANY);
}

void
park_set(uint32_t *word, uint32_t value)
{
	__atomic_store_n(word, value, __ATOMIC_SEQ_CST);
	(void)syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* The low half of head->stop is the futex word. */
static uint32_t *
park_stop_word(const struct board *board)
{
	uint32_t *half = (uint32_t *)(void *)&board->head->stop;

	return half + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

bool
park_stopped(const struct board *board)
{
	return __atomic_load_n(park_stop_word(board), __ATOMIC_RELAXED) != 0;
}

void
park_wait_stop(const struct board *board, uint64_t until_ns)
{
	park_wait(park_stop_word(board), 0, until_ns);
}

void
park_stop(struct board *board)
{
	park_set(park_stop_word(board), 1);
}

bool
park_fifo_take(void)
{
	struct sched_param param = {.sched_priority = PARK_FIFO_PRIORITY};

	return sched_setscheduler(0, SCHED_FIFO, &param) == 0;
}

void
park_fifo_drop(void)
{
	struct sched_param param = {.sched_priority = 0};

	(void)sched_setscheduler(0, SCHED_OTHER, &param);
}
