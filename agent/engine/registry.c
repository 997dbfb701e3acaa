/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of engines, and opening one with its wrappers.  The only place that
 * knows which engines this build has.
 */
#include "agent/engine/engine.h"

#include <string.h>

#include "config.h"
#include "agent/engine/checked.h"
#include "agent/engine/engines.h"
#include "agent/engine/fault.h"
#include "lib/base/str.h"

#ifdef HAVE_LIBAIO
#define LIBAIO_OPS &libaio_ops
#else
#define LIBAIO_OPS NULL
#endif
#ifdef HAVE_LIBURING
#define IO_URING_OPS &io_uring_ops
#else
#define IO_URING_OPS NULL
#endif

#ifdef HAVE_RDMA
#define NET_RDMA_OPS &net_rdma_ops
#else
#define NET_RDMA_OPS NULL
#endif

static const struct engine_entry engines[] = {
    {"psync", &psync_ops, NULL},
    {"sync", &sync_ops, NULL},
    {"vsync", &vsync_ops, NULL},
    {"pvsync", &pvsync_ops, NULL},
    {"pvsync2", &pvsync2_ops, NULL},
    {"mmap", &mmap_ops, NULL},
    {"libaio", LIBAIO_OPS, "not built (--with-libaio)"},
    {"io_uring", IO_URING_OPS, "not built (--with-liburing)"},
    {"null", &null_ops, NULL},
    {"net-tcp", &net_tcp_ops, NULL},
    {"net-rdma", NET_RDMA_OPS, "not built (--with-rdma)"},
    {NULL, NULL, NULL},
};
#define ENGINES (sizeof engines / sizeof engines[0] - 1)

const struct engine_entry *
engine_list(void)
{
	return engines;
}

const struct engine_ops *
engine_find(const char *name, struct err *err)
{
	const char *names[ENGINES], *near;

	for (size_t i = 0; i < ENGINES; i++) {
		names[i] = engines[i].name;
		if (strcmp(name, engines[i].name) != 0)
			continue;
		if (!engines[i].ops)
			err_set(err, ERR_UNSUPPORTED, "ioengine %s: %s", name,
			    engines[i].why_not);
		return engines[i].ops;
	}
	near = str_nearest(name, names, ENGINES);
	if (near)
		err_set(err, ERR_USAGE, "ioengine \"%s\" is unknown; did you mean %s?",
		    name, near);
	else
		err_set(err, ERR_USAGE, "ioengine \"%s\" is unknown", name);
	return NULL;
}

bool
engine_is_sync(const struct engine_ops *ops, const struct job *job)
{
	return (ops->caps & ENGINE_SYNC) ||
	       ((ops->caps & ENGINE_NOFILE) && job->iodepth == 1);
}

static bool
wants_fault(const struct job_fault *fault)
{
	return fault->delay_ns || fault->error_every || fault->short_every ||
	       fault->stall_after || fault->enospc_after_set;
}

int
engine_open(struct engine **ret, const struct engine_env *env, struct err *err)
{
	const struct job *job = env->job;
	const struct engine_ops *ops = engine_find(job->ioengine, err);
	struct engine *engine;

	if (!ops)
		return -1;
	if (ops->check(job, err) != 0 || ops->open(&engine, env, err) != 0)
		return err_prefix(err, "ioengine %s", ops->name);
	if (wants_fault(&job->fault) && fault_wrap(&engine, engine, env, err) != 0)
		goto fail;
	if (job->checked && checked_wrap(&engine, engine, env, err) != 0)
		goto fail;
	*ret = engine;
	return 0;
fail:
	engine->ops->close(engine);
	return -1;
}
