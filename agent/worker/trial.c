/* SPDX-License-Identifier: Apache-2.0 */
/* Finds a file that is large enough, and reads its beginning. */
#include "agent/worker/trial.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/worker/guard.h"
#include "agent/worker/link.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"

#define CHUNK (1u << 20)
#define ALIGN 4096
#define DEPTH_MAX 3   /* DIRECTORY/volley-data/CLIENT/FILE */
#define ENTRIES_MAX 4096

struct finding {
	struct guard *guard;
	unsigned entries; /* looked at so far */
	char *path;	  /* what was found */
};

static void find_file(struct finding *finding, const char *path, unsigned depth);

/* The caller closes `fd` no more. */
static void
find_in_folder(struct finding *finding, int fd, const char *path, unsigned depth)
{
	DIR *dir = fdopendir(fd);
	const struct dirent *entry;

	if (!dir) {
		close(fd);
		return;
	}
	while (!finding->path && finding->entries < ENTRIES_MAX &&
	       (entry = readdir(dir))) {
		char *below;

		finding->entries++;
		if (entry->d_name[0] == '.')
			continue;
		below = mem_printf("%s/%s", path, entry->d_name);
		find_file(finding, below, depth + 1);
		free(below);
	}
	closedir(dir);
}

static void
find_file(struct finding *finding, const char *path, unsigned depth)
{
	struct err ignored = ERR_INIT;
	struct stat st;
	int fd, folder;

	if (guard_look(finding->guard, path, &fd, &ignored) != 1)
		return;
	if (fstat(fd, &st) < 0)
		st.st_mode = 0;
	if (S_ISBLK(st.st_mode) || (S_ISREG(st.st_mode) && st.st_size >= CHUNK)) {
		finding->path = mem_strdup(path);
	} else if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX) {
		folder = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (folder >= 0)
			find_in_folder(finding, folder, path, depth);
	}
	close(fd);
}

static int
read_some(struct guard *guard, const char *path, uint64_t *ret, struct err *err)
{
	struct guard_file file;
	ssize_t n = 1;
	void *buf;

	*ret = 0;
	if (guard_open(guard, path, false, false, 1, &file, err) < 0)
		return -1;
	if (posix_memalign(&buf, ALIGN, CHUNK) != 0)
		abort();
	while (*ret < TRIAL_BYTES &&
	       (n = pread(file.fd, buf, CHUNK, (off_t)*ret)) > 0)
		*ret += (uint64_t)n;
	if (n < 0)
		err_sys(err, errno, "read %s", path);
	free(buf);
	close(file.fd);
	return n < 0 ? -1 : 0;
}

static int
trial(FILE *out, struct guard *guard, const char *path, struct err *err)
{
	struct finding finding = {.guard = guard};
	uint64_t bytes = 0;
	int rc = -1;

	find_file(&finding, path, 0);
	if (!finding.path)
		err_set(err, ERR_USAGE, "%s: no file of at least %u bytes", path, CHUNK);
	else
		rc = read_some(guard, finding.path, &bytes, err);
	if (rc == 0)
		fprintf(out, "%" PRIu64 "\n", bytes);
	free(finding.path);
	return rc;
}

int
trial_main(FILE *out, int argc, char *const *argv, struct err *err)
{
	static const char allow[] = "--allow=";
	struct link_spec spec = {.client = mem_strdup("trial"), .client_count = 1};
	struct guard *guard = NULL;
	int i = 0, rc;

	for (; i < argc && str_starts(argv[i], allow); i++)
		vec_push(&spec.allow, mem_strdup(argv[i] + strlen(allow)));
	if (i + 2 != argc || strcmp(argv[i], "--") != 0)
		rc = err_set(err, ERR_USAGE, "trial: is started by volleyd");
	else
		rc = guard_new(&guard, &spec, err);
	if (rc == 0)
		rc = trial(out, guard, argv[i + 1], err);
	guard_free(guard);
	link_spec_free(&spec);
	return rc;
}
