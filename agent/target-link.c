/* SPDX-License-Identifier: Apache-2.0 */
/* Starts volley-io serve and waits for its line. */
#include "agent/target-link.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"

#define READY_S 30 /* memory is faulted in first */
#define SAID_MAX 4096
#define PREFIX "volley-io: " /* of its complaints */

struct target_link {
	pid_t pid;
	int in, out, pidfd;
	struct event *on_out, *on_end, *on_time;
	struct str said;
	target_ready_fn *ready; /* NULL: told already */
	void *arg;
	bool ending; /* the handle is gone */
};

static void
free_link(struct target_link *link)
{
	struct event *const events[] = {link->on_out, link->on_end, link->on_time};
	const int fds[] = {link->in, link->out, link->pidfd};

	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		if (events[i])
			event_free(events[i]);
	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	str_free(&link->said);
	free(link);
}

static void
tell(struct target_link *link, unsigned port, const struct err *err)
{
	target_ready_fn *ready = link->ready;

	link->ready = NULL;
	event_del(link->on_time);
	if (ready)
		ready(link->arg, port, err);
}

/* Its line when it is ready; what it complains of, in the same pipe, when not. */
static void
on_out(evutil_socket_t fd, short what, void *arg)
{
	struct target_link *link = arg;
	unsigned port;
	char buf[512];
	ssize_t n = read(fd, buf, sizeof buf);

	(void)what;
	if (n <= 0) {
		if (n == 0)
			event_del(link->on_out);
		return;
	}
	if (link->said.len < SAID_MAX)
		str_addn(&link->said, buf, (size_t)n);
	if (sscanf(link->said.s, "volley-io serve: port %u,", &port) == 1)
		tell(link, port, NULL);
}

static void
on_end(evutil_socket_t fd, short what, void *arg)
{
	struct target_link *link = arg;
	siginfo_t info = {0};
	struct err err = ERR_INIT;
	const char *text;

	(void)fd;
	(void)what;
	if (waitid(P_PIDFD, (id_t)link->pidfd, &info, WEXITED | WNOHANG) == 0 &&
	    info.si_pid == 0)
		return;
	event_del(link->on_end);
	if (link->ending) {
		free_link(link);
		return;
	}
	on_out(link->out, 0, link);
	text = link->said.len > 0 ? link->said.s : "it ended";
	if (link->said.len > 0 && str_starts(text, PREFIX))
		text += strlen(PREFIX);
	err_set(&err, ERR_UNSUPPORTED, "%.*s", (int)strcspn(text, "\n"), text);
	tell(link, 0, &err);
}

static void
on_time(evutil_socket_t fd, short what, void *arg)
{
	struct err err = ERR_INIT;

	(void)fd;
	(void)what;
	err_set(&err, ERR_TIMEOUT, "the target is not ready after %d s", READY_S);
	tell(arg, 0, &err);
}

static int
spawn(struct target_link *link, const char *program,
    const struct target_request *request, int child_in, int child_out)
{
	char *export = mem_printf("--export=%s=mem:%llu", request->export,
	    (unsigned long long)request->bytes);
	char *argv[] = {"volley-io", "serve", "--key=-", "--listen=:0", export, NULL, NULL,
	    NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none, all;
	int r;

	if (request->rdma) {
		argv[5] = "--rdma";
		argv[6] = "--no-tcp";
	}
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setflags(
	    &attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_adddup2(&actions, child_in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, child_out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, child_out, STDERR_FILENO);
	r = posix_spawn(&link->pid, program, &actions, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	free(export);
	return r;
}

static int
start(struct target_link *link, const char *program,
    const struct target_request *request, struct err *err)
{
	int in[2], out[2], r;

	if (pipe2(in, O_CLOEXEC) < 0)
		return err_sys(err, errno, "pipe");
	if (pipe2(out, O_CLOEXEC) < 0) {
		err_sys(err, errno, "pipe");
		close(in[0]);
		close(in[1]);
		return -1;
	}
	link->in = in[1];
	link->out = out[0];
	r = spawn(link, program, request, in[0], out[1]);
	close(in[0]);
	close(out[1]);
	if (r != 0)
		return err_sys(err, r, "start %s", program);
	link->pidfd = (int)syscall(SYS_pidfd_open, link->pid, 0);
	if (link->pidfd < 0)
		return err_sys(err, errno, "pidfd_open");
	evutil_make_socket_nonblocking(link->out);
	/* A key is shorter than any pipe. */
	if (dprintf(link->in, "%s\n", request->key) < 0)
		return err_sys(err, errno, "the target's key");
	return 0;
}

int
target_link_start(struct target_link **ret, struct event_base *base,
    const char *program, const struct target_request *request, target_ready_fn *ready,
    void *arg, struct err *err)
{
	struct target_link *link = mem_alloc(sizeof *link);
	const struct timeval limit = {.tv_sec = READY_S};

	*link = (struct target_link){
	    .in = -1, .out = -1, .pidfd = -1, .ready = ready, .arg = arg};
	if (start(link, program, request, err) < 0) {
		free_link(link);
		return -1;
	}
	link->on_out = event_new(base, link->out, EV_READ | EV_PERSIST, on_out, link);
	link->on_end = event_new(base, link->pidfd, EV_READ | EV_PERSIST, on_end, link);
	link->on_time = evtimer_new(base, on_time, link);
	event_add(link->on_out, NULL);
	event_add(link->on_end, NULL);
	event_add(link->on_time, &limit);
	*ret = link;
	return 0;
}

void
target_link_end(struct target_link *link)
{
	link->ready = NULL;
	event_del(link->on_time);
	event_del(link->on_out);
	/* Its standard input ends, and so does it; a signal for one that hangs. */
	close(link->in);
	link->in = -1;
	syscall(SYS_pidfd_send_signal, link->pidfd, SIGKILL, NULL, 0);
	if (!event_pending(link->on_end, EV_READ, NULL)) {
		free_link(link); /* it has ended already */
		return;
	}
	link->ending = true;
}
