/* SPDX-License-Identifier: Apache-2.0 */
/* See steadywatch.h. */
#include "agent/worker/steadywatch.h"

#include <pthread.h>
#include <stdlib.h>

#include "agent/worker/park.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"

#define SETTLE_NS UINT64_C(20000000) /* until a second's last I/O is on the board */

struct steadywatch {
	const struct board *board;
	uint64_t start_ns, first; /* T; the slot at which judging begins */
	struct steady steady;
	void (*end)(void *arg);
	void *arg;
	pthread_t thread;
	uint32_t over; /* futex: 1 to end the watch */
};

static struct steady_second
second_on_board(const struct board *board, uint64_t first)
{
	struct steady_second sum = {0};

	for (unsigned t = 0; t < board->threads; t++)
		for (int dir = 0; dir < DIR_COUNT; dir++) {
			const struct meter *meter = board_meter(board, t);
			struct steady_second one =
			    steady_second_of(meter_slots(meter, (enum dir)dir),
				meter_load(&meter->slot_cap), first);

			sum.ios += one.ios;
			sum.bytes += one.bytes;
		}
	return sum;
}

static void *
watch_main(void *arg)
{
	struct steadywatch *watch = arg;
	uint64_t first = watch->first;

	for (;; first += STEADY_SLOTS) {
		uint64_t until =
		    watch->start_ns + (first + STEADY_SLOTS) * SLOT_NS + SETTLE_NS;

		while (clock_ns() < until) {
			park_wait(&watch->over, 0, until);
			if (__atomic_load_n(&watch->over, __ATOMIC_SEQ_CST))
				return NULL;
		}
		if (steady_add(&watch->steady, second_on_board(watch->board, first))) {
			watch->end(watch->arg);
			return NULL;
		}
	}
}

int
steadywatch_start(struct steadywatch **ret, const struct board *board,
    const struct job *job, uint64_t from_ns, void (*end)(void *arg), void *arg,
    struct err *err)
{
	struct steadywatch *watch = mem_alloc(sizeof *watch);
	int rc;

	watch->board = board;
	watch->start_ns = __atomic_load_n(&board->head->start_ns, __ATOMIC_RELAXED);
	watch->first = steady_first_slot(job, from_ns);
	watch->end = end;
	watch->arg = arg;
	steady_init(&watch->steady, job);
	rc = pthread_create(&watch->thread, NULL, watch_main, watch);
	if (rc != 0) {
		steady_free(&watch->steady);
		free(watch);
		return err_sys(err, rc, "steadystate: thread");
	}
	*ret = watch;
	return 0;
}

void
steadywatch_stop(struct steadywatch *watch)
{
	if (!watch)
		return;
	park_set(&watch->over, 1);
	pthread_join(watch->thread, NULL);
	steady_free(&watch->steady);
	free(watch);
}
