/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mmap: files are mapped when they are opened, and an I/O is a copy.  With O_DIRECT
 * each write is flushed (msync), and the pages are given back, as fio does.  What
 * the storage refuses arrives as SIGBUS in the middle of a copy; it becomes the
 * I/O's EIO.
 */
#include "agent/engine/engines.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/engine/wake.h"
#include "lib/base/mem.h"

#define PAGE 4096u

struct mapping {
	char *base;
	size_t len; /* 0: not open, or an empty file: nothing is mapped */
};

struct mapper {
	struct engine engine;
	struct wake wake;
	struct io *done;	  /* NULL: none */
	struct mapping *mappings; /* by file.index */
	unsigned nfiles;
};

/* Where the thread goes on when its copy is interrupted; a signal handler has no
 * other way to know. */
static _Thread_local sigjmp_buf *mmap_rescue;

static void
mmap_on_bus_error(int signum)
{
	if (mmap_rescue)
		siglongjmp(*mmap_rescue, 1);
	signal(signum, SIG_DFL); /* not ours: the instruction faults again and ends it */
}

static int
mmap_open(struct engine **ret, const struct engine_env *env, struct err *err)
{
	struct mapper *mapper = mem_alloc(sizeof *mapper);
	/* Not masked while it runs: it leaves by a jump. */
	struct sigaction action = {
	    .sa_handler = mmap_on_bus_error, .sa_flags = SA_NODEFER};

	(void)err;
	mapper->engine.ops = &mmap_ops;
	mapper->nfiles = env->nfiles;
	mapper->mappings = mem_array(env->nfiles, sizeof *mapper->mappings);
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, NULL); /* the same for every thread */
	wake_init(&mapper->wake);
	*ret = &mapper->engine;
	return 0;
}

static int
mmap_file_open(struct engine *engine, struct io_file *file, struct err *err)
{
	struct mapper *mapper = (struct mapper *)engine;
	off_t end = lseek(file->fd, 0, SEEK_END); /* also of a block device */
	bool writes = (fcntl(file->fd, F_GETFL) & O_ACCMODE) == O_RDWR;
	void *base;

	if (end <= 0)
		return 0;
	base = mmap(NULL, (size_t)end, PROT_READ | (writes ? PROT_WRITE : 0),
	    MAP_SHARED, file->fd, 0);
	if (base == MAP_FAILED)
		return err_sys(err, errno, "mmap of %s", file->name);
	mapper->mappings[file->index] =
	    (struct mapping){.base = base, .len = (size_t)end};
	return 0;
}

static void
mmap_drop(struct mapping *mapping)
{
	if (mapping->len > 0)
		munmap(mapping->base, mapping->len);
	*mapping = (struct mapping){0};
}

static void
mmap_file_close(struct engine *engine, struct io_file *file)
{
	mmap_drop(&((struct mapper *)engine)->mappings[file->index]);
}

/* Onto the storage, and out of memory. */
static int64_t
mmap_flush(char *at, size_t len)
{
	size_t before = (uintptr_t)at % PAGE;

	if (msync(at - before, len + before, MS_SYNC) < 0)
		return -errno;
	(void)madvise(at - before, len + before, MADV_DONTNEED);
	return (int64_t)len;
}

/* Bytes moved, or -errno: short at the end of the file, as with read. */
static int64_t
mmap_move(const struct mapper *mapper, const struct io *io)
{
	const struct mapping *mapping = &mapper->mappings[io->file->index];
	sigjmp_buf rescue;
	size_t len = io->bytes;
	char *at;

	if (io->offset >= mapping->len)
		return io->dir == DIR_READ ? 0 : -ENXIO;
	if (len > mapping->len - io->offset)
		len = mapping->len - io->offset;
	at = mapping->base + io->offset;
	if (sigsetjmp(rescue, 0) != 0) {
		mmap_rescue = NULL;
		return -EIO;
	}
	mmap_rescue = &rescue;
	if (io->dir == DIR_READ)
		memcpy(io->buf, at, len);
	else
		memcpy(at, io->buf, len);
	mmap_rescue = NULL;
	return io->file->direct ? mmap_flush(at, len) : (int64_t)len;
}

static int
mmap_submit(struct engine *engine, struct io *const *ios, unsigned n)
{
	struct mapper *mapper = (struct mapper *)engine;
	struct io *io;

	if (mapper->done || n == 0)
		return 0;
	io = ios[0];
	io->result = mmap_move(mapper, io);
	mapper->done = io;
	return 1;
}

static int
mmap_reap(struct engine *engine, struct io **ret, unsigned min, unsigned max,
    uint64_t until_ns)
{
	struct mapper *mapper = (struct mapper *)engine;
	int n = 0, r;

	if (mapper->done && max > 0) {
		ret[n++] = mapper->done;
		mapper->done = NULL;
	}
	if (min <= (unsigned)n)
		return n;
	r = wake_sleep(until_ns);
	return n ? n : r;
}

static void
mmap_wake(struct engine *engine)
{
	wake_send(&((struct mapper *)engine)->wake);
}

static void
mmap_close(struct engine *engine)
{
	struct mapper *mapper = (struct mapper *)engine;

	for (unsigned i = 0; i < mapper->nfiles; i++)
		mmap_drop(&mapper->mappings[i]);
	wake_fini(&mapper->wake);
	free(mapper->mappings);
	free(mapper);
}

const struct engine_ops mmap_ops = {
    .name = "mmap",
    .doc = "copies to and from mapped files",
    .caps = ENGINE_SYNC | ENGINE_MAPPED,
    .check = engine_check_any,
    .open = mmap_open,
    .file_open = mmap_file_open,
    .file_close = mmap_file_close,
    .submit = mmap_submit,
    .reap = mmap_reap,
    .wake = mmap_wake,
    .close = mmap_close,
};
