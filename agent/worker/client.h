/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One job of one client from its text to its end: user, policy, layout, crew.
 * Preparation runs in a thread of its own, so that whoever drives it can
 * go on listening (a parent over the link, or Ctrl-C).
 */
#ifndef VOLLEY_WORKER_CLIENT_H
#define VOLLEY_WORKER_CLIENT_H

#include "agent/worker/board.h"
#include "agent/worker/link.h"

struct client;

enum client_state {
	CLIENT_PREPARING,
	CLIENT_READY,
	CLIENT_DONE,
	CLIENT_FAILED,
	CLIENT_NOT_STARTED,
};

/* `spec` is taken over.  `board` is borrowed; its size must fit the job. */
int client_start(struct client **ret, struct link_spec *spec, struct board *board,
		  struct err *err);
/* Readable when the state may have changed; client_poll clears it. */
int client_fd(const struct client *client);
/* FAILED: *err says why. */
enum client_state client_poll(struct client *client, struct err *err);
void client_arm(struct client *client, uint64_t start_ns);
void client_go(struct client *client);
void client_stop(struct client *client);
/* To the parent, once it is DONE. */
int client_hand_logs(struct client *client, int link_fd, struct err *err);
const struct job *client_job(const struct client *client);
/* Unlinks what volley made for this job; nothing while it is still prepared. */
int client_clean(struct client *client, struct err *err);
/* Stops and waits for its threads. */
void client_free(struct client *client);

#endif
