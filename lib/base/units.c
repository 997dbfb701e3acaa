/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading numbers with units.  Stricter than fio, which takes any tail that
 * begins with a unit ("4kx"): here every character must mean something.
 */
#include "lib/base/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* 1024 to the power of n. */
#define BINARY(n) (UINT64_C(1) << (10 * (n)))

struct unit {
	const char *name;
	uint64_t factor;
};

/* "ki" is no unit of its own in fio: it takes the k and ignores the i. */
static const struct unit byte_units[] = {
    {"", 1},
    {"b", 1},
    {"k", BINARY(1)},
    {"kb", BINARY(1)},
    {"ki", BINARY(1)},
    {"kib", 1000},
    {"m", BINARY(2)},
    {"mb", BINARY(2)},
    {"mi", BINARY(2)},
    {"mib", 1000 * 1000},
    {"g", BINARY(3)},
    {"gb", BINARY(3)},
    {"gi", BINARY(3)},
    {"gib", UINT64_C(1000000000)},
    {"t", BINARY(4)},
    {"tb", BINARY(4)},
    {"ti", BINARY(4)},
    {"tib", UINT64_C(1000000000000)},
    {"p", BINARY(5)},
    {"pb", BINARY(5)},
    {"pi", BINARY(5)},
    {"pib", UINT64_C(1000000000000000)},
    {NULL, 0},
};

static const struct unit time_units[] = {
    {"ns", 1},
    {"nsec", 1},
    {"us", UNITS_NS_PER_US},
    {"usec", UNITS_NS_PER_US},
    {"ms", UNITS_NS_PER_MS},
    {"msec", UNITS_NS_PER_MS},
    {"s", UNITS_NS_PER_S},
    {"sec", UNITS_NS_PER_S},
    {"m", 60 * UNITS_NS_PER_S},
    {"min", 60 * UNITS_NS_PER_S},
    {"h", 3600 * UNITS_NS_PER_S},
    {"d", 86400 * UNITS_NS_PER_S},
    {NULL, 0},
};

static const struct unit link_units[] = {
    {"k", UINT64_C(1000)},
    {"m", UINT64_C(1000000)},
    {"g", UINT64_C(1000000000)},
    {"t", UINT64_C(1000000000000)},
    {NULL, 0},
};

/* What may follow the prefix of a link speed; a capital B would mean bytes. */
static const char *const link_tails[] = {
    "", "b", "bit", "b/s", "bit/s", "bps", "bits/s", NULL};

static int
bad(struct err *err, const char *text, const char *what, const char *why)
{
	return err_set(err, ERR_USAGE, "\"%.64s\" is no %s: %s", text, what, why);
}

/* Digits, or 0x and hexadecimal digits; *ret_rest is what follows. */
static int
read_integer(const char *text, const char *what, uint64_t *ret_value,
    const char **ret_rest, struct err *err)
{
	uint64_t base = 10, value = 0;
	const char *p = text;

	if (*p == '\0')
		return bad(err, text, what, "it is empty");
	if (*p == '-')
		return bad(err, text, what, "it is negative");
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X') &&
	    isxdigit((unsigned char)p[2])) {
		base = 16;
		p += 2;
	}
	if (!isxdigit((unsigned char)*p) || (base == 10 && !isdigit((unsigned char)*p)))
		return bad(err, text, what, "it does not start with a number");
	for (; base == 16 ? isxdigit((unsigned char)*p) : isdigit((unsigned char)*p);
	     p++) {
		unsigned digit =
		    isdigit((unsigned char)*p)
			? (unsigned)(*p - '0')
			: (unsigned)(tolower((unsigned char)*p) - 'a' + 10);

		if (__builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			return bad(err, text, what, "it is too large");
	}
	if (*p == '.')
		return bad(err, text, what, "only whole numbers are possible");
	*ret_value = value;
	*ret_rest = p;
	return 0;
}

