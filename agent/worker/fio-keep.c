/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The logs that fio wrote into its folder.  Those that the job asked for are copied to
 * where volley's own would be, before the folder goes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "agent/worker/fio-crew.h"
#include "lib/base/mem.h"

int
fiocrew_open_log(const struct fiocrew *crew, enum iolog_kind kind, unsigned t)
{
	char *name = mem_printf(
	    FIOCREW_LOG_PREFIX "_%s.%u.log", iolog_kind_name(kind), t + 1);
	int fd = openat(crew->folder_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	free(name);
	return fd;
}

static int
copy(int from, FILE *to, struct err *err)
{
	char part[65536];
	ssize_t n;

	while ((n = read(from, part, sizeof part)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(err, errno, "a log of fio's");
		if (fwrite(part, 1, (size_t)n, to) < (size_t)n)
			return 0; /* closing it says so */
	}
	return 0;
}

static int
keep(const struct fiocrew *crew, enum iolog_kind kind, unsigned t, struct err *err)
{
	struct logs *logs = crew->env.logs;
	struct iolog_file to;
	int rc = iolog_file_open(&to, &crew->env.job->output, kind,
	    crew->env.first_number + t, logs, err);

	if (to.file) {
		int from = fiocrew_open_log(crew, kind, t);

		/* fio makes no file for what it has nothing of. */
		if (from >= 0) {
			rc = copy(from, to.file, err);
			close(from);
		}
		if (iolog_file_close(&to, logs, rc == 0 ? err : NULL) < 0)
			rc = -1;
	}
	free(to.path);
	return rc;
}

int
fiocrew_keep_logs(const struct fiocrew *crew, struct err *err)
{
	for (unsigned t = 0; t < crew->env.job->numjobs; t++)
		for (int kind = 0; kind < IOLOG_KINDS; kind++)
			if (keep(crew, (enum iolog_kind)kind, t, err) < 0)
				return -1;
	return 0;
}
