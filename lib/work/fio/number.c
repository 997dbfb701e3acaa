/* SPDX-License-Identifier: Apache-2.0 */
/* fio's reading of numbers.  See number.h. */
#include "lib/work/fio/number.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/units.h"

static const char prefixes[] = "kmgtp";

static uint64_t
power(unsigned base, unsigned n)
{
	uint64_t v = 1;

	while (n--)
		v *= base;
	return v;
}

/* "k", "kb" and "kfoo" are the base; "kib" is the other base.  Unknown: 1. */
static uint64_t
suffix_factor(const char *s, unsigned kb_base)
{
	unsigned other = kb_base == 1000 ? 1024 : 1000;
	const char *at = *s ? strchr(prefixes, tolower((unsigned char)*s)) : NULL;

	if (!at)
		return 1;
	return power(strncasecmp(s + 1, "ib", 2) == 0 ? other : kb_base,
	    (unsigned)(at - prefixes) + 1);
}

/* Where fio looks for a suffix: behind digits, or signs that precede digits. */
static const char *
suffix_place(const char *text, bool signs_anywhere)
{
	bool digits = false;

	for (; *text; text++) {
		if (isdigit((unsigned char)*text))
			digits = true;
		else if ((*text != '+' && *text != '-') || (digits && !signs_anywhere))
			break;
	}
	return text;
}

static bool
reads_integer(const char *text, int64_t *ret)
{
	int base = strstr(text, "0x") || strstr(text, "0X") ? 16 : 10;
	char *end;

	errno = 0;
	*ret = strtoll(text, &end, base);
	return end != text && !(errno == ERANGE && *ret == INT64_MAX);
}

bool
fio_reads_bytes(const char *text, unsigned kb_base, uint64_t *ret, bool *ret_percent)
{
	const char *suffix = suffix_place(text, false);
	int64_t v;

	*ret_percent = false;
	if (!reads_integer(text, &v))
		return false;
	*ret = (uint64_t)v;
	if (strlen(text) < 2)
		suffix = text;
	if (*suffix == '%')
		*ret_percent = true;
	else if (isalpha((unsigned char)*suffix))
		*ret *= suffix_factor(suffix, kb_base);
	return true;
}

bool
fio_reads_time(const char *text, uint64_t bare_ns, uint64_t *ret_ns)
{
	static const struct {
		const char *name;
		bool whole; /* nothing may follow */
		uint64_t ns;
	} units[] = {{"us", false, UNITS_NS_PER_US}, {"ms", false, UNITS_NS_PER_MS},
	    {"s", true, UNITS_NS_PER_S}, {"m", true, 60 * UNITS_NS_PER_S},
	    {"h", true, 3600 * UNITS_NS_PER_S}, {"d", true, 86400 * UNITS_NS_PER_S}};
	const char *suffix = suffix_place(text, true);
	uint64_t factor = UNITS_NS_PER_US; /* of a unit that fio does not know */
	int64_t v;

	if (!reads_integer(text, &v))
		return false;
	if (!isalpha((unsigned char)*suffix))
		factor = bare_ns;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (units[i].whole ? strcasecmp(suffix, units[i].name) == 0
				   : strncasecmp(suffix, units[i].name, 2) == 0)
			factor = units[i].ns;
	if (v < 0 || __builtin_mul_overflow((uint64_t)v, factor, ret_ns))
		return false;
	return true;
}

static int
clean_integer(const char *text, uint64_t *ret, const char **ret_rest, struct err *err)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
		   isxdigit((unsigned char)text[2]);
	char *end;

	if (!isdigit((unsigned char)*text))
		return err_set(
		    err, ERR_USAGE, "'%s' does not begin with a digit", text);
	errno = 0;
	*ret = strtoull(text, &end, hex ? 16 : 10);
	if (errno == ERANGE || *ret > INT64_MAX)
		return err_set(err, ERR_USAGE, "'%s' is too large", text);
	*ret_rest = end;
	return 0;
}

int
fio_clean_bytes(const char *text, unsigned kb_base, uint64_t *ret, struct err *err)
{
	static const char *const tails[] = {"", "b", "i", "ib", NULL};
	bool known = false;
	const char *rest;

	if (clean_integer(text, ret, &rest, err))
		return -1;
	if (!*rest || strcasecmp(rest, "b") == 0)
		return 0;
	for (int i = 0; tails[i] && strchr(prefixes, tolower((unsigned char)*rest));
	     i++)
		known |= strcasecmp(rest + 1, tails[i]) == 0;
	if (!known)
		return err_set(err, ERR_USAGE, "'%s' ends with '%s', which is no unit",
		    text, rest);
	if (__builtin_mul_overflow(*ret, suffix_factor(rest, kb_base), ret) ||
	    *ret > INT64_MAX)
		return err_set(err, ERR_USAGE, "'%s' is too large", text);
	return 0;
}

int
fio_clean_time(const char *text, uint64_t bare_ns, uint64_t *ret_ns, struct err *err)
{
	static const char *const names[] = {
	    "us", "usec", "ms", "msec", "s", "m", "h", "d", NULL};
	uint64_t v;
	const char *rest;

	if (clean_integer(text, &v, &rest, err))
		return -1;
	if (strchr(text, 'x') || strchr(text, 'X'))
		return err_set(err, ERR_USAGE, "'%s' is no time", text);
	for (int i = 0; *rest && names[i]; i++) {
		if (strcasecmp(rest, names[i]) != 0)
			continue;
		rest = "";
		break;
	}
	if (*rest)
		return err_set(err, ERR_USAGE,
		    "'%s' ends with '%s', which is none of us ms s m h d", text, rest);
	if (!fio_reads_time(text, bare_ns, ret_ns))
		return err_set(err, ERR_USAGE, "'%s' is too large", text);
	return 0;
}

char *
fio_suffix_warning(const char *text, unsigned kb_base)
{
	const char *rest = suffix_place(text, false);
	uint64_t v;
	bool percent;

	if (strlen(rest) != 3 || strcasecmp(rest + 1, "ib") != 0 || kb_base == 1000 ||
	    !strchr(prefixes, tolower((unsigned char)*rest)) ||
	    !fio_reads_bytes(text, kb_base, &v, &percent))
		return NULL;
	return mem_printf("%s is %" PRIu64
			  " bytes: fio takes %s as a power of 1000 and "
			  "%c as one of 1024 (unless kb_base=1000)",
	    text, v, rest, *rest);
}
