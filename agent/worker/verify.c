/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of what was written, and what is to be read back.
 */
#include "agent/worker/verify.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "agent/worker/data.h"
#include "agent/worker/dump.h"
#include "agent/worker/stamp.h"
#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "lib/base/vec.h"

struct record {
	uint64_t offset;
	uint32_t bytes, file;
};

struct verify {
	const struct job *job;
	struct stamp stamp;
	struct rng seeds;
	bool keeps, all_reads, reading;
	bool queued; /* the I/O that was chosen last is one of the queue */
	bool *checks; /* by io.index */
	VEC(struct record) records;
	size_t first;		 /* record that was not read back yet */
	size_t at, end;		 /* records that are being read back */
	uint16_t number;
	uint64_t bad;
	struct err why; /* of the first */
};

int
verify_new(struct verify **ret, const struct job *job, unsigned thread, unsigned depth,
    uint64_t seed, struct err *err)
{
	struct verify *verify;
	struct stamp stamp;

	*ret = NULL;
	if (job->verify.kind == JOB_VERIFY_NONE)
		return 0;
	if (stamp_init(&stamp, job, thread, err) < 0)
		return -1;
	verify = mem_alloc(sizeof *verify);
	verify->job = job;
	verify->stamp = stamp;
	verify->keeps = job_reads_back(job);
	verify->all_reads = !job_writes(job);
	verify->checks = mem_array(depth, sizeof *verify->checks);
	rng_seed(&verify->seeds, rng_derive(seed, "verify", 0));
	*ret = verify;
	return 0;
}

void
verify_free(struct verify *verify)
{
	if (!verify)
		return;
	vec_free(&verify->records);
	free(verify->checks);
	free(verify);
}

bool
verify_reads_back(const struct verify *verify)
{
	return verify && verify->keeps;
}

/* Enough was written to read the oldest of it back. */
static void
verify_look_back(struct verify *verify)
{
	const struct job_verify *how = &verify->job->verify;
	uint64_t batch = how->backlog_batch ? how->backlog_batch : how->backlog;
	size_t waiting = verify->records.n - verify->first;

	if (how->backlog == 0 || waiting < how->backlog)
		return;
	verify->at = verify->first;
	verify->end = verify->first + (batch < waiting ? batch : waiting);
	verify->first = verify->end;
}

bool
verify_next(struct verify *verify, struct pattern *pattern, struct pattern_io *ret)
{
	if (verify->keeps && !verify->reading && verify->at == verify->end)
		verify_look_back(verify);
	verify->queued = verify->at < verify->end;
	if (verify->queued) {
		const struct record *record = &verify->records.v[verify->at++];

		ret->dir = DIR_READ;
		ret->file = record->file;
		ret->offset = record->offset;
		ret->bytes = record->bytes;
		return true;
	}
	if (verify->reading || !pattern_next(pattern, ret))
		return false;
	if (verify->job->verify.only)
		ret->dir = DIR_READ;
	return true;
}

void
verify_prepare(struct verify *verify, struct io *io, uint64_t age_ns)
{
	bool fixed = verify->job->verify.pattern.n > 0;
	struct stamp_block block = {
	    .offset = io->offset,
	    .age_ns = age_ns,
	    .number = verify->number,
	};

	verify->checks[io->index] = verify->queued || verify->all_reads;
	if (io->dir != DIR_WRITE)
		return;
	block.seed = fixed ? 0 : rng_u64(&verify->seeds);
	verify->number++;
	stamp_block(&verify->stamp, io->buf, io->bytes, &block);
}

/* What was read, and what was expected where only the pattern says it. */
static int
verify_dump(const struct verify *verify, const struct io *io, uint64_t offset,
    uint32_t bytes, struct err *err)
{
	const char *name = io->file->name;
	unsigned char *wanted;
	int rc;

	if (dump_block(name, offset, "received", io->buf, bytes, err) < 0)
		return -1;
	if (verify->job->verify.kind != JOB_VERIFY_PATTERN)
		return 0;
	wanted = mem_alloc(bytes);
	data_tile(&verify->job->verify.pattern, wanted, bytes, 0, offset);
	rc = dump_block(name, offset, "expected", wanted, bytes, err);
	free(wanted);
	return rc;
}

