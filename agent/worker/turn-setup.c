/* SPDX-License-Identifier: Apache-2.0 */
/* What a turn needs before its first I/O, and gives back after its last. */
#include "agent/worker/turn.h"

#include <stdlib.h>

#include "lib/base/mem.h"
#include "lib/work/blocks.h"

static void
turn_set_depths(struct turn *turn)
{
	const struct job *job = turn->job;

	turn->depth = turn->sync ? 1 : job->iodepth;
	turn->batch_max = job->iodepth_batch < 1 ? 1 : job->iodepth_batch;
	if (turn->batch_max > turn->depth)
		turn->batch_max = turn->depth;
	turn->reap_min = job->iodepth_batch_complete_min;
	if (turn->reap_min < 1)
		turn->reap_min = 1;
	turn->reap_max = job->iodepth_batch_complete_max;
	if (turn->reap_max == 0 || turn->reap_max > turn->depth)
		turn->reap_max = turn->depth;
	if (turn->reap_min > turn->reap_max)
		turn->reap_min = turn->reap_max;
	turn->low = job->iodepth_low && job->iodepth_low < turn->depth
			? job->iodepth_low
			: turn->depth;
}

int
turn_prepare(struct turn *turn, uint64_t seed, struct err *err)
{
	const struct job *job = turn->job;
	uint64_t bs = blocks_most(job);

	ticks_init(&turn->ticks);
	turn_set_depths(turn);
	if (buffers_map_as(&turn->buffers, turn->depth, bs, job->process.mem,
		job->process.mem_align, err) < 0)
		return -1;
	data_init_job(&turn->data, job, seed);
	if (job->files.sfr_every)
		turn->ranges = mem_array(turn->nfiles, sizeof *turn->ranges);
	turn->ios = mem_array(turn->depth, sizeof *turn->ios);
	turn->want = mem_array(turn->depth, sizeof *turn->want);
	turn->free = mem_array(turn->depth, sizeof(struct io *));
	turn->batch = mem_array(turn->depth, sizeof(struct io *));
	turn->retry = mem_array(turn->depth, sizeof(struct io *));
	turn->reaped = mem_array(turn->depth, sizeof(struct io *));
	for (unsigned i = turn->depth; i-- > 0;) {
		turn->ios[i].index = i;
		turn->ios[i].buf = buffers_at(&turn->buffers, i);
		data_fill(&turn->data, turn->ios[i].buf, bs, 0);
		turn->free[turn->nfree++] = &turn->ios[i];
	}
	return 0;
}

void
turn_release(struct turn *turn)
{
	buffers_unmap(&turn->buffers);
	data_free(&turn->data);
	iolog_free(turn->log);
	verify_free(turn->verify);
	free(turn->ranges);
	free(turn->ios);
	free(turn->want);
	free(turn->free);
	free(turn->batch);
	free(turn->retry);
	free(turn->reaped);
}
