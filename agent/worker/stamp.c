/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Headers of blocks that can be verified.
 */
#include "agent/worker/stamp.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "agent/worker/checksum.h"
#include "agent/worker/data.h"
#include "lib/base/mem.h"
#include "lib/work/blocks.h"

#define STAMP_MAGIC 0xacca
#define NS_PER_S UINT64_C(1000000000)

struct header {
	uint16_t magic, kind;
	uint32_t len;
	uint64_t seed, offset;
	uint32_t sec, nsec;
	uint16_t thread, number;
	uint32_t crc;
};
_Static_assert(sizeof(struct header) == 40, "as it is on disk");

/* fio's numbers; 0: without a header. */
static const struct {
	const char *name;
	uint16_t number;
} kinds[] = {
    [JOB_VERIFY_MD5] = {"md5", 2},
    [JOB_VERIFY_CRC32C] = {"crc32c", 5},
    [JOB_VERIFY_XXHASH] = {"xxhash", 15},
    [JOB_VERIFY_SHA256] = {"sha256", 9},
    [JOB_VERIFY_META] = {"meta", 1},
    [JOB_VERIFY_PATTERN] = {"pattern", 0},
    [JOB_VERIFY_NULL] = {"null", 0},
};

/* Parts divide every block of the job. */
static size_t
stamp_interval(const struct job *job)
{
	uint64_t unit = blocks_unit(job), least = blocks_least(job);
	uint64_t wanted = job->verify.interval;

	return wanted && wanted <= least && unit % wanted == 0 ? wanted : unit;
}

int
stamp_init(
    struct stamp *stamp, const struct job *job, unsigned thread, struct err *err)
{
	const struct job_verify *verify = &job->verify;

	*stamp = (struct stamp){
	    .kind = verify->kind,
	    .pattern = &verify->pattern,
	    .interval = stamp_interval(job),
	    .thread = (uint16_t)(thread + 1),
	};
	if (kinds[verify->kind].number)
		stamp->header = sizeof(struct header) + checksum_bytes(verify->kind);
	if (stamp->interval <= stamp->header)
		return err_set(err, ERR_USAGE,
		    "verify=%s: its header takes %zu of each %zu bytes, so nothing is "
		    "left (larger bs or verify_interval)",
		    kinds[verify->kind].name, stamp->header, stamp->interval);
	return 0;
}

static uint32_t
header_crc(const struct header *header)
{
	return checksum_crc32c(UINT32_MAX, header, offsetof(struct header, crc));
}

void
stamp_block(
    const struct stamp *stamp, void *buf, size_t len, const struct stamp_block *block)
{
	for (size_t at = 0; stamp->header && at + stamp->interval <= len;
	     at += stamp->interval) {
		unsigned char *part = (unsigned char *)buf + at;
		struct header header = {
		    .magic = htole16(STAMP_MAGIC),
		    .kind = htole16(kinds[stamp->kind].number),
		    .len = htole32((uint32_t)stamp->interval),
		    .seed = htole64(block->seed),
		    .offset = htole64(block->offset + at),
		    .sec = htole32((uint32_t)(block->age_ns / NS_PER_S)),
		    .nsec = htole32((uint32_t)(block->age_ns % NS_PER_S)),
		    .thread = htole16(stamp->thread),
		    .number = htole16(block->number),
		};

		header.crc = htole32(header_crc(&header));
		memcpy(part, &header, sizeof header);
		checksum_of(stamp->kind, part + stamp->header,
		    stamp->interval - stamp->header, part + sizeof header);
	}
}

static int
check_header(const struct stamp *stamp, const unsigned char *part, uint64_t offset,
    struct err *err)
{
	struct header header;

	memcpy(&header, part, sizeof header);
	if (le16toh(header.magic) != STAMP_MAGIC)
		return err_set(err, ERR_IO,
		    "no header: it begins with 0x%04x, not 0x%04x",
		    le16toh(header.magic), STAMP_MAGIC);
	if (le32toh(header.crc) != header_crc(&header))
		return err_set(err, ERR_IO,
		    "the header's checksum is 0x%08x, it says 0x%08x",
		    header_crc(&header), le32toh(header.crc));
	if (le16toh(header.kind) != kinds[stamp->kind].number)
		return err_set(err, ERR_IO,
		    "the header is of kind %u, that of %s is %u", le16toh(header.kind),
		    kinds[stamp->kind].name, kinds[stamp->kind].number);
	if (le32toh(header.len) != stamp->interval)
		return err_set(err, ERR_IO, "the header is of %u bytes, not %zu",
		    le32toh(header.len), stamp->interval);
	if (le64toh(header.offset) != offset)
		return err_set(err, ERR_IO,
		    "the header is of offset %llu: the block belongs elsewhere",
		    (unsigned long long)le64toh(header.offset));
	return 0;
}

static char *
hex(const unsigned char *p, size_t n)
{
	char *text = mem_alloc(2 * n + 1);

	for (size_t i = 0; i < n; i++) {
		text[2 * i] = "0123456789abcdef"[p[i] >> 4];
		text[2 * i + 1] = "0123456789abcdef"[p[i] & 15];
	}
	return text;
}

static int
check_sum(const struct stamp *stamp, const unsigned char *part, struct err *err)
{
	const unsigned char *stored = part + sizeof(struct header);
	size_t n = checksum_bytes(stamp->kind);
	unsigned char sum[CHECKSUM_MAX];
	char *is, *was;

	checksum_of(stamp->kind, part + stamp->header, stamp->interval - stamp->header,
	    sum);
	if (memcmp(sum, stored, n) == 0)
		return 0;
	is = hex(sum, n < 16 ? n : 16);
	was = hex(stored, n < 16 ? n : 16);
	err_set(err, ERR_IO, "%s is %s, the header says %s", kinds[stamp->kind].name, is,
	    was);
	free(is);
	free(was);
	return -1;
}

static int
check_pattern(const struct stamp *stamp, const unsigned char *buf, size_t len,
    uint64_t offset, struct err *err)
{
	unsigned char *wanted = mem_alloc(len);
	size_t i = 0;

	data_tile(stamp->pattern, wanted, len, 0, offset);
	if (memcmp(buf, wanted, len) == 0) {
		free(wanted);
		return 0;
	}
	while (buf[i] == wanted[i])
		i++;
	err_set(err, ERR_IO, "byte %zu is 0x%02x, the pattern has 0x%02x", i, buf[i],
	    wanted[i]);
	free(wanted);
	return -1;
}

int
stamp_check(const struct stamp *stamp, const void *buf, size_t len, uint64_t offset,
    struct err *err)
{
	if (stamp->kind == JOB_VERIFY_PATTERN)
		return check_pattern(stamp, buf, len, offset, err);
	for (size_t at = 0; stamp->header && at + stamp->interval <= len;
	     at += stamp->interval) {
		const unsigned char *part = (const unsigned char *)buf + at;

		if (check_header(stamp, part, offset + at, err) < 0 ||
		    check_sum(stamp, part, err) < 0) {
			err_prefix(err, "offset %llu", (unsigned long long)(offset + at));
			return -1;
		}
	}
	return 0;
}
