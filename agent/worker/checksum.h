/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checksums of verify, as fio 3.33 stores them:
 *
 *   crc32c  CRC-32C that begins with all ones and is not inverted at the end
 *   xxhash  XXH32 with seed 1
 *   md5     MD5
 *   sha256  64 bytes: the lowest byte of each of SHA-256's eight words, then bytes 8
 *           to 63 of the last block that was hashed.  The length behind the padding
 *           is stored lowest byte first, so the words are not those of FIPS 180-4.
 *
 * The numbers are stored lowest byte first.
 */
#ifndef VOLLEY_WORKER_CHECKSUM_H
#define VOLLEY_WORKER_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#include "lib/work/job.h"

#define CHECKSUM_MAX 64

/* Bytes that the checksum takes in a header; 0: this kind has none. */
size_t checksum_bytes(enum job_verify_kind kind);
void checksum_of(enum job_verify_kind kind, const void *data, size_t len,
		 unsigned char *ret);
/* Continues from `crc` (begin with UINT32_MAX). */
uint32_t checksum_crc32c(uint32_t crc, const void *data, size_t len);

#endif
