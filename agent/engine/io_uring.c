/* SPDX-License-Identifier: Apache-2.0 */
/*
 * io_uring through liburing.  One io_uring_enter per batch; reap looks at the
 * mapped completion ring first and enters the kernel only to wait for more.
 * The mapped buffer pool is registered when the kernel lets us, which spares it
 * pinning the pages of each I/O anew.
 */
#include "agent/engine/engines.h"

#include <errno.h>
#include <liburing.h>
#include <stdlib.h>
#include <sys/uio.h>

#include "agent/engine/wake.h"
#include "lib/base/mem.h"

#define POOL_MAX (UINT64_C(1) << 30) /* the kernel's limit for a registered buffer */
#define DEPTH_MAX 32768u             /* of a ring (IORING_MAX_ENTRIES) */

struct uring {
	struct engine engine;
	struct wake wake;
	struct io_uring ring;
	bool ring_open;
	unsigned inflight; /* taken, queued or in the kernel */
	char *pool;        /* registered buffer */
	size_t pool_len;   /* 0: none */
	bool fixedbufs;    /* the pool has to be registered */
	bool registered;   /* files are named by their index */
	bool polled;       /* hipri */
};

/*
 * Best first; an older kernel says EINVAL to a flag it does not know.  Completions
 * are worked off only when this thread enters the kernel anyhow (6.1), or at least
 * without interrupting it (5.19).  TASKRUN_FLAG lets a peek see that it must enter.
 */
static const unsigned setup_flags[] = {
#ifdef IORING_SETUP_DEFER_TASKRUN
    IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN |
	IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_SUBMIT_ALL,
#endif
#ifdef IORING_SETUP_COOP_TASKRUN
    IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_SUBMIT_ALL,
#endif
    0,
};
#define SETUP_FLAGS (sizeof setup_flags / sizeof setup_flags[0])

static int
uring_check(const struct job *job, struct err *err)
{
	if (job->iodepth > DEPTH_MAX)
		return err_set(
		    err, ERR_USAGE, "iodepth %u is above %u", job->iodepth, DEPTH_MAX);
	return 0;
}

static void
uring_close(struct engine *engine)
{
	struct uring *uring = (struct uring *)engine;

	if (uring->ring_open)
		io_uring_queue_exit(&uring->ring);
	wake_fini(&uring->wake);
	free(uring);
}

/* hipri and sqthread_poll, on top of `flags`; false: the two do not go together. */
static bool
add_polling(struct io_uring_params *params, const struct job_engine_opts *opts)
{
	if (opts->hipri)
		params->flags |= IORING_SETUP_IOPOLL;
	if (!opts->sqthread_poll)
		return true;
	if (params->flags & ~(unsigned)IORING_SETUP_IOPOLL)
		return false; /* all of these are about a thread that submits itself */
	params->flags |= IORING_SETUP_SQPOLL;
	if (opts->has_sq_cpu) {
		params->flags |= IORING_SETUP_SQ_AFF;
		params->sq_thread_cpu = opts->sq_cpu;
	}
	return true;
}

static int
setup(struct uring *uring, const struct engine_env *env, struct err *err)
{
	const struct job_engine_opts *opts = &env->job->engine;
	int r = -EINVAL;

	for (size_t i = 0; i < SETUP_FLAGS && r == -EINVAL; i++) {
		struct io_uring_params params = {.flags = setup_flags[i]};

		if (add_polling(&params, opts))
			r = io_uring_queue_init_params(
			    env->iodepth, &uring->ring, &params);
	}
	if (r == -EINVAL && opts->has_sq_cpu)
		return err_sys(
		    err, -r, "io_uring_setup (sqthread_poll_cpu=%u)", opts->sq_cpu);
	if (r == -ENOMEM)
		return err_sys(
		    err, -r, "io_uring_setup (raise the locked memory limit)");
	if (r == -EPERM || r == -ENOSYS)
		return err_sys(err, -r, "io_uring_setup (switched off on this system)");
	if (r < 0)
		return err_sys(err, -r, "io_uring_setup");
	uring->ring_open = true;
	if (!(uring->ring.features & IORING_FEAT_EXT_ARG))
		return err_set(err, ERR_UNSUPPORTED, "io_uring needs Linux 5.11");
#ifdef IORING_ENTER_REGISTERED_RING
	io_uring_register_ring_fd(&uring->ring); /* cheaper; not needed */
#endif
	return 0;
}

/* Places for all files, empty until they are opened. */
static int
register_files(struct uring *uring, const struct engine_env *env, struct err *err)
{
	int *none = mem_array(env->nfiles, sizeof *none), r;

	for (unsigned i = 0; i < env->nfiles; i++)
		none[i] = -1;
	r = io_uring_register_files(&uring->ring, none, env->nfiles);
	free(none);
	if (r < 0)
		return err_sys(err, -r, "registerfiles: %u files", env->nfiles);
	uring->registered = true;
	return 0;
}

static int
uring_file_open(struct engine *engine, struct io_file *file, struct err *err)
{
	struct uring *uring = (struct uring *)engine;
	int r;

	if (uring->polled && !file->direct)
		return err_set(err, ERR_USAGE,
		    "hipri polls devices, so it needs direct=1 (%s is buffered)",
		    file->name);
	if (!uring->registered)
		return 0;
	r = io_uring_register_files_update(&uring->ring, file->index, &file->fd, 1);
	return r < 0 ? err_sys(err, -r, "registerfiles: %s", file->name) : 0;
}

static void
uring_file_close(struct engine *engine, struct io_file *file)
{
	struct uring *uring = (struct uring *)engine;
	int none = -1;

	if (uring->registered)
		(void)io_uring_register_files_update(
		    &uring->ring, file->index, &none, 1);
}

