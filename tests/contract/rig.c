/* SPDX-License-Identifier: Apache-2.0 */
/* Temporary files, engines and I/Os for the tests of engines. */
#include "tests/contract/rig.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"

uint64_t
rig_word(unsigned file, uint64_t offset)
{
	uint64_t x = ((uint64_t)file + 1) << 40 ^ (offset + 8);

	x *= UINT64_C(0x9e3779b97f4a7c15);
	return x ^ x >> 29;
}

bool
rig_holds(const void *buf, size_t len, unsigned file, uint64_t offset)
{
	for (size_t at = 0; at + 8 <= len; at += 8) {
		uint64_t want = rig_word(file, offset + at);

		if (memcmp((const char *)buf + at, &want, 8) != 0)
			return false;
	}
	return true;
}

/* Already unlinked, so that nothing is left whatever happens to the test. */
static int
temporary(bool *direct)
{
	char path[] = "contract-XXXXXX";
	int fd = mkostemp(path, O_DIRECT | O_CLOEXEC);

	*direct = fd >= 0;
	if (fd < 0) {
		/* Refused only after the file was made: the name is used up. */
		unlink(path);
		strcpy(path, "contract-XXXXXX");
		fd = mkostemp(path, O_CLOEXEC);
	}
	ck_assert_msg(fd >= 0, "a temporary file: %s", strerror(errno));
	unlink(path);
	return fd;
}

static void
fill(int fd, unsigned file, uint64_t size)
{
	uint64_t *block;

	ck_assert_int_eq(posix_memalign((void **)&block, RIG_BLOCK, RIG_BLOCK), 0);
	for (uint64_t at = 0; at < size; at += RIG_BLOCK) {
		for (unsigned i = 0; i < RIG_BLOCK / 8; i++)
			block[i] = rig_word(file, at + (uint64_t)i * 8);
		ck_assert_int_eq(pwrite(fd, block, RIG_BLOCK, (off_t)at), RIG_BLOCK);
	}
	free(block);
}

static void
make_files(struct rig *rig)
{
	rig->files = mem_array(rig->env.nfiles, sizeof *rig->files);
	for (unsigned i = 0; i < rig->env.nfiles; i++) {
		struct io_file *file = &rig->files[i];

		file->index = i;
		file->name = "contract";
		file->fd = -1;
		if (rig_moves(rig)) {
			file->fd = temporary(&file->direct);
			fill(file->fd, i, rig->file_size);
			rig->direct = file->direct;
		}
	}
}

static void
open_files(struct rig *rig)
{
	struct err err;

	for (unsigned i = 0; i < rig->env.nfiles; i++)
		ck_assert_msg(rig->engine->ops->file_open(
				  rig->engine, &rig->files[i], &err) == 0,
		    "%s", err.msg);
}

void
rig_peer_start(struct rig_peer *peer, const char *engine, int fd, uint64_t size)
{
	bool rdma = strcmp(engine, "net-rdma") == 0;
	const char *address = getenv("VOLLEY_TEST_RDMA_ADDRESS");
	struct target_config config = {.host = rdma ? address : "127.0.0.1",
	    .key = RIG_KEY,
	    .exports = &peer->export,
	    .nexports = 1,
	    .tcp = true,
	    .rdma = rdma};
	struct err err = ERR_INIT;

	if (fd >= 0)
		export_file(&peer->export, "contract", dup(fd), size, true);
	else if (export_memory(&peer->export, "contract", size, true, &err) < 0)
		ck_abort_msg("%s", err.msg);
	if (target_start(&peer->target, &config, &err) < 0)
		ck_abort_msg("%s", err.msg);
	peer->host = config.host;
}

void
rig_peer_stop(struct rig_peer *peer)
{
	if (!peer->target)
		return;
	target_stop(peer->target);
	export_free(&peer->export);
	peer->target = NULL;
}

void
rig_peer_aim(const struct rig_peer *peer, struct job *job, struct engine_env *env)
{
	job->net.hostname = (char *)peer->host;
	job->net.port = target_port(peer->target);
	job->net.export = "contract";
	job->rw = JOB_RW;
	job->bs[DIR_READ] = job->bs[DIR_WRITE] = 2 * RIG_BLOCK;
	job->numjobs = job->nrfiles = 1;
	env->key = RIG_KEY;
}

bool
rig_has_peer(const char *engine)
{
	return strncmp(engine, "net-", 4) == 0;
}

