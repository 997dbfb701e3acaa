/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The I/O engine interface.  One engine instance belongs to one thread and is
 * never shared.  Synchronous engines complete inside submit and hand the I/Os
 * back through reap, so the thread has a single code path.
 *
 * Life of an instance:
 *   check → open → map? → file_open* → ( submit | reap )* → file_close* → close
 * All of it happens on the owning thread, open included; only wake may come from
 * elsewhere.  close accepts a half-open instance and releases everything that open
 * and map took; buffers of I/Os still in flight then must outlive the process.
 * docs/engine-guide.md walks through writing one.
 */
#ifndef VOLLEY_ENGINE_ENGINE_H
#define VOLLEY_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/stats/dir.h"
#include "lib/work/job.h"

enum engine_caps {
	ENGINE_SYNC = 1u << 0,	 /* completes in submit, one at a time (iodepth 1) */
	ENGINE_NOFILE = 1u << 1, /* moves no bytes and opens nothing (null) */
	ENGINE_PEER = 1u << 2,	 /* talks to a target instead of a file */
	ENGINE_MAPPED = 1u << 3, /* files are memory from file_open on (mmap) */
};

enum mem_kind { MEM_HOST, MEM_HUGE, MEM_GPU };

/* A file or device, opened by the worker's guard; the engine only uses fd. */
struct io_file {
	int fd;		   /* -1: not open */
	unsigned index;	   /* dense, 0-based, within the thread */
	const char *name;  /* for messages; borrowed */
	bool direct;	   /* O_DIRECT is effective */
	void *engine_data; /* for file_open/file_close */
};

/*
 * One I/O.  The thread owns the struct and its buffer; between submit (taken)
 * and reap it belongs to the engine.  Times are CLOCK_MONOTONIC ns.
 */
struct io {
	enum dir dir;
	struct io_file *file;
	uint64_t offset;
	uint32_t bytes;	   /* wanted */
	void *buf;
	unsigned index;	   /* dense, 0-based, < env.iodepth */
	int64_t result;	   /* after reap: bytes moved, or -errno */
	uint64_t intended, start, accepted; /* the thread's stamps; engines ignore them */
};

struct engine;

struct engine_env {
	const struct job *job;
	unsigned iodepth; /* most I/Os in flight; 1 for ENGINE_SYNC */
	unsigned thread;  /* index within the client */
	unsigned nfiles;
	const char *key; /* ENGINE_PEER: the target's key; NULL: none was given */
};

struct engine_ops {
	const char *name, *doc;
	unsigned caps; /* enum engine_caps */
	/* Is this job possible with this engine?  Pure. */
	int (*check)(const struct job *job, struct err *err);
	int (*open)(struct engine **ret, const struct engine_env *env, struct err *err);
	/* Registers the thread's buffer pool; NULL when an engine has no use for it. */
	int (*map)(struct engine *engine, void *base, size_t len, enum mem_kind kind,
		   struct err *err);
	int (*file_open)(struct engine *engine, struct io_file *file, struct err *err);
	void (*file_close)(struct engine *engine, struct io_file *file);
	/*
	 * How many of the n were taken, in order (may be fewer, also 0: reap first),
	 * or -errno when the engine itself is broken.  What is wrong with one I/O
	 * (bad fd, misaligned) is that I/O's result, never an error of submit.
	 */
	int (*submit)(struct engine *engine, struct io *const *ios, unsigned n);
	/*
	 * Delivers completed I/Os: waits until `min` are there or the clock reaches
	 * until_ns (UINT64_MAX: no limit; min 0: only what is there).  Returns how
	 * many (at most max), or -errno.  `min` may exceed what is in flight when
	 * there is a limit: then it is a sleep that completions and wake() cut short.
	 * wake(), or a signal the thread does not block, ends the wait: what is there
	 * is delivered, or -EINTR when that is nothing.
	 */
	int (*reap)(struct engine *engine, struct io **ret, unsigned min, unsigned max,
		    uint64_t until_ns);
	/*
	 * From another thread or a signal handler: the reap that waits, or the next
	 * one that would, returns at once.  May be NULL.
	 */
	void (*wake)(struct engine *engine);
	/*
	 * What broke it, in words, after submit or reap gave an error that errno alone
	 * does not explain; NULL: nothing to add.  May be NULL.
	 */
	const char *(*why)(const struct engine *engine);
	void (*close)(struct engine *engine);
};

/* Each instance begins with this, so wrappers and the thread can find the ops. */
struct engine {
	const struct engine_ops *ops;
};

/* All engines this program knows, built or not; NULL-terminated. */
struct engine_entry {
	const char *name;
	const struct engine_ops *ops; /* NULL: not built */
	const char *why_not;	      /* "not built (--with-liburing)" */
};
const struct engine_entry *engine_list(void);
/* Resolves a name; the error tells unknown (with a suggestion) from not built. */
const struct engine_ops *engine_find(const char *name, struct err *err);

/*
 * Does an I/O complete inside submit?  Then it has no slat.  As in fio, an engine
 * that moves nothing counts as synchronous at iodepth 1.
 */
bool engine_is_sync(const struct engine_ops *ops, const struct job *job);

/*
 * Opens the job's engine, wrapped as the job asks: fault when job->fault is set,
 * checked (outermost) when job->checked is set.  Use the result through its ops.
 */
int engine_open(struct engine **ret, const struct engine_env *env, struct err *err);

#endif
