/* SPDX-License-Identifier: Apache-2.0 */
/* The checks of a job that need more than one option. */
#include "lib/work/job.h"

#include <inttypes.h>
#include <string.h>

#include "lib/work/blocks.h"
#include "lib/work/job-net.h"
#include "lib/work/option.h"
#include "lib/work/runner-fio.h"

#define SECTOR 512 /* the least alignment that O_DIRECT asks for anywhere */

/* The I/Os of one direction beside what the job covers. */
static int
check_blocks(const struct job *job, enum dir dir, struct err *err)
{
	struct blocks blocks;
	uint64_t bs;

	blocks_init(&blocks, job, dir);
	bs = blocks.max;
	if (job->amount.size_percent == 0) {
		if (bs > job_file_bytes(job) && job->nrfiles > 1)
			return err_set(err, ERR_USAGE,
			    "bs (%" PRIu64 ") is larger than "
			    "size / nrfiles (%" PRIu64 ")",
			    bs, job_file_bytes(job));
		if (bs > job->size)
			return err_set(err, ERR_USAGE,
			    "bs (%" PRIu64 ") is larger than "
			    "size (%" PRIu64 ")",
			    bs, job->size);
	}
	if (job->io_size && bs > job->io_size)
		return err_set(err, ERR_USAGE,
		    "bs (%" PRIu64 ") is larger than "
		    "io_size (%" PRIu64 ")",
		    bs, job->io_size);
	return 0;
}

/* What O_DIRECT needs. */
static int
check_alignment(const struct job *job, struct err *err)
{
	uint64_t unit = blocks_unit(job);

	if (job->direct == JOB_BUFFERED)
		return 0;
	if (unit % SECTOR)
		return err_set(err, ERR_USAGE,
		    "direct I/O needs a bs that is a "
		    "multiple of %d, not %" PRIu64,
		    SECTOR, unit);
	if (job->blocks.unaligned)
		return err_set(err, ERR_USAGE, "direct I/O excludes bs_unaligned");
	if (job->offset % SECTOR)
		return err_set(err, ERR_USAGE,
		    "direct I/O needs an offset that is a "
		    "multiple of %d, not %" PRIu64,
		    SECTOR, job->offset);
	return 0;
}

/* Something is left of files of a fixed size behind the last thread's offset. */
static int
check_filesize(const struct job *job, struct err *err)
{
	uint64_t least = job->files.filesize_min, last = job_offset(job, job->numjobs - 1);
	uint64_t left = least > last ? least - last : 0;

	if (least == 0 || last == 0)
		return 0;
	for (int d = 0; d < DIR_COUNT; d++) {
		struct blocks blocks;

		blocks_init(&blocks, job, (enum dir)d);
		if (job_rw_has(job, (enum dir)d) && left < blocks.max)
			return err_set(err, ERR_USAGE,
			    "offset: the last thread begins at %" PRIu64
			    " of filesize (%" PRIu64 "): no room for a block",
			    last, least);
	}
	return 0;
}

static int
check_sizes(const struct job *job, struct err *err)
{
	const struct job_amount *amount = &job->amount;
	uint64_t shift = 0;

	if (job->size == 0 && amount->size_percent == 0)
		return err_set(err, ERR_USAGE, "size is not set");
	if (__builtin_mul_overflow(
		amount->offset_increment, (uint64_t)job->numjobs, &shift) ||
	    shift > UINT64_MAX / 4 || job->offset > UINT64_MAX / 4 - job->size)
		return err_set(err, ERR_USAGE, "offset + size is too large");
	for (int d = 0; d < DIR_COUNT; d++)
		if (job_rw_has(job, (enum dir)d) &&
		    check_blocks(job, (enum dir)d, err) < 0)
			return -1;
	return check_filesize(job, err) < 0 ? -1 : check_alignment(job, err);
}

static int
check_depth(const struct job *job, struct err *err)
{
	const struct {
		const char *name;
		unsigned v;
	} limits[] = {{"iodepth_batch", job->iodepth_batch},
	    {"iodepth_batch_complete_min", job->iodepth_batch_complete_min},
	    {"iodepth_batch_complete_max", job->iodepth_batch_complete_max},
	    {"iodepth_low", job->iodepth_low}};

	if (job->iodepth > 1 && job_is_sync(job))
		return err_set(err, ERR_USAGE,
		    "ioengine %s does one I/O at a time: "
		    "iodepth %u is not possible (use numjobs, or libaio or io_uring)",
		    job->ioengine, job->iodepth);
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		if (limits[i].v > job->iodepth)
			return err_set(err, ERR_USAGE,
			    "%s (%u) is larger than iodepth (%u)", limits[i].name,
			    limits[i].v, job->iodepth);
	if (job->iodepth_batch_complete_max &&
	    job->iodepth_batch_complete_min > job->iodepth_batch_complete_max)
		return err_set(err, ERR_USAGE,
		    "iodepth_batch_complete_min (%u) is larger "
		    "than iodepth_batch_complete_max (%u)",
		    job->iodepth_batch_complete_min, job->iodepth_batch_complete_max);
	return 0;
}

