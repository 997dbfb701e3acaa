/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checksums.  XXH32 after its published specification (xxhash.com).
 */
#define OPENSSL_SUPPRESS_DEPRECATED /* only there the state of SHA-256 is to be had */
#include "agent/worker/checksum.h"

#include <endian.h>
#include <openssl/md5.h>
#include <openssl/sha.h>
#include <string.h>

#define CRC32C_POLYNOMIAL 0x82f63b78u /* bits reversed */
#define SHA_BLOCK 64
#define SHA_LENGTH 8 /* bytes of the length at the end of the padding */
#define FIO_XXHASH_SEED 1

static const struct {
	size_t bytes;
} sums[] = {
    [JOB_VERIFY_MD5] = {MD5_DIGEST_LENGTH},
    [JOB_VERIFY_CRC32C] = {sizeof(uint32_t)},
    [JOB_VERIFY_XXHASH] = {sizeof(uint32_t)},
    [JOB_VERIFY_SHA256] = {SHA_BLOCK},
    [JOB_VERIFY_NULL] = {0},
};

size_t
checksum_bytes(enum job_verify_kind kind)
{
	return (size_t)kind < sizeof sums / sizeof *sums ? sums[kind].bytes : 0;
}

static uint32_t
crc32c_bitwise(uint32_t crc, const unsigned char *p, size_t len)
{
	for (; len > 0; len--) {
		crc ^= *p++;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? CRC32C_POLYNOMIAL : 0);
	}
	return crc;
}

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) static uint32_t
crc32c_sse(uint32_t crc, const unsigned char *p, size_t len)
{
	uint64_t wide = crc;

	for (; len >= sizeof wide; len -= sizeof wide, p += sizeof wide) {
		uint64_t word;

		memcpy(&word, p, sizeof word);
		wide = __builtin_ia32_crc32di(wide, word);
	}
	return crc32c_bitwise((uint32_t)wide, p, len);
}

uint32_t
checksum_crc32c(uint32_t crc, const void *data, size_t len)
{
	if (__builtin_cpu_supports("sse4.2"))
		return crc32c_sse(crc, data, len);
	return crc32c_bitwise(crc, data, len);
}

#else

uint32_t
checksum_crc32c(uint32_t crc, const void *data, size_t len)
{
	return crc32c_bitwise(crc, data, len);
}

#endif

/* ---- XXH32 ---- */

#define XXH_1 2654435761u
#define XXH_2 2246822519u
#define XXH_3 3266489917u
#define XXH_4 668265263u
#define XXH_5 374761393u
#define XXH_STRIPE 16

static uint32_t
rotate(uint32_t x, int bits)
{
	return x << bits | x >> (32 - bits);
}

static uint32_t
word_at(const unsigned char *p)
{
	uint32_t word;

	memcpy(&word, p, sizeof word);
	return le32toh(word);
}

static uint32_t
xxh32_stripes(const unsigned char *p, size_t n, uint32_t seed)
{
	uint32_t v[4] = {seed + XXH_1 + XXH_2, seed + XXH_2, seed, seed - XXH_1};

	for (; n > 0; n--, p += XXH_STRIPE)
		for (int i = 0; i < 4; i++)
			v[i] = rotate(v[i] + word_at(p + 4 * i) * XXH_2, 13) * XXH_1;
	return rotate(v[0], 1) + rotate(v[1], 7) + rotate(v[2], 12) + rotate(v[3], 18);
}

static uint32_t
xxh32(const unsigned char *p, size_t len, uint32_t seed)
{
	size_t stripes = len / XXH_STRIPE;
	uint32_t h = stripes ? xxh32_stripes(p, stripes, seed) : seed + XXH_5;
	const unsigned char *end = p + len;

	h += (uint32_t)len;
	for (p += stripes * XXH_STRIPE; p + 4 <= end; p += 4)
		h = rotate(h + word_at(p) * XXH_3, 17) * XXH_4;
	for (; p < end; p++)
		h = rotate(h + *p * XXH_5, 11) * XXH_1;
	h = (h ^ h >> 15) * XXH_2;
	h = (h ^ h >> 13) * XXH_3;
	return h ^ h >> 16;
}

/* ---- fio's SHA-256 ---- */

static void
sha256_of_fio(const unsigned char *data, size_t len, unsigned char *ret)
{
	size_t tail = len % SHA_BLOCK;
	unsigned char end[2 * SHA_BLOCK] = {0};
	size_t n = tail + 1 + SHA_LENGTH <= SHA_BLOCK ? SHA_BLOCK : 2 * SHA_BLOCK;
	uint64_t bits = htole64((uint64_t)len * 8);
	SHA256_CTX sha;

	memcpy(end, data + len - tail, tail);
	end[tail] = 0x80;
	memcpy(end + n - SHA_LENGTH, &bits, SHA_LENGTH);
	SHA256_Init(&sha);
	SHA256_Update(&sha, data, len - tail);
	SHA256_Update(&sha, end, n);
	memcpy(ret, end + n - SHA_BLOCK, SHA_BLOCK);
	for (int i = 0; i < 8; i++)
		ret[i] = (unsigned char)sha.h[i];
}

static void
put_le32(uint32_t v, unsigned char *ret)
{
	v = htole32(v);
	memcpy(ret, &v, sizeof v);
}

void
checksum_of(
    enum job_verify_kind kind, const void *data, size_t len, unsigned char *ret)
{
	switch (kind) {
	case JOB_VERIFY_MD5: MD5(data, len, ret); break;
	case JOB_VERIFY_CRC32C:
		put_le32(checksum_crc32c(UINT32_MAX, data, len), ret);
		break;
	case JOB_VERIFY_XXHASH: put_le32(xxh32(data, len, FIO_XXHASH_SEED), ret); break;
	case JOB_VERIFY_SHA256: sha256_of_fio(data, len, ret); break;
	default: break; /* has none */
	}
}