/* Counts a block that is wrong; the first one is described. */
static void
verify_note(struct verify *verify, const struct io *io, uint64_t offset, uint32_t bytes,
    struct err *why)
{
	struct err late = ERR_INIT;

	if (verify->job->verify.dump &&
	    verify_dump(verify, io, offset, bytes, &late) < 0)
		err_prefix(why, "(%s)", late.msg);
	if (verify->bad++ > 0)
		return;
	err_prefix(why, "verify: %u bytes at %llu of %s", bytes,
	    (unsigned long long)offset, io->file->name ? io->file->name : "(no file)");
	why->errnum = EILSEQ;
	verify->why = *why;
}

bool
verify_completed(
    struct verify *verify, const struct io *io, uint64_t offset, uint32_t bytes)
{
	struct err why = ERR_INIT;

	if (io->dir == DIR_WRITE && verify->keeps) {
		struct record *record = vec_add(&verify->records);

		record->offset = offset;
		record->bytes = bytes;
		record->file = io->file->index;
	}
	if (!verify->checks[io->index] ||
	    stamp_check(&verify->stamp, io->buf, bytes, offset, &why) == 0)
		return true;
	verify_note(verify, io, offset, bytes, &why);
	return false;
}

/* ---- what is still as it was written ---- */

struct place {
	uint64_t offset, end;
	uint32_t file;
	size_t seq; /* when it was written */
};

static int
place_compare(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static bool
same_extent(const struct place *a, const struct place *b)
{
	return a->file == b->file && a->offset == b->offset && a->end == b->end;
}

/* Of equal extents only the latest stays; overlaps then come from mixed sizes alone. */
static size_t
places_unique(struct place *places, size_t n, struct record *records)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (i + 1 < n && same_extent(&places[i], &places[i + 1]))
			records[places[i].seq].bytes = 0;
		else
			places[kept++] = places[i];
	}
	return kept;
}

/* Of two that overlap, the earlier is no longer what was written. */
static void
places_overwritten(const struct place *places, size_t n, struct record *records)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n && places[k].file == places[i].file &&
				       places[k].offset < places[i].end;
		     k++) {
			size_t older = places[i].seq < places[k].seq ? i : k;

			records[places[older].seq].bytes = 0;
		}
}

/* Leaves the records that can be read back, in the order of writing. */
static void
verify_settle(struct verify *verify)
{
	struct record *records = verify->records.v;
	size_t n = verify->records.n, kept = 0;
	struct place *places = mem_array(n, sizeof *places);

	for (size_t i = 0; i < n; i++)
		places[i] = (struct place){.offset = records[i].offset,
		    .end = records[i].offset + records[i].bytes,
		    .file = records[i].file,
		    .seq = i};
	qsort(places, n, sizeof *places, place_compare);
	places_overwritten(places, places_unique(places, n, records), records);
	free(places);
	for (size_t i = verify->first; i < n; i++)
		if (records[i].bytes > 0)
			records[kept++] = records[i];
	verify->records.n = kept;
}

bool
verify_begin(struct verify *verify, const struct io_file *files, unsigned nfiles)
{
	if (!verify->keeps || verify->reading || verify->records.n == 0)
		return false;
	verify_settle(verify);
	verify->reading = true;
	verify->first = verify->at = 0;
	verify->end = verify->records.n;
	for (unsigned i = 0; i < nfiles; i++) {
		if (files[i].fd < 0)
			continue;
		/* A failed sync is seen when the block is not there. */
		(void)fdatasync(files[i].fd);
		(void)posix_fadvise(files[i].fd, 0, 0, POSIX_FADV_DONTNEED);
	}
	return verify->end > 0;
}

void
verify_end(struct verify *verify)
{
	verify->reading = false;
	verify->records.n = 0;
	verify->first = verify->at = verify->end = 0;
}

int
verify_result(const struct verify *verify, struct err *err)
{
	if (!verify || verify->bad == 0)
		return 0;
	*err = verify->why;
	if (verify->bad > 1)
		err_prefix(err, "%llu blocks are wrong, the first",
		    (unsigned long long)verify->bad);
	return -1;
}
