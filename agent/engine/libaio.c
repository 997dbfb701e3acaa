/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libaio: the kernel's native asynchronous I/O.  One io_submit per batch; reap
 * first takes what the kernel has already put into the completion ring, which is
 * mapped into this process, and enters the kernel only to wait for more.
 */
#include "agent/engine/engines.h"

#include <errno.h>
#include <libaio.h>
#include <stdlib.h>

#include "agent/engine/wake.h"
#include "lib/base/mem.h"

/* The mapped ring: io_context_t is its address (fs/aio.c, struct aio_ring). */
struct aio_ring {
	unsigned id, nr, head, tail;
	unsigned magic, compat, incompat, header_bytes;
	struct io_event events[];
};
#define AIO_RING_MAGIC 0xa10a10a1u

struct libaio {
	struct engine engine;
	struct wake wake;
	io_context_t ctx;
	struct aio_ring *ring; /* NULL: of a layout we do not know */
	unsigned iodepth;
	struct iocb *iocbs; /* by io->index */
	struct iocb **batch;
	struct io_event *events;
	struct io **failed; /* refused by io_submit: delivered by the next reap */
	unsigned nfailed;
};

static void
libaio_close(struct engine *engine)
{
	struct libaio *aio = (struct libaio *)engine;

	if (aio->ctx)
		io_destroy(aio->ctx);
	wake_fini(&aio->wake);
	free(aio->iocbs);
	free(aio->batch);
	free(aio->events);
	free(aio->failed);
	free(aio);
}

static int
setup(struct libaio *aio, struct err *err)
{
	int r = io_setup((int)aio->iodepth, &aio->ctx);

	if (r == -EAGAIN)
		return err_sys(err, -r, "io_setup for %u I/Os (raise fs.aio-max-nr)",
		    aio->iodepth);
	if (r < 0)
		return err_sys(err, -r, "io_setup for %u I/Os", aio->iodepth);
	/* A wait that a wake can end needs the call that takes a signal mask. */
	r = io_pgetevents(aio->ctx, 0, 0, NULL, NULL, NULL);
	if (r < 0)
		return err_sys(err, -r, "io_pgetevents (needs Linux 4.18)");
	aio->ring = (struct aio_ring *)aio->ctx;
	if (aio->ring->magic != AIO_RING_MAGIC || aio->ring->incompat != 0 ||
	    aio->ring->header_bytes != sizeof *aio->ring)
		aio->ring = NULL;
	return 0;
}

static int
libaio_open(struct engine **ret, const struct engine_env *env, struct err *err)
{
	struct libaio *aio = mem_alloc(sizeof *aio);

	aio->engine.ops = &libaio_ops;
	aio->iodepth = env->iodepth;
	wake_init(&aio->wake);
	if (setup(aio, err) != 0) {
		libaio_close(&aio->engine);
		return -1;
	}
	aio->iocbs = mem_array(env->iodepth, sizeof *aio->iocbs);
	aio->batch = mem_array(env->iodepth, sizeof(struct iocb *));
	aio->events = mem_array(env->iodepth, sizeof *aio->events);
	aio->failed = mem_array(env->iodepth, sizeof(struct io *));
	*ret = &aio->engine;
	return 0;
}

static struct iocb *
prepare(struct libaio *aio, struct io *io)
{
	struct iocb *iocb = &aio->iocbs[io->index];

	if (io->dir == DIR_READ)
		io_prep_pread(
		    iocb, io->file->fd, io->buf, io->bytes, (long long)io->offset);
	else
		io_prep_pwrite(
		    iocb, io->file->fd, io->buf, io->bytes, (long long)io->offset);
	iocb->data = io;
	return iocb;
}

static int
libaio_submit(struct engine *engine, struct io *const *ios, unsigned n)
{
	struct libaio *aio = (struct libaio *)engine;
	int r;

	if (n > aio->iodepth)
		n = aio->iodepth;
	for (unsigned i = 0; i < n; i++)
		aio->batch[i] = prepare(aio, ios[i]);
	r = io_submit(aio->ctx, (long)n, aio->batch);
	if (r >= 0)
		return r;
	if (r == -EAGAIN || r == -EINTR)
		return 0;
	/* The kernel refused the first of them and looked at no other. */
	ios[0]->result = r;
	aio->failed[aio->nfailed++] = ios[0];
	return 1;
}

static struct io *
finish(const struct io_event *event)
{
	struct io *io = event->data;

	io->result = (long)event->res;
	return io;
}

static unsigned
take_failed(struct libaio *aio, struct io **ret, unsigned max)
{
	unsigned n = 0;

	while (n < max && aio->nfailed > 0)
		ret[n++] = aio->failed[--aio->nfailed];
	return n;
}

/* What is in the ring already; this thread is its only reader. */
static unsigned
take_ready(struct libaio *aio, struct io **ret, unsigned max)
{
	struct aio_ring *ring = aio->ring;
	unsigned head, tail, n = 0;

	if (!ring)
		return 0;
	head = ring->head;
	tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
	while (n < max && head != tail) {
		ret[n++] = finish(&ring->events[head]);
		head = head + 1 < ring->nr ? head + 1 : 0;
	}
	__atomic_store_n(&ring->head, head, __ATOMIC_RELEASE);
	return n;
}

static int
libaio_reap(struct engine *engine, struct io **ret, unsigned min, unsigned max,
    uint64_t until_ns)
{
	struct libaio *aio = (struct libaio *)engine;
	struct timespec left = {0};
	unsigned n = take_failed(aio, ret, max);
	int r;

	n += take_ready(aio, ret + n, max - n);
	if (n >= min && (aio->ring || n == max))
		return (int)n;
	if (n < min)
		left = wake_left(until_ns);
	r = io_pgetevents(aio->ctx, n < min ? (long)(min - n) : 0, (long)(max - n),
	    aio->events, &left, &aio->wake.waiting);
	for (int i = 0; i < r; i++)
		ret[n++] = finish(&aio->events[i]);
	return n > 0 || r >= 0 ? (int)n : r;
}

static void
libaio_wake(struct engine *engine)
{
	wake_send(&((struct libaio *)engine)->wake);
}

const struct engine_ops libaio_ops = {
    .name = "libaio",
    .doc = "Linux native asynchronous I/O; asynchronous only with direct=1",
    .check = engine_check_any,
    .open = libaio_open,
    .file_open = engine_file_any,
    .file_close = engine_file_none,
    .submit = libaio_submit,
    .reap = libaio_reap,
    .wake = libaio_wake,
    .close = libaio_close,
};
