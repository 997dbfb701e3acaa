/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers with units, in and out.  Input follows fio's value syntax (fio 3.33,
 * kb_base=1024): k m g t p and kb mb ... are powers of 1024, KiB MiB ... powers
 * of 1000 (inverted on purpose there, and kept here), 0x numbers, units in either
 * case.  Blanks are no part of a number: callers strip them or refuse them.
 */
#ifndef VOLLEY_BASE_UNITS_H
#define VOLLEY_BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

#define UNITS_NS_PER_S UINT64_C(1000000000)
#define UNITS_NS_PER_MS UINT64_C(1000000)
#define UNITS_NS_PER_US UINT64_C(1000)

/* "4k" → 4096.  The whole text must be used; empty, negative, overflow: error. */
int units_parse_bytes(const char *text, uint64_t *ret_bytes, struct err *err);
/* "180", "180s", "3m", "1h", "1d", "500ms", "10us", "7ns"; a bare number is in
 * units of `bare_ns` (fio: seconds for runtime, microseconds for thinktime). */
int units_parse_time(const char *text, uint64_t bare_ns, uint64_t *ret_ns,
		     struct err *err);
/* "400G", "2.5G", "10Gb/s" → bits per second (decimal).  A unit is required, and a
 * capital B (bytes) is refused. */
int units_parse_link(const char *text, uint64_t *ret_bits_per_s, struct err *err);
/* "5%", "5" → 0.05; "0.1%"; 0 to 100. */
int units_parse_percent(const char *text, double *ret_fraction, struct err *err);
int units_parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *ret,
		    struct err *err);

/*
 * Output into `buf` (returned): four significant digits, rounded; a figure keeps
 * its zeros ("20.00 GiB/s"), a size does not ("20 GiB").  Whole parts from 1,000
 * have commas.  Negative values get a minus; NAN and infinity are "unknown".
 *
 *   bytes_per_s  B/s KiB/s ... PiB/s, changing at 1024 (1023 MiB/s, 1.000 GiB/s)
 *   bytes        B KiB ... PiB, likewise
 *   iops         plain below 10,000, then k, M, G, each up to 9,999
 *   ns           ns us ms s, changing at 1000
 *   seconds      9.5s, 42s, 2m 03s, 1h 02m 03s, 2d 03h 04m
 */
#define UNITS_BUF 32
const char *units_bytes_per_s(char buf[UNITS_BUF], double bytes_per_s); /* 1.234 GiB/s */
const char *units_bytes(char buf[UNITS_BUF], double bytes);		/* 20 GiB */
const char *units_iops(char buf[UNITS_BUF], double per_s);		/* 1,336 k */
const char *units_ns(char buf[UNITS_BUF], double ns);			/* 12.34 ms */
const char *units_seconds(char buf[UNITS_BUF], double s);		/* 1h 02m 03s */
const char *units_count(char buf[UNITS_BUF], uint64_t n);		/* 12,345,678 */

#endif
