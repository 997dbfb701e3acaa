/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fill patterns: "0xdeadbeef" (bytes in that order), a decimal number (its bytes,
 * lowest first), "text" in double quotes, several of these in a row, or %o (each
 * block's offset) alone.  Written back as hexadecimal.
 */
#include "lib/work/option.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static int
pattern_add(struct job_pattern *p, unsigned byte, struct err *err)
{
	if (p->n == JOB_PATTERN_MAX)
		return err_set(err, ERR_USAGE, "longer than %d bytes", JOB_PATTERN_MAX);
	p->v[p->n++] = (unsigned char)byte;
	return 0;
}

static unsigned
digit(char c)
{
	return isdigit((unsigned char)c)
		   ? (unsigned)(c - '0')
		   : (unsigned)(tolower((unsigned char)c) - 'a') + 10;
}

/* An odd number of digits: the first stands alone. */
static int
pattern_hex(struct job_pattern *p, const char **s, struct err *err)
{
	const char *from = *s + 2;
	size_t len = strspn(from, "0123456789abcdefABCDEF");

	if (len == 0)
		return err_set(err, ERR_USAGE, "no digits after 0x");
	*s = from + len;
	if (len % 2 && pattern_add(p, digit(*from++), err))
		return -1;
	for (; from < *s; from += 2)
		if (pattern_add(p, digit(from[0]) << 4 | digit(from[1]), err))
			return -1;
	return 0;
}

static int
pattern_decimal(struct job_pattern *p, const char **s, struct err *err)
{
	uint64_t v = 0;

	for (; isdigit((unsigned char)**s); (*s)++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, digit(**s), &v))
			return err_set(err, ERR_USAGE, "the number is too large");
	do {
		if (pattern_add(p, v & 0xff, err))
			return -1;
		v >>= 8;
	} while (v);
	return 0;
}

static int
pattern_text(struct job_pattern *p, const char **s, struct err *err)
{
	const char *end = strchr(*s + 1, '"');

	if (!end)
		return err_set(err, ERR_USAGE, "a quote is not closed");
	for (const char *c = *s + 1; c < end; c++)
		if (pattern_add(p, (unsigned char)*c, err))
			return -1;
	*s = end + 1;
	return 0;
}

static int
pattern_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	struct job_pattern p = {0};

	for (const char *s = value; *s;) {
		int rc;

		if (strcmp(value, "%o") == 0) {
			p.offset = true;
			break;
		}
		if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
			rc = pattern_hex(&p, &s, err);
		else if (isdigit((unsigned char)*s))
			rc = pattern_decimal(&p, &s, err);
		else if (*s == '"')
			rc = pattern_text(&p, &s, err);
		else
			rc = err_set(err, ERR_USAGE,
			    "'%s' is no pattern: 0x… , a number, \"text\", or %%o "
			    "alone",
			    value);
		if (rc)
			return -1;
	}
	if (p.n == 0 && !p.offset)
		return err_set(err, ERR_USAGE, "'%s' holds no byte", value);
	memcpy((char *)job + option->offset, &p, sizeof p);
	/* As fio: the pattern alone asks for its verification. */
	if (option->offset == offsetof(struct job, verify.pattern) &&
	    job->verify.kind == JOB_VERIFY_NONE)
		job->verify.kind = JOB_VERIFY_PATTERN;
	return 0;
}

static bool
pattern_format(const struct job *job, const struct option *option, struct str *ret)
{
	const struct job_pattern *p =
	    (const struct job_pattern *)((const char *)job + option->offset);

	if (p->offset)
		str_add(ret, "%o");
	else if (p->n)
		str_add(ret, "0x");
	for (unsigned i = 0; i < p->n; i++)
		str_addf(ret, "%02x", (unsigned)p->v[i]);
	return p->offset || p->n;
}

const struct option_kind option_pattern = {
    .parse = pattern_parse, .format = pattern_format};
