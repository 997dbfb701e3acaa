/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TLS 1.3 with pinned keys.  A certificate is only the envelope that TLS wants
 * around a key: made in memory, never stored, and of the peer's one nothing but the
 * key is looked at.  What OpenSSL says about a failure is put into one plain line.
 */
#include "lib/rpc/tls.h"

#include <stdlib.h>
#include <string.h>

#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/util.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "lib/base/mem.h"
#include "lib/rpc/key-impl.h"

struct tls {
	SSL_CTX *ctx;
	int index; /* of struct tls_conn in an SSL */
	char *fingerprint;
	tls_judge_fn *judge;
	void *arg;
};

/* Belongs to the SSL, which frees it. */
struct tls_conn {
	const struct tls *tls;
	void *connection;
	struct err err; /* the first reason of failure */
};

/* The SSL_CTX points to its tls, and the SSL knows its SSL_CTX. */
static struct tls_conn *
tls_conn(const SSL *ssl)
{
	const struct tls *tls = SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));

	return SSL_get_ex_data(ssl, tls->index);
}

static void
on_ssl_freed(
    void *parent, void *ptr, CRYPTO_EX_DATA *data, int index, long argl, void *argp)
{
	(void)parent;
	(void)data;
	(void)index;
	(void)argl;
	(void)argp;
	free(ptr);
}

/* The dates cover every clock a client node may have. */
static X509 *
certificate_make(EVP_PKEY *pkey)
{
	X509 *cert = X509_new();
	X509_NAME *name;

	if (!cert)
		return NULL;
	name = X509_get_subject_name(cert);
	if (X509_set_version(cert, X509_VERSION_3) &&
	    ASN1_INTEGER_set(X509_get_serialNumber(cert), 1) &&
	    ASN1_TIME_set_string(X509_getm_notBefore(cert), "19700101000000Z") &&
	    ASN1_TIME_set_string(X509_getm_notAfter(cert), "99991231235959Z") &&
	    X509_NAME_add_entry_by_txt(
		name, "CN", MBSTRING_ASC, (const unsigned char *)"volley", -1, -1, 0) &&
	    X509_set_issuer_name(cert, name) && X509_set_pubkey(cert, pkey) &&
	    X509_sign(cert, pkey, NULL))
		return cert;
	X509_free(cert);
	return NULL;
}

/* In place of OpenSSL's chain building: 1 accepts. */
static int
on_verify(X509_STORE_CTX *store, void *arg)
{
	SSL *ssl =
	    X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
	X509 *cert = X509_STORE_CTX_get0_cert(store);
	EVP_PKEY *pkey = cert ? X509_get0_pubkey(cert) : NULL;
	struct tls_conn *conn = tls_conn(ssl);
	const struct tls *tls = arg;
	uint8_t raw[KEY_PUBLIC_LEN];
	size_t len = sizeof raw;

	if (!pkey || EVP_PKEY_get_id(pkey) != EVP_PKEY_ED25519 ||
	    EVP_PKEY_get_raw_public_key(pkey, raw, &len) <= 0 || len != sizeof raw) {
		err_set(&conn->err, ERR_AUTH,
		    "the other side showed a key that is not Ed25519");
	} else if (tls->judge(tls->arg, conn->connection, raw, &conn->err)) {
		conn->err = ERR_INIT;
		X509_STORE_CTX_set_error(store, X509_V_OK);
		return 1;
	} else if (conn->err.code == ERR_NONE) {
		err_set(&conn->err, ERR_AUTH, "the other side's key was not accepted");
	}
	X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED);
	return 0;
}

