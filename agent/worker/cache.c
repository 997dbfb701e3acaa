/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Advice to the page cache.  As in fio, what a file system or device does not
 * care for is no error.
 */
#include "agent/worker/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "agent/worker/buffers.h"
#include "agent/worker/park.h"

#define CACHE_BLOCK (UINT64_C(1) << 20)

static int
cache_advice(const struct job *job)
{
	switch (job->files.fadvise) {
	case JOB_FADVISE_NONE: return POSIX_FADV_NORMAL;
	case JOB_FADVISE_RANDOM: return POSIX_FADV_RANDOM;
	case JOB_FADVISE_SEQUENTIAL: return POSIX_FADV_SEQUENTIAL;
	case JOB_FADVISE_PATTERN: break;
	}
	return job_rw_random(job->rw) ? POSIX_FADV_RANDOM : POSIX_FADV_SEQUENTIAL;
}

static int
cache_fill(
    int fd, uint64_t offset, uint64_t bytes, const struct board *board, struct err *err)
{
	struct buffers buffers;
	int rc = 0;

	if (buffers_map(&buffers, 1, CACHE_BLOCK, err) < 0)
		return -1;
	for (uint64_t at = 0; rc == 0 && at < bytes;) {
		ssize_t n;

		if (park_stopped(board)) {
			rc = err_set(err, ERR_CANCELLED, "stopped");
			break;
		}
		n = pread(fd, buffers.base, CACHE_BLOCK, (off_t)(offset + at));
		if (n < 0 && errno != EINTR)
			rc = err_sys(err, errno, "pre_read");
		if (n == 0)
			break;
		at += n > 0 ? (uint64_t)n : 0;
	}
	buffers_unmap(&buffers);
	return rc;
}

int
cache_prepare(const struct job *job, const struct guard_file *file, uint64_t offset,
    uint64_t bytes, const struct board *board, struct err *err)
{
	int advice = cache_advice(job);

	/* pre_read wants it there, so it is not dropped; fio clears invalidate too. */
	if (job->files.invalidate && !job->files.pre_read) {
		(void)posix_fadvise(
		    file->fd, (off_t)offset, (off_t)bytes, POSIX_FADV_DONTNEED);
		if (file->is_device)
			(void)ioctl(file->fd, BLKFLSBUF, 0);
	}
	if (advice != POSIX_FADV_NORMAL)
		(void)posix_fadvise(
		    file->fd, (off_t)offset, (off_t)bytes, advice);
	if (job->files.pre_read)
		return cache_fill(file->fd, offset, bytes, board, err);
	return 0;
}

/* Does it come by everything before it begins anew? */
static bool
makes_passes(const struct job *job)
{
	return !job_rw_random(job->rw) ||
	       (!job->norandommap && job->access.dist == JOB_DIST_RANDOM);
}

void
cache_passes_init(struct cache_passes *passes, const struct job *job, uint64_t pass,
    uint64_t offset, uint64_t bytes)
{
	bool drops = job->files.invalidate && !job->files.pre_read &&
		     job->direct != JOB_DIRECT && makes_passes(job);

	*passes = (struct cache_passes){.pass = drops ? pass : 0,
	    .one = job_rw_random(job->rw),
	    .offset = offset,
	    .bytes = bytes};
}

void
cache_passes_next(struct cache_passes *passes, const struct io_file *files,
    unsigned nfiles, enum dir dir, uint32_t bytes)
{
	uint64_t *done = &passes->done[passes->one ? 0 : dir];

	if (*done >= passes->pass) {
		for (unsigned f = 0; f < nfiles; f++)
			if (files[f].fd >= 0 && !files[f].direct)
				(void)posix_fadvise(files[f].fd, (off_t)passes->offset,
				    (off_t)passes->bytes, POSIX_FADV_DONTNEED);
		*done = 0;
	}
	*done += bytes;
}
