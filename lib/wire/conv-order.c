/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Orders, reports and run ids.  A job travels as its options' canonical text and is
 * set and validated again on arrival, by the same table that the plan went through.
 */
#include "lib/wire/conv-impl.h"

#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/vec.h"
#include "proto/control.pb-c.h"
#include "proto/error.h"

#define NAME_LEN_MAX 255u

static const Volley__OrderKind order_kinds[ORDER_KIND_COUNT] = {
    [ORDER_PREPARE] = VOLLEY__ORDER_KIND__ORDER_PREPARE,
    [ORDER_ARM] = VOLLEY__ORDER_KIND__ORDER_ARM,
    [ORDER_GO] = VOLLEY__ORDER_KIND__ORDER_GO,
    [ORDER_WATCH] = VOLLEY__ORDER_KIND__ORDER_WATCH,
    [ORDER_COLLECT] = VOLLEY__ORDER_KIND__ORDER_COLLECT,
    [ORDER_ABORT] = VOLLEY__ORDER_KIND__ORDER_ABORT,
    [ORDER_RELEASE] = VOLLEY__ORDER_KIND__ORDER_RELEASE,
};

static const Volley__ReportState report_states[REPORT_STATE_COUNT] = {
    [REPORT_NONE] = VOLLEY__REPORT_STATE__REPORT_NONE,
    [REPORT_PREPARING] = VOLLEY__REPORT_STATE__REPORT_PREPARING,
    [REPORT_READY] = VOLLEY__REPORT_STATE__REPORT_READY,
    [REPORT_ARMED] = VOLLEY__REPORT_STATE__REPORT_ARMED,
    [REPORT_RUNNING] = VOLLEY__REPORT_STATE__REPORT_RUNNING,
    [REPORT_FINISHED] = VOLLEY__REPORT_STATE__REPORT_FINISHED,
    [REPORT_FAILED] = VOLLEY__REPORT_STATE__REPORT_FAILED,
    [REPORT_STALLED] = VOLLEY__REPORT_STATE__REPORT_STALLED,
    [REPORT_NOT_STARTED] = VOLLEY__REPORT_STATE__REPORT_NOT_STARTED,
    [REPORT_ABORTED] = VOLLEY__REPORT_STATE__REPORT_ABORTED,
    [REPORT_BUSY] = VOLLEY__REPORT_STATE__REPORT_BUSY,
};

struct options {
	VEC(Volley__JobOption *) v;
};

/* The jobs of an order on their way out. */
struct job_msgs {
	Volley__Job **job, *msgs;
	struct options *options;
	size_t n;
};

static void
option_add(
    void *arg, const char *name, const char *value, bool is_number, bool is_default)
{
	struct options *options = arg;
	Volley__JobOption *option;

	(void)is_number;
	if (is_default)
		return;
	option = mem_alloc(sizeof *option);
	volley__job_option__init(option);
	option->name = (char *)name; /* in the option table */
	option->value = mem_strdup(value);
	vec_push(&options->v, option);
}

static void
options_free(struct options *options)
{
	for (size_t i = 0; i < options->v.n; i++) {
		free(options->v.v[i]->value);
		free(options->v.v[i]);
	}
	vec_free(&options->v);
}

static void
job_msgs_new(struct job_msgs *ret, const struct order_job *jobs, size_t n)
{
	ret->n = n;
	ret->job = mem_array(n, sizeof(Volley__Job *));
	ret->msgs = mem_array(n, sizeof *ret->msgs);
	ret->options = mem_array(n, sizeof *ret->options);
	for (size_t i = 0; i < n; i++) {
		volley__job__init(&ret->msgs[i]);
		job_each(&jobs[i].job, option_add, &ret->options[i]);
		ret->msgs[i].n_option = ret->options[i].v.n;
		ret->msgs[i].option = ret->options[i].v.v;
		ret->msgs[i].has_client_index = ret->msgs[i].has_client_count = true;
		ret->msgs[i].client_index = jobs[i].client_index;
		ret->msgs[i].client_count = jobs[i].client_count;
		ret->msgs[i].has_first_number = true;
		ret->msgs[i].first_number = jobs[i].first_number;
		ret->job[i] = &ret->msgs[i];
	}
}

