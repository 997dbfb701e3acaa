/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of agent-link only: the connection (agent-link.c) and its calls
 * (agent-link-calls.c). */
#ifndef VOLLEY_FLEET_AGENT_LINK_IMPL_H
#define VOLLEY_FLEET_AGENT_LINK_IMPL_H

#include "controller/fleet/agent-link.h"
#include "lib/rpc/call.h"
#include "lib/rpc/chan.h"

struct agent_link {
	struct event_base *base;
	struct tls *tls;
	struct agent_identity *identity;
	char *address, *name;
	uint64_t boot;
	const struct agent_link_ops *ops;
	void *arg;
	struct chan *chan;
	struct caller *caller;
	bool up, freed;
	struct event *redial;
	unsigned pause_ms;
	/* one clock measurement at a time */
	struct offset offset;
	unsigned pings_left;
	struct call *target; /* the one that holds a target open; NULL */
};

/* Opens the stream of reports, which lasts as long as the connection. */
void agent_link_watch(struct agent_link *link);

#endif
