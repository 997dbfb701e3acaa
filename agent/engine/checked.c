/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract checker.  It remembers each I/O that was taken, with a copy of its
 * fields, and looks at every call from both sides: what the thread passes in and
 * what the engine gives back.  Whoever breaks a rule, the process ends there.
 */
#include "agent/engine/checked.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"

#define ERRNO_MAX 4095

struct slot {
	struct io *io;  /* NULL: not in flight */
	struct io copy; /* as it was submitted */
};

struct checked {
	struct engine engine;
	struct engine_ops ops; /* ours, under the inner engine's name and caps */
	struct engine *inner;
	pthread_t owner;
	unsigned iodepth, inflight, nfiles;
	struct slot *slots;     /* by io->index */
	struct io_file **files; /* open ones, by index */
};

/* The line, then the end: SIGABRT leaves a core where the rule was broken. */
__attribute__((format(printf, 3, 4), noreturn)) static void
breach(const struct checked *checked, const char *verb, const char *fmt, ...)
{
	char rule[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(rule, sizeof rule, fmt, ap);
	va_end(ap);
	fprintf(stderr, "engine contract broken: %s: %s: %s\n",
	    checked->inner->ops->name, verb, rule);
	abort();
}

static void
check_owner(const struct checked *checked, const char *verb)
{
	if (!pthread_equal(pthread_self(), checked->owner))
		breach(checked, verb, "called by another thread than the owner");
}

static void
check_file(const struct checked *checked, const char *verb, const struct io_file *file)
{
	if (checked->inner->ops->caps & (ENGINE_NOFILE | ENGINE_PEER))
		return;
	if (!file)
		breach(checked, verb, "an I/O without a file");
	if (file->index >= checked->nfiles || checked->files[file->index] != file)
		breach(checked, verb, "file %u is not open", file->index);
}

static void
check_offer(const struct checked *checked, const struct io *io)
{
	if (!io)
		breach(checked, "submit", "a null I/O");
	if (io->index >= checked->iodepth)
		breach(checked, "submit", "index %u is not below the iodepth %u",
		    io->index, checked->iodepth);
	if (checked->slots[io->index].io)
		breach(checked, "submit", "I/O %u is in flight already", io->index);
	if (io->dir >= DIR_COUNT)
		breach(checked, "submit", "I/O %u has no direction", io->index);
	if (io->bytes == 0 || !io->buf)
		breach(checked, "submit", "I/O %u has no bytes or buffer", io->index);
	check_file(checked, "submit", io->file);
}

/* They enter their slots before the engine sees them, so that a twin is found. */
static void
offer(struct checked *checked, struct io *const *ios, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		check_offer(checked, ios[i]);
		checked->slots[ios[i]->index] = (struct slot){ios[i], *ios[i]};
	}
}

static int
checked_submit(struct engine *engine, struct io *const *ios, unsigned n)
{
	struct checked *checked = (struct checked *)engine;
	unsigned taken;
	int r;

	check_owner(checked, "submit");
	if (n == 0)
		breach(checked, "submit", "called with nothing");
	if (n > checked->iodepth - checked->inflight)
		breach(checked, "submit", "%u more than %u in flight exceed iodepth %u",
		    n, checked->inflight, checked->iodepth);
	offer(checked, ios, n);
	r = checked->inner->ops->submit(checked->inner, ios, n);
	if (r > (int)n || r < -ERRNO_MAX)
		breach(checked, "submit", "returned %d for %u", r, n);
	taken = r > 0 ? (unsigned)r : 0;
	for (unsigned i = taken; i < n; i++)
		checked->slots[ios[i]->index].io = NULL;
	checked->inflight += taken;
	return r;
}

/* By pointer alone: what a broken engine delivers may not be an I/O at all. */
static struct slot *
slot_of(const struct checked *checked, const struct io *io)
{
	for (unsigned i = 0; io && i < checked->iodepth; i++)
		if (checked->slots[i].io == io)
			return &checked->slots[i];
	breach(checked, "reap", "delivered what is not in flight");
}

static void
check_delivery(struct checked *checked, const struct io *io)
{
	struct slot *slot = slot_of(checked, io);
	const struct io *was = &slot->copy;

	if (io->index != was->index || io->dir != was->dir || io->file != was->file ||
	    io->offset != was->offset || io->bytes != was->bytes || io->buf != was->buf)
		breach(checked, "reap", "I/O %u came back changed", was->index);
	if (io->result > (int64_t)io->bytes || io->result < -ERRNO_MAX)
		breach(checked, "reap", "I/O %u of %u bytes has result %lld", io->index,
		    io->bytes, (long long)io->result);
	slot->io = NULL;
	checked->inflight--;
}

