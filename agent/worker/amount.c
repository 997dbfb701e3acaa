/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Percentages become bytes.
 */
#include "agent/worker/amount.h"

#include <unistd.h>

#include "lib/work/blocks.h"

#define PERCENT 100

bool
amount_is_relative(const struct job *job)
{
	const struct job_amount *a = &job->amount;

	return a->size_percent || a->io_size_percent || a->offset_percent ||
	       a->offset_increment_percent;
}

static uint64_t
amount_part(uint64_t whole, unsigned percent)
{
	return (uint64_t)((unsigned __int128)whole * percent / PERCENT);
}

/* Bytes of the smallest file that is there. */
static int
amount_smallest(
    const struct files *files, struct guard *guard, uint64_t *ret, struct err *err)
{
	*ret = UINT64_MAX;
	for (size_t i = 0; i < files->paths.n; i++) {
		struct guard_file file;

		if (guard_open(guard, files->paths.v[i], false, false, JOB_BUFFERED,
			&file, err) < 0)
			return err_prefix(err, "a percentage needs a file");
		close(file.fd);
		if (file.size < *ret)
			*ret = file.size;
	}
	return 0;
}

/* What the percentages are of: filesize; the files that the user names; of files that
 * are to be made, each one's share of size. */
static int
amount_whole(const struct job *job, const struct files *files, struct guard *guard,
    uint64_t *ret, struct err *err)
{
	bool there = !files->folder;

	*ret = job->files.filesize_min;
	if (*ret)
		return 0;
	for (size_t i = 0; there && i < files->paths.n; i++) {
		int rc = guard_exists(guard, files->paths.v[i], err);

		if (rc < 0)
			return -1;
		there = rc > 0;
	}
	if (there || job->amount.size_percent)
		return amount_smallest(files, guard, ret, err);
	*ret = job->size / files->per_thread;
	return 0;
}

static uint64_t
amount_offset(const struct job *job, uint64_t whole, unsigned percent)
{
	uint64_t align =
	    job->amount.offset_align ? job->amount.offset_align : blocks_least(job);
	uint64_t at = amount_part(whole, percent);

	return (at + align - 1) / align * align;
}

int
amount_resolve(
    struct job *job, struct files *files, struct guard *guard, struct err *err)
{
	struct job_amount *a = &job->amount;
	uint64_t whole, each, reach, left;

	if (amount_whole(job, files, guard, &whole, err) < 0)
		return -1;
	if (a->offset_percent)
		job->offset = amount_offset(job, whole, a->offset_percent);
	if (a->offset_increment_percent)
		a->offset_increment =
		    amount_offset(job, whole, a->offset_increment_percent);
	each = a->size_percent ? amount_part(whole, a->size_percent)
			       : job->size / files->per_thread;
	reach = job_offset(job, job->numjobs - 1);
	left = reach < whole ? whole - reach : 0;
	if ((a->size_percent || job->files.filesize_min) && each > left)
		each = left;
	if (each < blocks_most(job))
		return err_set(err, ERR_USAGE,
		    "size: %llu bytes of a file of %llu are left for the job, less "
		    "than a block",
		    (unsigned long long)each, (unsigned long long)whole);
	files->bytes = each;
	if (a->size_percent)
		job->size = each * files->per_thread;
	if (a->io_size_percent)
		job->io_size = amount_part(job->size, a->io_size_percent);
	return 0;
}
