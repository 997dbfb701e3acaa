/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checksums against published values, headers byte for byte, and what a check finds.
 */
#include <stdio.h>
#include <string.h>

#include "agent/worker/checksum.h"
#include "agent/worker/data.h"
#include "agent/worker/stamp.h"
#include "tests/unit/worker/support.h"

#define BLOCK 4096

static struct job job;
static unsigned char buf[2 * BLOCK];

static void
set(const char *name, const char *value)
{
	struct err err = ERR_INIT;

	ck_assert_msg(job_set(&job, name, value, &err) == 0, "%s", err.msg);
}

static void
check_sum(enum job_verify_kind kind, const char *text, size_t n, const char *expected)
{
	unsigned char sum[CHECKSUM_MAX];
	char hex[2 * CHECKSUM_MAX + 1] = "";

	ck_assert_uint_le(n, checksum_bytes(kind));
	checksum_of(kind, text, strlen(text), sum);
	for (size_t i = 0; i < n; i++)
		snprintf(hex + 2 * i, 3, "%02x", sum[i]);
	ck_assert_str_eq(hex, expected);
}

/* The check value of CRC-32C is e3069283, which is inverted at the end; RFC 1321; XXH32
 * with seed 1 as the reference program prints it. */
START_TEST(checksums)
{
	check_sum(JOB_VERIFY_CRC32C, "123456789", 4, "7c6df91c");
	ck_assert_uint_eq(
	    ~checksum_crc32c(UINT32_MAX, "123456789", 9), 0xe3069283u);
	/* In two steps, and through both loops. */
	ck_assert_uint_eq(
	    ~checksum_crc32c(checksum_crc32c(UINT32_MAX, "12345678", 8), "9", 1),
	    0xe3069283u);
	check_sum(JOB_VERIFY_MD5, "message digest", 16,
	    "f96b697d7cb7938d525a2f31aaf161d0");
	check_sum(JOB_VERIFY_XXHASH, "", 4, "92b72c0b");
	check_sum(JOB_VERIFY_XXHASH, "abc", 4, "ffa83daa");
	check_sum(JOB_VERIFY_XXHASH, "a text of more than sixteen bytes", 4, "5491f3a8");
	ck_assert_uint_eq(checksum_bytes(JOB_VERIFY_META), 0);
	ck_assert_uint_eq(checksum_bytes(JOB_VERIFY_PATTERN), 0);
}
END_TEST

/* Behind the eight bytes of the state stand padding and the length in bits. */
START_TEST(sha256_keeps_its_last_block)
{
	unsigned char sum[CHECKSUM_MAX], other[CHECKSUM_MAX];

	memset(buf, 7, sizeof buf);
	checksum_of(JOB_VERIFY_SHA256, buf, 3992, sum);
	for (int i = 8; i < 24; i++)
		ck_assert_uint_eq(sum[i], 7);
	ck_assert_uint_eq(sum[24], 0x80);
	for (int i = 25; i < 56; i++)
		ck_assert_uint_eq(sum[i], 0);
	ck_assert_mem_eq(sum + 56, "\xc0\x7c\0\0\0\0\0\0", 8); /* 3992 × 8 */
	buf[0] ^= 1; /* far from the end: only the state tells */
	checksum_of(JOB_VERIFY_SHA256, buf, 3992, other);
	ck_assert_mem_ne(sum, other, 8);
	ck_assert_mem_eq(sum + 8, other + 8, 56);
	checksum_of(JOB_VERIFY_SHA256, buf, 60, sum); /* no room for the length */
	for (int i = 8; i < 56; i++)
		ck_assert_uint_eq(sum[i], 0);
	ck_assert_mem_eq(sum + 56, "\xe0\x01\0\0\0\0\0\0", 8);
}
END_TEST

static void
prepare(struct stamp *stamp, const char *kind)
{
	struct err err = ERR_INIT;

	job_init(&job);
	set("rw", "write");
	set("verify", kind);
	ck_assert_msg(stamp_init(stamp, &job, 2, &err) == 0, "%s", err.msg);
}

START_TEST(headers)
{
	static const struct stamp_block block = {
	    .offset = 0x123456000,
	    .seed = 0x1122334455667788,
	    .age_ns = UINT64_C(3000000005),
	    .number = 0x0201,
	};
	static const unsigned char expected[] = "\xca\xac\x02\0\0\x10\0\0"
						"\x88\x77\x66\x55\x44\x33\x22\x11"
						"\0\x60\x45\x23\x01\0\0\0"
						"\x03\0\0\0\x05\0\0\0\x03\0\x01\x02";
	struct stamp stamp;
	struct err err = ERR_INIT;

	prepare(&stamp, "md5");
	ck_assert_uint_eq(stamp.header, 56);
	memset(buf, 9, sizeof buf);
	stamp_block(&stamp, buf, BLOCK, &block);
	ck_assert_mem_eq(buf, expected, 36);
	ck_assert_uint_eq(buf[56], 9);
	ck_assert_uint_eq(buf[BLOCK], 9);
	ck_assert_int_eq(stamp_check(&stamp, buf, BLOCK, block.offset, &err), 0);
	job_free(&job);
}
END_TEST