static int
tls_setup(struct tls *tls, const struct key *own, struct err *err)
{
	X509 *cert = certificate_make(own->pkey);
	bool good;

	good = cert && SSL_CTX_set_min_proto_version(tls->ctx, TLS1_3_VERSION) &&
	       SSL_CTX_set_max_proto_version(tls->ctx, TLS1_3_VERSION) &&
	       SSL_CTX_use_certificate(tls->ctx, cert) > 0 &&
	       SSL_CTX_use_PrivateKey(tls->ctx, own->pkey) > 0 &&
	       SSL_CTX_set_num_tickets(tls->ctx, 0);
	X509_free(cert);
	if (!good)
		return key_openssl_failed(err, "set up TLS");
	SSL_CTX_set_session_cache_mode(tls->ctx, SSL_SESS_CACHE_OFF);
	SSL_CTX_set_options(tls->ctx, SSL_OP_NO_TICKET);
	SSL_CTX_set_verify(
	    tls->ctx, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
	SSL_CTX_set_cert_verify_callback(tls->ctx, on_verify, tls);
	SSL_CTX_set_app_data(tls->ctx, tls);
	return 0;
}

int
tls_new(struct tls **ret, const struct key *own, tls_judge_fn *judge, void *arg,
    struct err *err)
{
	struct tls *tls = mem_alloc(sizeof *tls);
	struct key_public pub;

	tls->judge = judge;
	tls->arg = arg;
	tls->index = SSL_get_ex_new_index(0, NULL, NULL, NULL, on_ssl_freed);
	tls->ctx = SSL_CTX_new(TLS_method());
	if (tls->index < 0 || !tls->ctx) {
		key_openssl_failed(err, "set up TLS");
		tls_free(tls);
		return -1;
	}
	if (tls_setup(tls, own, err)) {
		tls_free(tls);
		return -1;
	}
	key_public(own, &pub);
	tls->fingerprint = key_fingerprint(pub.raw);
	*ret = tls;
	return 0;
}

void
tls_free(struct tls *tls)
{
	if (!tls)
		return;
	SSL_CTX_free(tls->ctx);
	free(tls->fingerprint);
	free(tls);
}

struct bufferevent *
tls_bufferevent(
    struct tls *tls, struct event_base *base, int fd, bool server, void *connection)
{
	struct tls_conn *conn = mem_alloc(sizeof *conn);
	struct bufferevent *bev;
	SSL *ssl = SSL_new(tls->ctx);

	conn->tls = tls;
	conn->connection = connection;
	if (!ssl || !SSL_set_ex_data(ssl, tls->index, conn)) {
		SSL_free(ssl);
		free(conn);
		return NULL;
	}
	if (fd >= 0)
		evutil_make_socket_nonblocking(fd);
	bev = bufferevent_openssl_socket_new(base, fd, ssl,
	    server ? BUFFEREVENT_SSL_ACCEPTING : BUFFEREVENT_SSL_CONNECTING,
	    BEV_OPT_CLOSE_ON_FREE | BEV_OPT_DEFER_CALLBACKS);
	if (!bev)
		SSL_free(ssl);
	return bev;
}

enum verdict {
	VERDICT_NONE,
	VERDICT_NOT_TLS, /* another protocol, or an older TLS */
	VERDICT_NO_KEY,  /* it showed none */
	VERDICT_OUR_KEY, /* it refused ours */
};

/* OpenSSL's reasons; alerts are what the peer told us. */
static const struct {
	int reason;
	enum verdict verdict;
} verdicts[] = {
    {SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE, VERDICT_NO_KEY},
    {SSL_R_SSLV3_ALERT_BAD_CERTIFICATE, VERDICT_OUR_KEY},
    {SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE, VERDICT_OUR_KEY},
    {SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED, VERDICT_OUR_KEY},
    {SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED, VERDICT_OUR_KEY},
    {SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN, VERDICT_OUR_KEY},
    {SSL_R_TLSV1_ALERT_UNKNOWN_CA, VERDICT_OUR_KEY},
    {SSL_R_TLSV1_ALERT_ACCESS_DENIED, VERDICT_OUR_KEY},
    {SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED, VERDICT_OUR_KEY},
    {SSL_R_UNEXPECTED_EOF_WHILE_READING, VERDICT_NONE},
    {SSL_R_PROTOCOL_IS_SHUTDOWN, VERDICT_NONE},
};

static enum verdict
verdict_of(unsigned long code, const SSL *ssl)
{
	int reason = ERR_GET_REASON(code);

	for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
		if (verdicts[i].reason == reason)
			return verdicts[i].verdict;
	/* Whatever else goes wrong before both sides are done. */
	return SSL_is_init_finished(ssl) ? VERDICT_NONE : VERDICT_NOT_TLS;
}

static void
verdict_say(enum verdict verdict, const struct tls_conn *conn, struct err *ret)
{
	switch (verdict) {
	case VERDICT_NOT_TLS:
		err_set(ret, ERR_PROTOCOL, "the other side is not a TLS 1.3 peer");
		break;
	case VERDICT_NO_KEY:
		err_set(ret, ERR_AUTH, "the other side showed no key");
		break;
	case VERDICT_OUR_KEY:
		err_set(ret, ERR_AUTH, "the other side did not accept our key (%s)",
		    conn->tls->fingerprint);
		break;
	case VERDICT_NONE: break;
	}
}

bool
tls_error(struct bufferevent *bev, struct err *ret)
{
	SSL *ssl = bufferevent_openssl_get_ssl(bev);
	struct tls_conn *conn;
	unsigned long code;

	if (!ssl)
		return false;
	conn = tls_conn(ssl);
	/* libevent hands each out once, the first one last. */
	while ((code = bufferevent_get_openssl_error(bev)))
		if (conn->err.code == ERR_NONE && ERR_GET_LIB(code) == ERR_LIB_SSL)
			verdict_say(verdict_of(code, ssl), conn, &conn->err);
	ERR_clear_error();
	if (conn->err.code == ERR_NONE)
		return false;
	*ret = conn->err;
	return true;
}
