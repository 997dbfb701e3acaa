/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of targets: layout, limits, proofs. */
#include "agent/engine/net-wire.h"

#include <check.h>
#include <string.h>

#include "tests/unit/suite.h"

START_TEST(a_request_byte_by_byte)
{
	static const uint8_t want[NET_REQUEST_LEN] = {'L', NET_WRITE, 0, 0, 0, 0, 0x12,
	    0x34, 0, 0, 0, 1, 0, 0, 0x20, 0, 0, 0x10, 0, 0, 0xaa, 0xbb, 0xcc, 0xdd, 0x7f,
	    0, 0, 0, 0, 0, 0, 0x40};
	const struct net_request request = {.op = NET_WRITE,
	    .tag = 0x1234,
	    .bytes = 1 << 20,
	    .offset = (UINT64_C(1) << 32) + 8192,
	    .addr = (UINT64_C(0x7f) << 56) + 64,
	    .rkey = 0xaabbccdd};
	struct net_request back;
	uint8_t bytes[NET_REQUEST_LEN];

	net_request_put(bytes, &request);
	ck_assert_mem_eq(bytes, want, sizeof want);
	ck_assert(net_request_get(&back, bytes));
	ck_assert_mem_eq(&back.offset, &request.offset, 8);
	ck_assert_uint_eq(back.tag, request.tag);
	ck_assert_uint_eq(back.bytes, request.bytes);
	ck_assert_uint_eq(back.addr, request.addr);
	ck_assert_uint_eq(back.rkey, request.rkey);
	bytes[1] = 3; /* no such operation */
	ck_assert(!net_request_get(&back, bytes));
	bytes[1] = NET_READ;
	bytes[0] = 0;
	ck_assert(!net_request_get(&back, bytes));
}
END_TEST

START_TEST(what_is_no_message)
{
	uint8_t bytes[NET_HELLO_LEN] = {0}, mac[NET_MAC];
	struct net_hello hello;
	struct net_challenge challenge;
	struct net_info info;
	struct net_response response;

	ck_assert(!net_hello_get(&hello, bytes));
	ck_assert(!net_challenge_get(&challenge, bytes));
	ck_assert(!net_proof_get(mac, bytes));
	ck_assert(!net_info_get(&info, bytes));
	ck_assert(!net_response_get(&response, bytes));
}
END_TEST

/* Without its last byte a name always ends. */
START_TEST(a_name_ends)
{
	struct net_hello hello = {.version = 1, .depth = 16, .bytes_max = 4096}, back;
	uint8_t bytes[NET_HELLO_LEN];

	strcpy(hello.name, "ram");
	net_hello_put(bytes, &hello);
	ck_assert(net_hello_get(&back, bytes));
	ck_assert_str_eq(back.name, "ram");
	ck_assert_uint_eq(back.depth, 16);
	memset(bytes + 48, 'x', 32);
	ck_assert(net_hello_get(&back, bytes));
	ck_assert_uint_eq(strlen(back.name), NET_NAME_MAX);
	ck_assert(net_is_name("a.B-9_"));
	ck_assert(!net_is_name(""));
	ck_assert(!net_is_name("a/b"));
	ck_assert(!net_is_name("0123456789012345678901234567890x"));
}
END_TEST

START_TEST(proofs_differ)
{
	uint8_t hello[NET_HELLO_LEN] = {1}, challenge[NET_CHALLENGE_LEN] = {2};
	uint8_t target[NET_MAC], client[NET_MAC], other[NET_MAC];
	const char *key = "a key of some length";

	net_prove_target(target, key, hello, challenge);
	net_prove_client(client, key, hello, challenge);
	ck_assert(!net_same_mac(target, client));
	net_prove_client(other, key, hello, challenge);
	ck_assert(net_same_mac(client, other));
	net_prove_client(other, "a key of some lengtH", hello, challenge);
	ck_assert(!net_same_mac(client, other));
	challenge[NET_CHALLENGE_LEN - 1] ^= 1;
	net_prove_client(other, key, hello, challenge);
	ck_assert(!net_same_mac(client, other));
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("net-wire", a_request_byte_by_byte, what_is_no_message,
	    a_name_ends, proofs_differ);
}
