/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Worker processes: spawn, the seqpacket socket, the pidfd.  A worker that is
 * stuck in the kernel stays behind as a detached handle until it ends, if ever.
 */
#include "agent/worker-link.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/worker/board.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"

#define CHILD_LINK_FD 3
#define CHILD_BOARD_FD 4

struct worker {
	pid_t pid;
	int pidfd, link_fd;
	struct event *link_event, *pid_event;
	struct board board;
	const struct worker_ops *ops; /* NULL: detached */
	void *arg;
};

static void
worker_free(struct worker *worker)
{
	if (worker->link_event)
		event_free(worker->link_event);
	if (worker->pid_event)
		event_free(worker->pid_event);
	if (worker->link_fd >= 0)
		close(worker->link_fd);
	if (worker->pidfd >= 0)
		close(worker->pidfd);
	if (worker->board.head)
		board_close(&worker->board);
	free(worker);
}

static void
close_link(struct worker *worker)
{
	if (worker->link_fd < 0)
		return;
	event_free(worker->link_event);
	worker->link_event = NULL;
	close(worker->link_fd);
	worker->link_fd = -1;
}

static void
on_link(evutil_socket_t fd, short what, void *arg)
{
	struct worker *worker = arg;
	struct link_msg msg;
	char *text = NULL;
	struct err err = ERR_INIT;
	int passed;

	(void)what;
	int r = link_recv_fd(fd, true, &msg, &text, &passed, &err);
	if (r < 0 && err.errnum == EAGAIN)
		return;
	if (r <= 0) {
		close_link(worker); /* the pidfd tells how it ended */
	} else if (worker->ops && msg.kind == LINK_FAILED) {
		err_set(&err, msg.code < ERR_CODE_COUNT ? msg.code : ERR_INTERNAL, "%s",
		    text ? text : "the worker failed");
		err.errnum = (int)msg.errnum;
		worker->ops->said(worker->arg, LINK_FAILED, &err);
	} else if (msg.kind == LINK_LOG) {
		if (worker->ops && worker->ops->log && text && passed >= 0) {
			worker->ops->log(worker->arg, text, passed);
			passed = -1;
		}
	} else if (worker->ops) {
		worker->ops->said(worker->arg, msg.kind, NULL);
	}
	if (passed >= 0)
		close(passed);
	free(text);
}

static void
describe_end(const siginfo_t *info, struct err *ret)
{
	if (info->si_code == CLD_EXITED && info->si_status != 0)
		err_set(ret, ERR_INTERNAL, "the worker ended with status %d",
		    info->si_status);
	else if (info->si_code != CLD_EXITED)
		err_set(ret, ERR_INTERNAL, "the worker was killed by signal %d (%s)",
		    info->si_status, strsignal(info->si_status));
}

static void
on_end(evutil_socket_t fd, short what, void *arg)
{
	struct worker *worker = arg;
	siginfo_t info = {0};
	struct err err = ERR_INIT;

	(void)fd;
	(void)what;
	if (waitid(P_PIDFD, (id_t)worker->pidfd, &info, WEXITED | WNOHANG) < 0)
		err_sys(&err, errno, "wait for the worker");
	else if (info.si_pid == 0)
		return;
	else
		describe_end(&info, &err);

	/* Words it sent before it ended come first. */
	while (worker->link_fd >= 0) {
		int before = worker->link_fd;
		char c;
		if (recv(before, &c, 1, MSG_PEEK | MSG_DONTWAIT) <= 0)
			break;
		on_link(before, EV_READ, worker);
	}
	const struct worker_ops *ops = worker->ops;
	void *ops_arg = worker->arg;
	if (ops) {
		event_del(worker->pid_event);
		close_link(worker);
		ops->ended(ops_arg, &err);
	} else {
		worker_free(worker);
	}
}

static int
child_fds(posix_spawn_file_actions_t *actions, int link_fd, int board_fd)
{
	/* Both targets are free: our own descriptors are close-on-exec duplicates
	 * above them. */
	int r = posix_spawn_file_actions_adddup2(actions, link_fd, CHILD_LINK_FD);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(actions, board_fd, CHILD_BOARD_FD);
	return r;
}

