/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running a command, with its output kept in a memfd.
 */
#include "agent/worker/hook.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/worker/park.h"
#include "lib/base/clock.h"

#define HOOK_LOOK_MS 100 /* between looks for a stop */
#define HOOK_TAIL 512u	 /* bytes of output that a message holds */

extern char **environ;

/* In a group of its own, with no signal blocked. */
static int
hook_spawn(const char *command, int output_fd, pid_t *ret)
{
	char *argv[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none;
	int rc;

	sigemptyset(&none);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", 0, 0);
	posix_spawn_file_actions_adddup2(&actions, output_fd, 1);
	posix_spawn_file_actions_adddup2(&actions, output_fd, 2);
	rc = posix_spawn(ret, "/bin/sh", &actions, &attr, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	return rc;
}

/* The end of the output as one line. */
static const char *
hook_tail(int output_fd, char tail[HOOK_TAIL])
{
	off_t end = lseek(output_fd, 0, SEEK_END);
	off_t from = end > (off_t)HOOK_TAIL - 1 ? end - (off_t)HOOK_TAIL + 1 : 0;
	ssize_t n = pread(output_fd, tail, HOOK_TAIL - 1, from);

	tail[n > 0 ? n : 0] = '\0';
	for (char *c = tail; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = c[1] ? ' ' : '\0';
	return *tail ? tail : "(no output)";
}

/* Ended by itself: 1; the limit: 0; a stop: -1. */
static int
hook_wait(int pid_fd, const struct board *board, uint64_t until_ns)
{
	struct pollfd fd = {.fd = pid_fd, .events = POLLIN};

	for (;;) {
		if (poll(&fd, 1, HOOK_LOOK_MS) == 1)
			return 1;
		if (board && park_stopped(board))
			return -1;
		if (clock_ns() >= until_ns)
			return 0;
	}
}

static int
hook_judge(const char *option, int end, int status, int output_fd, struct err *err)
{
	char tail[HOOK_TAIL];

	if (end > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	if (end < 0)
		return err_set(err, ERR_CANCELLED, "%s: stopped", option);
	if (end == 0)
		return err_set(err, ERR_TIMEOUT, "%s: took too long and was killed: %s",
		    option, hook_tail(output_fd, tail));
	if (WIFSIGNALED(status))
		return err_set(err, ERR_SYS, "%s: ended by signal %d: %s", option,
		    WTERMSIG(status), hook_tail(output_fd, tail));
	return err_set(err, ERR_SYS, "%s: exit status %d: %s", option,
	    WEXITSTATUS(status), hook_tail(output_fd, tail));
}

/* The last `max` bytes of what it printed. */
static void
hook_keep(int output_fd, struct str *ret, size_t max)
{
	off_t end = lseek(output_fd, 0, SEEK_END);
	off_t from = end > (off_t)max ? end - (off_t)max : 0;
	char buf[4096];
	ssize_t n;

	while ((n = pread(output_fd, buf, sizeof buf, from)) > 0) {
		str_addn(ret, buf, (size_t)n);
		from += n;
	}
}

int
hook_run(const char *option, const char *command, const struct board *board,
    uint64_t limit_ns, struct err *err)
{
	return hook_run_output(option, command, board, limit_ns, NULL, 0, err);
}

int
hook_run_output(const char *option, const char *command, const struct board *board,
    uint64_t limit_ns, struct str *ret_output, size_t max, struct err *err)
{
	int output_fd = memfd_create("volley-hook", MFD_CLOEXEC);
	int rc, pid_fd, status = 0, end;
	pid_t pid;

	if (output_fd < 0)
		return err_sys(err, errno, "%s", option);
	rc = hook_spawn(command, output_fd, &pid);
	if (rc != 0) {
		close(output_fd);
		return err_sys(err, rc, "%s: /bin/sh", option);
	}
	pid_fd = pidfd_open(pid, 0);
	end = pid_fd < 0 ? 1 : hook_wait(pid_fd, board, clock_ns() + limit_ns);
	if (end <= 0)
		kill(-pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (pid_fd >= 0)
		close(pid_fd);
	rc = hook_judge(option, end, status, output_fd, err);
	if (ret_output)
		hook_keep(output_fd, ret_output, max);
	close(output_fd);
	return rc;
}
