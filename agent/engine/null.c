/* SPDX-License-Identifier: Apache-2.0 */
/*
 * null: moves no bytes.  Everything is complete as soon as it is submitted and
 * comes back in the same order, so what is left is the cost of volley itself.
 */
#include "agent/engine/engines.h"

#include <stdlib.h>

#include "agent/engine/wake.h"
#include "lib/base/mem.h"

struct null_engine {
	struct engine engine;
	struct wake wake;
	unsigned mask, head, tail; /* free-running; tail - head are complete */
	struct io *done[];
};

static int
null_open(struct engine **ret, const struct engine_env *env, struct err *err)
{
	struct null_engine *null;
	unsigned size = 1;

	(void)err;
	while (size < env->iodepth)
		size *= 2;
	null = mem_alloc(sizeof *null + size * sizeof null->done[0]);
	null->engine.ops = &null_ops;
	null->mask = size - 1;
	wake_init(&null->wake);
	*ret = &null->engine;
	return 0;
}

static int
null_submit(struct engine *engine, struct io *const *ios, unsigned n)
{
	struct null_engine *null = (struct null_engine *)engine;

	for (unsigned i = 0; i < n; i++) {
		ios[i]->result = ios[i]->bytes;
		null->done[null->tail++ & null->mask] = ios[i];
	}
	return (int)n;
}

static int
null_reap(struct engine *engine, struct io **ret, unsigned min, unsigned max,
    uint64_t until_ns)
{
	struct null_engine *null = (struct null_engine *)engine;
	unsigned n = null->tail - null->head;

	if (n > max)
		n = max;
	for (unsigned i = 0; i < n; i++)
		ret[i] = null->done[null->head++ & null->mask];
	/* More than is in flight was asked for: nothing but time can come. */
	if (__builtin_expect(n < min, 0)) {
		int r = wake_sleep(until_ns);

		return n ? (int)n : r;
	}
	return (int)n;
}

static void
null_wake(struct engine *engine)
{
	wake_send(&((struct null_engine *)engine)->wake);
}

static void
null_close(struct engine *engine)
{
	struct null_engine *null = (struct null_engine *)engine;

	wake_fini(&null->wake);
	free(null);
}

const struct engine_ops null_ops = {
    .name = "null",
    .doc = "moves no bytes: measures volley itself",
    .caps = ENGINE_NOFILE,
    .check = engine_check_any,
    .open = null_open,
    .file_open = engine_file_any,
    .file_close = engine_file_none,
    .submit = null_submit,
    .reap = null_reap,
    .wake = null_wake,
    .close = null_close,
};
