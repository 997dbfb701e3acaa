/* SPDX-License-Identifier: Apache-2.0 */
/* Starting and ending local agents. */
#include "controller/fleet/local.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/mem.h"
#include "lib/base/vec.h"

#define CHILD_FD 3
#define END_MS 10000

static char *
program_path(void)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	if (n < 0)
		return mem_strdup("volleyd");
	self[n] = '\0';
	char *slash = strrchr(self, '/');
	return mem_printf("%.*s/volleyd", (int)(slash - self), self);
}

static int
spawn(struct local_agent *agent, const char *program, char *const *argv, int child_fd,
    struct err *err)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int high = fcntl(child_fd, F_DUPFD_CLOEXEC, 10);

	if (high < 0)
		return err_sys(err, errno, "dup");
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, high, CHILD_FD);
	/* Its own process group: Ctrl-C reaches the controller, which stops the run. */
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP);
	posix_spawnattr_setpgroup(&attr, 0);
	int r = posix_spawn(&agent->pid, program, &actions, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	close(high);
	return r ? err_sys(err, r, "start %s", program) : 0;
}

int
local_start(struct local_agent *ret, const char *name, const struct local_allow *allow,
    struct err *err)
{
	VEC(char *) argv = {0};
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return err_sys(err, errno, "socketpair");
	char *program = program_path(),
	     *fixed[] = {"volleyd", "--fd", "3", "--name", (char *)name};
	for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
		vec_push(&argv, fixed[i]);
	for (size_t i = 0; i < allow->npaths; i++) {
		vec_push(&argv, "--allow");
		vec_push(&argv, allow->paths[i]);
	}
	for (size_t i = 0; i < allow->ndevices; i++) {
		vec_push(&argv, "--allow");
		vec_push(&argv, allow->devices[i]);
		vec_push(&argv, "--allow-write");
		vec_push(&argv, allow->devices[i]);
	}
	vec_push(&argv, NULL);
	int r = spawn(ret, program, argv.v, pair[1], err);
	close(pair[1]);
	vec_free(&argv);
	free(program);
	if (r < 0) {
		close(pair[0]);
		return -1;
	}
	ret->fd = pair[0];
	return 0;
}

void
local_end(struct local_agent *agent)
{
	struct pollfd pollfd = {.events = POLLIN};

	if (agent->pid <= 0)
		return;
	pollfd.fd = (int)syscall(SYS_pidfd_open, agent->pid, 0);
	if (pollfd.fd >= 0) {
		if (poll(&pollfd, 1, END_MS) <= 0)
			kill(agent->pid, SIGKILL);
		close(pollfd.fd);
	}
	waitpid(agent->pid, NULL, 0);
	agent->pid = 0;
}
