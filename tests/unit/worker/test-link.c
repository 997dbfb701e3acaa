/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words over the link, and the spec that PREPARE carries.
 */
#include <check.h>
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/worker/link.h"
#include "lib/base/mem.h"
#include "tests/unit/worker/support.h"

static int pair[2];
static struct err err;

static void
setup(void)
{
	err = ERR_INIT;
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
}

static void
teardown(void)
{
	close(pair[0]);
	close(pair[1]);
}

START_TEST(a_message_arrives_whole)
{
	struct link_msg msg = {.kind = LINK_FAILED, .code = ERR_IO, .errnum = EIO}, got;
	char *text;

	ck_assert_int_eq(link_send(pair[0], &msg, "read of 4096 bytes", &err), 0);
	msg = (struct link_msg){.kind = LINK_ARM, .value = UINT64_C(1) << 63};
	ck_assert_int_eq(link_send(pair[0], &msg, NULL, &err), 0);
	ck_assert_int_eq(link_recv(pair[1], true, &got, &text, &err), 1);
	ck_assert_uint_eq(got.kind, LINK_FAILED);
	ck_assert_uint_eq(got.code, ERR_IO);
	ck_assert_uint_eq(got.errnum, EIO);
	ck_assert_str_eq(text, "read of 4096 bytes");
	free(text);
	ck_assert_int_eq(link_recv(pair[1], false, &got, &text, &err), 1);
	ck_assert_uint_eq(got.value, UINT64_C(1) << 63);
	ck_assert_ptr_null(text);
}
END_TEST

START_TEST(nothing_there_is_eagain)
{
	struct link_msg got;
	char *text;

	ck_assert_int_eq(link_recv(pair[1], true, &got, &text, &err), -1);
	ck_assert_int_eq(errno, EAGAIN);
}
END_TEST

START_TEST(a_closed_peer_is_told)
{
	struct link_msg msg = {.kind = LINK_GO}, got;
	char *text;

	close(pair[0]);
	ck_assert_int_eq(link_recv(pair[1], false, &got, &text, &err), 0);
	ck_assert_int_eq(link_send(pair[1], &msg, NULL, &err), -1);
	ck_assert_int_eq(err.errnum, EPIPE);
	pair[0] = -1;
}
END_TEST

START_TEST(nonsense_is_refused)
{
	struct link_msg msg = {.version = LINK_VERSION + 1, .kind = LINK_GO}, got;
	char *text;

	ck_assert_int_eq(send(pair[0], "short", 5, 0), 5);
	ck_assert_int_eq(link_recv(pair[1], true, &got, &text, &err), -1);
	ck_assert_int_ne(errno, EAGAIN);
	ck_assert_int_eq(err.code, ERR_PROTOCOL);
	ck_assert_int_eq(send(pair[0], &msg, sizeof msg, 0), (int)sizeof msg);
	ck_assert_int_eq(link_recv(pair[1], true, &got, &text, &err), -1);
	ck_assert_str_eq(err.msg, "worker link: version 2, this build speaks 1");
	msg.version = LINK_VERSION;
	msg.text_len = 3; /* none follow */
	ck_assert_int_eq(send(pair[0], &msg, sizeof msg, 0), (int)sizeof msg);
	ck_assert_int_eq(link_recv(pair[1], true, &got, &text, &err), -1);
	ck_assert_str_eq(err.msg, "worker link: malformed message");
	msg.text_len = 0;
	msg.kind = LINK_KIND_COUNT;
	ck_assert_int_eq(send(pair[0], &msg, sizeof msg, 0), (int)sizeof msg);
	ck_assert_int_eq(link_recv(pair[1], true, &got, &text, &err), -1);
}
END_TEST

START_TEST(a_spec_comes_back_as_it_was)
{
	struct link_spec spec = {.client_index = 2,
			     .client_count = 30,
			     .allow_exec = true,
			     .first_number = 7,
			     .logs_to_parent = true},
			 got;
	char *text;

	spec.job = mem_strdup("name=a\\b\nrw=read\n");
	spec.client = mem_strdup("gpu 01\nx");
	spec.case_id = mem_strdup("");
	vec_push(&spec.allow, mem_strdup("/mnt/one two"));
	vec_push(&spec.allow, mem_strdup("/mnt/back\\nslash"));
	vec_push(&spec.allow_write, mem_strdup("/dev/sdb"));
	text = link_spec_encode(&spec);
	ck_assert_int_eq(link_spec_decode(&got, text, &err), 0);
	ck_assert_str_eq(got.job, spec.job);
	ck_assert_str_eq(got.client, spec.client);
	ck_assert_str_eq(got.case_id, "");
	ck_assert_uint_eq(got.client_index, 2);
	ck_assert_uint_eq(got.client_count, 30);
	ck_assert(got.allow_exec);
	ck_assert_uint_eq(got.first_number, 7);
	ck_assert(got.logs_to_parent);
	ck_assert_uint_eq(got.allow.n, 2);
	ck_assert_str_eq(got.allow.v[0], "/mnt/one two");
	ck_assert_str_eq(got.allow.v[1], "/mnt/back\\nslash");
	ck_assert_uint_eq(got.allow_write.n, 1);
	ck_assert_str_eq(got.allow_write.v[0], "/dev/sdb");
	free(text);
	link_spec_free(&spec);
	link_spec_free(&got);
}
END_TEST

START_TEST(a_bad_spec_is_named)
{
	struct link_spec got;

	ck_assert_int_eq(link_spec_decode(&got, "colour blue\n", &err), -1);
	ck_assert_str_eq(err.msg, "job for the worker: unknown word \"colour\"");
	ck_assert_int_eq(link_spec_decode(&got, "client\n", &err), -1);
	ck_assert_str_eq(err.msg, "job for the worker: malformed line");
	ck_assert_int_eq(
	    link_spec_decode(&got, "client a\nindex 1\ncount 1\njob x\n", &err), -1);
	ck_assert_str_eq(err.msg, "job for the worker: incomplete");
	ck_assert_int_eq(
	    link_spec_decode(&got, "client a\nindex -1\ncount 1\njob x\n", &err), -1);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/link");
	TCase *tc = tcase_create("link");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_message_arrives_whole);
	tcase_add_test(tc, nothing_there_is_eagain);
	tcase_add_test(tc, a_closed_peer_is_told);
	tcase_add_test(tc, nonsense_is_refused);
	tcase_add_test(tc, a_spec_comes_back_as_it_was);
	tcase_add_test(tc, a_bad_spec_is_named);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
