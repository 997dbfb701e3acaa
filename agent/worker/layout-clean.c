/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removing what layout made: the files, then the folders that are empty and volley's.
 */
#include "agent/worker/layout.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "agent/worker/manifest.h"
#include "lib/base/mem.h"

/* Removes the folder when it is volley's own and holds none of its files. */
static bool
layout_clean_folder(const struct layout_env *env, const char *path)
{
	struct manifest *manifest;
	struct err ignored = ERR_INIT;
	char *name;
	int parent, fd = -1;
	bool gone = false;

	if (guard_parent(env->guard, path, &parent, &name, &ignored) == 0 && name) {
		fd = openat(
		    parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd >= 0 &&
		    manifest_open(&manifest, fd, env->spec->client, &ignored) == 0) {
			if (manifest_is_spent(manifest)) {
				manifest_remove_lists(manifest);
				gone = unlinkat(parent, name, AT_REMOVEDIR) == 0;
			}
			manifest_free(manifest);
		}
		if (fd >= 0)
			close(fd);
		close(parent);
		free(name);
	}
	return gone;
}

/* The folder of `path` and those it lies in, up to volley's own, once they are empty. */
static void
layout_clean_parents(const struct layout_env *env, const char *path)
{
	char *at = mem_strdup(path);
	size_t least = strlen(env->files->folder);

	for (;;) {
		at[(size_t)(strrchr(at, '/') - at)] = '\0';
		if (strlen(at) <= least || !layout_clean_folder(env, at))
			break;
	}
	free(at);
}

int
layout_clean(const struct layout_env *env, struct err *err)
{
	const struct files *files = env->files;
	char *outer;

	for (size_t k = 0; k < files->paths.n; k++) {
		int rc = guard_exists(env->guard, files->paths.v[k], err);

		if (rc == 1)
			rc = guard_unlink(env->guard, files->paths.v[k], err);
		if (rc < 0 && err->code != ERR_POLICY) /* what is not ours stays */
			return err_prefix(err, "clean");
	}
	for (size_t k = 0; files->folder && k < files->paths.n; k++)
		layout_clean_parents(env, files->paths.v[k]);
	if (!files->folder || !layout_clean_folder(env, files->folder))
		return 0;
	outer = mem_strndup(
	    files->folder, (size_t)(strrchr(files->folder, '/') - files->folder));
	layout_clean_folder(env, outer);
	free(outer);
	return 0;
}