void
rig_open(struct rig *rig, const char *name, enum rig_wrap wrap, unsigned depth,
    unsigned nfiles, uint64_t file_size, uint32_t bytes_max)
{
	struct err err = ERR_INIT;

	rig->ops = engine_find(name, &err);
	ck_assert_msg(rig->ops != NULL, "%s", err.msg);
	rig->job.ioengine = (char *)name;
	rig->job.iodepth = rig->ops->caps & ENGINE_SYNC ? 1 : depth;
	rig->job.checked = wrap != RIG_BARE;
	if (wrap == RIG_FAULTY && rig->job.fault.delay_ns == 0)
		rig->job.fault.delay_ns = 20000;
	rig->env = (struct engine_env){
	    .job = &rig->job, .iodepth = rig->job.iodepth, .nfiles = nfiles};
	rig->file_size = file_size;
	make_files(rig);
	if (rig->ops->caps & ENGINE_PEER) {
		rig_peer_start(&rig->peer, name, rig->files[0].fd, file_size);
		rig_peer_aim(&rig->peer, &rig->job, &rig->env);
	}
	if (engine_open(&rig->engine, &rig->env, &err) != 0)
		ck_abort_msg("%s", err.msg);
	rig->bytes_max = bytes_max;
	rig->ios = mem_array(rig->env.iodepth, sizeof *rig->ios);
	rig->got = mem_array(rig->env.iodepth, sizeof(struct io *));
	ck_assert_int_eq(posix_memalign((void **)&rig->pool, RIG_BLOCK,
			     (size_t)bytes_max * rig->env.iodepth),
	    0);
	open_files(rig);
}

void
rig_close(struct rig *rig)
{
	for (unsigned i = 0; i < rig->env.nfiles; i++)
		rig->engine->ops->file_close(rig->engine, &rig->files[i]);
	rig_drop(rig);
}

void
rig_drop(struct rig *rig)
{
	rig->engine->ops->close(rig->engine);
	rig_peer_stop(&rig->peer);
	for (unsigned i = 0; i < rig->env.nfiles; i++)
		if (rig->files[i].fd >= 0)
			close(rig->files[i].fd);
	free(rig->files);
	free(rig->ios);
	free(rig->got);
	free(rig->pool);
}

bool
rig_moves(const struct rig *rig)
{
	return !(rig->ops->caps & ENGINE_NOFILE);
}

bool
rig_calls(const struct rig *rig)
{
	return !(rig->ops->caps & (ENGINE_NOFILE | ENGINE_MAPPED | ENGINE_PEER)) &&
	       !rig->job.engine.registerfiles;
}

bool
rig_queues(const struct rig *rig)
{
	return rig->env.iodepth > 1;
}

struct io *
rig_io(struct rig *rig, unsigned index, enum dir dir, unsigned file, uint64_t offset,
    uint32_t bytes)
{
	struct io *io = &rig->ios[index];

	*io = (struct io){
	    .dir = dir,
	    .file = &rig->files[file],
	    .offset = offset,
	    .bytes = bytes,
	    .buf = rig->pool + (size_t)index * rig->bytes_max,
	    .index = index,
	    .result = INT64_MIN,
	};
	return io;
}

void
rig_submit(struct rig *rig, struct io *const *ios, unsigned n)
{
	unsigned taken = 0;
	int r;

	while (taken < n) {
		r = rig->engine->ops->submit(rig->engine, ios + taken, n - taken);
		ck_assert_int_gt(r, 0);
		taken += (unsigned)r;
	}
	ck_assert_uint_eq(taken, n);
}

int
rig_call_reap(struct rig *rig, unsigned min, unsigned max, uint64_t until_ns)
{
	return rig->engine->ops->reap(rig->engine, rig->got, min, max, until_ns);
}

void
rig_reap(struct rig *rig, unsigned n)
{
	uint64_t limit = clock_ns() + RIG_FAR;
	unsigned have = 0;

	while (have < n) {
		int r = rig->engine->ops->reap(
		    rig->engine, rig->got + have, 1, n - have, limit);

		if (r == -EINTR) /* io_uring also says so for the kernel's own work */
			continue;
		ck_assert_msg(
		    r > 0, "reap returned %d, %u of %u are there", r, have, n);
		have += (unsigned)r;
	}
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < i; k++)
			ck_assert_ptr_ne(rig->got[i], rig->got[k]);
}

int64_t
rig_do(struct rig *rig, struct io *io)
{
	rig_submit(rig, &io, 1);
	rig_reap(rig, 1);
	ck_assert_ptr_eq(rig->got[0], io);
	return io->result;
}
