/* SPDX-License-Identifier: Apache-2.0 */
/* See turn-watch.h. */
#include "agent/worker/turn-watch.h"

#include <errno.h>

/* What the job's limits say to a completion. */
static void
turn_judge(struct turn *turn, const struct io *io, uint64_t done)
{
	struct limits *limits = &turn->limits;
	struct err why = ERR_INIT;
	enum limits_word word;

	if (turn->draining || turn->failed)
		return;
	word = limits_completed(
	    limits, io->dir, turn->want[io->index], done - io->start, done, &why);
	switch (word) {
	case LIMITS_GO_ON: turn->held = turn->depth - limits_depth(limits); break;
	case LIMITS_END: turn->exhausted = true; break;
	case LIMITS_FAIL:
		*turn->err = why;
		turn->failed = true;
		break;
	case LIMITS_DRAIN:
		turn->draining = true;
		turn->held = turn->depth;
		break;
	}
}

/* Is what was read what was written?  If not, the job fails now or at its end. */
static void
turn_verify(struct turn *turn, const struct io *io)
{
	const struct job *job = turn->job;
	uint32_t bytes = turn->want[io->index];

	if (verify_completed(
		turn->verify, io, io->offset + io->bytes - bytes, bytes))
		return;
	turn_post(&turn->counts->errors, turn->counts->errors + 1);
	if (job->verify.fatal && !job_tolerates(job, JOB_ERROR_VERIFY, EILSEQ))
		turn->exhausted = turn->mismatch = true;
}

/* What only some jobs want to know of a completion. */
void
turn_watch(struct turn *turn, const struct io *io, uint64_t done)
{
	if (turn->log) {
		struct meter_io record = turn_figures(turn, io, done);

		/* A short I/O has moved on to its remainder. */
		iolog_completed(turn->log, &record,
		    io->offset + io->bytes - turn->want[io->index]);
	}
	if (turn->limits.any)
		turn_judge(turn, io, done);
	if (turn->opener)
		opener_done(turn->opener, io->file->index);
	if (turn->verify)
		turn_verify(turn, io);
}
