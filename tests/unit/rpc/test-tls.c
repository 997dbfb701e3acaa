/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TLS 1.3 with pinned keys: who is let in, and the one line that each side reads
 * when somebody is not.
 */
#include "lib/rpc/tls.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/bufferevent_ssl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include "lib/base/mem.h"
#include "tests/unit/rpc/loop.h"

static void
start_both(struct loop *loop)
{
	loop_connect(loop, OVER_TLS);
	side_start(&loop->a);
	side_start(&loop->b);
}

static char *
fingerprint_of(const struct side *side)
{
	struct key_public pub;

	key_public(side->key, &pub);
	return key_fingerprint(pub.raw);
}

static void
expect(const struct side *side, enum err_code code, const char *message)
{
	ck_assert_str_eq(side->why.msg, message);
	ck_assert_int_eq(side->why.code, code);
	ck_assert(!side->opened);
	ck_assert_uint_eq(ERR_peek_error(), 0);
}

START_TEST(each_side_is_shown_the_others_key)
{
	struct loop loop;
	struct key_public a, b;

	loop_init(&loop);
	loop_open(&loop, OVER_TLS);
	key_public(loop.a.key, &a);
	key_public(loop.b.key, &b);
	ck_assert_mem_eq(loop.a.peer_key, b.raw, KEY_PUBLIC_LEN);
	ck_assert_mem_eq(loop.b.peer_key, a.raw, KEY_PUBLIC_LEN);
	ck_assert_uint_eq(loop.a.judged, 1);
	ck_assert_uint_eq(loop.b.judged, 1);
	loop_free(&loop);
}
END_TEST

/* Refuser says what its judge said; the other side learns which key was refused. */
static void
refused_by(bool server)
{
	struct loop loop;
	struct side *refuser = server ? &loop.b : &loop.a;
	struct side *refused = server ? &loop.a : &loop.b;
	char *fingerprint, *here, *there;

	loop_init(&loop);
	refuser->refuse = true;
	start_both(&loop);
	fingerprint = fingerprint_of(refused);
	here = mem_printf("its key is not known here (%s)", fingerprint);
	there = mem_printf("the other side did not accept our key (%s)", fingerprint);
	loop_until(&loop, &loop.a.closed);
	loop_until(&loop, &loop.b.closed);
	expect(refuser, ERR_AUTH, here);
	expect(refused, ERR_AUTH, there);
	free(here);
	free(there);
	free(fingerprint);
	loop_free(&loop);
}

START_TEST(a_client_that_is_not_known)
{
	refused_by(true);
}
END_TEST

START_TEST(a_server_that_is_not_known)
{
	refused_by(false);
}
END_TEST

/* A client or server that is not ours: what it may do, and no channel. */
struct stranger {
	SSL_CTX *ctx;
	SSL *ssl;
	struct bufferevent *bev;
	bool done;
	unsigned long error;
};

static void
on_stranger(struct bufferevent *bev, short what, void *arg)
{
	struct stranger *stranger = arg;
	unsigned long code;

	if (what & BEV_EVENT_CONNECTED)
		return;
	while ((code = bufferevent_get_openssl_error(bev)))
		if (ERR_GET_LIB(code) == ERR_LIB_SSL)
			stranger->error = code;
	stranger->done = true;
}

static void
stranger_start(struct stranger *stranger, struct loop *loop, int fd, bool server,
    int version, EVP_PKEY *pkey)
{
	*stranger = (struct stranger){.ctx = SSL_CTX_new(TLS_method())};
	SSL_CTX_set_min_proto_version(stranger->ctx, version);
	SSL_CTX_set_max_proto_version(stranger->ctx, version);
	if (pkey) {
		X509 *cert = X509_new();

		X509_gmtime_adj(X509_getm_notBefore(cert), 0);
		X509_gmtime_adj(X509_getm_notAfter(cert), 1000);
		X509_set_pubkey(cert, pkey);
		X509_sign(cert, pkey,
		    EVP_PKEY_get_id(pkey) == EVP_PKEY_ED25519 ? NULL : EVP_sha256());
		ck_assert_int_eq(SSL_CTX_use_certificate(stranger->ctx, cert), 1);
		ck_assert_int_eq(SSL_CTX_use_PrivateKey(stranger->ctx, pkey), 1);
		X509_free(cert);
	}
	stranger->ssl = SSL_new(stranger->ctx);
	evutil_make_socket_nonblocking(fd);
	stranger->bev = bufferevent_openssl_socket_new(loop->base, fd, stranger->ssl,
	    server ? BUFFEREVENT_SSL_ACCEPTING : BUFFEREVENT_SSL_CONNECTING,
	    BEV_OPT_CLOSE_ON_FREE | BEV_OPT_DEFER_CALLBACKS);
	bufferevent_setcb(stranger->bev, NULL, NULL, on_stranger, stranger);
	bufferevent_enable(stranger->bev, EV_READ | EV_WRITE);
}

