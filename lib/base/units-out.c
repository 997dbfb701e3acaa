/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing numbers with units: four significant digits, so that a column of
 * figures can be compared at a glance.
 */
#include "lib/base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Decimals that make four significant digits of v ≥ 0, rounding included. */
static int
decimals_of(double v)
{
	return v < 9.9995 ? 3 : v < 99.995 ? 2 : v < 999.95 ? 1 : 0;
}

/* Cuts "20.00" to "20" and "1.500" to "1.5". */
static void
trim_zeros(char *number)
{
	char *end = number + strlen(number);

	if (!strchr(number, '.'))
		return;
	while (end[-1] == '0')
		*--end = '\0';
	if (end[-1] == '.')
		end[-1] = '\0';
}

/* Copies `number` with a comma before every third digit of its whole part. */
static void
put_commas(char *out, const char *number)
{
	size_t whole = strspn(number, "0123456789");

	for (size_t i = 0; number[i]; i++) {
		if (i > 0 && i < whole && (whole - i) % 3 == 0)
			*out++ = ',';
		*out++ = number[i];
	}
	*out = '\0';
}

/* "-" when negative, v with four significant digits, then the unit. */
static const char *
put(char buf[UNITS_BUF], bool negative, double v, const char *unit, bool trim,
    bool commas)
{
	char number[UNITS_BUF / 2], grouped[UNITS_BUF];

	if (v < 1e10)
		snprintf(number, sizeof number, "%.*f", v == 0 ? 0 : decimals_of(v), v);
	else
		snprintf(number, sizeof number, "%.3e", v);
	if (trim)
		trim_zeros(number);
	if (commas)
		put_commas(grouped, number);
	snprintf(buf, UNITS_BUF, "%s%.16s%s", negative ? "-" : "",
	    commas ? grouped : number, unit);
	return buf;
}

static const char *
unknown(char buf[UNITS_BUF])
{
	snprintf(buf, UNITS_BUF, "unknown");
	return buf;
}

static const char *
put_binary(char buf[UNITS_BUF], double v, const char *const *units, size_t n, bool trim)
{
	double size = fabs(v);
	size_t i = 0;

	if (!isfinite(v))
		return unknown(buf);
	/* 1,023.5 would print as 1024 of the smaller unit. */
	for (; i + 1 < n && size >= 1023.5; i++)
		size /= 1024;
	return put(buf, v < 0, size, units[i], trim, i == 0 || i + 1 == n);
}

const char *
units_bytes_per_s(char buf[UNITS_BUF], double bytes_per_s)
{
	static const char *const units[] = {
	    " B/s", " KiB/s", " MiB/s", " GiB/s", " TiB/s", " PiB/s"};

	return put_binary(buf, bytes_per_s, units, sizeof units / sizeof *units, false);
}

const char *
units_bytes(char buf[UNITS_BUF], double bytes)
{
	static const char *const units[] = {
	    " B", " KiB", " MiB", " GiB", " TiB", " PiB"};

	return put_binary(buf, bytes, units, sizeof units / sizeof *units, true);
}

const char *
units_iops(char buf[UNITS_BUF], double per_s)
{
	static const char *const units[] = {"", " k", " M", " G"};
	double rate = fabs(per_s);
	size_t i = 0;

	if (!isfinite(per_s))
		return unknown(buf);
	for (; i < 3 && rate >= 9999.5; i++)
		rate /= 1000;
	return put(buf, per_s < 0, rate, units[i], false, true);
}

const char *
units_ns(char buf[UNITS_BUF], double ns)
{
	static const char *const units[] = {" ns", " us", " ms", " s"};
	double time = fabs(ns);
	size_t i = 0;

	if (!isfinite(ns))
		return unknown(buf);
	for (; i < 3 && time >= 999.95; i++)
		time /= 1000;
	return put(buf, ns < 0, time, units[i], false, true);
}

const char *
units_seconds(char buf[UNITS_BUF], double s)
{
	const char *sign = s < 0 ? "-" : "";
	uint64_t whole, days, hours, minutes;

	if (!isfinite(s) || fabs(s) > 1e12)
		return unknown(buf);
	if (fabs(s) < 9.95) {
		snprintf(buf, UNITS_BUF, "%s%.1fs", sign, fabs(s));
		return buf;
	}
	whole = (uint64_t)(fabs(s) + 0.5);
	days = whole / 86400;
	hours = whole / 3600 % 24;
	minutes = whole / 60 % 60;
	whole %= 60;
	if (days)
		snprintf(buf, UNITS_BUF, "%s%" PRIu64 "d %02uh %02um", sign, days,
		    (unsigned)hours, (unsigned)minutes);
	else if (hours)
		snprintf(buf, UNITS_BUF, "%s%uh %02um %02us", sign, (unsigned)hours,
		    (unsigned)minutes, (unsigned)whole);
	else if (minutes)
		snprintf(buf, UNITS_BUF, "%s%um %02us", sign, (unsigned)minutes,
		    (unsigned)whole);
	else
		snprintf(buf, UNITS_BUF, "%s%us", sign, (unsigned)whole);
	return buf;
}

const char *
units_count(char buf[UNITS_BUF], uint64_t n)
{
	char number[UNITS_BUF];

	snprintf(number, sizeof number, "%" PRIu64, n);
	put_commas(buf, number);
	return buf;
}
