/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers with units: what is read, what is refused and why, what is written. */
#include "lib/base/units.h"

#include <math.h>
#include <string.h>

#include "tests/unit/suite.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

START_TEST(bytes)
{
	static const struct {
		const char *text;
		uint64_t want;
	} cases[] = {
	    {"0", 0},
	    {"512", 512},
	    {"512b", 512},
	    {"4k", 4096},
	    {"4K", 4096},
	    {"4kb", 4096},
	    {"4ki", 4096},
	    {"4KiB", 4000},
	    {"0x1000", 4096},
	    {"0X10k", 16384},
	    {"1m", 1048576},
	    {"1mib", 1000000},
	    {"20G", UINT64_C(21474836480)},
	    {"1gib", UINT64_C(1000000000)},
	    {"500T", UINT64_C(549755813888000)},
	    {"1tb", UINT64_C(1099511627776)},
	    {"1tib", UINT64_C(1000000000000)},
	    {"2p", UINT64_C(2251799813685248)},
	    {"1pib", UINT64_C(1000000000000000)},
	    {"18446744073709551615", UINT64_MAX},
	    {"0xffffffffffffffff", UINT64_MAX},
	    {"16383p", UINT64_C(18445618173802708992)},
	    {"007", 7},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct err err = ERR_INIT;
		uint64_t got = 1;

		ck_assert_msg(units_parse_bytes(cases[i].text, &got, &err) == 0,
		    "%s: %s", cases[i].text, err.msg);
		ck_assert_msg(got == cases[i].want, "%s gave %lu", cases[i].text, got);
	}
}
END_TEST

START_TEST(bytes_refused)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
	    {"", "\"\" is no size: it is empty"},
	    {"-1", "\"-1\" is no size: it is negative"},
	    {"k", "\"k\" is no size: it does not start with a number"},
	    {" 4k", "\" 4k\" is no size: it does not start with a number"},
	    {"+4k", "\"+4k\" is no size: it does not start with a number"},
	    {"a0", "\"a0\" is no size: it does not start with a number"},
	    {"4k ",
		"\"4k \" is no size: unit \"k \" is not known (possible: k m g t p, "
		"kib mib gib tib pib)"},
	    {"4kx",
		"\"4kx\" is no size: unit \"kx\" is not known (possible: k m g t p, "
		"kib mib gib tib pib)"},
	    {"4k-64k",
		"\"4k-64k\" is no size: unit \"k-64k\" is not known (possible: k m "
		"g t p, kib mib gib tib pib)"},
	    {"1.5g", "\"1.5g\" is no size: only whole numbers are possible"},
	    {"18446744073709551616",
		"\"18446744073709551616\" is no size: it is too large"},
	    {"16384p", "\"16384p\" is no size: it is too large"},
	    {"0x10000000000000000",
		"\"0x10000000000000000\" is no size: it is too large"},
	    {"0x",
		"\"0x\" is no size: unit \"x\" is not known (possible: k m g t p, kib "
		"mib gib tib pib)"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct err err = ERR_INIT;
		uint64_t got = 77;

		ck_assert_int_eq(units_parse_bytes(cases[i].text, &got, &err), -1);
		ck_assert_int_eq(err.code, ERR_USAGE);
		ck_assert_str_eq(err.msg, cases[i].want);
		ck_assert_uint_eq(got, 77);
	}
}
END_TEST

START_TEST(times)
{
	static const struct {
		const char *text;
		uint64_t bare_ns, want;
	} cases[] = {
	    {"180", UNITS_NS_PER_S, 180 * UNITS_NS_PER_S},
	    {"180", UNITS_NS_PER_US, 180000},
	    {"0", UNITS_NS_PER_S, 0},
	    {"180s", UNITS_NS_PER_US, 180 * UNITS_NS_PER_S},
	    {"3m", 1, 180 * UNITS_NS_PER_S},
	    {"3min", 1, 180 * UNITS_NS_PER_S},
	    {"1h", 1, 3600 * UNITS_NS_PER_S},
	    {"1D", 1, 86400 * UNITS_NS_PER_S},
	    {"500ms", 1, 500000000},
	    {"500msec", 1, 500000000},
	    {"10us", 1, 10000},
	    {"10usec", 1, 10000},
	    {"7ns", UNITS_NS_PER_S, 7},
	    {"213503d", 1, UINT64_C(18446659200000000000)},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct err err = ERR_INIT;
		uint64_t got = 1;

		ck_assert_msg(
		    units_parse_time(cases[i].text, cases[i].bare_ns, &got, &err) == 0,
		    "%s: %s", cases[i].text, err.msg);
		ck_assert_uint_eq(got, cases[i].want);
	}
}
END_TEST

