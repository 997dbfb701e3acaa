/* SPDX-License-Identifier: Apache-2.0 */
/* See logs.h. */
#include "agent/logs.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/mem.h"

/* All of `from`, behind what `to` holds. */
static int
append(const struct agent_log *to, int from, uint64_t bytes, struct err *err)
{
	off_t at = 0;

	if (lseek(to->fd, (off_t)to->bytes, SEEK_SET) < 0)
		return err_sys(err, errno, "log %s", to->name);
	while ((uint64_t)at < bytes) {
		ssize_t n = sendfile(to->fd, from, &at, bytes - (uint64_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return err_sys(err, n ? errno : EIO, "log %s", to->name);
	}
	return 0;
}

int
agent_logs_add(struct agent_logs *logs, const char *name, int fd, struct err *err)
{
	struct stat st;
	int rc = 0;

	if (fstat(fd, &st) < 0) {
		rc = err_sys(err, errno, "log %s", name);
		close(fd);
		return rc;
	}
	for (vec_each(struct agent_log *, log, &logs->list)) {
		if (strcmp(log->name, name) != 0)
			continue;
		rc = append(log, fd, (uint64_t)st.st_size, err);
		log->bytes += rc == 0 ? (uint64_t)st.st_size : 0;
		close(fd);
		return rc;
	}
	*vec_add(&logs->list) =
	    (struct agent_log){mem_strdup(name), fd, (uint64_t)st.st_size};
	return 0;
}

int
agent_logs_read(const struct agent_logs *logs, const struct log_request *request,
    struct log_part *ret, uint8_t *buf, struct err *err)
{
	const struct agent_log *log;
	ssize_t n;

	*ret = (struct log_part){
	    .run_id = request->run_id, .count = (uint32_t)logs->list.n};
	if (logs->run_id != request->run_id)
		return err_set(err, ERR_USAGE, "no logs of run %016" PRIx64 " here",
		    request->run_id);
	if (request->index >= logs->list.n)
		return 0;
	log = &logs->list.v[request->index];
	if (request->offset > log->bytes)
		return err_set(err, ERR_PROTOCOL, "log %s has no byte %" PRIu64,
		    log->name, request->offset);
	n = pread(log->fd, buf, WIRE_LOG_PART, (off_t)request->offset);
	if (n < 0)
		return err_sys(err, errno, "log %s", log->name);
	ret->name = log->name;
	ret->bytes = log->bytes;
	ret->data = buf;
	ret->len = (size_t)n;
	return 0;
}

void
agent_logs_drop(struct agent_logs *logs)
{
	for (vec_each(struct agent_log *, log, &logs->list)) {
		close(log->fd);
		free(log->name);
	}
	vec_free(&logs->list);
	logs->run_id = 0;
}
