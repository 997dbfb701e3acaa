/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a helper, reads its output until it closes it, the deadline, or the cap. */
#include "agent/helper.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/units.h"

struct helper {
	struct event_base *base;
	pid_t pid;
	int out, pidfd;
	struct event *on_out, *on_end, *on_time;
	struct str text;
	helper_done_fn *done; /* NULL: told already */
	void *arg;
};

static void
helper_free(struct helper *helper)
{
	struct event *const events[] = {
	    helper->on_out, helper->on_end, helper->on_time};

	for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
		if (events[i])
			event_free(events[i]);
	if (helper->out >= 0)
		close(helper->out);
	if (helper->pidfd >= 0)
		close(helper->pidfd);
	str_free(&helper->text);
	free(helper);
}

static void
tell(struct helper *helper, const struct err *err)
{
	helper_done_fn *done = helper->done;

	helper->done = NULL;
	if (done)
		done(helper->arg, helper->text.s ? helper->text.s : "", err);
}

static void
read_out(struct helper *helper)
{
	char buf[4096];
	ssize_t n;

	while (helper->text.len < HELPER_OUTPUT_MAX &&
	       (n = read(helper->out, buf, sizeof buf)) > 0)
		str_addn(&helper->text, buf, (size_t)n);
}

static void
on_out(evutil_socket_t fd, short what, void *arg)
{
	struct helper *helper = arg;
	char c;

	(void)what;
	read_out(helper);
	if (helper->text.len >= HELPER_OUTPUT_MAX || (read(fd, &c, 1) == 0))
		event_del(helper->on_out);
}

static void
on_end(evutil_socket_t fd, short what, void *arg)
{
	struct helper *helper = arg;
	siginfo_t info = {0};
	struct err err = ERR_INIT;

	(void)fd;
	(void)what;
	if (waitid(P_PIDFD, (id_t)helper->pidfd, &info, WEXITED | WNOHANG) < 0)
		err_sys(&err, errno, "wait for the helper");
	else if (info.si_pid == 0)
		return;
	else if (info.si_code != CLD_EXITED || info.si_status != 0)
		err_set(&err, ERR_INTERNAL, "the helper %s %d",
		    info.si_code == CLD_EXITED ? "ended with status"
					       : "was killed by signal",
		    info.si_status);
	read_out(helper);
	tell(helper, &err);
	helper_free(helper);
}

static void
on_time(evutil_socket_t fd, short what, void *arg)
{
	struct helper *helper = arg;
	struct err err = ERR_INIT;

	(void)fd;
	(void)what;
	syscall(SYS_pidfd_send_signal, helper->pidfd, SIGKILL, NULL, 0);
	err_set(&err, ERR_TIMEOUT, "no answer in time");
	tell(helper, &err); /* on_end frees it, when it ends at all */
}

static int
spawn(struct helper *helper, const char *program, char *const *argv, struct err *err)
{
	int pipe_fds[2];
	posix_spawn_file_actions_t actions;

	if (pipe2(pipe_fds, O_CLOEXEC) < 0)
		return err_sys(err, errno, "pipe");
	posix_spawn_file_actions_init(&actions);
	int r = posix_spawn_file_actions_adddup2(&actions, pipe_fds[1], STDOUT_FILENO);
	if (r == 0)
		r = posix_spawn(&helper->pid, program, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(pipe_fds[1]);
	helper->out = pipe_fds[0];
	if (r)
		return err_sys(err, r, "start %s", program);
	helper->pidfd = (int)syscall(SYS_pidfd_open, helper->pid, 0);
	if (helper->pidfd < 0)
		return err_sys(err, errno, "pidfd_open");
	evutil_make_socket_nonblocking(helper->out);
	return 0;
}

static void
on_failed_start(evutil_socket_t fd, short what, void *arg)
{
	struct helper *helper = arg;
	struct err err = ERR_INIT;

	(void)fd;
	(void)what;
	err_set(&err, ERR_SYS, "%s", helper->text.s);
	str_clear(&helper->text);
	tell(helper, &err);
	helper_free(helper);
}

void
helper_run(struct event_base *base, const char *program, char *const *argv,
    uint64_t timeout_ns, helper_done_fn *done, void *arg)
{
	struct helper *helper = mem_alloc(sizeof *helper);
	struct timeval limit = {.tv_sec = (time_t)(timeout_ns / UNITS_NS_PER_S),
	    .tv_usec = (suseconds_t)(timeout_ns % UNITS_NS_PER_S / 1000)};
	struct timeval now = {0};
	struct err err = ERR_INIT;

	helper->base = base;
	helper->out = helper->pidfd = -1;
	helper->done = done;
	helper->arg = arg;
	if (spawn(helper, program, argv, &err) < 0) {
		str_add(&helper->text, err.msg);
		helper->on_time = event_new(base, -1, 0, on_failed_start, helper);
		event_add(helper->on_time, &now);
		return;
	}
	helper->on_out =
	    event_new(base, helper->out, EV_READ | EV_PERSIST, on_out, helper);
	helper->on_end =
	    event_new(base, helper->pidfd, EV_READ | EV_PERSIST, on_end, helper);
	helper->on_time = event_new(base, -1, 0, on_time, helper);
	event_add(helper->on_out, NULL);
	event_add(helper->on_end, NULL);
	event_add(helper->on_time, &limit);
}
