/* SPDX-License-Identifier: Apache-2.0 */
/* See logs.h.  A log is a memfd; streams on it count what they write. */
#include "agent/worker/logs.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/worker/link.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"
#include "lib/base/vec.h"

struct one_log {
	struct logs *logs;
	char *name;
	int fd;
	pthread_mutex_t lock; /* of writes: parts of a line never mix */
};

struct logs {
	pthread_mutex_t lock; /* of the list */
	VEC(struct one_log *) list;
	uint64_t max_bytes, bytes; /* bytes: atomic */
};

struct logs *
logs_new(uint64_t max_bytes)
{
	struct logs *logs = mem_alloc(sizeof *logs);

	logs->max_bytes = max_bytes;
	pthread_mutex_init(&logs->lock, NULL);
	return logs;
}

static ssize_t
log_write(void *cookie, const char *data, size_t len)
{
	struct one_log *log = cookie;
	size_t done = 0;

	if (__atomic_add_fetch(&log->logs->bytes, len, __ATOMIC_RELAXED) >
	    log->logs->max_bytes) {
		errno = EFBIG;
		return 0; /* an error, to stdio */
	}
	pthread_mutex_lock(&log->lock);
	while (done < len) {
		ssize_t n = write(log->fd, data + done, len - done);

		if (n < 0 && errno != EINTR)
			break;
		done += n > 0 ? (size_t)n : 0;
	}
	pthread_mutex_unlock(&log->lock);
	return done == len ? (ssize_t)len : 0;
}

static struct one_log *
find_or_add(struct logs *logs, const char *name, struct err *err)
{
	struct one_log *log;
	int fd;

	for (vec_each(struct one_log **, it, &logs->list))
		if (strcmp((*it)->name, name) == 0)
			return *it;
	fd = memfd_create(name, MFD_CLOEXEC);
	if (fd < 0) {
		err_sys(err, errno, "log %s", name);
		return NULL;
	}
	log = mem_alloc(sizeof *log);
	*log = (struct one_log){.logs = logs, .name = mem_strdup(name), .fd = fd};
	pthread_mutex_init(&log->lock, NULL);
	vec_push(&logs->list, log);
	return log;
}

FILE *
logs_open(struct logs *logs, const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	struct one_log *log;
	FILE *file = NULL;

	pthread_mutex_lock(&logs->lock);
	log = find_or_add(logs, name, err);
	if (log) {
		file = fopencookie(
		    log, "w", (cookie_io_functions_t){.write = log_write});
		if (!file)
			err_sys(err, errno, "log %s", name);
	}
	pthread_mutex_unlock(&logs->lock);
	return file;
}

bool
logs_overflowed(const struct logs *logs, struct err *err)
{
	char most[UNITS_BUF];

	if (__atomic_load_n(&logs->bytes, __ATOMIC_RELAXED) <= logs->max_bytes)
		return false;
	err_set(err, ERR_UNSUPPORTED,
	    "write_*_log: the logs of this client are more than %s; log_avg_msec makes "
	    "them smaller",
	    units_bytes(most, (double)logs->max_bytes));
	return true;
}

int
logs_hand_over(struct logs *logs, int link_fd, struct err *err)
{
	for (vec_each(struct one_log **, it, &logs->list)) {
		struct link_msg msg = {.kind = LINK_LOG};

		if (link_send_fd(link_fd, &msg, (*it)->name, (*it)->fd, err) < 0)
			return -1;
	}
	return 0;
}

void
logs_free(struct logs *logs)
{
	if (!logs)
		return;
	for (vec_each(struct one_log **, it, &logs->list)) {
		close((*it)->fd);
		pthread_mutex_destroy(&(*it)->lock);
		free((*it)->name);
		free(*it);
	}
	vec_free(&logs->list);
	pthread_mutex_destroy(&logs->lock);
	free(logs);
}
