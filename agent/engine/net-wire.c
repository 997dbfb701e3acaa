/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of net-wire.h to bytes and back, and what proves a key. */
#include "agent/engine/net-wire.h"

#include <endian.h>
#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <string.h>
#include <sys/random.h>

/* Each message begins with one of these: what is not such a message is seen at once. */
#define MAGIC_HELLO 0x564c5931u
#define MAGIC_CHALLENGE 0x564c5932u
#define MAGIC_PROOF 0x564c5933u
#define MAGIC_INFO 0x564c5934u
#define MAGIC_RESPONSE 0x564c5936u
#define MAGIC_REQUEST 0x4cu

static void
put16(uint8_t *p, uint16_t v)
{
	v = htobe16(v);
	memcpy(p, &v, sizeof v);
}

static void
put32(uint8_t *p, uint32_t v)
{
	v = htobe32(v);
	memcpy(p, &v, sizeof v);
}

static void
put64(uint8_t *p, uint64_t v)
{
	v = htobe64(v);
	memcpy(p, &v, sizeof v);
}

static uint16_t
get16(const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof v);
	return be16toh(v);
}

static uint32_t
get32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return be32toh(v);
}

static uint64_t
get64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return be64toh(v);
}

const char *
net_verdict_text(uint32_t verdict)
{
	static const char *const texts[NET_VERDICT_COUNT] = {
	    [NET_OK] = "accepted",
	    [NET_BAD_VERSION] = "it speaks another version of the protocol",
	    [NET_BAD_KEY] = "the key is not the target's",
	    [NET_NO_EXPORT] = "it has no such export",
	    [NET_READ_ONLY] = "the export is read-only, and the job writes",
	    [NET_NOT_MEMORY] = "one-sided access needs an export of memory",
	    [NET_TOO_DEEP] = "it takes no such iodepth and bs",
	};

	return verdict < NET_VERDICT_COUNT ? texts[verdict] : "for an unknown reason";
}

void
net_hello_put(uint8_t *p, const struct net_hello *hello)
{
	memset(p, 0, NET_HELLO_LEN);
	put32(p, MAGIC_HELLO);
	put16(p + 4, hello->version);
	put16(p + 6, hello->flags);
	put32(p + 8, hello->depth);
	put32(p + 12, hello->bytes_max);
	memcpy(p + 16, hello->nonce, NET_NONCE);
	memcpy(p + 48, hello->name, strnlen(hello->name, NET_NAME_MAX));
}

bool
net_hello_get(struct net_hello *ret, const uint8_t *p)
{
	if (get32(p) != MAGIC_HELLO)
		return false;
	*ret = (struct net_hello){.version = get16(p + 4),
	    .flags = get16(p + 6),
	    .depth = get32(p + 8),
	    .bytes_max = get32(p + 12)};
	memcpy(ret->nonce, p + 16, NET_NONCE);
	memcpy(ret->name, p + 48, NET_NAME_MAX);
	return true;
}

void
net_challenge_put(uint8_t *p, const struct net_challenge *challenge)
{
	memset(p, 0, NET_CHALLENGE_LEN);
	put32(p, MAGIC_CHALLENGE);
	put16(p + 4, challenge->version);
	memcpy(p + 8, challenge->nonce, NET_NONCE);
	memcpy(p + 40, challenge->mac, NET_MAC);
}

bool
net_challenge_get(struct net_challenge *ret, const uint8_t *p)
{
	if (get32(p) != MAGIC_CHALLENGE)
		return false;
	ret->version = get16(p + 4);
	memcpy(ret->nonce, p + 8, NET_NONCE);
	memcpy(ret->mac, p + 40, NET_MAC);
	return true;
}

void
net_proof_put(uint8_t *p, const uint8_t mac[NET_MAC])
{
	put32(p, MAGIC_PROOF);
	put32(p + 4, 0);
	memcpy(p + 8, mac, NET_MAC);
}

bool
net_proof_get(uint8_t ret_mac[NET_MAC], const uint8_t *p)
{
	if (get32(p) != MAGIC_PROOF)
		return false;
	memcpy(ret_mac, p + 8, NET_MAC);
	return true;
}

