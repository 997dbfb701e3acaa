/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figures that exist only in a table: CSV (RFC 4180) with a head line that names the
 * columns storage, workload, transport, clients and any of repeat, throughput_gib_s,
 * throughput_mb_s, iops, latency_ms, latency_us, change_pct, in any order.  Empty is
 * unknown.  A figure may carry a unit of its own: "50 GiB/s", "1,336 k", "40 ms",
 * "-64 %", "2.6x".
 */
#ifndef VOLLEY_ANALYZE_TABLE_CSV_H
#define VOLLEY_ANALYZE_TABLE_CSV_H

#include <stddef.h>

#include "lib/base/err.h"
#include "lib/base/vec.h"

struct table_row {
	char *storage, *workload, *transport;
	unsigned clients, repeat;             /* repeat 0: not given */
	double bytes_per_s, iops, latency_ns; /* NAN unknown */
	double change_pct; /* against TCP in the same cell; NAN unknown */
	unsigned line;
};

struct table_rows {
	VEC(struct table_row) rows;
};

/* Errors are "source:line:col: what", col in bytes from 1. */
int table_csv_parse(const char *source, const char *text, size_t len,
    struct table_rows *ret, struct err *err);
void table_rows_free(struct table_rows *rows);

#endif
