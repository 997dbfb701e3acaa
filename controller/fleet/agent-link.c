/* SPDX-License-Identifier: Apache-2.0 */
/* One agent: the connection, and when to try again. */
#include "controller/fleet/agent-link-impl.h"

#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/util.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/mem.h"
#include "lib/base/units.h"
#include "lib/rpc/tls.h"

#define REDIAL_FIRST_MS 200u
#define REDIAL_MOST_MS 5000u
#define IDLE_NS (UINT64_C(15) * UINT64_C(1000000000))

static void dial(struct agent_link *link);

static void
opened(void *arg, struct chan *chan, const struct chan_peer *peer)
{
	struct agent_link *link = arg;

	if (link->freed)
		return;
	free(link->name);
	link->name = mem_strdup(peer->name);
	free(link->address);
	link->address = mem_strdup(chan_address(chan));
	link->caller = caller_new(link->base, chan);
	link->up = true;
	link->pause_ms = REDIAL_FIRST_MS;
	agent_link_watch(link);
	link->ops->up(link->arg, link);
}

static void
frame(void *arg, struct chan *chan, const struct frame *frame, const uint8_t *payload)
{
	struct agent_link *link = arg;

	(void)chan;
	if (link->caller && !link->freed)
		caller_frame(link->caller, frame, payload);
}

static void
set_redial(struct agent_link *link)
{
	struct timeval tv = {
	    .tv_sec = link->pause_ms / 1000, .tv_usec = link->pause_ms % 1000 * 1000};

	event_add(link->redial, &tv);
	link->pause_ms *= 2;
	if (link->pause_ms > REDIAL_MOST_MS)
		link->pause_ms = REDIAL_MOST_MS;
}

static void
link_destroy(struct agent_link *link)
{
	event_free(link->redial);
	free(link->identity->host.name);
	free(link->identity);
	free(link->address);
	free(link->name);
	free(link);
}

static void
closed(void *arg, struct chan *chan, const struct err *err)
{
	struct agent_link *link = arg;
	struct err why = link->identity->refused.code ? link->identity->refused : *err;

	(void)chan;
	if (why.code == ERR_NONE)
		err_set(&why, ERR_UNREACHABLE, "the agent closed the connection");
	link->chan = NULL;
	link->up = false;
	link->pings_left = 0;
	if (link->caller)
		caller_free(link->caller, &why);
	link->caller = NULL;
	if (link->freed) {
		link_destroy(link);
		return;
	}
	bool final = !link->identity->host.name || why.code == ERR_AUTH ||
		     why.code == ERR_PROTOCOL;
	if (!final)
		set_redial(link);
	link->ops->down(link->arg, link, &why, final);
}

static const struct chan_ops chan_ops = {
    .opened = opened, .frame = frame, .closed = closed};

static void
start_chan(struct agent_link *link, struct bufferevent *bev)
{
	struct chan_config config = {.name = "",
	    .boot = link->boot,
	    .idle_timeout_ns = IDLE_NS,
	    .initiator = true};

	link->chan = chan_new(link->base, bev, &config, &chan_ops, link);
}

static void
on_redial(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	dial(arg);
}

static void
dial(struct agent_link *link)
{
	struct evutil_addrinfo hints = {.ai_socktype = SOCK_STREAM}, *ai = NULL;
	char port[8];

	snprintf(port, sizeof port, "%u", link->identity->host.port);
	int r = evutil_getaddrinfo(link->identity->host.name, port, &hints, &ai);
	if (r) {
		struct err err = ERR_INIT;
		err_set(&err, ERR_UNREACHABLE, "%s", evutil_gai_strerror(r));
		set_redial(link);
		link->ops->down(link->arg, link, &err, false);
		return;
	}
	struct bufferevent *bev =
	    tls_bufferevent(link->tls, link->base, -1, false, link->identity);
	/* The channel first: a connect that fails at once must find it. */
	start_chan(link, bev);
	bufferevent_socket_connect(bev, ai->ai_addr, (int)ai->ai_addrlen);
	evutil_freeaddrinfo(ai);
}

static void
dial_later(struct agent_link *link)
{
	struct timeval now = {0};

	event_add(link->redial, &now);
}

static struct agent_link *
link_new(struct event_base *base, struct agent_identity *identity, uint64_t boot,
    const struct agent_link_ops *ops, void *arg)
{
	struct agent_link *link = mem_alloc(sizeof *link);

	*link = (struct agent_link){.base = base,
	    .identity = identity ? identity : mem_alloc(sizeof *identity),
	    .boot = boot,
	    .ops = ops,
	    .arg = arg,
	    .pause_ms = REDIAL_FIRST_MS};
	link->redial = event_new(base, -1, 0, on_redial, link);
	return link;
}

struct agent_link *
agent_link_dial(struct event_base *base, struct tls *tls, const struct host *host,
    uint64_t boot, const struct agent_link_ops *ops, void *arg)
{
	struct agent_link *link = link_new(base, NULL, boot, ops, arg);

	link->tls = tls;
	link->identity->host = (struct host){mem_strdup(host->name), host->port};
	link->address = host_format(host);
	link->name = host_format(host);
	dial_later(link); /* callbacks come from the loop only */
	return link;
}

struct agent_link *
agent_link_adopt(struct event_base *base, struct bufferevent *bev,
    struct agent_identity *identity, uint64_t boot, const struct agent_link_ops *ops,
    void *arg)
{
	struct agent_link *link = link_new(base, identity, boot, ops, arg);

	link->address = mem_strdup("unknown");
	link->name = mem_strdup("unknown");
	start_chan(link, bev);
	return link;
}

void
agent_link_free(struct agent_link *link)
{
	link->freed = true;
	event_del(link->redial);
	if (link->chan)
		chan_close(link->chan); /* closed() destroys the link */
	else
		link_destroy(link);
}

bool
agent_link_is_up(const struct agent_link *link)
{
	return link->up;
}

const char *
agent_link_name(const struct agent_link *link)
{
	return link->name;
}

const char *
agent_link_address(const struct agent_link *link)
{
	return link->address;
}

const struct agent_identity *
agent_link_identity(const struct agent_link *link)
{
	return link->identity;
}

void
agent_link_refuse(struct agent_link *link, const struct err *why)
{
	link->identity->refused = *why;
	if (link->chan)
		chan_abort(link->chan, why);
}