void
net_info_put(uint8_t *p, const struct net_info *info)
{
	memset(p, 0, NET_INFO_LEN);
	put32(p, MAGIC_INFO);
	put32(p + 4, info->verdict);
	put64(p + 8, info->size);
	put32(p + 16, info->flags);
	put32(p + 20, info->rkey);
	put64(p + 24, info->addr);
}

bool
net_info_get(struct net_info *ret, const uint8_t *p)
{
	if (get32(p) != MAGIC_INFO)
		return false;
	*ret = (struct net_info){.verdict = get32(p + 4),
	    .size = get64(p + 8),
	    .flags = get32(p + 16),
	    .rkey = get32(p + 20),
	    .addr = get64(p + 24)};
	return true;
}

void
net_request_put(uint8_t *p, const struct net_request *request)
{
	p[0] = MAGIC_REQUEST;
	p[1] = request->op;
	put16(p + 2, 0);
	put32(p + 4, request->tag);
	put64(p + 8, request->offset);
	put32(p + 16, request->bytes);
	put32(p + 20, request->rkey);
	put64(p + 24, request->addr);
}

bool
net_request_get(struct net_request *ret, const uint8_t *p)
{
	if (p[0] != MAGIC_REQUEST || (p[1] != NET_READ && p[1] != NET_WRITE))
		return false;
	*ret = (struct net_request){.op = p[1],
	    .tag = get32(p + 4),
	    .offset = get64(p + 8),
	    .bytes = get32(p + 16),
	    .rkey = get32(p + 20),
	    .addr = get64(p + 24)};
	return true;
}

void
net_response_put(uint8_t *p, const struct net_response *response)
{
	put32(p, MAGIC_RESPONSE);
	put32(p + 4, response->tag);
	put32(p + 8, response->errnum);
	put32(p + 12, response->bytes);
}

bool
net_response_get(struct net_response *ret, const uint8_t *p)
{
	if (get32(p) != MAGIC_RESPONSE)
		return false;
	*ret = (struct net_response){
	    .tag = get32(p + 4), .errnum = get32(p + 8), .bytes = get32(p + 12)};
	return true;
}

bool
net_is_name(const char *name)
{
	static const char ok[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				 "0123456789._-";
	size_t len = strspn(name, ok);

	return len > 0 && len <= NET_NAME_MAX && name[len] == '\0';
}

/* HMAC over a word and two texts. */
static void
prove(uint8_t ret[NET_MAC], const char *key, const char *word, const uint8_t *a,
    size_t a_len, const uint8_t *b, size_t b_len)
{
	uint8_t text[16 + NET_HELLO_LEN + NET_CHALLENGE_LEN] = {0};
	unsigned len = NET_MAC;

	memcpy(text, word, strlen(word));
	memcpy(text + 16, a, a_len);
	memcpy(text + 16 + a_len, b, b_len);
	HMAC(EVP_sha256(), key, (int)strlen(key), text, 16 + a_len + b_len, ret, &len);
}

void
net_prove_target(uint8_t ret[NET_MAC], const char *key, const uint8_t *hello,
    const uint8_t nonce[NET_NONCE])
{
	prove(ret, key, "volley target", hello, NET_HELLO_LEN, nonce, NET_NONCE);
}

void
net_prove_client(uint8_t ret[NET_MAC], const char *key, const uint8_t *hello,
    const uint8_t *challenge)
{
	prove(ret, key, "volley client", hello, NET_HELLO_LEN, challenge,
	    NET_CHALLENGE_LEN);
}

bool
net_same_mac(const uint8_t a[NET_MAC], const uint8_t b[NET_MAC])
{
	return CRYPTO_memcmp(a, b, NET_MAC) == 0;
}

int
net_nonce(uint8_t ret[NET_NONCE], struct err *err)
{
	if (getrandom(ret, NET_NONCE, 0) == (ssize_t)NET_NONCE)
		return 0;
	return err_sys(err, errno, "getrandom");
}