START_TEST(times_refused)
{
	static const char *const texts[] = {
	    "", "s", "1m1s", "1w", "-1s", "1 s", "1.5s", "213504d", "1k"};
	struct err err = ERR_INIT;
	uint64_t got;

	for (size_t i = 0; i < COUNT(texts); i++)
		ck_assert_int_eq(units_parse_time(texts[i], 1, &got, &err), -1);
	units_parse_time("1m1s", 1, &got, &err);
	ck_assert_str_eq(err.msg, "\"1m1s\" is no time: unit \"m1s\" is not known "
				  "(possible: ns us ms s m h d)");
}
END_TEST

START_TEST(links)
{
	static const struct {
		const char *text;
		uint64_t want;
	} cases[] = {
	    {"400G", UINT64_C(400000000000)},
	    {"25g", UINT64_C(25000000000)},
	    {"2.5G", UINT64_C(2500000000)},
	    {"10Gb/s", UINT64_C(10000000000)},
	    {"10Gbit/s", UINT64_C(10000000000)},
	    {"100Gbps", UINT64_C(100000000000)},
	    {"1.6T", UINT64_C(1600000000000)},
	    {"100M", UINT64_C(100000000)},
	    {"56k", 56000},
	};
	static const struct {
		const char *text, *want;
	} wrong[] = {
	    {"400", "a unit is missing, as in 400G or 25Gb/s"},
	    {"", "it is empty"},
	    {"G", "it does not start with a number"},
	    {".", "it does not start with a number"},
	    {"-1G", "it is negative"},
	    {"10GB/s", "B means bytes; links are given in bits, as in 400G"},
	    {"10Gx", "its unit is not known, say 400G or 25Gb/s"},
	    {"1.2.3G", "a unit is missing, as in 400G or 25Gb/s"},
	    {"0G", "it is out of range"},
	    {"9999999T", "it is out of range"},
	    {"1e3G", "exponents and 0x are not possible"},
	    {"nan", "it does not start with a number"},
	};
	struct err err = ERR_INIT;
	uint64_t got;

	for (size_t i = 0; i < COUNT(cases); i++) {
		ck_assert_msg(units_parse_link(cases[i].text, &got, &err) == 0,
		    "%s: %s", cases[i].text, err.msg);
		ck_assert_uint_eq(got, cases[i].want);
	}
	for (size_t i = 0; i < COUNT(wrong); i++) {
		ck_assert_int_eq(units_parse_link(wrong[i].text, &got, &err), -1);
		ck_assert_msg(strstr(err.msg, wrong[i].want), "%s", err.msg);
	}
}
END_TEST

START_TEST(percents)
{
	static const struct {
		const char *text;
		double want;
	} cases[] = {{"5%", 0.05}, {"5", 0.05}, {"0.1%", 0.001}, {"100%", 1}, {"0", 0},
	    {".5%", .005}, {"5.%", 0.05}};
	static const char *const wrong[] = {
	    "", "%", "-1%", "101%", "5%%", "5 %", "nan", "0x5%", "1e1", "inf"};
	struct err err = ERR_INIT;
	double got;

	for (size_t i = 0; i < COUNT(cases); i++) {
		ck_assert_int_eq(units_parse_percent(cases[i].text, &got, &err), 0);
		ck_assert_double_eq_tol(got, cases[i].want, 1e-15);
	}
	for (size_t i = 0; i < COUNT(wrong); i++)
		ck_assert_msg(
		    units_parse_percent(wrong[i], &got, &err) == -1, "%s", wrong[i]);
}
END_TEST

START_TEST(plain_numbers)
{
	struct err err = ERR_INIT;
	uint64_t got = 0;

	ck_assert_int_eq(units_parse_u64("8", 1, 64, &got, &err), 0);
	ck_assert_uint_eq(got, 8);
	ck_assert_int_eq(units_parse_u64("0x40", 1, 64, &got, &err), 0);
	ck_assert_uint_eq(got, 64);
	ck_assert_int_eq(
	    units_parse_u64("18446744073709551615", 0, UINT64_MAX, &got, &err), 0);
	ck_assert_uint_eq(got, UINT64_MAX);
	ck_assert_int_eq(units_parse_u64("0", 1, 64, &got, &err), -1);
	ck_assert_str_eq(err.msg, "0 is out of range: it must be 1 to 64");
	ck_assert_int_eq(units_parse_u64("65", 1, 64, &got, &err), -1);
	ck_assert_int_eq(units_parse_u64("8k", 1, 64, &got, &err), -1);
	ck_assert_str_eq(err.msg, "\"8k\" is no number: something follows the digits");
	ck_assert_int_eq(units_parse_u64("-8", 1, 64, &got, &err), -1);
	ck_assert_int_eq(units_parse_u64("", 1, 64, &got, NULL), -1);
	ck_assert_uint_eq(got, UINT64_MAX);
}
END_TEST

typedef const char *(*writer)(char buf[UNITS_BUF], double value);