static void
job_msgs_free(struct job_msgs *msgs)
{
	for (size_t i = 0; i < msgs->n; i++)
		options_free(&msgs->options[i]);
	free(msgs->options);
	free(msgs->msgs);
	free(msgs->job);
}

struct payload
pack_order(const struct order *order)
{
	Volley__Order msg = VOLLEY__ORDER__INIT;
	struct job_msgs jobs = {0};
	struct payload payload;

	msg.kind = order_kinds[order->kind];
	msg.run_id = order->run_id;
	if (order->kind == ORDER_PREPARE) {
		job_msgs_new(&jobs, order->jobs, order->njobs);
		msg.job = jobs.job;
		msg.n_job = jobs.n;
		msg.case_id = (char *)order->case_id;
		msg.client = (char *)order->client;
		msg.peer_key = (char *)order->peer_key;
		msg.has_prepare_timeout_ns = msg.has_finish_timeout_ns = true;
		msg.prepare_timeout_ns = order->prepare_timeout_ns;
		msg.finish_timeout_ns = order->finish_timeout_ns;
		msg.has_lease_ns = true;
		msg.lease_ns = order->lease_ns;
	}
	msg.has_start_ns = order->kind == ORDER_ARM;
	msg.start_ns = order->start_ns;
	payload = conv_pack(&msg.base);
	job_msgs_free(&jobs);
	return payload;
}