static void
stranger_free(struct stranger *stranger)
{
	bufferevent_free(stranger->bev);
	SSL_CTX_free(stranger->ctx);
}

/* b is our server; the stranger is its client. */
static void
stranger_connects(
    int version, EVP_PKEY *pkey, enum err_code code, const char *message, int reason)
{
	struct loop loop;
	struct stranger stranger;
	int fds[2];

	loop_init(&loop);
	loop_sockets(fds);
	side_tls(&loop.b, true, fds[1]);
	side_start(&loop.b);
	stranger_start(&stranger, &loop, fds[0], false, version, pkey);
	loop_until(&loop, &stranger.done);
	stranger_free(&stranger);
	loop_until(&loop, &loop.b.closed);
	expect(&loop.b, code, message);
	ck_assert_int_eq(ERR_GET_REASON(stranger.error), reason);
	loop_free(&loop);
}

START_TEST(a_client_without_a_key)
{
	stranger_connects(TLS1_3_VERSION, NULL, ERR_AUTH,
	    "the other side showed no key", SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED);
}
END_TEST

START_TEST(a_client_of_tls_1_2)
{
	EVP_PKEY *pkey = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");

	stranger_connects(TLS1_2_VERSION, pkey, ERR_PROTOCOL,
	    "the other side is not a TLS 1.3 peer", SSL_R_TLSV1_ALERT_PROTOCOL_VERSION);
	EVP_PKEY_free(pkey);
}
END_TEST

START_TEST(a_client_with_an_rsa_key)
{
	EVP_PKEY *pkey = EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)2048);

	stranger_connects(TLS1_3_VERSION, pkey, ERR_AUTH,
	    "the other side showed a key that is not Ed25519",
	    SSL_R_SSLV3_ALERT_BAD_CERTIFICATE);
	EVP_PKEY_free(pkey);
}
END_TEST

/*
 * It writes on while it is being refused: the reason reaches it all the same, because
 * the server does not reset the connection while there is something to read.
 */
START_TEST(a_client_that_writes_much_learns_the_reason)
{
	static uint8_t much[4u << 20];
	EVP_PKEY *pkey = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
	struct loop loop;
	struct stranger stranger;
	int fds[2];

	loop_init(&loop);
	loop_sockets(fds);
	side_tls(&loop.b, true, fds[1]);
	loop.b.refuse = true;
	side_start(&loop.b);
	stranger_start(&stranger, &loop, fds[0], false, TLS1_3_VERSION, pkey);
	bufferevent_write(stranger.bev, much, sizeof much);
	loop_until(&loop, &stranger.done);
	ck_assert_int_eq(
	    ERR_GET_REASON(stranger.error), SSL_R_SSLV3_ALERT_BAD_CERTIFICATE);
	stranger_free(&stranger);
	loop_until(&loop, &loop.b.closed);
	EVP_PKEY_free(pkey);
	loop_free(&loop);
}
END_TEST

/* Our client meets a server of TLS 1.2. */
START_TEST(a_server_of_tls_1_2)
{
	EVP_PKEY *pkey = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
	struct loop loop;
	struct stranger stranger;
	int fds[2];

	loop_init(&loop);
	loop_sockets(fds);
	side_tls(&loop.a, false, fds[0]);
	side_start(&loop.a);
	stranger_start(&stranger, &loop, fds[1], true, TLS1_2_VERSION, pkey);
	loop_until(&loop, &stranger.done);
	stranger_free(&stranger);
	loop_until(&loop, &loop.a.closed);
	expect(&loop.a, ERR_PROTOCOL, "the other side is not a TLS 1.3 peer");
	EVP_PKEY_free(pkey);
	loop_free(&loop);
}
END_TEST

/* Plain bytes on a TLS socket, from either end. */
static void
plain_bytes(bool server, const char *bytes, size_t len)
{
	struct loop loop;
	struct side *side = server ? &loop.b : &loop.a;
	int fds[2], other;

	loop_init(&loop);
	loop_sockets(fds);
	side_tls(side, server, fds[server ? 1 : 0]);
	other = fds[server ? 0 : 1];
	side_start(side);
	ck_assert_int_eq(write(other, bytes, len), (ssize_t)len);
	shutdown(other, SHUT_WR);
	loop_until(&loop, &side->closed);
	expect(side, ERR_PROTOCOL, "the other side is not a TLS 1.3 peer");
	close(other);
	loop_free(&loop);
}

