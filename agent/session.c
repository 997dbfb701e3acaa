/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The agent's RPC methods on one connection.  Orders go to the runner; reports
 * and samples are streams that this controller may hold open.
 */
#include "agent/session.h"

#include <stdlib.h>

#include "agent/command.h"
#include "agent/facts.h"
#include "agent/runner.h"
#include "agent/settings.h"
#include "agent/target-link.h"
#include "lib/base/mem.h"
#include "lib/rpc/chan.h"
#include "lib/rpc/serve.h"
#include "lib/wire/conv.h"
#include "lib/wire/methods.h"

struct session {
	const struct session_env *env;
	struct chan *chan;
	struct server *server;
	struct request *reports, *samples; /* open streams; NULL: none */
	uint64_t samples_run;
	struct request *counters; /* waits for them to settle; NULL: none */
	uint64_t counters_run;
	uint64_t run_id; /* of its orders */
};

/* ---- methods ---- */

static void
facts_ready(void *arg, struct facts *facts)
{
	struct request *request = arg;
	struct payload payload = pack_facts(facts);

	request_reply(request, payload.data, payload.len);
	free(payload.data);
	facts_free(facts);
}

static void
handle_facts(void *arg, struct request *request, const uint8_t *data, size_t len)
{
	struct session *session = arg;
	struct err err = ERR_INIT;
	struct facts_question_msg msg;

	if (unpack_facts_request(&msg, data, len, &err) < 0) {
		request_error(request, &err);
		return;
	}
	facts_collect(session->env->base, session->env->helper, session->env->settings,
	    &msg.question, facts_ready, request);
	facts_question_msg_free(&msg);
}

static void
reply_report(struct request *request, const struct report *report)
{
	struct payload payload = pack_report(report);

	request_reply(request, payload.data, payload.len);
	free(payload.data);
}

static void
handle_order(void *arg, struct request *request, const uint8_t *data, size_t len)
{
	struct session *session = arg;
	struct err err = ERR_INIT;
	struct order_msg msg;
	struct report report = {0};

	if (unpack_order(&msg, data, len, &err) < 0) {
		request_error(request, &err);
		return;
	}
	runner_order(session->env->runner, &msg.order, &report);
	if (report.run_id == msg.order.run_id && report.state != REPORT_NONE &&
	    report.state != REPORT_BUSY) {
		session->run_id = report.run_id;
		session->env->spoke(session->env->arg, session);
	}
	reply_report(request, &report);
	order_msg_free(&msg);
}

static void
reports_gone(void *arg)
{
	struct session *session = arg;

	request_release(session->reports);
	session->reports = NULL;
}

static void
handle_reports(void *arg, struct request *request, const uint8_t *data, size_t len)
{
	struct session *session = arg;

	(void)data;
	(void)len;
	if (session->reports)
		request_end(session->reports);
	session->reports = request;
	request_on_gone(request, reports_gone, session);
	session_changed(session);
}

static void
samples_gone(void *arg)
{
	struct session *session = arg;

	request_release(session->samples);
	session->samples = NULL;
}

static void
handle_samples(void *arg, struct request *request, const uint8_t *data, size_t len)
{
	struct session *session = arg;
	struct err err = ERR_INIT;
	uint64_t run_id;

	if (unpack_run_id(&run_id, data, len, &err) < 0) {
		request_error(request, &err);
		return;
	}
	if (session->samples)
		request_end(session->samples);
	session->samples = request;
	session->samples_run = run_id;
	request_on_gone(request, samples_gone, session);
}

static void
handle_collect(void *arg, struct request *request, const uint8_t *data, size_t len)
{
	struct session *session = arg;
	struct err err = ERR_INIT;
	uint64_t run_id;

	if (unpack_run_id(&run_id, data, len, &err) < 0) {
		request_error(request, &err);
		return;
	}
	const struct tally *tally = runner_result(session->env->runner, run_id);
	if (!tally) {
		err_set(&err, ERR_USAGE, "no result of run %016llx here",
		    (unsigned long long)run_id);
		request_error(request, &err);
		return;
	}
	struct payload payload = pack_tally(run_id, tally);
	request_reply(request, payload.data, payload.len);
	free(payload.data);
}

static void
handle_log(void *arg, struct request *request, const uint8_t *data, size_t len)
{
	struct session *session = arg;
	struct err err = ERR_INIT;
	struct log_request question;
	struct log_part part;
	uint8_t *buf;

	if (unpack_log_request(&question, data, len, &err) < 0) {
		request_error(request, &err);
		return;
	}
	buf = mem_alloc(WIRE_LOG_PART);
	if (runner_log(session->env->runner, &question, &part, buf, &err) < 0) {
		request_error(request, &err);
	} else {
		struct payload payload = pack_log_part(&part);

		request_reply(request, payload.data, payload.len);
		free(payload.data);
	}
	free(buf);
}

static void
counters_gone(void *arg)
{
	struct session *session = arg;

	request_release(session->counters);
	session->counters = NULL;
}

static void
reply_counters(const struct session *session, struct request *request, uint64_t run_id)
{
	const struct counters *counters = runner_counters(session->env->runner, run_id);
	struct err err = ERR_INIT;

	if (!counters) {
		err_set(&err, ERR_USAGE, "no counters of run %016llx here",
		    (unsigned long long)run_id);
		request_error(request, &err);
		return;
	}
	struct payload payload = pack_counters(run_id, counters);
	request_reply(request, payload.data, payload.len);
	free(payload.data);
}

