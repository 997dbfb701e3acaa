/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Open files in a ring of those that were used last.
 */
#include "agent/worker/opener.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/mem.h"
#include "lib/base/vec.h"

struct opener {
	struct opener_env env;
	struct state {
		uint64_t used; /* when: a count of uses */
		unsigned inflight;
	} *states; /* by file */
	VEC(unsigned) open; /* files, in no order */
	uint64_t uses;
};

static int
close_at(struct opener *opener, size_t i, struct err *err)
{
	struct io_file *file = &opener->env.files[opener->open.v[i]];
	int rc = 0;

	opener->env.engine->ops->file_close(opener->env.engine, file);
	if (opener->env.syncs && fsync(file->fd) < 0)
		rc = err_sys(err, errno, "fsync of %s", file->name);
	close(file->fd);
	file->fd = -1;
	opener->open.v[i] = opener->open.v[--opener->open.n];
	return rc;
}

/* Makes room, as far as something is idle. */
static int
shrink(struct opener *opener, struct err *err)
{
	while (opener->open.n >= opener->env.limit) {
		size_t oldest = opener->open.n;

		for (size_t i = 0; i < opener->open.n; i++) {
			const struct state *state =
			    &opener->states[opener->open.v[i]];

			if (state->inflight == 0 &&
			    (oldest == opener->open.n ||
				state->used <
				    opener->states[opener->open.v[oldest]].used))
				oldest = i;
		}
		if (oldest == opener->open.n)
			return 0;
		if (close_at(opener, oldest, err) < 0)
			return -1;
	}
	return 0;
}

static int
open_file(struct opener *opener, unsigned file, struct err *err)
{
	const struct opener_env *env = &opener->env;

	if (shrink(opener, err) < 0 || env->open(env->arg, file, err) < 0)
		return -1;
	if (env->engine->ops->file_open(env->engine, &env->files[file], err) < 0) {
		close(env->files[file].fd);
		env->files[file].fd = -1;
		return -1;
	}
	vec_push(&opener->open, file);
	return 0;
}

int
opener_new(struct opener **ret, const struct opener_env *env, struct err *err)
{
	struct opener *opener = mem_alloc(sizeof *opener);

	opener->env = *env;
	opener->states = mem_array(env->nfiles, sizeof *opener->states);
	for (unsigned f = 0; f < env->limit && f < env->nfiles; f++)
		if (open_file(opener, f, err) < 0) {
			opener_free(opener);
			return -1;
		}
	*ret = opener;
	return 0;
}

int
opener_use(struct opener *opener, unsigned file, struct err *err)
{
	if (opener->env.files[file].fd < 0 && open_file(opener, file, err) < 0)
		return -1;
	opener->states[file].used = ++opener->uses;
	opener->states[file].inflight++;
	return 0;
}

void
opener_done(struct opener *opener, unsigned file)
{
	opener->states[file].inflight--;
}

unsigned
opener_open_files(const struct opener *opener)
{
	return (unsigned)opener->open.n;
}

void
opener_free(struct opener *opener)
{
	struct err ignored = ERR_INIT;

	if (!opener)
		return;
	while (opener->open.n > 0)
		(void)close_at(opener, opener->open.n - 1, &ignored);
	vec_free(&opener->open);
	free(opener->states);
	free(opener);
}
