/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Listens to the link and to the client, and passes words between them.
 */
#include "agent/worker/worker.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "agent/worker/board.h"
#include "agent/worker/link.h"
#include "agent/worker/client.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"

struct worker {
	int link_fd;
	struct board board;
	struct client *client; /* NULL until PREPARE */
	bool ready_said, end_said, leave;
};

static int
worker_say(struct worker *worker, enum link_kind kind, uint64_t value, struct err *err)
{
	struct link_msg msg = {.kind = kind, .value = value};

	return link_send(worker->link_fd, &msg, NULL, err);
}

static int
worker_say_failed(struct worker *worker, const struct err *why, struct err *err)
{
	struct link_msg msg = {
	    .kind = LINK_FAILED,
	    .code = why->code,
	    .errnum = (uint32_t)why->errnum,
	};

	worker->end_said = true;
	return link_send(worker->link_fd, &msg, why->msg, err);
}

static int
worker_prepare(struct worker *worker, const char *text, struct err *err)
{
	struct link_spec spec;
	struct err why = ERR_INIT;

	if (worker->client)
		return err_set(err, ERR_PROTOCOL, "worker link: a second PREPARE");
	if (link_spec_decode(&spec, text ? text : "", &why) == 0 &&
	    client_start(&worker->client, &spec, &worker->board, &why) == 0)
		return 0;
	board_set_phase(&worker->board, BOARD_FAILED);
	return worker_say_failed(worker, &why, err);
}

static int
worker_arm(struct worker *worker, uint64_t start_ns, struct err *err)
{
	if (!worker->ready_said || worker->end_said)
		return 0; /* it crossed our own word on the way */
	/* Read too late to start at: the threads would give up for good, and a later T
	 * may be on the way. The agent knows what becomes of a T that passes. */
	if (start_ns > clock_ns())
		client_arm(worker->client, start_ns);
	return worker_say(worker, LINK_ARMED, start_ns, err);
}

static int
worker_clean(struct worker *worker, bool unlinks, struct err *err)
{
	int rc = 0;

	if (unlinks && worker->client) {
		client_stop(worker->client);
		rc = client_clean(worker->client, err);
	}
	worker->leave = rc == 0;
	return rc;
}

static int
worker_obey(struct worker *worker, const struct link_msg *msg, const char *text,
    struct err *err)
{
	switch ((enum link_kind)msg->kind) {
	case LINK_PREPARE: return worker_prepare(worker, text, err);
	case LINK_ARM: return worker_arm(worker, msg->value, err);
	case LINK_GO:
		if (worker->ready_said)
			client_go(worker->client);
		return 0;
	case LINK_STOP:
		if (worker->client)
			client_stop(worker->client);
		return 0;
	case LINK_CLEAN: return worker_clean(worker, msg->value == 1, err);
	default:
		return err_set(
		    err, ERR_PROTOCOL, "worker link: unexpected message %u", msg->kind);
	}
}

static int
worker_hear(struct worker *worker, struct err *err)
{
	struct link_msg msg;
	char *text;
	int rc = link_recv(worker->link_fd, true, &msg, &text, err);

	if (rc < 0)
		return errno == EAGAIN ? 0 : -1;
	if (rc == 0)
		return err_set(err, ERR_UNREACHABLE, "the agent is gone");
	rc = worker_obey(worker, &msg, text, err);
	free(text);
	return rc;
}

static int
worker_look(struct worker *worker, struct err *err)
{
	struct err why = ERR_INIT;
	enum client_state state = client_poll(worker->client, &why);

	if (worker->end_said || state == CLIENT_PREPARING)
		return 0;
	if (state == CLIENT_FAILED)
		return worker_say_failed(worker, &why, err);
	if (!worker->ready_said) {
		worker->ready_said = true;
		if (worker_say(worker, LINK_READY, 0, err) < 0)
			return -1;
	}
	if (state == CLIENT_READY)
		return 0;
	worker->end_said = true;
	if (state == CLIENT_DONE &&
	    client_hand_logs(worker->client, worker->link_fd, &why) < 0)
		return worker_say_failed(worker, &why, err);
	return worker_say(
	    worker, state == CLIENT_DONE ? LINK_DONE : LINK_NOT_STARTED, 0, err);
}

static int
worker_loop(struct worker *worker, struct err *err)
{
	while (!worker->leave) {
		struct pollfd fds[2] = {
		    {.fd = worker->link_fd, .events = POLLIN},
		    {.fd = worker->client ? client_fd(worker->client) : -1,
			.events = POLLIN},
		};

		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return err_sys(err, errno, "poll");
		if (fds[0].revents && worker_hear(worker, err) < 0)
			return -1;
		if (fds[1].revents && worker_look(worker, err) < 0)
			return -1;
	}
	return 0;
}

int
worker_serve(int link_fd, int board_fd, struct err *err)
{
	struct worker *worker = mem_alloc(sizeof *worker);

	worker->link_fd = link_fd;
	if (board_attach(&worker->board, board_fd, err) < 0) {
		free(worker);
		return -1;
	}
	if (worker_loop(worker, err) < 0 || !worker->end_said) {
		/* The process ends now, without its threads: they may hang, and they
		 * use the worker until the very end. */
		if (worker->client)
			client_stop(worker->client);
		return worker->leave ? 0 : -1;
	}
	client_free(worker->client);
	board_close(&worker->board);
	close(link_fd);
	free(worker);
	return 0;
}