/* Both become parts of file names on the client. */
static int
name_take(char **ret, const char *text, const char *what, struct err *err)
{
	if (!text || !*text)
		return err_set(err, ERR_PROTOCOL, "an order without %s", what);
	if (strlen(text) > NAME_LEN_MAX || strchr(text, '/') || !strcmp(text, ".") ||
	    !strcmp(text, ".."))
		return err_set(err, ERR_PROTOCOL, "an order with a bad %s", what);
	for (const char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return err_set(
			    err, ERR_PROTOCOL, "an order with a bad %s", what);
	*ret = mem_strdup(text);
	return 0;
}

static int
job_take(struct order_job *ret, const Volley__Job *msg, struct err *err)
{
	for (size_t i = 0; i < msg->n_option; i++)
		if (job_set(&ret->job, msg->option[i]->name, msg->option[i]->value, err))
			return -1;
	if (job_validate(&ret->job, err))
		return -1;
	if (!msg->client_count || msg->client_index >= msg->client_count)
		return err_set(err, ERR_PROTOCOL, "a job for client %u of %u",
		    msg->client_index, msg->client_count);
	ret->client_index = msg->client_index;
	ret->client_count = msg->client_count;
	ret->first_number = msg->first_number ? msg->first_number : 1;
	return 0;
}

static int
jobs_take(struct order_msg *ret, const Volley__Order *msg, struct err *err)
{
	if (!msg->n_job)
		return err_set(err, ERR_PROTOCOL, "an order without a job");
	if (msg->n_job > CONV_JOBS_MAX)
		return err_set(err, ERR_PROTOCOL, "an order with %zu jobs, at most %u",
		    msg->n_job, CONV_JOBS_MAX);
	for (size_t i = 0; i < msg->n_job; i++) {
		struct order_job *job = vec_add(&ret->jobs);

		job_init(&job->job);
		if (job_take(job, msg->job[i], err))
			return -1;
	}
	return 0;
}

static int
prepare_take(struct order_msg *ret, const Volley__Order *msg, struct err *err)
{
	struct order *order = &ret->order;

	if (name_take(&ret->case_id, msg->case_id, "case", err) ||
	    name_take(&ret->client, msg->client, "client", err) ||
	    jobs_take(ret, msg, err))
		return -1;
	order->jobs = ret->jobs.v;
	order->njobs = ret->jobs.n;
	ret->peer_key = mem_strdup(msg->peer_key);
	order->peer_key = ret->peer_key;
	order->case_id = ret->case_id;
	order->client = ret->client;
	order->prepare_timeout_ns = msg->prepare_timeout_ns;
	order->finish_timeout_ns = msg->finish_timeout_ns;
	order->lease_ns = msg->lease_ns;
	return 0;
}

static int
order_take(struct order_msg *ret, const Volley__Order *msg, struct err *err)
{
	struct order *order = &ret->order;
	unsigned kind = 0;

	while (kind < ORDER_KIND_COUNT && order_kinds[kind] != msg->kind)
		kind++;
	if (kind == ORDER_KIND_COUNT)
		return err_set(
		    err, ERR_PROTOCOL, "an order of unknown kind %d", (int)msg->kind);
	order->kind = (enum order_kind)kind;
	order->run_id = msg->run_id;
	if (!order->run_id)
		return err_set(err, ERR_PROTOCOL, "an order without a run");
	if (order->kind == ORDER_PREPARE)
		return prepare_take(ret, msg, err);
	if (order->kind == ORDER_ARM && !msg->start_ns)
		return err_set(err, ERR_PROTOCOL, "an ARM without a start");
	order->start_ns = order->kind == ORDER_ARM ? msg->start_ns : 0;
	return 0;
}

int
unpack_order(struct order_msg *ret, const uint8_t *data, size_t len, struct err *err)
{
	Volley__Order *msg =
	    conv_unpack(&volley__order__descriptor, data, len, "an order", err);
	int result;

	memset(ret, 0, sizeof *ret);
	result = msg ? order_take(ret, msg, err) : -1;
	proto_free(msg);
	if (result)
		order_msg_free(ret);
	return result;
}

void
order_msg_free(struct order_msg *msg)
{
	for (vec_each(struct order_job *, job, &msg->jobs))
		job_free(&job->job);
	vec_free(&msg->jobs);
	free(msg->case_id);
	free(msg->peer_key);
	free(msg->client);
	memset(msg, 0, sizeof *msg);
}

struct payload
pack_report(const struct report *report)
{
	Volley__Report msg = VOLLEY__REPORT__INIT;
	Volley__Error error;

	msg.run_id = report->run_id;
	msg.state = report_states[report->state];
	msg.has_start_ns = report->start_ns != 0;
	msg.start_ns = report->start_ns;
	if (report->err.code != ERR_NONE) {
		proto_error_set(&error, &report->err);
		msg.error = &error;
	}
	msg.has_has_result = report->has_result;
	msg.has_result = report->has_result;
	msg.has_layout_done = msg.has_layout_total = report->layout_total != 0;
	msg.layout_done = report->layout_done;
	msg.layout_total = report->layout_total;
	return conv_pack(&msg.base);
}

static int
report_take(struct report *ret, const Volley__Report *msg, struct err *err)
{
	unsigned state = 0;

	while (state < REPORT_STATE_COUNT && report_states[state] != msg->state)
		state++;
	if (state == REPORT_STATE_COUNT)
		return err_set(
		    err, ERR_PROTOCOL, "a report of unknown state %d", (int)msg->state);
	ret->state = (enum report_state)state;
	ret->run_id = msg->run_id;
	ret->start_ns = msg->start_ns;
	if (msg->error)
		proto_error_get(&ret->err, msg->error);
	ret->has_result = msg->has_result;
	ret->layout_done = msg->layout_done;
	ret->layout_total = msg->layout_total;
	/* Progress: not worth a lost connection. */
	if (ret->layout_done > ret->layout_total)
		ret->layout_done = ret->layout_total;
	return 0;
}

int
unpack_report(struct report *ret, const uint8_t *data, size_t len, struct err *err)
{
	Volley__Report *msg =
	    conv_unpack(&volley__report__descriptor, data, len, "a report", err);
	int result;

	memset(ret, 0, sizeof *ret);
	result = msg ? report_take(ret, msg, err) : -1;
	proto_free(msg);
	return result;
}

struct payload
pack_run_id(uint64_t run_id)
{
	Volley__RunId msg = VOLLEY__RUN_ID__INIT;

	msg.run_id = run_id;
	return conv_pack(&msg.base);
}

int
unpack_run_id(uint64_t *ret, const uint8_t *data, size_t len, struct err *err)
{
	Volley__RunId *msg =
	    conv_unpack(&volley__run_id__descriptor, data, len, "a run id", err);
	int result = -1;

	*ret = 0;
	if (msg && msg->run_id) {
		*ret = msg->run_id;
		result = 0;
	} else if (msg) {
		err_set(err, ERR_PROTOCOL, "a run id of 0");
	}
	proto_free(msg);
	return result;
}
