/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests in service.  A request outlives its channel when its owner still holds
 * it: `server` is NULL then, and what it is answered goes nowhere.
 */
#include "lib/rpc/serve.h"

#include <stdlib.h>
#include <sys/queue.h>

#include "lib/base/mem.h"

/* Of a method that is not in the table: read, then refused by name. */
#define UNKNOWN_MAX (64u << 10)

struct request {
	LIST_ENTRY(request) next;
	struct server *server; /* NULL: cancelled, or the channel is gone */
	uint32_t id;
	uint16_t method;
	void (*gone)(void *arg);
	void *arg;
};

struct server {
	struct chan *chan;
	const struct method *methods;
	void *arg;
	unsigned open;
	LIST_HEAD(, request) requests;
};

static const struct method *
method_find(const struct method *methods, uint16_t id)
{
	for (; methods->id; methods++)
		if (methods->id == id)
			return methods;
	return NULL;
}

static struct request *
request_find(const struct server *server, uint32_t id)
{
	struct request *request;

	LIST_FOREACH(request, &server->requests, next)
	{
		if (request->id == id)
			return request;
	}
	return NULL;
}

static void
request_detach(struct request *request)
{
	LIST_REMOVE(request, next);
	request->server->open--;
	request->server = NULL;
}

static void
request_gone(struct request *request)
{
	void (*gone)(void *) = request->gone;

	request_detach(request);
	request->gone = NULL;
	if (gone)
		gone(request->arg);
}

struct server *
server_new(struct chan *chan, const struct method *methods, void *arg)
{
	struct server *server = mem_alloc(sizeof *server);

	server->chan = chan;
	server->methods = methods;
	server->arg = arg;
	LIST_INIT(&server->requests);
	return server;
}

void
server_free(struct server *server)
{
	struct request *request;

	if (!server)
		return;
	while ((request = LIST_FIRST(&server->requests)))
		request_gone(request);
	free(server);
}

uint32_t
server_limit(const struct method *methods, const struct frame *frame)
{
	const struct method *method;

	if (frame->kind != FRAME_REQUEST)
		return 0;
	method = method_find(methods, frame->method);
	return method ? method->max_request : UNKNOWN_MAX;
}

static void
server_request(struct server *server, const struct frame *frame, const uint8_t *payload)
{
	const struct method *method = method_find(server->methods, frame->method);
	struct request *request;
	struct err err = ERR_INIT;

	if (request_find(server, frame->id)) {
		err_set(&err, ERR_PROTOCOL, "call %u is open already", frame->id);
		chan_send_error(server->chan, 0, &err);
		return;
	}
	if (!method)
		err_set(
		    &err, ERR_UNSUPPORTED, "there is no method %u here", frame->method);
	else if (server->open >= SERVER_OPEN_MAX)
		err_set(&err, ERR_BUSY, "%u calls are open already", server->open);
	if (err.code) {
		chan_send_error(server->chan, frame->id, &err);
		return;
	}
	request = mem_alloc(sizeof *request);
	request->server = server;
	request->id = frame->id;
	request->method = frame->method;
	LIST_INSERT_HEAD(&server->requests, request, next);
	server->open++;
	method->handle(server->arg, request, payload, frame->len);
}

void
server_frame(struct server *server, const struct frame *frame, const uint8_t *payload)
{
	struct request *request;

	if (frame->kind == FRAME_REQUEST) {
		server_request(server, frame, payload);
	} else if (frame->kind == FRAME_CANCEL) {
		/* Absent: the answer and the CANCEL passed each other. */
		request = request_find(server, frame->id);
		if (request)
			request_gone(request);
	}
}

static void
request_send(
    struct request *request, enum frame_kind kind, const uint8_t *payload, size_t len)
{
	struct frame frame = {
	    .kind = kind,
	    .id = request->id,
	    .method = request->method,
	    .len = (uint32_t)len,
	};

	if (request->server)
		chan_send(request->server->chan, &frame, payload);
}

static void
request_free(struct request *request)
{
	if (request->server)
		request_detach(request);
	free(request);
}

void
request_reply(struct request *request, const uint8_t *payload, size_t len)
{
	request_send(request, FRAME_REPLY, payload, len);
	request_free(request);
}

void
request_end(struct request *request)
{
	request_send(request, FRAME_END, NULL, 0);
	request_free(request);
}

void
request_error(struct request *request, const struct err *err)
{
	if (request->server)
		chan_send_error(request->server->chan, request->id, err);
	request_free(request);
}

void
request_item(struct request *request, const uint8_t *payload, size_t len, bool lossy)
{
	if (lossy && request->server &&
	    chan_backlog(request->server->chan) > SERVER_LOSSY_BACKLOG)
		return;
	request_send(request, FRAME_ITEM, payload, len);
}

void
request_on_gone(struct request *request, void (*gone)(void *arg), void *arg)
{
	request->gone = gone;
	request->arg = arg;
}

void
request_release(struct request *request)
{
	struct err err = ERR_INIT;

	err_set(&err, ERR_CANCELLED, "the call was dropped");
	request_error(request, &err);
}
