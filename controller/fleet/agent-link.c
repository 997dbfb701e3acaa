/* SPDX-License-Identifier: Apache-2.0 */
/* One agent: connection, report stream and calls. */
#include "controller/fleet/agent-link.h"

#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/util.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"
#include "lib/rpc/call.h"
#include "lib/rpc/chan.h"
#include "lib/rpc/tls.h"
#include "lib/wire/conv.h"
#include "lib/wire/methods.h"

#define REDIAL_FIRST_MS 200u
#define REDIAL_MOST_MS 5000u
#define IDLE_NS (UINT64_C(15) * UINT64_C(1000000000))
#define ORDER_NS (UINT64_C(10) * UINT64_C(1000000000))
#define COLLECT_NS (UINT64_C(60) * UINT64_C(1000000000))
#define LOG_NS (UINT64_C(30) * UINT64_C(1000000000))
#define COUNTERS_NS (UINT64_C(10) * UINT64_C(1000000000))
#define COMMAND_GRACE_NS (UINT64_C(10) * UINT64_C(1000000000))
#define FACTS_NS (UINT64_C(15) * UINT64_C(1000000000))

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

static void dial(struct agent_link *link);

/* ---- answers ---- */

static void
report_item(void *arg, struct call *call, const uint8_t *data, size_t len)
{
	struct agent_link *link = arg;
	struct report report;
	struct err err = ERR_INIT;

	(void)call;
	if (unpack_report(&report, data, len, &err) < 0)
		chan_abort(link->chan, &err);
	else
		link->ops->report(link->arg, link, &report);
}

static void
sample_item(void *arg, struct call *call, const uint8_t *data, size_t len)
{
	struct agent_link *link = arg;
	struct sample sample;
	struct err err = ERR_INIT;

	(void)call;
	if (unpack_sample(&sample, data, len, &err) == 0)
		link->ops->sample(link->arg, link, &sample);
}

/* Streams and orders: what matters comes as reports, or the link goes down. */
static void
ignore_done(void *arg, struct call *call, const struct err *err)
{
	(void)arg;
	(void)call;
	(void)err;
}

struct ordering {
	struct agent_link *link;
	uint64_t run_id;
};

static void
order_item(void *arg, struct call *call, const uint8_t *data, size_t len)
{
	struct ordering *ordering = arg;

	report_item(ordering->link, call, data, len);
}

/* An agent that does not understand an order says so, and that is the run's end. */
static void
order_done(void *arg, struct call *call, const struct err *err)
{
	struct ordering *ordering = arg;
	struct agent_link *link = ordering->link;
	struct report report = {
	    .run_id = ordering->run_id, .state = REPORT_FAILED, .err = *err};

	(void)call;
	if (link->up && !link->freed &&
	    (err->code == ERR_PROTOCOL || err->code == ERR_USAGE ||
		err->code == ERR_UNSUPPORTED))
		link->ops->report(link->arg, link, &report);
	free(ordering);
}

struct collecting {
	struct agent_link *link;
	uint64_t run_id;
	bool answered;
};

static void
collect_item(void *arg, struct call *call, const uint8_t *data, size_t len)
{
	struct collecting *collecting = arg;
	struct agent_link *link = collecting->link;
	struct tally *tally = NULL;
	struct err err = ERR_INIT;
	uint64_t run_id;

	(void)call;
	collecting->answered = true;
	if (unpack_tally(&run_id, &tally, data, len, &err) < 0)
		link->ops->result(link->arg, link, collecting->run_id, NULL, &err);
	else
		link->ops->result(link->arg, link, run_id, tally, NULL);
}

static void
collect_done(void *arg, struct call *call, const struct err *err)
{
	struct collecting *collecting = arg;
	struct agent_link *link = collecting->link;

	(void)call;
	if (!collecting->answered && !link->freed)
		link->ops->result(link->arg, link, collecting->run_id, NULL, err);
	free(collecting);
}

static void
collect_tally(struct collecting *collecting, const struct err *why)
{
	static const struct call_ops ops = {collect_item, collect_done};
	struct agent_link *link = collecting->link;
	struct payload payload = pack_run_id(collecting->run_id);

	/* a caller that is being freed starts nothing, and `why` is its reason */
	if (!call_start(link->caller, WIRE_COLLECT, payload.data, payload.len,
		COLLECT_NS, &ops, collecting))
		collect_done(collecting, NULL, why);
	free(payload.data);
}