static int
checked_reap(struct engine *engine, struct io **ret, unsigned min, unsigned max,
    uint64_t until_ns)
{
	struct checked *checked = (struct checked *)engine;
	int r;

	check_owner(checked, "reap");
	if (max == 0 || min > max)
		breach(checked, "reap", "at least %u, at most %u", min, max);
	if (min > checked->inflight && until_ns == UINT64_MAX)
		breach(checked, "reap", "waits for %u of %u in flight without a limit",
		    min, checked->inflight);
	r = checked->inner->ops->reap(checked->inner, ret, min, max, until_ns);
	if (r > (int)max || r < -ERRNO_MAX)
		breach(checked, "reap", "returned %d for at most %u", r, max);
	if (r == 0 && min > 0 && clock_ns() < until_ns)
		breach(checked, "reap", "returned nothing before its time");
	for (int i = 0; i < r; i++)
		check_delivery(checked, ret[i]);
	return r;
}

static int
checked_map(
    struct engine *engine, void *base, size_t len, enum mem_kind kind, struct err *err)
{
	struct checked *checked = (struct checked *)engine;

	check_owner(checked, "map");
	if (!base || len == 0)
		breach(checked, "map", "an empty pool");
	return checked->inner->ops->map(checked->inner, base, len, kind, err);
}

static int
checked_file_open(struct engine *engine, struct io_file *file, struct err *err)
{
	struct checked *checked = (struct checked *)engine;
	int r;

	check_owner(checked, "file_open");
	if (file->index >= checked->nfiles)
		breach(checked, "file_open", "index %u of %u files", file->index,
		    checked->nfiles);
	if (checked->files[file->index])
		breach(checked, "file_open", "file %u is open already", file->index);
	r = checked->inner->ops->file_open(checked->inner, file, err);
	if (r == 0)
		checked->files[file->index] = file;
	return r;
}

static void
checked_file_close(struct engine *engine, struct io_file *file)
{
	struct checked *checked = (struct checked *)engine;

	check_owner(checked, "file_close");
	if (file->index >= checked->nfiles || checked->files[file->index] != file)
		breach(checked, "file_close", "file %u is not open", file->index);
	for (unsigned i = 0; i < checked->iodepth; i++)
		if (checked->slots[i].io && checked->slots[i].copy.file == file)
			breach(checked, "file_close", "file %u has I/O in flight",
			    file->index);
	checked->files[file->index] = NULL;
	checked->inner->ops->file_close(checked->inner, file);
}

static void
checked_wake(struct engine *engine)
{
	struct engine *inner = ((struct checked *)engine)->inner;

	inner->ops->wake(inner);
}

static const char *
checked_why(const struct engine *engine)
{
	const struct engine *inner = ((const struct checked *)engine)->inner;

	return inner->ops->why(inner);
}

static void
checked_close(struct engine *engine)
{
	struct checked *checked = (struct checked *)engine;

	check_owner(checked, "close");
	checked->inner->ops->close(checked->inner);
	free(checked->slots);
	free(checked->files);
	free(checked);
}

int
checked_wrap(struct engine **ret, struct engine *inner, const struct engine_env *env,
    struct err *err)
{
	struct checked *checked = mem_alloc(sizeof *checked);

	(void)err;
	checked->ops = (struct engine_ops){
	    .name = inner->ops->name,
	    .doc = inner->ops->doc,
	    .caps = inner->ops->caps,
	    .check = inner->ops->check,
	    .open = inner->ops->open,
	    .map = inner->ops->map ? checked_map : NULL,
	    .file_open = checked_file_open,
	    .file_close = checked_file_close,
	    .submit = checked_submit,
	    .reap = checked_reap,
	    .wake = inner->ops->wake ? checked_wake : NULL,
	    .why = inner->ops->why ? checked_why : NULL,
	    .close = checked_close,
	};
	checked->engine.ops = &checked->ops;
	checked->inner = inner;
	checked->owner = pthread_self();
	checked->iodepth = env->iodepth;
	checked->nfiles = env->nfiles;
	checked->slots = mem_array(env->iodepth, sizeof *checked->slots);
	checked->files = mem_array(env->nfiles, sizeof(struct io_file *));
	*ret = &checked->engine;
	return 0;
}

struct engine *
checked_inner(const struct engine *engine)
{
	if (engine->ops->close != checked_close)
		return NULL;
	return ((const struct checked *)engine)->inner;
}
