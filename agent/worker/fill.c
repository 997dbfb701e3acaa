/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that take files off a list and write them in large blocks.
 */
#include "agent/worker/fill.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "agent/worker/buffers.h"
#include "agent/worker/data.h"
#include "agent/worker/park.h"

#define FILL_THREADS 8u
#define FILL_BLOCK (UINT64_C(1) << 20)
#define FILL_ALIGN UINT64_C(4096) /* what O_DIRECT writes in whole */

struct filler {
	struct fill *fill;
	pthread_mutex_t lock; /* err, next, ended */
	struct err err;
	size_t next;
	bool ended;
};

static int
fill_block(
    int fd, const char *path, const void *buf, size_t len, uint64_t at, struct err *err)
{
	const char *from = buf;

	while (len > 0) {
		ssize_t n = pwrite(fd, from, len, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return err_sys(err, n < 0 ? errno : EIO,
			    "write %zu bytes at %llu of %s", len,
			    (unsigned long long)at, path);
		from += n;
		at += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

static int
fill_blocks(struct fill *fill, const struct fill_file *file, int fd, uint64_t bytes,
    struct data *data, void *buf, struct err *err)
{
	uint64_t *done = &fill->board->head->layout_done;

	for (uint64_t at = 0; at < bytes;) {
		size_t len = bytes - at < FILL_BLOCK ? bytes - at : FILL_BLOCK;

		if (park_stopped(fill->board))
			return err_set(
			    err, ERR_CANCELLED, "stopped while writing %s", file->path);
		data_fill(data, buf, len, at);
		if (fill_block(fd, file->path, buf, len, at, err) < 0)
			return -1;
		if (at < file->bytes)
			__atomic_fetch_add(done,
			    len < file->bytes - at ? len : file->bytes - at,
			    __ATOMIC_RELAXED);
		at += len;
	}
	if (fill->job->files.create_fsync && fdatasync(fd) < 0)
		return err_sys(err, errno, "sync %s", file->path);
	/* What the page cache keeps would be read at memory speed later. */
	if (fill->job->direct != JOB_BUFFERED)
		(void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return 0;
}

/* The file as a whole, which may have been longer before. */
static int
fill_opened(struct fill *fill, const struct fill_file *file,
    const struct guard_file *opened, struct data *data, void *buf, struct err *err)
{
	uint64_t bytes = (file->bytes + FILL_ALIGN - 1) / FILL_ALIGN * FILL_ALIGN;
	uint64_t size = opened->size > file->bytes ? opened->size : file->bytes;

	if (!opened->direct)
		bytes = file->bytes;
	if (opened->is_device && opened->size < bytes)
		bytes = opened->size;
	if (fill_blocks(fill, file, opened->fd, bytes, data, buf, err) < 0)
		return -1;
	if (!opened->is_device && bytes > size &&
	    ftruncate(opened->fd, (off_t)size) < 0)
		return err_sys(err, errno, "set the size of %s", file->path);
	return 0;
}

static int
fill_file(struct fill *fill, size_t k, struct err *err)
{
	struct fill_file *file = &fill->files.v[k];
	int direct = fill->job->direct == JOB_BUFFERED ? JOB_BUFFERED : JOB_DIRECT_AUTO;
	struct guard_file opened;
	struct buffers buffers = {0};
	struct data data;
	int rc;

	if (guard_open(fill->guard, file->path, true, false, direct, &opened, err) < 0)
		return -1;
	if (file->id.kind != IDENTITY_NONE && !identity_equal(&file->id, &opened.id)) {
		close(opened.fd);
		return err_set(err, ERR_POLICY,
		    "%s: somebody put another file there", file->path);
	}
	rc = buffers_map(&buffers, 1, FILL_BLOCK, err);
	if (rc == 0) {
		data_init_job(
		    &data, fill->job, rng_derive(fill->seed, file->path, 0));
		rc = fill_opened(fill, file, &opened, &data, buffers.base, err);
		data_free(&data);
		buffers_unmap(&buffers);
	}
	close(opened.fd);
	file->full = rc == 0;
	return rc;
}

static void *
fill_thread(void *arg)
{
	struct filler *filler = arg;
	struct err err = ERR_INIT;

	for (;;) {
		size_t k;
		bool ended;

		pthread_mutex_lock(&filler->lock);
		k = filler->next++;
		ended = filler->ended || k >= filler->fill->files.n;
		pthread_mutex_unlock(&filler->lock);
		if (ended)
			return NULL;
		if (fill_file(filler->fill, k, &err) == 0)
			continue;
		pthread_mutex_lock(&filler->lock);
		if (!filler->ended)
			filler->err = err;
		filler->ended = true;
		pthread_mutex_unlock(&filler->lock);
	}
}

int
fill_run(struct fill *fill, struct err *err)
{
	struct filler filler = {.fill = fill, .lock = PTHREAD_MUTEX_INITIALIZER};
	pthread_t threads[FILL_THREADS];
	uint64_t total = 0;
	size_t n = 0;

	for (vec_each(struct fill_file *, file, &fill->files))
		total += file->bytes;
	__atomic_store_n(&fill->board->head->layout_total, total, __ATOMIC_RELAXED);
	/* The calling thread is one of them, so one that cannot be made is no harm. */
	while (n + 1 < FILL_THREADS && n + 1 < fill->files.n &&
	       pthread_create(&threads[n], NULL, fill_thread, &filler) == 0)
		n++;
	fill_thread(&filler);
	while (n > 0)
		pthread_join(threads[--n], NULL);
	if (!filler.ended)
		return 0;
	*err = filler.err;
	return -1;
}