static void
handle_counters(void *arg, struct request *request, const uint8_t *data, size_t len)
{
	struct session *session = arg;
	struct err err = ERR_INIT;
	uint64_t run_id;

	if (unpack_run_id(&run_id, data, len, &err) < 0) {
		request_error(request, &err);
		return;
	}
	if (session->counters || !runner_is_settling(session->env->runner, run_id)) {
		reply_counters(session, request, run_id);
		return;
	}
	session->counters = request;
	session->counters_run = run_id;
	request_on_gone(request, counters_gone, session);
}

/* Those that were asked for and had to settle. */
static void
counters_changed(struct session *session)
{
	struct request *request = session->counters;

	if (!request ||
	    runner_is_settling(session->env->runner, session->counters_run))
		return;
	session->counters = NULL;
	reply_counters(session, request, session->counters_run);
}

/* ---- targets ---- */

/* One that this controller holds open. */
struct held {
	struct request *request;
	struct target_link *link;
};

static void
held_gone(void *arg)
{
	struct held *held = arg;

	request_release(held->request);
	target_link_end(held->link);
	free(held);
}

static void
held_ready(void *arg, unsigned port, const struct err *err)
{
	struct held *held = arg;

	if (err) {
		request_on_gone(held->request, NULL, NULL);
		request_error(held->request, err);
		target_link_end(held->link);
		free(held);
		return;
	}
	struct payload payload = pack_target_ready(port);
	request_item(held->request, payload.data, payload.len, false);
	free(payload.data);
}

static void
handle_target(void *arg, struct request *request, const uint8_t *data, size_t len)
{
	struct session *session = arg;
	struct held *held = mem_alloc(sizeof *held);
	struct target_request wanted;
	struct err err = ERR_INIT;
	void *owner;
	int r = unpack_target_request(&wanted, &owner, data, len, &err);

	held->request = request;
	if (r == 0) {
		r = target_link_start(&held->link, session->env->base,
		    session->env->helper, &wanted, held_ready, held, &err);
		target_request_free(owner);
	}
	if (r < 0) {
		request_error(request, &err);
		free(held);
		return;
	}
	request_on_gone(request, held_gone, held);
}

/* ---- commands ---- */

static void
command_done(void *arg, struct shell_answer *answer)
{
	struct request *request = arg;
	struct payload payload = pack_shell_answer(answer);

	request_reply(request, payload.data, payload.len);
	free(payload.data);
}

static void
handle_command(void *arg, struct request *request, const uint8_t *data, size_t len)
{
	struct session *session = arg;
	struct err err = ERR_INIT;
	struct shell_command command;

	if (unpack_shell_command(&command, data, len, &err) < 0) {
		request_error(request, &err);
		return;
	}
	command_run(session->env->base, session->env->helper, session->env->settings,
	    &command, command_done, request);
	shell_command_free(&command);
}

static const struct method methods[] = {
    {WIRE_FACTS, "facts", WIRE_MAX_SMALL, handle_facts},
    {WIRE_ORDER, "order", WIRE_MAX_ORDER, handle_order},
    {WIRE_REPORTS, "reports", WIRE_MAX_SMALL, handle_reports},
    {WIRE_SAMPLES, "samples", WIRE_MAX_SMALL, handle_samples},
    {WIRE_COLLECT, "collect", WIRE_MAX_SMALL, handle_collect},
    {WIRE_LOG, "log", WIRE_MAX_SMALL, handle_log},
    {WIRE_COUNTERS, "counters", WIRE_MAX_SMALL, handle_counters},
    {WIRE_TARGET, "target", WIRE_MAX_SMALL, handle_target},
    {WIRE_COMMAND, "command", WIRE_MAX_SMALL, handle_command},
    {0},
};

/* ---- the channel ---- */

static void
opened(void *arg, struct chan *chan, const struct chan_peer *peer)
{
	struct session *session = arg;

	(void)peer;
	session->server = server_new(chan, methods, session);
}

static void
frame(void *arg, struct chan *chan, const struct frame *frame, const uint8_t *payload)
{
	struct session *session = arg;

	(void)chan;
	if (session->server)
		server_frame(session->server, frame, payload);
}

static void
closed(void *arg, struct chan *chan, const struct err *err)
{
	struct session *session = arg;

	(void)chan;
	if (session->server)
		server_free(session->server);
	session->server = NULL;
	session->env->gone(session->env->arg, session, err);
	free(session);
}

static uint32_t
limit(void *arg, const struct frame *frame)
{
	(void)arg;
	return server_limit(methods, frame);
}

static const struct chan_ops chan_ops = {
    .opened = opened, .frame = frame, .closed = closed, .limit = limit};

struct session *
session_new(const struct session_env *env, struct bufferevent *bev)
{
	struct session *session = mem_alloc(sizeof *session);
	struct chan_config config = {.name = env->settings->name,
	    .boot = env->boot,
	    .idle_timeout_ns = env->idle_timeout_ns,
	    .initiator = false};

	session->env = env;
	session->chan = chan_new(env->base, bev, &config, &chan_ops, session);
	return session;
}

void
session_close(struct session *session)
{
	chan_close(session->chan);
}

void
session_changed(struct session *session)
{
	struct report report = {0};

	counters_changed(session);
	if (!session->reports)
		return;
	runner_report(session->env->runner, &report);
	struct payload payload = pack_report(&report);
	request_item(session->reports, payload.data, payload.len, false);
	free(payload.data);
}

void
session_tick(struct session *session)
{
	struct sample sample = {0};

	if (!session->samples)
		return;
	if (!runner_sample(session->env->runner, session->samples_run, &sample))
		return;
	struct payload payload = pack_sample(&sample);
	request_item(session->samples, payload.data, payload.len, true);
	free(payload.data);
}

uint64_t
session_run(const struct session *session)
{
	return session->run_id;
}

const char *
session_peer(const struct session *session)
{
	return chan_address(session->chan);
}