static int
spawn_process(
    struct worker *worker, const char *program, int child_link, struct err *err)
{
	char *argv[] = {
	    "volley-io", "worker", "--link-fd", "3", "--board-fd", "4", NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none, all;
	/* dup2 onto 3 and 4 must not overwrite a source: move both high first. */
	int link_fd = fcntl(child_link, F_DUPFD_CLOEXEC, 10);
	int board_fd = fcntl(worker->board.fd, F_DUPFD_CLOEXEC, 10);
	int r = link_fd < 0 || board_fd < 0 ? errno : 0;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setflags(&attr,
	    POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
	if (r == 0)
		r = child_fds(&actions, link_fd, board_fd);
	if (r == 0)
		r = posix_spawn(&worker->pid, program, &actions, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	if (link_fd >= 0)
		close(link_fd);
	if (board_fd >= 0)
		close(board_fd);
	return r ? err_sys(err, r, "start %s", program) : 0;
}

static int
watch(struct worker *worker, struct event_base *base, struct err *err)
{
	worker->pidfd = (int)syscall(SYS_pidfd_open, worker->pid, 0);
	if (worker->pidfd < 0)
		return err_sys(err, errno, "pidfd_open");
	worker->link_event =
	    event_new(base, worker->link_fd, EV_READ | EV_PERSIST, on_link, worker);
	worker->pid_event =
	    event_new(base, worker->pidfd, EV_READ | EV_PERSIST, on_end, worker);
	event_add(worker->link_event, NULL);
	event_add(worker->pid_event, NULL);
	return 0;
}

int
worker_spawn(struct worker **ret, struct event_base *base, const char *program,
    const struct job *job, const struct link_spec *spec, uint64_t duration_ns,
    const struct worker_ops *ops, void *arg, struct err *err)
{
	struct worker *worker = mem_alloc(sizeof *worker);
	int pair[2] = {-1, -1};

	worker->pidfd = worker->link_fd = -1;
	worker->ops = ops;
	worker->arg = arg;
	if (board_create(&worker->board, job, duration_ns, err) < 0)
		goto fail;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) {
		err_sys(err, errno, "socketpair");
		goto fail;
	}
	worker->link_fd = pair[0];
	int r = spawn_process(worker, program, pair[1], err);
	close(pair[1]);
	if (r < 0 || watch(worker, base, err) < 0)
		goto fail;

	char *text = link_spec_encode(spec);
	struct link_msg msg = {.kind = LINK_PREPARE};
	r = link_send(worker->link_fd, &msg, text, err);
	free(text);
	if (r < 0)
		goto fail;
	*ret = worker;
	return 0;
fail:
	if (worker->pid > 0) {
		kill(worker->pid, SIGKILL);
		waitpid(worker->pid, NULL, 0);
	}
	worker_free(worker);
	return -1;
}

int
worker_tell(struct worker *worker, enum link_kind kind, uint64_t value, struct err *err)
{
	struct link_msg msg = {.kind = kind, .value = value};

	if (worker->link_fd < 0)
		return err_set(err, ERR_UNREACHABLE, "the worker is gone");
	return link_send(worker->link_fd, &msg, NULL, err);
}

void
worker_kill(struct worker *worker)
{
	if (worker->pidfd >= 0)
		syscall(SYS_pidfd_send_signal, worker->pidfd, SIGKILL, NULL, 0);
}

void
worker_detach(struct worker *worker)
{
	worker->ops = NULL;
	/* Ended already (its end was told)?  Then nothing will free it later. */
	if (!event_pending(worker->pid_event, EV_READ, NULL))
		worker_free(worker);
	else
		close_link(worker);
}

struct tally *
worker_tally(const struct worker *worker)
{
	return board_tally(&worker->board, clock_ns());
}

void
worker_sample(const struct worker *worker, struct sample *ret)
{
	board_sample(&worker->board, clock_ns(), ret);
}

void
worker_layout(const struct worker *worker, uint64_t *ret_done, uint64_t *ret_total)
{
	const struct board_head *head = worker->board.head;

	*ret_done = __atomic_load_n(&head->layout_done, __ATOMIC_RELAXED);
	*ret_total = __atomic_load_n(&head->layout_total, __ATOMIC_RELAXED);
}
