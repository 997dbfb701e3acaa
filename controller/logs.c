/* SPDX-License-Identifier: Apache-2.0 */
/* See logs.h. */
#include "controller/logs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/mem.h"

struct arriving {
	struct attempt *attempt;
	char *folder;
	unsigned files;
};

static void
note(struct attempt *attempt, const char *code, const char *agent, char *text)
{
	*vec_add(&attempt->reasons) = (struct attempt_reason){.code = mem_strdup(code),
	    .agent = mem_strdup(agent),
	    .text = text,
	    .makes = ATTEMPT_VALID};
}

static int
make_folder(const char *path, bool is_new, struct err *err)
{
	if (mkdir(path, 0777) == 0 || (errno == EEXIST && !is_new))
		return 0;
	return err_sys(err, errno, "%s", path);
}

/* "x_bw.1.log.gpu01" */
static char *
file_path(const struct arriving *arriving, const char *agent, const char *name)
{
	char *path = mem_printf("%s/%s.%s", arriving->folder, name, agent);

	for (char *s = path + strlen(arriving->folder) + 1; *s; s++)
		if (*s == '/')
			*s = '_';
	return path;
}

static int
write_all(int fd, const uint8_t *data, size_t len, uint64_t offset)
{
	while (len) {
		ssize_t n = pwrite(fd, data, len, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		data += n;
		offset += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

/* The name is a file only when it holds all: until then it ends with ".part". */
static int
put(void *arg, const char *agent, const struct log_part *part, uint64_t offset,
    struct err *err)
{
	struct arriving *arriving = arg;
	char *path = file_path(arriving, agent, part->name);
	char *unfinished = mem_printf("%s.part", path);
	int fd = open(unfinished,
	    O_WRONLY | O_CLOEXEC | (offset ? 0 : O_CREAT | O_EXCL), 0666);
	int rc = fd < 0 ? -1 : write_all(fd, part->data, part->len, offset);

	if (fd >= 0 && close(fd) < 0)
		rc = -1;
	if (rc == 0 && offset + part->len == part->bytes) {
		rc = access(path, F_OK) == 0 ? (errno = EEXIST, -1)
					     : rename(unfinished, path);
		arriving->files += rc == 0;
	}
	if (rc < 0)
		err_sys(err, errno, "%s", path);
	if (rc < 0 && fd >= 0)
		unlink(unfinished);
	free(unfinished);
	free(path);
	return rc;
}

static void
missing(void *arg, const char *agent, const struct err *err)
{
	struct arriving *arriving = arg;

	note(arriving->attempt, "logs-missing", agent,
	    mem_printf("%s: its logs are not all here: %s", agent, err->msg));
}

void
logs_fetch(struct fleet *fleet, const char *beside, const struct plan_case *c,
    struct attempt *attempt)
{
	struct err err = ERR_INIT;
	struct arriving arriving = {.attempt = attempt,
	    .folder = mem_printf("%s/%s-%s-%s-%u-r%u-%016" PRIx64, beside, c->workload,
		c->storage, transport_name(c->transport), c->clients, attempt->repeat,
		attempt->run_id)};

	if (make_folder(beside, false, &err) < 0 ||
	    make_folder(arriving.folder, true, &err) < 0) {
		note(attempt, "logs-missing", NULL,
		    mem_printf("the logs of all clients are lost: %s", err.msg));
	} else {
		fleet_fetch_logs(fleet, attempt, put, missing, &arriving);
		if (arriving.files)
			note(attempt, "logs", NULL,
			    mem_printf("%u logs of the clients are in %s",
				arriving.files, arriving.folder));
		else
			rmdir(arriving.folder);
	}
	free(arriving.folder);
}
