/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engines of one system call per I/O, complete when submit returns: psync,
 * pvsync and pvsync2, and sync and vsync, which seek first unless they are already
 * there.  One I/O at a time; reap hands it back.
 */
#include "agent/engine/engines.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "agent/engine/wake.h"
#include "lib/base/mem.h"

struct psync {
	struct engine engine;
	struct wake wake;
	struct io *done; /* NULL: none */
	int flags;	 /* pvsync2: of the calls */
	/* sync and vsync: where the descriptor of `at_file` stands. */
	const struct io_file *at_file;
	uint64_t at;
};

static int
psync_open_as(
    struct engine **ret, const struct engine_ops *ops, const struct engine_env *env)
{
	struct psync *psync = mem_alloc(sizeof *psync);

	psync->engine.ops = ops;
	psync->flags = env->job->engine.hipri ? RWF_HIPRI : 0;
	wake_init(&psync->wake);
	*ret = &psync->engine;
	return 0;
}

#define OPEN(name) \
	static int name##_open( \
	    struct engine **ret, const struct engine_env *env, struct err *err) \
	{ \
		(void)err; \
		return psync_open_as(ret, &name##_ops, env); \
	}
OPEN(psync)
OPEN(pvsync)
OPEN(pvsync2)
OPEN(sync)
OPEN(vsync)
#undef OPEN

/* Takes the I/O whose system call returned `moved`. */
static int
take(struct psync *psync, struct io *io, ssize_t moved)
{
	io->result = moved < 0 ? -errno : moved;
	psync->done = io;
	return 1;
}

static int
psync_submit(struct engine *engine, struct io *const *ios, unsigned n)
{
	struct psync *psync = (struct psync *)engine;
	struct io *io = ios[0];
	ssize_t moved;

	if (psync->done || n == 0)
		return 0;
	if (io->dir == DIR_READ)
		moved = pread(io->file->fd, io->buf, io->bytes, (off_t)io->offset);
	else
		moved = pwrite(io->file->fd, io->buf, io->bytes, (off_t)io->offset);
	return take(psync, io, moved);
}

static int
pvsync2_submit(struct engine *engine, struct io *const *ios, unsigned n)
{
	struct psync *psync = (struct psync *)engine;
	struct io *io = ios[0];
	struct iovec iov;
	ssize_t moved;

	if (psync->done || n == 0)
		return 0;
	iov = (struct iovec){.iov_base = io->buf, .iov_len = io->bytes};
	if (io->dir == DIR_READ)
		moved = preadv2(io->file->fd, &iov, 1, (off_t)io->offset, psync->flags);
	else
		moved = pwritev2(io->file->fd, &iov, 1, (off_t)io->offset, psync->flags);
	return take(psync, io, moved);
}

static int
pvsync_submit(struct engine *engine, struct io *const *ios, unsigned n)
{
	struct psync *psync = (struct psync *)engine;
	struct io *io = ios[0];
	struct iovec iov;
	ssize_t moved;

	if (psync->done || n == 0)
		return 0;
	iov = (struct iovec){.iov_base = io->buf, .iov_len = io->bytes};
	if (io->dir == DIR_READ)
		moved = preadv(io->file->fd, &iov, 1, (off_t)io->offset);
	else
		moved = pwritev(io->file->fd, &iov, 1, (off_t)io->offset);
	return take(psync, io, moved);
}

/* Moves the descriptor to the I/O; false: errno says why not. */
static bool
seek_to(struct psync *psync, const struct io *io)
{
	if (psync->at_file == io->file && psync->at == io->offset)
		return true;
	psync->at_file = NULL;
	return lseek(io->file->fd, (off_t)io->offset, SEEK_SET) >= 0;
}

/* `moved` bytes on from the I/O's offset; after an error nobody knows where. */
static int
take_from(struct psync *psync, struct io *io, ssize_t moved)
{
	psync->at_file = moved < 0 ? NULL : io->file;
	psync->at = io->offset + (moved < 0 ? 0 : (uint64_t)moved);
	return take(psync, io, moved);
}

static int
sync_submit(struct engine *engine, struct io *const *ios, unsigned n)
{
	struct psync *psync = (struct psync *)engine;
	struct io *io = ios[0];
	ssize_t moved = -1;

	if (psync->done || n == 0)
		return 0;
	if (seek_to(psync, io))
		moved = io->dir == DIR_READ ? read(io->file->fd, io->buf, io->bytes)
					    : write(io->file->fd, io->buf, io->bytes);
	return take_from(psync, io, moved);
}

static int
vsync_submit(struct engine *engine, struct io *const *ios, unsigned n)
{
	struct psync *psync = (struct psync *)engine;
	struct io *io = ios[0];
	struct iovec iov;
	ssize_t moved = -1;

	if (psync->done || n == 0)
		return 0;
	iov = (struct iovec){.iov_base = io->buf, .iov_len = io->bytes};
	if (seek_to(psync, io))
		moved = io->dir == DIR_READ ? readv(io->file->fd, &iov, 1)
					    : writev(io->file->fd, &iov, 1);
	return take_from(psync, io, moved);
}

static int
psync_reap(struct engine *engine, struct io **ret, unsigned min, unsigned max,
    uint64_t until_ns)
{
	struct psync *psync = (struct psync *)engine;
	int n = 0, r;

	if (psync->done && max > 0) {
		ret[n++] = psync->done;
		psync->done = NULL;
	}
	if (min <= (unsigned)n)
		return n;
	/* More than one was asked for: nothing but time can come. */
	r = wake_sleep(until_ns);
	return n ? n : r;
}

static void
psync_wake(struct engine *engine)
{
	wake_send(&((struct psync *)engine)->wake);
}

static void
psync_close(struct engine *engine)
{
	struct psync *psync = (struct psync *)engine;

	wake_fini(&psync->wake);
	free(psync);
}

/* A file that is closed may come back with another descriptor. */
static void
sync_file_close(struct engine *engine, struct io_file *file)
{
	struct psync *psync = (struct psync *)engine;

	if (psync->at_file == file)
		psync->at_file = NULL;
}

#define OPS(n, text, closes) \
	const struct engine_ops n##_ops = { \
	    .name = #n, \
	    .doc = text, \
	    .caps = ENGINE_SYNC, \
	    .check = engine_check_any, \
	    .open = n##_open, \
	    .file_open = engine_file_any, \
	    .file_close = closes, \
	    .submit = n##_submit, \
	    .reap = psync_reap, \
	    .wake = psync_wake, \
	    .close = psync_close, \
	}
OPS(psync, "pread and pwrite", engine_file_none);
OPS(pvsync, "preadv and pwritev", engine_file_none);
OPS(pvsync2, "preadv2 and pwritev2", engine_file_none);
OPS(sync, "lseek, read and write", sync_file_close);
OPS(vsync, "lseek, readv and writev", sync_file_close);