/* Digits with at most one dot among them. */
static int
read_decimal(const char *text, const char *what, double *ret_value,
    const char **ret_rest, struct err *err)
{
	const char *p = text;
	size_t digits = 0, dots = 0;

	if (*p == '\0')
		return bad(err, text, what, "it is empty");
	if (*p == '-')
		return bad(err, text, what, "it is negative");
	for (; isdigit((unsigned char)*p) || (*p == '.' && dots == 0); p++)
		*p == '.' ? dots++ : digits++;
	if (digits == 0)
		return bad(err, text, what, "it does not start with a number");
	/* The text up to p is a decimal constant and no other form strtod knows,
	 * unless an exponent or a hexadecimal x follows; both fail as units. */
	if (*p == 'e' || *p == 'E' || *p == 'x' || *p == 'X')
		return bad(err, text, what, "exponents and 0x are not possible");
	*ret_value = strtod(text, NULL);
	*ret_rest = p;
	return 0;
}

static const struct unit *
find_unit(const struct unit *units, const char *name)
{
	for (; units->name; units++)
		if (strcasecmp(units->name, name) == 0)
			return units;
	return NULL;
}

/* A whole number, then one of `units`; without a unit it counts in `bare`. */
static int
parse_scaled(const char *text, const char *what, const struct unit *units,
    uint64_t bare, const char *choices, uint64_t *ret, struct err *err)
{
	const struct unit *unit;
	const char *rest;
	uint64_t value, factor = bare;

	if (read_integer(text, what, &value, &rest, err) < 0)
		return -1;
	if (*rest) {
		unit = find_unit(units, rest);
		if (!unit)
			return err_set(err, ERR_USAGE,
			    "\"%.64s\" is no %s: unit \"%.32s\" is not known "
			    "(possible: %s)",
			    text, what, rest, choices);
		factor = unit->factor;
	}
	if (__builtin_mul_overflow(value, factor, &value))
		return bad(err, text, what, "it is too large");
	*ret = value;
	return 0;
}

int
units_parse_bytes(const char *text, uint64_t *ret_bytes, struct err *err)
{
	return parse_scaled(text, "size", byte_units, 1,
	    "k m g t p, kib mib gib tib pib", ret_bytes, err);
}

int
units_parse_time(const char *text, uint64_t bare_ns, uint64_t *ret_ns, struct err *err)
{
	return parse_scaled(
	    text, "time", time_units, bare_ns, "ns us ms s m h d", ret_ns, err);
}

int
units_parse_link(const char *text, uint64_t *ret_bits_per_s, struct err *err)
{
	const char *what = "link speed", *rest;
	char prefix[2] = "";
	const struct unit *unit;
	double value;

	if (read_decimal(text, what, &value, &rest, err) < 0)
		return -1;
	prefix[0] = *rest;
	unit = find_unit(link_units, prefix);
	if (!unit)
		return bad(err, text, what, "a unit is missing, as in 400G or 25Gb/s");
	rest++;
	if (*rest == 'B')
		return bad(err, text, what,
		    "B means bytes; links are given in bits, as in 400G");
	for (const char *const *tail = link_tails; *tail; tail++) {
		if (strcmp(rest, *tail) != 0)
			continue;
		value *= (double)unit->factor;
		if (value < 1 || value > 1e18)
			return bad(err, text, what, "it is out of range");
		*ret_bits_per_s = (uint64_t)(value + 0.5);
		return 0;
	}
	return bad(err, text, what, "its unit is not known, say 400G or 25Gb/s");
}

int
units_parse_percent(const char *text, double *ret_fraction, struct err *err)
{
	const char *what = "percentage", *rest;
	double value;

	if (read_decimal(text, what, &value, &rest, err) < 0)
		return -1;
	if (strcmp(rest, "") != 0 && strcmp(rest, "%") != 0)
		return bad(err, text, what, "only % may follow the number");
	if (value > 100)
		return bad(err, text, what, "it is above 100");
	*ret_fraction = value / 100;
	return 0;
}

int
units_parse_u64(
    const char *text, uint64_t min, uint64_t max, uint64_t *ret, struct err *err)
{
	const char *rest;
	uint64_t value;

	if (read_integer(text, "number", &value, &rest, err) < 0)
		return -1;
	if (*rest)
		return bad(err, text, "number", "something follows the digits");
	if (value < min || value > max)
		return err_set(err, ERR_USAGE,
		    "%" PRIu64 " is out of range: it must be %" PRIu64 " to %" PRIu64,
		    value, min, max);
	*ret = value;
	return 0;
}