START_TEST(an_http_client)
{
	plain_bytes(true, "GET / HTTP/1.1\r\nHost: gpu01\r\n\r\n", 31);
}
END_TEST

START_TEST(an_ssh_server)
{
	plain_bytes(false, "SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n", 32);
}
END_TEST

START_TEST(garbage)
{
	plain_bytes(true, "\x16\x03\x01\x00\x05\xff\xff\xff\xff\xff", 10);
	plain_bytes(false, "\0\0\0\0\0\0\0\0\0\0\0\0", 12);
}
END_TEST

/* Gone in the middle of the handshake, without a word. */
START_TEST(a_peer_that_closes_early)
{
	struct loop loop;
	int fds[2];

	loop_init(&loop);
	loop_sockets(fds);
	side_tls(&loop.a, false, fds[0]);
	side_start(&loop.a);
	loop_settle(&loop);
	close(fds[1]);
	loop_until(&loop, &loop.a.closed);
	expect(&loop.a, ERR_UNREACHABLE, "connection lost");
	loop_free(&loop);
}
END_TEST

START_TEST(nobody_listens)
{
	struct sockaddr_in at = {.sin_family = AF_INET};
	socklen_t len = sizeof at;
	int bound = socket(AF_INET, SOCK_STREAM, 0);
	struct loop loop;

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ck_assert_int_eq(bind(bound, (struct sockaddr *)&at, sizeof at), 0);
	getsockname(bound, (struct sockaddr *)&at, &len);
	loop_init(&loop);
	side_tls(&loop.a, false, -1);
	if (_i == 1) { /* connect, then chan_new; or the other way round */
		bufferevent_socket_connect(
		    loop.a.bev, (struct sockaddr *)&at, (int)len);
		side_start(&loop.a);
	} else {
		struct bufferevent *bev = loop.a.bev;

		side_start(&loop.a);
		bufferevent_socket_connect(bev, (struct sockaddr *)&at, (int)len);
	}
	loop_until(&loop, &loop.a.closed);
	expect(&loop.a, ERR_UNREACHABLE, "cannot connect: Connection refused");
	ck_assert_int_eq(loop.a.why.errnum, ECONNREFUSED);
	close(bound);
	loop_free(&loop);
}
END_TEST

START_TEST(connects_later)
{
	struct sockaddr_in at = {.sin_family = AF_INET};
	socklen_t len = sizeof at;
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	struct loop loop;

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ck_assert_int_eq(bind(listener, (struct sockaddr *)&at, sizeof at), 0);
	ck_assert_int_eq(listen(listener, 1), 0);
	getsockname(listener, (struct sockaddr *)&at, &len);
	loop_init(&loop);
	side_tls(&loop.a, false, -1);
	bufferevent_socket_connect(loop.a.bev, (struct sockaddr *)&at, (int)len);
	side_start(&loop.a);
	loop_settle(&loop);
	side_tls(&loop.b, true, accept(listener, NULL, NULL));
	side_start(&loop.b);
	loop_until(&loop, &loop.a.opened);
	loop_until(&loop, &loop.b.opened);
	ck_assert(str_starts(chan_address(loop.a.chan), "127.0.0.1:"));
	close(listener);
	loop_free(&loop);
}
END_TEST

START_TEST(nothing_to_say_without_tls)
{
	struct loop loop;
	struct err err = ERR_INIT;

	loop_init(&loop);
	loop_connect(&loop, OVER_SOCKETPAIR);
	ck_assert(!tls_error(loop.a.bev, &err));
	loop_free(&loop);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("tls");
	TCase *tcase = tcase_create("tls");
	SRunner *runner;
	int failed;
	static const TTest *const *tests[] = {&each_side_is_shown_the_others_key,
	    &a_client_that_is_not_known, &a_server_that_is_not_known,
	    &a_client_without_a_key, &a_client_of_tls_1_2, &a_client_with_an_rsa_key,
	    &a_client_that_writes_much_learns_the_reason, &a_server_of_tls_1_2,
	    &an_http_client, &an_ssh_server, &garbage, &a_peer_that_closes_early,
	    &connects_later, &nothing_to_say_without_tls};

	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
		tcase_add_test(tcase, *tests[i]);
	tcase_add_loop_test(tcase, nobody_listens, 0, 2);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