/* Files that are made anew between two passes. */
static int
check_renewal(const struct job *job, struct err *err)
{
	const struct job_files *files = &job->files;

	if (!job_renews_files(job))
		return 0;
	if (job_rw_has(job, DIR_READ) || !job_writes(job) || job_on_device(job))
		return err_set(err, ERR_USAGE,
		    "unlink_each_loop with loops is for jobs that only write, into files");
	if (job->shared || (job->filename && job->numjobs > 1))
		return err_set(err, ERR_USAGE,
		    "unlink_each_loop with loops needs files that no other thread uses");
	if (files->openfiles || files->file_append)
		return err_set(err, ERR_USAGE,
		    "unlink_each_loop with loops excludes %s",
		    files->openfiles ? "openfiles" : "file_append");
	return 0;
}

static int
check_time(const struct job *job, struct err *err)
{
	if (job->time_based && job->runtime_ns == 0)
		return err_set(err, ERR_USAGE, "time_based needs runtime");
	if (job->output.steady != JOB_STEADY_NONE && job->output.steady_ns == 0)
		return err_set(
		    err, ERR_USAGE, "steadystate needs steadystate_duration");
	for (int d = 0; d < DIR_COUNT; d++)
		if (job->rate[d] && job->rate_iops[d])
			return err_set(err, ERR_USAGE,
			    "rate and rate_iops exclude each other (%ss)",
			    dir_name((enum dir)d));
	return 0;
}

static int
check_files(const struct job *job, struct err *err)
{
	if (job->files.opendir && (job->filename || job->nrfiles > 1 || job->shared))
		return err_set(err, ERR_USAGE,
		    "opendir names the files, so it excludes filename, nrfiles and shared");
	if (job->files.opendir && job->amount.offset_percent)
		return err_set(err, ERR_USAGE,
		    "an offset in percent is not possible with files of opendir, whose "
		    "sizes differ");
	if (job->files.file_append && (job_rw_has(job, DIR_READ) || job_on_device(job)))
		return err_set(err, ERR_USAGE,
		    "file_append is for jobs that only write, into files");
	if (job->files.file_append && job->files.openfiles)
		return err_set(err, ERR_USAGE,
		    "file_append excludes openfiles: where files end is looked at once");
	if (job->filename && job->nrfiles > 1)
		return err_set(err, ERR_USAGE,
		    "nrfiles (%u) and filename exclude each other", job->nrfiles);
	if (job->filename && job->directory && job->filename[0] == '/')
		return err_set(err, ERR_USAGE,
		    "filename '%s' is absolute, so directory must not be set",
		    job->filename);
	if (job->layout == JOB_LAYOUT_OVERWRITE && !job->filename)
		return err_set(err, ERR_USAGE,
		    "layout=overwrite is for block devices and files named by "
		    "filename; "
		    "volley's own files need no such word");
	return 0;
}

/* What only some engines know would be without effect with the others. */
static int
check_engine(const struct job *job, struct err *err)
{
	const struct job_engine_opts *opts = &job->engine;
	bool uring = strcmp(job->ioengine, "io_uring") == 0;
	bool polls = strcmp(job->ioengine, "pvsync2") == 0 ||
		     strcmp(job->ioengine, "net-rdma") == 0;
	const struct {
		const char *name;
		bool set, others;
	} only[] = {{"hipri", opts->hipri, true}, {"fixedbufs", opts->fixedbufs, false},
	    {"registerfiles", opts->registerfiles, false},
	    {"sqthread_poll", opts->sqthread_poll, false},
	    {"sqthread_poll_cpu", opts->has_sq_cpu, false},
	    {"nonvectored", opts->nonvectored, false}};

	for (size_t i = 0; i < sizeof only / sizeof *only; i++)
		if (only[i].set && !uring && !(only[i].others && polls))
			return err_set(err, ERR_USAGE,
			    "%s is an option of ioengine io_uring%s, not of %s",
			    only[i].name, only[i].others ? ", pvsync2 and net-rdma" : "",
			    job->ioengine);
	if (opts->has_sq_cpu && !opts->sqthread_poll)
		return err_set(
		    err, ERR_USAGE, "sqthread_poll_cpu needs sqthread_poll=1");
	return 0;
}

static int
check_verify(const struct job *job, struct err *err)
{
	const struct job_verify *verify = &job->verify;

	if (verify->kind == JOB_VERIFY_PATTERN && verify->pattern.n == 0 &&
	    !verify->pattern.offset)
		return err_set(err, ERR_USAGE, "verify=pattern needs verify_pattern");
	if (verify->kind == JOB_VERIFY_NONE && verify->only)
		return err_set(err, ERR_USAGE, "verify_only needs verify");
	return 0;
}

int
job_validate(const struct job *job, struct err *err)
{
	if (check_sizes(job, err) || check_depth(job, err) || check_engine(job, err) ||
	    job_net_check(job, err) || check_time(job, err) ||
	    check_renewal(job, err) || check_files(job, err) || check_verify(job, err))
		return -1;
	if (job->runner == JOB_FIO && runner_fio_check(job, err))
		return -1;
	for (const struct option *o = option_table; o->name; o++)
		if (job_supports(job, o->name, err))
			return err_prefix(err, "%s", o->name);
	return 0;
}