static void
counters_item(void *arg, struct call *call, const uint8_t *data, size_t len)
{
	struct collecting *collecting = arg;
	struct agent_link *link = collecting->link;
	struct counters *counters;
	struct err ignored = ERR_INIT; /* then they are unknown */
	uint64_t run_id;

	(void)call;
	if (unpack_counters(&run_id, &counters, data, len, &ignored) == 0)
		link->ops->counters(link->arg, link, run_id, counters);
}

/* An agent that does not know them is fine. */
static void
counters_done(void *arg, struct call *call, const struct err *err)
{
	(void)call;
	collect_tally(arg, err);
}

struct asking {
	struct agent_link *link;
	bool answered;
};

static void
facts_item(void *arg, struct call *call, const uint8_t *data, size_t len)
{
	struct asking *asking = arg;
	struct facts *facts = NULL;
	struct err err = ERR_INIT;

	(void)call;
	asking->answered = true;
	unpack_facts(&facts, data, len, &err);
	asking->link->ops->facts(asking->link->arg, asking->link, facts, &err);
}

static void
log_item(void *arg, struct call *call, const uint8_t *data, size_t len)
{
	struct asking *asking = arg;
	struct agent_link *link = asking->link;
	struct log_part part;
	struct err err = ERR_INIT;
	void *owner;

	(void)call;
	asking->answered = true;
	if (unpack_log_part(&part, &owner, data, len, &err) < 0)
		link->ops->log(link->arg, link, NULL, &err);
	else
		link->ops->log(link->arg, link, &part, NULL);
	log_part_free(owner);
}

static void
log_done(void *arg, struct call *call, const struct err *err)
{
	struct asking *asking = arg;
	struct agent_link *link = asking->link;

	(void)call;
	if (!asking->answered && !link->freed)
		link->ops->log(link->arg, link, NULL, err);
	free(asking);
}

static void
target_item(void *arg, struct call *call, const uint8_t *data, size_t len)
{
	struct agent_link *link = arg;
	struct err err = ERR_INIT;
	unsigned port = 0;

	(void)call;
	if (unpack_target_ready(&port, data, len, &err) < 0)
		link->ops->target(link->arg, link, 0, &err);
	else
		link->ops->target(link->arg, link, port, NULL);
}

static void
target_done(void *arg, struct call *call, const struct err *err)
{
	struct agent_link *link = arg;
	struct err why = *err;

	(void)call;
	link->target = NULL;
	if (why.code == ERR_NONE)
		err_set(&why, ERR_UNREACHABLE, "the target ended");
	if (!link->freed)
		link->ops->target(link->arg, link, 0, &why);
}

static void
facts_done(void *arg, struct call *call, const struct err *err)
{
	struct asking *asking = arg;

	(void)call;
	if (!asking->answered && !asking->link->freed)
		asking->link->ops->facts(asking->link->arg, asking->link, NULL, err);
	free(asking);
}

struct commanding {
	struct agent_link *link;
	unsigned tag;
	bool answered;
};

static void
command_item(void *arg, struct call *call, const uint8_t *data, size_t len)
{
	struct commanding *commanding = arg;
	struct agent_link *link = commanding->link;
	struct shell_answer answer;
	struct err err = ERR_INIT;

	(void)call;
	if (unpack_shell_answer(&answer, data, len, &err) < 0)
		answer.problem = mem_strdup(err.msg);
	commanding->answered = true;
	if (!link->freed)
		link->ops->commanded(link->arg, link, commanding->tag, &answer);
	shell_answer_free(&answer);
}

static void
command_done(void *arg, struct call *call, const struct err *err)
{
	struct commanding *commanding = arg;
	struct agent_link *link = commanding->link;
	struct shell_answer answer = {(char *)err->msg, NULL};

	(void)call;
	if (!commanding->answered && !link->freed)
		link->ops->commanded(link->arg, link, commanding->tag, &answer);
	free(commanding);
}

/* ---- the channel ---- */