static int
uring_open(struct engine **ret, const struct engine_env *env, struct err *err)
{
	struct uring *uring = mem_alloc(sizeof *uring);

	uring->engine.ops = &io_uring_ops;
	wake_init(&uring->wake);
	uring->fixedbufs = env->job->engine.fixedbufs;
	uring->polled = env->job->engine.hipri;
	if (setup(uring, env, err) != 0 ||
	    (env->job->engine.registerfiles && register_files(uring, env, err) != 0)) {
		uring_close(&uring->engine);
		return -1;
	}
	*ret = &uring->engine;
	return 0;
}

static int
uring_map(
    struct engine *engine, void *base, size_t len, enum mem_kind kind, struct err *err)
{
	struct uring *uring = (struct uring *)engine;
	struct iovec pool = {.iov_base = base, .iov_len = len};

	int r = -EFBIG;

	if (kind != MEM_GPU && len <= POOL_MAX)
		r = io_uring_register_buffers(&uring->ring, &pool, 1);
	/* Refused when it is too much to lock, say: plain I/O does as well. */
	if (r < 0)
		return uring->fixedbufs
			   ? err_sys(err, -r, "fixedbufs: %zu bytes", len)
			   : 0;
	uring->pool = base;
	uring->pool_len = len;
	return 0;
}

/* Does the I/O's buffer lie in the registered pool? */
static bool
in_pool(const struct uring *uring, const struct io *io)
{
	size_t at = (size_t)((uintptr_t)io->buf - (uintptr_t)uring->pool);

	return at < uring->pool_len && io->bytes <= uring->pool_len - at;
}

static void
prepare(const struct uring *uring, struct io_uring_sqe *sqe, struct io *io)
{
	int fd = uring->registered ? (int)io->file->index : io->file->fd;
	bool fixed = in_pool(uring, io);

	if (fixed && io->dir == DIR_READ)
		io_uring_prep_read_fixed(sqe, fd, io->buf, io->bytes, io->offset, 0);
	else if (fixed)
		io_uring_prep_write_fixed(sqe, fd, io->buf, io->bytes, io->offset, 0);
	else if (io->dir == DIR_READ)
		io_uring_prep_read(sqe, fd, io->buf, io->bytes, io->offset);
	else
		io_uring_prep_write(sqe, fd, io->buf, io->bytes, io->offset);
	if (uring->registered)
		io_uring_sqe_set_flags(sqe, IOSQE_FIXED_FILE);
	io_uring_sqe_set_data(sqe, io);
}

/*
 * Gives the kernel what is queued.  Out of some resource for now is no error: the
 * rest stays queued, and goes with the next submit or reap.
 */
static int
push(struct uring *uring)
{
	int r = io_uring_submit(&uring->ring);

	return r == -EAGAIN || r == -EBUSY || r == -EINTR ? 0 : r;
}

static int
uring_submit(struct engine *engine, struct io *const *ios, unsigned n)
{
	struct uring *uring = (struct uring *)engine;
	struct io_uring_sqe *sqe;
	unsigned taken;
	int r;

	for (taken = 0; taken < n; taken++) {
		sqe = io_uring_get_sqe(&uring->ring);
		if (!sqe)
			break;
		prepare(uring, sqe, ios[taken]);
	}
	uring->inflight += taken;
	r = push(uring);
	return r < 0 ? r : (int)taken;
}

static unsigned
take_ready(struct uring *uring, struct io **ret, unsigned max)
{
	struct io_uring_cqe *cqe;
	unsigned head, n = 0;

	io_uring_for_each_cqe(&uring->ring, head, cqe)
	{
		struct io *io;

		if (n == max)
			break;
		io = io_uring_cqe_get_data(cqe);
		io->result = cqe->res;
		ret[n++] = io;
	}
	io_uring_cq_advance(&uring->ring, n);
	uring->inflight -= n;
	return n;
}

/* One system call at most, and one more for what an earlier submit left queued. */
static int
uring_reap(struct engine *engine, struct io **ret, unsigned min, unsigned max,
    uint64_t until_ns)
{
	struct uring *uring = (struct uring *)engine;
	struct io_uring_cqe *cqe;
	struct __kernel_timespec left;
	struct timespec ts;
	unsigned n;
	int r;

	if (io_uring_sq_ready(&uring->ring) > 0) {
		r = push(uring);
		if (r < 0)
			return r;
	}
	n = take_ready(uring, ret, max);
	if (n >= min && (n > 0 || uring->inflight == 0 || max == 0))
		return (int)n;
	if (min == 0) {
		/* Completions may wait for us to enter the kernel: peek does. */
		io_uring_peek_cqe(&uring->ring, &cqe);
		return (int)take_ready(uring, ret, max);
	}
	ts = wake_left(until_ns);
	left = (struct __kernel_timespec){.tv_sec = ts.tv_sec, .tv_nsec = ts.tv_nsec};
	r = io_uring_wait_cqes(
	    &uring->ring, &cqe, min - n, &left, &uring->wake.waiting);
	n += take_ready(uring, ret + n, max - n);
	if (n > 0 || r == 0 || r == -ETIME)
		return (int)n;
	return r;
}

static void
uring_wake(struct engine *engine)
{
	wake_send(&((struct uring *)engine)->wake);
}

const struct engine_ops io_uring_ops = {
    .name = "io_uring",
    .doc = "Linux io_uring (5.11 and later)",
    .check = uring_check,
    .open = uring_open,
    .map = uring_map,
    .file_open = uring_file_open,
    .file_close = uring_file_close,
    .submit = uring_submit,
    .reap = uring_reap,
    .wake = uring_wake,
    .close = uring_close,
};
