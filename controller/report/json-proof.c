/* SPDX-License-Identifier: Apache-2.0 */
/* Which transport carried the bytes, and the counters by object and name. */
#include "controller/report/json-proof.h"

#include "controller/store/jtext.h"

static json_t *
known_u64(bool known, uint64_t value)
{
	return known ? jtext_u64(value) : json_null();
}

static json_t *
transports_json(unsigned protocols)
{
	json_t *ret = json_array();

	if (protocols & COUNTERS_TCP)
		json_array_append_new(ret, json_string("tcp"));
	if (protocols & COUNTERS_RDMA)
		json_array_append_new(ret, json_string("rdma"));
	return ret;
}

static json_t *
detail_json(const struct proof *proof, const struct counters *counters)
{
	json_t *ret = json_object();

	json_object_set_new(ret, "text", jtext(proof->text));
	json_object_set_new(ret, "cached", json_boolean(proof->cached));
	json_object_set_new(ret, "application_bytes", jtext_u64(proof->bytes));
	json_object_set_new(ret, "declared_bytes", jtext_real(proof->declared_bytes));
	json_object_set_new(ret, "other_bytes", jtext_real(proof->other_bytes));
	if (!counters)
		return ret;
	json_object_set_new(ret, "mount_point", jtext(counters->mount_point));
	json_object_set_new(ret, "mount_fstype", jtext(counters->mount_fstype));
	json_object_set_new(
	    ret, "mount_transports", transports_json(counters->protocols));
	json_object_set_new(ret, "trial_bytes",
	    known_u64(counters->trial_bytes != 0, counters->trial_bytes));
	json_object_set_new(
	    ret, "counted_ns", known_u64(true, counters->ns[COUNTER_RUN]));
	json_object_set_new(ret, "idle_ns",
	    known_u64(counters->ns[COUNTER_IDLE] != 0, counters->ns[COUNTER_IDLE]));
	return ret;
}

static json_t *
counters_json(const struct counters *counters)
{
	json_t *ret = json_object();

	for (vec_each(const struct counter *, it, &counters->list)) {
		json_t *object = json_object_get(ret, it->object);

		if (!it->known[COUNTER_RUN])
			continue;
		if (!object) {
			object = json_object();
			json_object_set_new(ret, it->object, object);
		}
		json_object_set_new(
		    object, it->name, jtext_u64(it->delta[COUNTER_RUN]));
	}
	return ret;
}

void
json_set_proof(json_t *object, const struct attempt_client *client)
{
	const struct proof *proof = &client->proof;
	bool asked = proof->verdict != PROOF_NONE;

	json_object_set_new(
	    object, "transport_proof", jtext(proof_verdict_name(proof->verdict)));
	json_object_set_new(object, "transport_proof_detail",
	    asked ? detail_json(proof, client->counters) : json_null());
	json_object_set_new(object, "counters",
	    client->counters ? counters_json(client->counters) : json_null());
}
