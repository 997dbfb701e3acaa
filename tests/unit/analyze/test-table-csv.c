/* SPDX-License-Identifier: Apache-2.0 */
/* Tables as people write them, and what is wrong in them. */
#include "controller/analyze/table-csv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/suite.h"

#define HEAD "storage,workload,transport,clients,"

static struct table_rows
good(const char *text)
{
	struct table_rows ret;
	struct err err = ERR_INIT;

	ck_assert_msg(table_csv_parse("t.csv", text, strlen(text), &ret, &err) == 0,
	    "%s", err.msg);
	return ret;
}

START_TEST(test_units)
{
	static const struct {
		const char *column, *text;
		size_t at;
		double want;
	} cases[] = {
	    {"throughput_gib_s", "50", offsetof(struct table_row, bytes_per_s),
		50 * 0x1p30},
	    {"throughput_gib_s", "50 GiB/s", offsetof(struct table_row, bytes_per_s),
		50 * 0x1p30},
	    {"throughput_gib_s", "1.5 GB/s", offsetof(struct table_row, bytes_per_s),
		1.5e9},
	    {"throughput_mb_s", "\"1,234.5\"", offsetof(struct table_row, bytes_per_s),
		1234.5e6},
	    {"iops", "\"1,336 k\"", offsetof(struct table_row, iops), 1336e3},
	    {"iops", "3M", offsetof(struct table_row, iops), 3e6},
	    {"iops", "147000", offsetof(struct table_row, iops), 147e3},
	    {"latency_ms", "40 ms", offsetof(struct table_row, latency_ns), 40e6},
	    {"latency_ms", "1.3", offsetof(struct table_row, latency_ns), 1.3e6},
	    {"latency_us", "900", offsetof(struct table_row, latency_ns), 900e3},
	    {"latency_us", "2 s", offsetof(struct table_row, latency_ns), 2e9},
	    {"latency_us", "5 \xc2\xb5s", offsetof(struct table_row, latency_ns), 5e3},
	    {"change_pct", "-64", offsetof(struct table_row, change_pct), -64},
	    {"change_pct", "+77 %", offsetof(struct table_row, change_pct), 77},
	    {"change_pct", "2.6x", offsetof(struct table_row, change_pct), 160},
	    {"throughput_gib_s", "400 Gbit/s", offsetof(struct table_row, bytes_per_s),
		50e9},
	    {"change_pct", "\xe2\x88\x92"
			   "64 %",
		offsetof(struct table_row, change_pct), -64},
	    {"change_pct", "1.5\xc3\x97", offsetof(struct table_row, change_pct), 50},
	    {"change_pct", "0", offsetof(struct table_row, change_pct), 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[256];
		struct table_rows rows;
		double got;

		snprintf(text, sizeof text, HEAD "%s\nA,w,tcp,8,%s\n", cases[i].column,
		    cases[i].text);
		rows = good(text);
		ck_assert_uint_eq(rows.rows.n, 1);
		got = *(double *)((char *)&rows.rows.v[0] + cases[i].at);
		ck_assert_msg(fabs(got - cases[i].want) <= 1e-9 * fabs(cases[i].want),
		    "%s: %g", cases[i].text, got);
		table_rows_free(&rows);
	}
}
END_TEST

START_TEST(test_shape)
{
	struct table_rows rows =
	    good("\xef\xbb\xbf# a comment\r\n"
		 "Clients , storage,workload,transport,repeat,iops,"
		 "change_pct\r\n"
		 "\r\n"
		 "8,\"a \"\"b\"\", c\",w,rdma,2,,-5\r\n"
		 "8,A,w,tcp,,100,");
	const struct table_row *row = rows.rows.v;

	ck_assert_uint_eq(rows.rows.n, 2);
	ck_assert_str_eq(row[0].storage, "a \"b\", c");
	ck_assert(row[0].repeat == 2 && row[0].line == 4 && row[0].clients == 8);
	ck_assert(isnan(row[0].iops) && row[0].change_pct == -5);
	ck_assert(row[1].repeat == 0 && row[1].iops == 100 && isnan(row[1].change_pct));
	table_rows_free(&rows);
}
END_TEST

START_TEST(test_errors)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
	    {"", "t.csv:1:1: empty: no head line"},
	    {"storage\n", "t.csv:1:1: column 'workload' is missing"},
	    {HEAD "iops,iops\n", "t.csv:1:41: column 'iops' is there twice"},
	    {HEAD "latencyms\n",
		"t.csv:1:36: unknown column 'latencyms'; did you mean 'latency_ms'?"},
	    {HEAD "iops\nA,w,tcp,x,1\n", "t.csv:2:9: clients: "},
	    {HEAD "iops\nA,w,tcp,1,1.2.3\n",
		"t.csv:2:11: iops: '1.2.3' is not a number"},
	    {HEAD "iops\nA,w,tcp,1,1e999\n", "t.csv:2:11: iops: unknown unit 'e999'"},
	    {HEAD "iops\nA,w,tcp,1,0\n", "is not above 0; leave unknown empty"},
	    {HEAD "iops\nA,w,tcp,1,-5\n", "is not above 0; leave unknown empty"},
	    {HEAD "throughput_gib_s\nA,w,tcp,1,400 Gb/s\n",
		"bits or bytes? write 'GB/s' or 'Gbit/s', not 'Gb/s'"},
	    {HEAD "change_pct\nA,w,rdma,1,-100\n", "nothing falls by 100 % or more"},
	    {HEAD "iops\nA,w,tcp,1,1,\n", "6 fields, but the head names 5 columns"},
	    {HEAD "iops\nA,\"w\"x,tcp,1,1\n",
		"t.csv:2:3: text behind the closing quote"},
	    {HEAD "throughput_gib_s,throughput_mb_s\nA,w,tcp,1,1,1\n",
		"t.csv:2:13: throughput_mb_s: the row has this figure already"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct table_rows rows;
		struct err err = ERR_INIT;
		const char *text = cases[i].text;

		ck_assert(
		    table_csv_parse("t.csv", text, strlen(text), &rows, &err) < 0);
		ck_assert_msg(strstr(err.msg, cases[i].want) != NULL, "%s", err.msg);
		ck_assert_int_eq(err.code, ERR_USAGE);
	}
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("table-csv", test_units, test_shape, test_errors);
}
