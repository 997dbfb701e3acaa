/* SPDX-License-Identifier: Apache-2.0 */
/* Targets that agents are asked for, and the key that goes to their clients. */
#include "lib/wire/conv.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/suite.h"

START_TEST(a_request_round_trip)
{
	const struct target_request request = {.export = "fabric",
	    .key = "0123456789abcdef",
	    .bytes = UINT64_C(1) << 33,
	    .rdma = true};
	struct payload payload = pack_target_request(&request);
	struct target_request got;
	struct err err = ERR_INIT;
	void *owner;

	ck_assert_int_eq(
	    unpack_target_request(&got, &owner, payload.data, payload.len, &err), 0);
	ck_assert_str_eq(got.export, "fabric");
	ck_assert_str_eq(got.key, "0123456789abcdef");
	ck_assert(got.bytes == UINT64_C(1) << 33 && got.rdma);
	target_request_free(owner);
	for (size_t len = 0; len < payload.len; len++) {
		if (unpack_target_request(&got, &owner, payload.data, len, &err) == 0)
			target_request_free(owner);
		else
			ck_assert_ptr_null(owner);
	}
	free(payload.data);
}
END_TEST

/* They become arguments of a program and a line of text. */
START_TEST(what_is_no_request)
{
	static const struct target_request bad[] = {{"", "k", 1, false},
	    {"e", "", 1, false}, {"a b", "k", 1, false}, {"e", "k\nl", 1, false},
	    {"a=mem:1", "k", 1, false}, {"a,ro", "k", 1, false}, {"e", "k", 0, false},
	    {"e", "k", WIRE_TARGET_BYTES_MAX + 1, false}};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct payload payload = pack_target_request(&bad[i]);
		struct target_request got;
		struct err err = ERR_INIT;
		void *owner;

		ck_assert_int_eq(unpack_target_request(
				     &got, &owner, payload.data, payload.len, &err),
		    -1);
		ck_assert_str_eq(err.msg, "a malformed target request");
		free(payload.data);
	}
}
END_TEST

START_TEST(an_answer)
{
	static const unsigned ports[] = {1, 7412, 65535};
	struct err err = ERR_INIT;
	unsigned port;

	for (size_t i = 0; i < 3; i++) {
		struct payload payload = pack_target_ready(ports[i]);

		ck_assert_int_eq(
		    unpack_target_ready(&port, payload.data, payload.len, &err), 0);
		ck_assert_uint_eq(port, ports[i]);
		free(payload.data);
	}
	struct payload payload = pack_target_ready(65536);
	ck_assert_int_eq(
	    unpack_target_ready(&port, payload.data, payload.len, &err), -1);
	ck_assert_str_eq(err.msg, "a target at port 65536");
	free(payload.data);
}
END_TEST

START_TEST(the_key_goes_with_the_order)
{
	struct order_job job = {.client_count = 1};
	struct order order = {.kind = ORDER_PREPARE,
	    .run_id = 1,
	    .jobs = &job,
	    .njobs = 1,
	    .case_id = "c1",
	    .client = "gpu01"};
	struct err err = ERR_INIT;

	job_init(&job.job);
	ck_assert_int_eq(job_set(&job.job, "size", "1M", &err), 0);
	for (int with = 0; with < 2; with++) {
		struct order_msg msg;
		struct payload payload;

		order.peer_key = with ? "a key of the target" : NULL;
		payload = pack_order(&order);
		ck_assert_int_eq(
		    unpack_order(&msg, payload.data, payload.len, &err), 0);
		if (with)
			ck_assert_str_eq(msg.order.peer_key, "a key of the target");
		else
			ck_assert_ptr_null(msg.order.peer_key);
		order_msg_free(&msg);
		free(payload.data);
	}
	job_free(&job.job);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("target", a_request_round_trip, what_is_no_request, an_answer,
	    the_key_goes_with_the_order);
}
