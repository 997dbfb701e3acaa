/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Readiness: systemd's datagram protocol (sd_notify(3) documents it), and a plain
 * line on a file descriptor for scripts and tests.
 */
#include "agent/notify.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int
notify_systemd(struct err *err)
{
	static const char text[] = "READY=1";
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un addr = {.sun_family = AF_UNIX};

	if (!path || (path[0] != '/' && path[0] != '@'))
		return 0;
	size_t len = strlen(path);
	if (len >= sizeof addr.sun_path)
		return err_set(err, ERR_USAGE, "NOTIFY_SOCKET is too long");
	memcpy(addr.sun_path, path, len);
	if (path[0] == '@')
		addr.sun_path[0] = '\0';

	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return err_sys(err, errno, "notify systemd");
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
	ssize_t n = sendto(
	    fd, text, sizeof text - 1, MSG_NOSIGNAL, (struct sockaddr *)&addr, size);
	int saved = errno;
	close(fd);
	return n < 0 ? err_sys(err, saved, "notify systemd at %s", path) : 0;
}

int
notify_ready(int ready_fd, const char *where, struct err *err)
{
	if (ready_fd >= 0) {
		int n = dprintf(ready_fd, "READY %s\n", where);
		int saved = errno;
		close(ready_fd);
		if (n < 0)
			return err_sys(err, saved, "write to the ready descriptor");
	}
	return notify_systemd(err);
}
