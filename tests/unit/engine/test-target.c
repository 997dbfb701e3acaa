/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A target seen from a client that does not play by the rules: it must not get in, and
 * once in no further than its rights.
 */
#include "agent/target/target.h"

#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/unit/suite.h"

#define KEY "the key of this target"
#define SIZE 8192u

static struct target_export exports[2];
static struct target *target;

static void
start(void)
{
	const struct target_config config = {.host = "127.0.0.1",
	    .key = KEY,
	    .exports = exports,
	    .nexports = 2,
	    .tcp = true};
	struct err err = ERR_INIT;

	ck_assert_int_eq(export_memory(&exports[0], "ram", SIZE, true, &err), 0);
	ck_assert_int_eq(export_memory(&exports[1], "rom", SIZE, false, &err), 0);
	ck_assert_msg(target_start(&target, &config, &err) == 0, "%s", err.msg);
}

static void
stop(void)
{
	target_stop(target);
	export_free(&exports[0]);
	export_free(&exports[1]);
}

static int
dial(void)
{
	struct sockaddr_in addr = {.sin_family = AF_INET,
	    .sin_port = htons((uint16_t)target_port(target)),
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const struct timeval limit = {.tv_sec = 20};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit), 0);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&addr, sizeof addr), 0);
	return fd;
}

static void
say(int fd, const uint8_t *data, size_t len)
{
	ck_assert_int_eq(send(fd, data, len, MSG_NOSIGNAL), (ssize_t)len);
}

/* Bytes that came, 0 at the end of the connection. */
static size_t
hear(int fd, uint8_t *ret, size_t len)
{
	ssize_t n = recv(fd, ret, len, MSG_WAITALL);

	ck_assert_msg(n >= 0 || errno == ECONNRESET, "%s", strerror(errno));
	return n > 0 ? (size_t)n : 0;
}

/* Says hello as `name`, and proves `key`: the verdict. */
static uint32_t
greet(int fd, const char *name, unsigned flags, const char *key, struct net_info *info)
{
	struct net_hello hello = {.version = NET_VERSION,
	    .flags = (uint16_t)flags,
	    .depth = 4,
	    .bytes_max = 4096};
	uint8_t said[NET_HELLO_LEN], heard[NET_CHALLENGE_LEN], mac[NET_MAC];
	uint8_t proof[NET_PROOF_LEN], answer[NET_INFO_LEN];

	strcpy(hello.name, name);
	net_hello_put(said, &hello);
	say(fd, said, sizeof said);
	ck_assert_uint_eq(hear(fd, heard, sizeof heard), sizeof heard);
	net_prove_client(mac, key, said, heard);
	net_proof_put(proof, mac);
	say(fd, proof, sizeof proof);
	ck_assert_uint_eq(hear(fd, answer, sizeof answer), sizeof answer);
	ck_assert(net_info_get(info, answer));
	return info->verdict;
}

static bool
is_closed(int fd)
{
	uint8_t byte;

	return hear(fd, &byte, 1) == 0;
}

static struct net_response
ask(int fd, enum net_op op, uint64_t offset, uint32_t bytes, uint8_t *data)
{
	const struct net_request request = {
	    .op = (uint8_t)op, .tag = 3, .offset = offset, .bytes = bytes};
	struct net_response response;
	uint8_t out[NET_REQUEST_LEN], in[NET_RESPONSE_LEN];

	net_request_put(out, &request);
	say(fd, out, sizeof out);
	if (op == NET_WRITE)
		say(fd, data, bytes);
	ck_assert_uint_eq(hear(fd, in, sizeof in), sizeof in);
	ck_assert(net_response_get(&response, in));
	ck_assert_uint_eq(response.tag, 3);
	if (op == NET_READ && response.bytes > 0)
		ck_assert_uint_eq(hear(fd, data, response.bytes), response.bytes);
	return response;
}

/* It knows what is there only after the proof, and only with the right one. */
START_TEST(a_wrong_proof)
{
	static const char *const names[] = {"ram", "no-such-export"};
	struct net_info info;

	start();
	for (size_t i = 0; i < 2; i++) {
		int fd = dial();

		ck_assert_uint_eq(
		    greet(fd, names[i], 0, "the key of that target", &info), NET_BAD_KEY);
		ck_assert(info.size == 0);
		ck_assert(is_closed(fd));
		close(fd);
	}
	stop();
}
END_TEST

/* A proof belongs to one challenge. */
START_TEST(a_proof_of_yesterday)
{
	struct net_hello hello = {
	    .version = NET_VERSION, .depth = 4, .bytes_max = 4096, .name = "ram"};
	uint8_t said[NET_HELLO_LEN], heard[NET_CHALLENGE_LEN], mac[NET_MAC];
	uint8_t proof[NET_PROOF_LEN], answer[NET_INFO_LEN];
	struct net_info info;

	start();
	net_hello_put(said, &hello);
	for (int turn = 0; turn < 2; turn++) {
		int fd = dial();

		say(fd, said, sizeof said);
		ck_assert_uint_eq(hear(fd, heard, sizeof heard), sizeof heard);
		if (turn == 0) {
			net_prove_client(mac, KEY, said, heard);
			net_proof_put(proof, mac);
		}
		say(fd, proof, sizeof proof);
		ck_assert_uint_eq(hear(fd, answer, sizeof answer), sizeof answer);
		ck_assert(net_info_get(&info, answer));
		ck_assert_uint_eq(info.verdict, turn == 0 ? NET_OK : NET_BAD_KEY);
		close(fd);
	}
	stop();
}
END_TEST

