/* SPDX-License-Identifier: Apache-2.0 */
/* One agent: what is asked of it, and what becomes of the answers. */
#include "controller/fleet/agent-link-impl.h"

#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/wire/conv.h"
#include "lib/wire/methods.h"

#define ORDER_NS (UINT64_C(10) * UINT64_C(1000000000))
#define COLLECT_NS (UINT64_C(60) * UINT64_C(1000000000))
#define LOG_NS (UINT64_C(30) * UINT64_C(1000000000))
#define COUNTERS_NS (UINT64_C(10) * UINT64_C(1000000000))
#define COMMAND_GRACE_NS (UINT64_C(10) * UINT64_C(1000000000))
#define FACTS_NS (UINT64_C(15) * UINT64_C(1000000000))

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

/* ---- requests ---- */

void
agent_link_watch(struct agent_link *link)
{
	static const struct call_ops reports = {report_item, ignore_done};

	call_start(link->caller, WIRE_REPORTS, NULL, 0, 0, &reports, link);
}

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