/* What is wrong is said. */
static void
wrong(const struct stamp *stamp, size_t len, uint64_t offset, const char *text)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(stamp_check(stamp, buf, len, offset, &err), -1);
	ck_assert_int_eq(err.code, ERR_IO);
	ck_assert_msg(strstr(err.msg, text) != NULL, "%s", err.msg);
}

START_TEST(checks)
{
	static const char *const kinds[] = {"md5", "crc32c", "sha256", "xxhash"};
	struct stamp_block block = {.offset = 8192};
	struct stamp stamp;
	struct err err = ERR_INIT;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		prepare(&stamp, kinds[i]);
		stamp_block(&stamp, buf, BLOCK, &block);
		ck_assert_int_eq(stamp_check(&stamp, buf, BLOCK, 8192, &err), 0);
		wrong(&stamp, BLOCK, 4096, "belongs elsewhere");
		for (size_t at = stamp.header; at < BLOCK; at += 97) {
			buf[at] ^= 4;
			wrong(&stamp, BLOCK, 8192, "the header says");
			buf[at] ^= 4;
		}
		buf[0] ^= 1;
		wrong(&stamp, BLOCK, 8192, "no header: it begins with 0xaccb");
		buf[0] ^= 1;
		buf[30] ^= 1;
		wrong(&stamp, BLOCK, 8192, "the header's checksum");
		job_free(&job);
	}
	prepare(&stamp, "md5");
	wrong(&stamp, BLOCK, 8192, "the header's checksum"); /* buf[30] above */
	buf[30] ^= 1;
	wrong(&stamp, BLOCK, 8192, "the header is of kind 15, that of md5 is 2");
	job_free(&job);
}
END_TEST

START_TEST(parts)
{
	struct stamp_block block = {.offset = 8192};
	struct stamp stamp;
	struct err err = ERR_INIT;

	job_init(&job);
	set("rw", "write");
	set("verify", "crc32c");
	set("verify_interval", "1k");
	ck_assert_int_eq(stamp_init(&stamp, &job, 0, &err), 0);
	ck_assert_uint_eq(stamp.interval, 1024);
	stamp_block(&stamp, buf, BLOCK, &block);
	ck_assert_int_eq(stamp_check(&stamp, buf, BLOCK, 8192, &err), 0);
	ck_assert_int_eq(stamp_check(&stamp, buf + 1024, 1024, 9216, &err), 0);
	buf[3000] ^= 1;
	wrong(&stamp, BLOCK, 8192, "offset 10240: crc32c is");
	set("verify_interval", "3k"); /* as fio: does not divide, so the whole block */
	ck_assert_int_eq(stamp_init(&stamp, &job, 0, &err), 0);
	ck_assert_uint_eq(stamp.interval, 4096);
	set("bsrange", "6k-16k");
	ck_assert_int_eq(stamp_init(&stamp, &job, 0, &err), 0);
	ck_assert_uint_eq(stamp.interval, 2048);
	job_free(&job);
}
END_TEST

START_TEST(patterns)
{
	struct stamp stamp;
	struct err err = ERR_INIT;

	job_init(&job);
	set("verify", "pattern");
	set("verify_pattern", "0x010203");
	ck_assert_int_eq(stamp_init(&stamp, &job, 0, &err), 0);
	ck_assert_uint_eq(stamp.header, 0);
	data_tile(&job.verify.pattern, buf, BLOCK, 0, 0);
	ck_assert_int_eq(stamp_check(&stamp, buf, BLOCK, 4096, &err), 0);
	buf[3001] = 9;
	wrong(&stamp, BLOCK, 0, "byte 3001 is 0x09, the pattern has 0x02");
	job_free(&job);
}
END_TEST

START_TEST(no_room)
{
	struct stamp stamp;
	struct err err = ERR_INIT;

	job_init(&job);
	set("verify", "sha256");
	set("bs", "104");
	ck_assert_int_eq(stamp_init(&stamp, &job, 0, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "its header takes 104 of each 104 bytes"));
	set("bs", "105");
	ck_assert_int_eq(stamp_init(&stamp, &job, 0, &err), 0);
	job_free(&job);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/stamp");
	TCase *tc = tcase_create("stamp");

	tcase_add_test(tc, checksums);
	tcase_add_test(tc, sha256_keeps_its_last_block);
	tcase_add_test(tc, headers);
	tcase_add_test(tc, checks);
	tcase_add_test(tc, parts);
	tcase_add_test(tc, patterns);
	tcase_add_test(tc, no_room);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
