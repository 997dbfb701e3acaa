/* SPDX-License-Identifier: Apache-2.0 */
/* See turn-stage.h. */
#include "agent/worker/turn-stage.h"

#include "agent/worker/park.h"

/* The time of the stage belongs to the directions that did something in it. */
static void
turn_stage_record(struct turn *turn)
{
	uint64_t from = turn->stage_from_ns;

	if (from == 0)
		from = turn->counts->first_submit_ns;
	for (int dir = 0; dir < DIR_COUNT; dir++) {
		uint64_t ios = meter_ios(turn->meter, (enum dir)dir);

		if (ios != turn->stage_ios[dir])
			meter_record_stage(
			    turn->meter, (enum dir)dir, from, turn->last_done_ns);
		turn->stage_ios[dir] = ios;
	}
}

/* Reading back what was written, or another pass. */
static bool
turn_stage_choose(struct turn *turn, bool verifies, bool *ret_reads)
{
	*ret_reads =
	    verifies && verify_begin(turn->verify, turn->files, turn->nfiles);
	if (*ret_reads)
		return true;
	if (verifies)
		verify_end(turn->verify);
	if (!pattern_again(turn->pattern))
		return false;
	turn->failed = turn->renew && turn->renew(turn->renew_arg, turn->err) < 0;
	return !turn->failed;
}

bool
turn_stage_next(struct turn *turn)
{
	bool verifies = verify_reads_back(turn->verify), reads;

	if (!verifies && !turn->renew)
		return false;
	if (verifies)
		turn_stage_record(turn);
	if (turn->mismatch || turn->failed || turn->now_ns >= turn->deadline_ns ||
	    park_stopped(turn->board) || turn->submitted == turn->stage_submitted)
		return false;
	turn->stage_submitted = turn->submitted;
	if (!turn_stage_choose(turn, verifies, &reads))
		return false;
	turn->exhausted = false;
	turn->now_ns = turn->stage_from_ns = ticks_now(&turn->ticks);
	/* As in fio, nothing holds back what reads back. */
	turn->paced = !reads && turn_wants_pace(turn);
	if (turn->paced)
		pace_restart(&turn->pace, turn->now_ns);
	return true;
}
