/* SPDX-License-Identifier: Apache-2.0 */
/*
 * psync and pvsync2: one system call per I/O, complete when submit returns.  One
 * I/O at a time; reap hands it back.
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
};

static int
psync_open_as(struct engine **ret, const struct engine_ops *ops)
{
	struct psync *psync = mem_alloc(sizeof *psync);

	psync->engine.ops = ops;
	wake_init(&psync->wake);
	*ret = &psync->engine;
	return 0;
}

static int
psync_open(struct engine **ret, const struct engine_env *env, struct err *err)
{
	(void)env;
	(void)err;
	return psync_open_as(ret, &psync_ops);
}

static int
pvsync2_open(struct engine **ret, const struct engine_env *env, struct err *err)
{
	(void)env;
	(void)err;
	return psync_open_as(ret, &pvsync2_ops);
}

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
		moved = preadv2(io->file->fd, &iov, 1, (off_t)io->offset, 0);
	else
		moved = pwritev2(io->file->fd, &iov, 1, (off_t)io->offset, 0);
	return take(psync, io, moved);
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

const struct engine_ops psync_ops = {
    .name = "psync",
    .doc = "pread and pwrite",
    .caps = ENGINE_SYNC,
    .check = engine_check_any,
    .open = psync_open,
    .file_open = engine_file_any,
    .file_close = engine_file_none,
    .submit = psync_submit,
    .reap = psync_reap,
    .wake = psync_wake,
    .close = psync_close,
};

const struct engine_ops pvsync2_ops = {
    .name = "pvsync2",
    .doc = "preadv2 and pwritev2",
    .caps = ENGINE_SYNC,
    .check = engine_check_any,
    .open = pvsync2_open,
    .file_open = engine_file_any,
    .file_close = engine_file_none,
    .submit = pvsync2_submit,
    .reap = psync_reap,
    .wake = psync_wake,
    .close = psync_close,
};
