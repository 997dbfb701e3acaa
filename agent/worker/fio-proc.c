/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starting and ending fio.  Its threads are no processes (thread=1), so that one
 * signal reaches all of it; the shells and gates that it starts stay in its group.
 */
#include "agent/worker/fio-proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"

#define VERSION_NS (10 * UNITS_NS_PER_S)

char *
fioproc_find(const char *name, struct err *err)
{
	const char *path = getenv("PATH");
	char *copy = mem_strdup(path ? path : ""), *rest = NULL, *found = NULL;

	for (char *dir = strtok_r(copy, ":", &rest); dir && !found;
	     dir = strtok_r(NULL, ":", &rest)) {
		found = mem_printf("%s/%s", dir, name);
		if (dir[0] == '/' && access(found, X_OK) == 0)
			break;
		free(found);
		found = NULL;
	}
	free(copy);
	if (!found)
		err_set(err, ERR_UNSUPPORTED,
		    "%s is not installed here: it is in no folder of PATH (%s)", name,
		    path ? path : "");
	return found;
}

/* Between fork and exec of a process with threads: system calls only. */
static void
child_exec(const int pipes[3][2], char *const argv[], int folder, const int *keep,
    size_t nkeep, pid_t parent)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC), saved;
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	dup2(null, STDIN_FILENO);
	dup2(pipes[0][1], STDOUT_FILENO);
	dup2(pipes[1][1], STDERR_FILENO);
	for (size_t i = 0; i < nkeep; i++)
		fcntl(keep[i], F_SETFD, 0);
	if (folder < 0 || fchdir(folder) == 0)
		execv(argv[0], argv);
	saved = errno;
	(void)!write(pipes[2][1], &saved, sizeof saved);
	_exit(127);
}

static void
close_pipes(int pipes[3][2])
{
	for (int i = 0; i < 3; i++)
		for (int end = 0; end < 2; end++)
			if (pipes[i][end] >= 0)
				close(pipes[i][end]);
}

int
fioproc_start(struct fioproc *ret, char *const argv[], int folder, const int *keep,
    size_t nkeep, struct err *err)
{
	int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}}; /* out, err, exec failed */
	int failed = 0;

	*ret = FIOPROC_INIT;
	for (int i = 0; i < 3; i++)
		if (pipe2(pipes[i], O_CLOEXEC) < 0) {
			err_sys(err, errno, "pipe");
			close_pipes(pipes);
			return -1;
		}
	pid_t parent = getpid();
	ret->pid = fork();
	if (ret->pid == 0)
		child_exec(pipes, argv, folder, keep, nkeep, parent);
	if (ret->pid > 0) {
		setpgid(ret->pid, ret->pid);
		for (int i = 0; i < 3; i++) {
			close(pipes[i][1]);
			pipes[i][1] = -1;
		}
		ret->pidfd = (int)syscall(SYS_pidfd_open, ret->pid, 0);
	}
	if (ret->pid < 0 || ret->pidfd < 0)
		failed = errno;
	else if (read(pipes[2][0], &failed, sizeof failed) < 0)
		failed = errno;
	if (failed) {
		if (ret->pid > 0)
			(void)fioproc_end(ret, NULL, NULL);
		ret->pid = 0;
		close_pipes(pipes);
		return err_sys(err, failed, "start %s", argv[0]);
	}
	close(pipes[2][0]);
	ret->out_fd = pipes[0][0];
	ret->err_fd = pipes[1][0];
	fcntl(ret->out_fd, F_SETFL, O_NONBLOCK);
	fcntl(ret->err_fd, F_SETFL, O_NONBLOCK);
	return 0;
}

void
fioproc_read(int *fd, struct str *into)
{
	char buf[65536];
	ssize_t n = -1;

	while (*fd >= 0) {
		n = read(*fd, buf, sizeof buf);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n <= 0) {
			close(*fd);
			*fd = -1;
		} else if (into) {
			str_addn(into, buf, (size_t)n);
		}
	}
}

int
fioproc_end(struct fioproc *proc, struct str *out, struct str *errors)
{
	siginfo_t info;
	int status = 0;

	/* fio is still a zombie when its group is killed, so nobody else has its id. */
	kill(-proc->pid, SIGKILL);
	while (waitid(P_PID, (id_t)proc->pid, &info, WEXITED | WNOWAIT) < 0 &&
	       errno == EINTR)
		;
	kill(-proc->pid, SIGKILL);
	while (waitpid(proc->pid, &status, 0) < 0 && errno == EINTR)
		;
	fioproc_read(&proc->out_fd, out);
	fioproc_read(&proc->err_fd, errors);
	if (proc->out_fd >= 0)
		close(proc->out_fd);
	if (proc->err_fd >= 0)
		close(proc->err_fd);
	if (proc->pidfd >= 0)
		close(proc->pidfd);
	*proc = FIOPROC_INIT;
	return status;
}

void
fioproc_describe(int status, struct str *ret)
{
	if (WIFSIGNALED(status))
		str_addf(ret, "was killed by signal %d (%s)", WTERMSIG(status),
		    strsignal(WTERMSIG(status)));
	else
		str_addf(ret, "ended with status %d", WEXITSTATUS(status));
}

char *
fioproc_version(const char *path, struct err *err)
{
	char *argv[] = {(char *)(uintptr_t)path, (char *)(uintptr_t) "--version", NULL};
	uint64_t until = clock_ns() + VERSION_NS, now;
	struct str out = {0};
	struct fioproc proc;

	if (fioproc_start(&proc, argv, -1, NULL, 0, err) < 0)
		return NULL;
	while (proc.out_fd >= 0 && (now = clock_ns()) < until) {
		struct pollfd fd = {.fd = proc.out_fd, .events = POLLIN};

		(void)poll(&fd, 1, (int)((until - now) / UNITS_NS_PER_MS) + 1);
		fioproc_read(&proc.out_fd, &out);
	}
	bool late = proc.out_fd >= 0;
	(void)fioproc_end(&proc, &out, NULL);
	if (!late && out.len > 0)
		return str_take(&out);
	str_free(&out);
	err_set(err, late ? ERR_TIMEOUT : ERR_UNSUPPORTED, "%s --version %s", path,
	    late ? "did not end within 10 s" : "prints nothing");
	return NULL;
}
