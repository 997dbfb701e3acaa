/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fsync, fdatasync and sync_file_range of a job.
 */
#include "agent/worker/turn-sync.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/mem.h"

/* sync_file_range over what was written since the last one. */
static int
turn_sync_range(struct turn *turn, const struct io_file *file)
{
	static const unsigned flags[][2] = {
	    {JOB_SFR_WAIT_BEFORE, SYNC_FILE_RANGE_WAIT_BEFORE},
	    {JOB_SFR_WRITE, SYNC_FILE_RANGE_WRITE},
	    {JOB_SFR_WAIT_AFTER, SYNC_FILE_RANGE_WAIT_AFTER}};
	struct turn_range *range = &turn->ranges[file->index];
	unsigned how = 0;
	int rc = 0;

	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (turn->job->files.sfr_flags & flags[i][0])
			how |= flags[i][1];
	if (range->to > range->from)
		rc = sync_file_range(
		    file->fd, (off_t)range->from, (off_t)(range->to - range->from), how);
	*range = (struct turn_range){0};
	return rc;
}

/* fsync, fdatasync or sync_file_range of one file, as its option asks. */
void
turn_sync_file(struct turn *turn, struct io_file *file, enum turn_sync how)
{
	static const char *const names[] = {[TURN_FSYNC] = "fsync",
	    [TURN_SYNC_END] = "fsync",
	    [TURN_FDATASYNC] = "fdatasync",
	    [TURN_SYNC_RANGE] = "sync_file_range"};
	uint64_t from;
	int rc;

	if (file->fd < 0)
		return;
	from = ticks_now(&turn->ticks);
	if (how == TURN_SYNC_RANGE)
		rc = turn_sync_range(turn, file);
	else
		rc = how == TURN_FDATASYNC ? fdatasync(file->fd) : fsync(file->fd);
	turn->now_ns = ticks_now(&turn->ticks);
	if (how != TURN_SYNC_END)
		meter_record_sync(turn->meter, from, turn->now_ns);
	if (rc < 0) {
		char *what = mem_printf("%s of %s", names[how], file->name);

		turn_fail(turn, errno, what);
		free(what);
	}
}

/* The range of the file that a sync_file_range will cover. */
void
turn_widen_range(struct turn *turn, const struct io *io)
{
	struct turn_range *range = &turn->ranges[io->file->index];
	uint64_t to = io->offset + io->bytes;

	if (range->to == range->from)
		*range = (struct turn_range){.from = io->offset, .to = to};
	if (io->offset < range->from)
		range->from = io->offset;
	if (to > range->to)
		range->to = to;
	if (++turn->since_range < turn->job->files.sfr_every)
		return;
	turn->since_range = 0;
	if (turn->sync_due == TURN_SYNC_NONE) {
		turn->sync_due = TURN_SYNC_RANGE;
		turn->sync_file = io->file;
	}
}
