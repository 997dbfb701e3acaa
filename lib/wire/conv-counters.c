/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of a host around a run. */
#include "lib/wire/conv-impl.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "proto/counters.pb-c.h"

#define NAME_LEN_MAX 256

static void
counter_fill(Volley__Counter *msg, const struct counter *counter)
{
	volley__counter__init(msg);
	msg->object = counter->object;
	msg->name = counter->name;
	msg->has_trial = counter->known[COUNTER_TRIAL];
	msg->trial = counter->delta[COUNTER_TRIAL];
	msg->has_idle = counter->known[COUNTER_IDLE];
	msg->idle = counter->delta[COUNTER_IDLE];
	msg->has_run = counter->known[COUNTER_RUN];
	msg->run = counter->delta[COUNTER_RUN];
	msg->has_narrow = msg->narrow = counter->narrow;
}

struct payload
pack_counters(uint64_t run_id, const struct counters *counters)
{
	Volley__Counters msg = VOLLEY__COUNTERS__INIT;
	size_t n = counters->list.n < COUNTERS_MAX ? counters->list.n : COUNTERS_MAX;
	Volley__Counter *rows = mem_array(n, sizeof *rows);
	Volley__Counter **pointers = mem_array(n, sizeof *pointers);
	struct payload payload;

	msg.run_id = run_id;
	msg.has_trial_ns = counters->ns[COUNTER_TRIAL] != 0;
	msg.trial_ns = counters->ns[COUNTER_TRIAL];
	msg.has_idle_ns = counters->ns[COUNTER_IDLE] != 0;
	msg.idle_ns = counters->ns[COUNTER_IDLE];
	msg.has_run_ns = counters->ns[COUNTER_RUN] != 0;
	msg.run_ns = counters->ns[COUNTER_RUN];
	msg.has_trial_bytes = counters->trial_bytes != 0;
	msg.trial_bytes = counters->trial_bytes;
	msg.mount_point = counters->mount_point;
	msg.mount_fstype = counters->mount_fstype;
	msg.has_protocols = counters->protocols != 0;
	msg.protocols = counters->protocols;
	msg.has_rdma_ports = counters->rdma_ports >= 0;
	msg.rdma_ports = (uint64_t)counters->rdma_ports;
	for (size_t i = 0; i < n; i++) {
		counter_fill(&rows[i], &counters->list.v[i]);
		pointers[i] = &rows[i];
	}
	msg.n_counter = n;
	msg.counter = pointers;
	payload = conv_pack(&msg.base);
	free(pointers);
	free(rows);
	return payload;
}

/* Sorted without doubles, so that they can be found. */
static int
counter_take(
    struct counters *ret, const Volley__Counter *msg, struct err *err)
{
	const struct counter *last =
	    ret->list.n ? &ret->list.v[ret->list.n - 1] : NULL;
	int by_object = last ? strcmp(last->object, msg->object) : -1;
	struct counter *counter;

	if (!str_is_text(msg->object) || !str_is_text(msg->name) ||
	    strlen(msg->object) > NAME_LEN_MAX || strlen(msg->name) > NAME_LEN_MAX)
		return err_set(err, ERR_PROTOCOL, "a counter without a proper name");
	if (by_object > 0 || (by_object == 0 && strcmp(last->name, msg->name) >= 0))
		return err_set(err, ERR_PROTOCOL, "counters out of order");
	counter = counters_add(ret, msg->object, msg->name);
	counter->known[COUNTER_TRIAL] = msg->has_trial;
	counter->delta[COUNTER_TRIAL] = msg->trial;
	counter->known[COUNTER_IDLE] = msg->has_idle;
	counter->delta[COUNTER_IDLE] = msg->idle;
	counter->known[COUNTER_RUN] = msg->has_run;
	counter->delta[COUNTER_RUN] = msg->run;
	counter->narrow = msg->narrow;
	return 0;
}

static int
counters_take(struct counters *ret, const Volley__Counters *msg, struct err *err)
{
	ret->ns[COUNTER_TRIAL] = msg->trial_ns;
	ret->ns[COUNTER_IDLE] = msg->idle_ns;
	ret->ns[COUNTER_RUN] = msg->run_ns;
	ret->trial_bytes = msg->trial_bytes;
	ret->mount_point = conv_text(msg->mount_point);
	ret->mount_fstype = conv_text(msg->mount_fstype);
	ret->protocols = msg->protocols;
	if (msg->has_rdma_ports && msg->rdma_ports <= INT64_MAX)
		ret->rdma_ports = (int64_t)msg->rdma_ports;
	if (msg->protocols > (COUNTERS_TCP | COUNTERS_RDMA))
		return err_set(err, ERR_PROTOCOL, "counters of unknown transports");
	if (msg->n_counter > COUNTERS_MAX)
		return err_set(err, ERR_PROTOCOL, "%zu counters, %d are allowed",
		    msg->n_counter, COUNTERS_MAX);
	for (size_t i = 0; i < msg->n_counter; i++)
		if (counter_take(ret, msg->counter[i], err) < 0)
			return -1;
	return 0;
}

int
unpack_counters(uint64_t *ret_run_id, struct counters **ret, const uint8_t *data,
    size_t len, struct err *err)
{
	Volley__Counters *msg =
	    conv_unpack(&volley__counters__descriptor, data, len, "counters", err);
	struct counters *counters;

	*ret = NULL;
	*ret_run_id = 0;
	if (!msg)
		return -1;
	counters = counters_new();
	if (counters_take(counters, msg, err) == 0) {
		*ret = counters;
		*ret_run_id = msg->run_id;
	} else {
		counters_free(counters);
	}
	proto_free(msg);
	return *ret ? 0 : -1;
}
