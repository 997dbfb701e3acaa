/* SPDX-License-Identifier: Apache-2.0 */
/* See dump.h. */
#include "agent/worker/dump.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/mem.h"

static int
write_all(int fd, const char *buf, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, buf, len);

		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0) {
			buf += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

int
dump_block(const char *file, uint64_t offset, const char *kind, const void *buf,
    size_t len, struct err *err)
{
	const char *slash = file ? strrchr(file, '/') : NULL;
	char *path = mem_printf("%s.%llu.%s", slash ? slash + 1 : file ? file : "null",
	    (unsigned long long)offset, kind);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
	int rc = 0;

	if (fd < 0 || write_all(fd, buf, len) < 0)
		rc = err_sys(err, errno, "verify_dump: %s", path);
	if (fd >= 0)
		close(fd);
	free(path);
	return rc;
}