static void
written(writer write, double value, const char *want)
{
	char buf[UNITS_BUF];

	ck_assert_str_eq(write(buf, value), want);
}

START_TEST(writes_rates)
{
	written(units_bytes_per_s, 0, "0 B/s");
	written(units_bytes_per_s, 512, "512.0 B/s");
	written(units_bytes_per_s, 1023, "1,023 B/s");
	written(units_bytes_per_s, 1023.5, "1.000 KiB/s");
	written(units_bytes_per_s, 1023.4 * 1048576, "1023 MiB/s");
	written(units_bytes_per_s, 1023.6 * 1048576, "1.000 GiB/s");
	written(units_bytes_per_s, 1.234 * 1073741824, "1.234 GiB/s");
	written(units_bytes_per_s, 9.9996 * 1073741824, "10.00 GiB/s");
	written(units_bytes_per_s, 20.0 * 1073741824, "20.00 GiB/s");
	written(units_bytes_per_s, 123.45 * 1073741824, "123.5 GiB/s");
	written(units_bytes_per_s, -2048, "-2.000 KiB/s");
	written(units_bytes_per_s, NAN, "unknown");
	written(units_bytes_per_s, INFINITY, "unknown");
	written(units_bytes_per_s, 5000 * 1125899906842624.0, "5,000 PiB/s");
}
END_TEST

START_TEST(writes_sizes)
{
	written(units_bytes, 0, "0 B");
	written(units_bytes, 1, "1 B");
	written(units_bytes, 1000, "1,000 B");
	written(units_bytes, 4096, "4 KiB");
	written(units_bytes, 20.0 * 1073741824, "20 GiB");
	written(units_bytes, 1.5 * 1073741824, "1.5 GiB");
	written(units_bytes, 100.0 * 1024, "100 KiB");
	written(units_bytes, NAN, "unknown");
}
END_TEST

START_TEST(writes_iops)
{
	written(units_iops, 0, "0");
	written(units_iops, 954.1, "954.1");
	written(units_iops, 999.96, "1,000");
	written(units_iops, 1000, "1,000");
	written(units_iops, 9531.4, "9,531");
	written(units_iops, 9999.6, "10.00 k");
	written(units_iops, 123456, "123.5 k");
	written(units_iops, 1336000, "1,336 k");
	written(units_iops, 12345678, "12.35 M");
	written(units_iops, 0.0312, "0.031");
	written(units_iops, NAN, "unknown");
}
END_TEST

START_TEST(writes_times)
{
	written(units_ns, 0, "0 ns");
	written(units_ns, 8, "8.000 ns");
	written(units_ns, 999.96, "1.000 us");
	written(units_ns, 41000, "41.00 us");
	written(units_ns, 12344000, "12.34 ms");
	written(units_ns, 1.718e10, "17.18 s");
	written(units_ns, 1.08e13, "10,800 s");
	written(units_ns, -1500, "-1.500 us");
	written(units_ns, NAN, "unknown");
	written(units_seconds, 0, "0.0s");
	written(units_seconds, 9.94, "9.9s");
	written(units_seconds, 9.95, "10s");
	written(units_seconds, 59.4, "59s");
	written(units_seconds, 59.6, "1m 00s");
	written(units_seconds, 123, "2m 03s");
	written(units_seconds, 3599.7, "1h 00m 00s");
	written(units_seconds, 3723, "1h 02m 03s");
	written(units_seconds, 86400 * 2 + 3 * 3600 + 240, "2d 03h 04m");
	written(units_seconds, -123, "-2m 03s");
	written(units_seconds, NAN, "unknown");
	written(units_seconds, 1e300, "unknown");
}
END_TEST

START_TEST(writes_counts)
{
	char buf[UNITS_BUF];

	ck_assert_str_eq(units_count(buf, 0), "0");
	ck_assert_str_eq(units_count(buf, 999), "999");
	ck_assert_str_eq(units_count(buf, 1000), "1,000");
	ck_assert_str_eq(units_count(buf, 12345678), "12,345,678");
	ck_assert_str_eq(units_count(buf, UINT64_MAX), "18,446,744,073,709,551,615");
}
END_TEST

/* Whatever comes, it fits the buffer (the sanitizer looks on). */
START_TEST(fits_its_buffer)
{
	const writer writers[] = {
	    units_bytes_per_s, units_bytes, units_iops, units_ns, units_seconds};
	char buf[UNITS_BUF];

	for (int e = -320; e <= 308; e++)
		for (size_t i = 0; i < COUNT(writers); i++) {
			writers[i](buf, -9.99999 * pow(10, e));
			ck_assert_uint_lt(strlen(buf), UNITS_BUF - 1);
		}
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("units", bytes, bytes_refused, times, times_refused, links,
	    percents, plain_numbers, writes_rates, writes_sizes, writes_iops,
	    writes_times, writes_counts, fits_its_buffer);
}