static void
opened(void *arg, struct chan *chan, const struct chan_peer *peer)
{
	static const struct call_ops reports = {report_item, ignore_done};
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
	call_start(link->caller, WIRE_REPORTS, NULL, 0, 0, &reports, link);
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

/* ---- requests ---- */

void
agent_link_order(struct agent_link *link, const struct order *order)
{
	static const struct call_ops ops = {order_item, order_done};

	if (!link->up)
		return;
	struct ordering *ordering = mem_alloc(sizeof *ordering);
	*ordering = (struct ordering){link, order->run_id};
	struct payload payload = pack_order(order);
	call_start(link->caller, WIRE_ORDER, payload.data, payload.len, ORDER_NS, &ops,
	    ordering);
	free(payload.data);
}

void
agent_link_samples(struct agent_link *link, uint64_t run_id)
{
	static const struct call_ops ops = {sample_item, ignore_done};

	if (!link->up)
		return;
	struct payload payload = pack_run_id(run_id);
	call_start(
	    link->caller, WIRE_SAMPLES, payload.data, payload.len, 0, &ops, link);
	free(payload.data);
}

void
agent_link_collect(struct agent_link *link, uint64_t run_id)
{
	static const struct call_ops ops = {counters_item, counters_done};

	if (!link->up) {
		struct err err = ERR_INIT;
		err_set(&err, ERR_UNREACHABLE, "not connected");
		link->ops->result(link->arg, link, run_id, NULL, &err);
		return;
	}
	struct collecting *collecting = mem_alloc(sizeof *collecting);
	*collecting = (struct collecting){link, run_id, false};
	struct payload payload = pack_run_id(run_id);
	if (!call_start(link->caller, WIRE_COUNTERS, payload.data, payload.len,
		COUNTERS_NS, &ops, collecting))
		free(collecting);
	free(payload.data);
}

void
agent_link_command(struct agent_link *link, const struct shell_command *command, unsigned tag)
{
	static const struct call_ops ops = {command_item, command_done};

	if (!link->up) {
		struct shell_answer answer = {(char *)"not connected", NULL};
		link->ops->commanded(link->arg, link, tag, &answer);
		return;
	}
	struct commanding *commanding = mem_alloc(sizeof *commanding);
	*commanding = (struct commanding){link, tag, false};
	struct payload payload = pack_shell_command(command);
	call_start(link->caller, WIRE_COMMAND, payload.data, payload.len,
	    command->timeout_ns + COMMAND_GRACE_NS, &ops, commanding);
	free(payload.data);
}

void
agent_link_facts(struct agent_link *link, const struct facts_question *question)
{
	static const struct call_ops ops = {facts_item, facts_done};

	if (!link->up) {
		struct err err = ERR_INIT;
		err_set(&err, ERR_UNREACHABLE, "not connected");
		link->ops->facts(link->arg, link, NULL, &err);
		return;
	}
	struct asking *asking = mem_alloc(sizeof *asking);
	*asking = (struct asking){link, false};
	struct payload payload = pack_facts_request(question);
	call_start(link->caller, WIRE_FACTS, payload.data, payload.len, FACTS_NS, &ops,
	    asking);
	free(payload.data);
}

void
agent_link_log(struct agent_link *link, const struct log_request *request)
{
	static const struct call_ops ops = {log_item, log_done};
	struct payload payload = pack_log_request(request);
	struct asking *asking = mem_alloc(sizeof *asking);

	*asking = (struct asking){link, false};
	call_start(link->caller, WIRE_LOG, payload.data, payload.len, LOG_NS, &ops,
	    asking);
	free(payload.data);
}

void
agent_link_target(struct agent_link *link, const struct target_request *request)
{
	static const struct call_ops ops = {target_item, target_done};
	struct payload payload;

	if (!link->up)
		return;
	payload = pack_target_request(request);
	link->target = call_start(link->caller, WIRE_TARGET, payload.data, payload.len, 0,
	    &ops, link);
	free(payload.data);
}

void
agent_link_end_target(struct agent_link *link)
{
	if (link->target)
		call_cancel(link->target);
	link->target = NULL;
}

static void
pong(void *arg, uint64_t t0, uint64_t t1, uint64_t t2, uint64_t t3)
{
	struct agent_link *link = arg;

	offset_sample(&link->offset, t0, t1, t2, t3);
	if (link->pings_left > 0 && --link->pings_left > 0)
		chan_ping(link->chan, pong, link);
	else
		link->ops->synced(link->arg, link, &link->offset);
}

void
agent_link_sync(struct agent_link *link, unsigned pings)
{
	link->offset = (struct offset){0};
	link->pings_left = pings;
	if (link->up)
		chan_ping(link->chan, pong, link);
}