/* The target's own proof, turned around, is none of a client. */
START_TEST(a_proof_turned_around)
{
	struct net_hello hello = {
	    .version = NET_VERSION, .depth = 4, .bytes_max = 4096, .name = "ram"};
	struct net_challenge challenge;
	uint8_t said[NET_HELLO_LEN], heard[NET_CHALLENGE_LEN];
	uint8_t proof[NET_PROOF_LEN], answer[NET_INFO_LEN];
	struct net_info info;
	int fd;

	start();
	fd = dial();
	net_hello_put(said, &hello);
	say(fd, said, sizeof said);
	ck_assert_uint_eq(hear(fd, heard, sizeof heard), sizeof heard);
	ck_assert(net_challenge_get(&challenge, heard));
	net_proof_put(proof, challenge.mac);
	say(fd, proof, sizeof proof);
	ck_assert_uint_eq(hear(fd, answer, sizeof answer), sizeof answer);
	ck_assert(net_info_get(&info, answer));
	ck_assert_uint_eq(info.verdict, NET_BAD_KEY);
	close(fd);
	stop();
}
END_TEST

START_TEST(nonsense_is_cut_off)
{
	uint8_t junk[NET_HELLO_LEN];
	struct net_info info;
	int fd;

	start();
	memset(junk, 0x5a, sizeof junk);
	fd = dial();
	say(fd, junk, sizeof junk);
	ck_assert(is_closed(fd));
	close(fd);
	/* And behind the door. */
	fd = dial();
	ck_assert_uint_eq(greet(fd, "ram", 0, KEY, &info), NET_OK);
	say(fd, junk, NET_REQUEST_LEN);
	ck_assert(is_closed(fd));
	close(fd);
	/* A request beyond what was announced has no buffer. */
	fd = dial();
	ck_assert_uint_eq(greet(fd, "ram", 0, KEY, &info), NET_OK);
	net_request_put(
	    junk, &(struct net_request){.op = NET_READ, .tag = 1, .bytes = 4097});
	say(fd, junk, NET_REQUEST_LEN);
	ck_assert(is_closed(fd));
	close(fd);
	stop();
}
END_TEST

START_TEST(rights)
{
	uint8_t data[4096];
	struct net_response response;
	struct net_info info;
	int fd;

	start();
	fd = dial();
	ck_assert_uint_eq(greet(fd, "rom", NET_WRITES, KEY, &info), NET_READ_ONLY);
	close(fd);
	fd = dial();
	ck_assert_uint_eq(greet(fd, "ram", NET_ONE_SIDED, KEY, &info), NET_OK);
	ck_assert_uint_eq(info.rkey, 0); /* over TCP there is no such thing */
	close(fd);
	/* Who did not say that he writes, does not, whatever the export allows. */
	for (int i = 0; i < 2; i++) {
		fd = dial();
		ck_assert_uint_eq(greet(fd, i ? "ram" : "rom", 0, KEY, &info), NET_OK);
		memset(data, 0xff, sizeof data);
		response = ask(fd, NET_WRITE, 0, sizeof data, data);
		ck_assert_uint_eq(response.errnum, EROFS);
		ck_assert_uint_eq(response.bytes, 0);
		response = ask(fd, NET_READ, 0, sizeof data, data);
		ck_assert_uint_eq(response.bytes, sizeof data);
		for (size_t k = 0; k < sizeof data; k++)
			ck_assert_uint_eq(data[k], 0);
		close(fd);
	}
	stop();
}
END_TEST

START_TEST(the_end_of_an_export)
{
	static const uint64_t beyond[] = {SIZE, SIZE + 1, UINT64_MAX, UINT64_MAX - 4095,
	    UINT64_C(1) << 63};
	uint8_t data[4096] = {1};
	struct net_response response;
	struct net_info info;
	int fd;

	start();
	fd = dial();
	ck_assert_uint_eq(greet(fd, "ram", NET_WRITES, KEY, &info), NET_OK);
	ck_assert(info.size == SIZE);
	for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
		response = ask(fd, NET_READ, beyond[i], 4096, data);
		ck_assert(response.bytes == 0 && response.errnum == 0);
		response = ask(fd, NET_WRITE, beyond[i], 4096, data);
		ck_assert(response.bytes == 0 && response.errnum == ENOSPC);
	}
	/* Half of it fits. */
	response = ask(fd, NET_WRITE, SIZE - 2048, 4096, data);
	ck_assert(response.bytes == 2048 && response.errnum == 0);
	response = ask(fd, NET_READ, SIZE - 2048, 4096, data);
	ck_assert(response.bytes == 2048 && data[0] == 1);
	close(fd);
	stop();
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("target", a_wrong_proof, a_proof_of_yesterday,
	    a_proof_turned_around, nonsense_is_cut_off, rights, the_end_of_an_export);
}
