/* SPDX-License-Identifier: Apache-2.0 */
/* One controller's connection to this agent: the methods it may call. */
#ifndef VOLLEY_AGENT_SESSION_H
#define VOLLEY_AGENT_SESSION_H

#include <stdint.h>

#include "lib/base/err.h"

struct bufferevent;
struct event_base;
struct runner;
struct session;

struct agent_settings;

struct session_env {
	struct event_base *base;
	struct runner *runner;
	const struct agent_settings *settings;
	const char *helper; /* the volley-io program */
	uint64_t boot;
	uint64_t idle_timeout_ns; /* a peer that is silent so long is gone; 0: never */
	/* This controller spoke of the current run (session_run). */
	void (*spoke)(void *arg, struct session *session);
	/* The connection is over; the session is freed after it returns. */
	void (*gone)(void *arg, struct session *session, const struct err *err);
	void *arg;
};

/* Takes `bev` over.  `env` is borrowed for the session's life. */
struct session *session_new(const struct session_env *env, struct bufferevent *bev);
void session_close(struct session *session);
/* The run's report changed: tell this controller if it listens. */
void session_changed(struct session *session);
/* Time for a live sample, if this controller wants one. */
void session_tick(struct session *session);
/* The run that this controller's orders last were about; 0: none. */
uint64_t session_run(const struct session *session);
/* "203.0.113.5:40112" */
const char *session_peer(const struct session *session);

#endif
