/* SPDX-License-Identifier: Apache-2.0 */
/* fio's value syntax, kind by kind.  See value.h. */
#include "lib/work/fio/value.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/units.h"
#include "lib/work/fio/arith.h"
#include "lib/work/fio/number.h"

#define PARTS 3 /* read, write, trim */

/* Numbers */

static void
warn_suffix(const struct fio_value *v, const char *text)
{
	char *warning = fio_suffix_warning(text, v->kb_base);

	if (warning)
		vec_push(v->warnings, warning);
}

static int
surprise(const char *text, uint64_t n, const char *unit, struct err *err)
{
	struct err why = *err;

	return err_set(err, ERR_USAGE, "%s; fio would read '%s' as %" PRIu64 "%s",
	    why.msg, text, n, unit);
}

/* One number of bytes; *ret_percent NULL: % is not possible. */
static int
read_bytes(const struct fio_value *v, const char *text, uint64_t *ret,
    bool *ret_percent, struct err *err)
{
	size_t len = strlen(text);
	bool percent = false;
	uint64_t clean;
	char *number;
	int rc;

	if (*text == '(' || (v->calculates && strpbrk(text, "+-*/")))
		return fio_calculate(text, v->kb_base, ret, err);
	if (!fio_reads_bytes(text, v->kb_base, ret, &percent))
		return err_set(err, ERR_USAGE, "'%s' is not a number", text);
	if (percent && !ret_percent)
		return err_set(
		    err, ERR_USAGE, "'%s': a percentage is not possible here", text);
	if (ret_percent)
		*ret_percent = percent;
	number =
	    mem_strndup(text, percent && len && text[len - 1] == '%' ? len - 1 : len);
	rc = v->as_fio ? 0 : fio_clean_bytes(number, v->kb_base, &clean, err);
	free(number);
	if (rc)
		return surprise(text, *ret, percent ? "%" : "", err);
	warn_suffix(v, text);
	return 0;
}

static int
read_time(const struct fio_value *v, const char *text, uint64_t bare_ns, uint64_t *ret,
    struct err *err)
{
	uint64_t clean;

	if (*text == '(' || (v->calculates && strpbrk(text, "+-*/"))) {
		if (fio_calculate(text, v->kb_base, ret, err))
			return -1;
		if (__builtin_mul_overflow(*ret, bare_ns, ret))
			return err_set(err, ERR_USAGE, "'%s' is too large", text);
		return 0;
	}
	if (!fio_reads_time(text, bare_ns, ret))
		return err_set(err, ERR_USAGE, "'%s' is not a time", text);
	if (!v->as_fio && fio_clean_time(text, bare_ns, &clean, err))
		return surprise(text, *ret / UNITS_NS_PER_US, " microseconds", err);
	return 0;
}

static int
value_int(const struct fio_value *v, const char *text, struct str *ret, struct err *err)
{
	size_t len = v->as_fio ? strcspn(text, ",") : strlen(text);
	char *part = mem_strndup(text, len);
	uint64_t n;
	int rc = read_bytes(v, part, &n, NULL, err);

	free(part);
	if (rc == 0)
		str_addf(ret, "%" PRIu64, n);
	return rc;
}

static int
value_amount(
    const struct fio_value *v, const char *text, struct str *ret, struct err *err)
{
	bool percent = false;
	uint64_t n;

	if (read_bytes(v, text, &n, &percent, err))
		return -1;
	if (percent && n > 100) {
		if (!v->as_fio)
			return err_set(err, ERR_USAGE,
			    "'%s' is more than 100%%; fio would take 100%%", text);
		n = 100;
	}
	str_addf(ret, "%" PRIu64 "%s", n, percent ? "%" : "");
	return 0;
}

static int
value_signed(
    const struct fio_value *v, const char *text, struct str *ret, struct err *err)
{
	const char *digits = text + (*text == '-');
	char *end;
	long n = strtol(text, &end, 10);

	if (end == text)
		return err_set(err, ERR_USAGE, "'%s' is not a number", text);
	if (!v->as_fio && (*end || !isdigit((unsigned char)*digits)))
		return err_set(err, ERR_USAGE,
		    "'%s' is not a number; fio would read it as %ld", text, n);
	str_addf(ret, "%ld", n);
	return 0;
}

static int
value_bool(
    const struct fio_value *v, const char *text, struct str *ret, struct err *err)
{
	bool is_switch = v->type == FIO_SWITCH;
	char *end;
	long n;

	if (!text && !is_switch && v->as_fio)
		return err_set(err, ERR_USAGE, "a value is missing");
	if (!text) {
		if (!is_switch)
			vec_push(v->warnings,
			    mem_strdup("given bare, which is taken as 1; fio itself "
				       "wants a value here"));
		str_addc(ret, '1');
		return 0;
	}
	n = strtol(text, &end, strncasecmp(text, "0x", 2) == 0 ? 16 : 10);
	if (end == text)
		return err_set(err, ERR_USAGE, "'%s' is not 0 or 1", text);
	if (!v->as_fio && (*end || isspace((unsigned char)*text)))
		return err_set(err, ERR_USAGE,
		    "'%s' is not 0 or 1; fio would read it as %ld", text, n);
	if (n < 0 || (n > 1 && (!is_switch || !v->as_fio)))
		return err_set(err, ERR_USAGE, "'%s' is not 0 or 1", text);
	str_addc(ret, n ? '1' : '0');
	return 0;
}

/* Parts: read,write,trim */

/*
 * Where the next part begins, or NULL.  fio separates by a comma, or for want of one
 * by a colon or a dash.
 */
static const char *
next_part(const struct fio_value *v, const char *text, bool only_commas)
{
	const char *at = strchr(text, ',');

	if (!at && v->as_fio && !only_commas)
		at = strchr(text, ':');
	if (!at && v->as_fio && !only_commas)
		at = strchr(text, '-');
	return at ? at + 1 : NULL;
}

typedef int part_fn(
    const struct fio_value *v, const char *text, struct str *ret, struct err *err);

/* What a part that is not there is: the one before it, or what was set earlier. */
static int
each_part(const struct fio_value *v, const char *text, bool only_commas, part_fn *one,
    struct str part[PARTS], size_t *ret_n, struct err *err)
{
	size_t n = 0, good = 0;

	for (const char *at = text; at; n++) {
		size_t len = strcspn(at, ",");
		char *piece = mem_strndup(at, len);
		const char *next = next_part(v, at, only_commas);
		int rc = 0;

		if (n == PARTS && !v->as_fio)
			rc = err_set(err, ERR_USAGE,
			    "'%s' has more than three parts (read,write,trim)", text);
		else if (n < PARTS && *piece && one(v, piece, &part[n], err) == 0)
			good++;
		else if (n < PARTS && *piece && !v->as_fio)
			rc = -1;
		else if (n < PARTS)
			str_clear(&part[n]);
		free(piece);
		if (rc)
			return -1;
		at = next;
	}
	*ret_n = n < PARTS ? n : PARTS;
	if (good == 0)
		return err_set(err, ERR_USAGE, "'%s' holds no value", text);
	return 0;
}

static int
join_parts(const struct fio_value *v, const char *text, bool only_commas, part_fn *one,
    struct str *ret, char **ret_trim, struct err *err)
{
	struct str part[PARTS] = {0};
	const char *word[PARTS];
	size_t n = 0;
	int rc = each_part(v, text, only_commas, one, part, &n, err);

	for (size_t i = 0; rc == 0 && i < PARTS; i++) {
		if (i >= n)
			word[i] = word[n - 1];
		else if (part[i].len)
			word[i] = part[i].s;
		else
			word[i] = v->before[i] ? v->before[i] : "";
	}
	if (rc == 0) {
		str_addf(ret, "%s,%s", word[0], word[1]);
		if (ret_trim)
			*ret_trim = mem_strdup(word[2]);
	}
	for (size_t i = 0; i < PARTS; i++)
		str_free(&part[i]);
	return rc;
}

static int
usec_part(const struct fio_value *v, const char *text, struct str *ret, struct err *err)
{
	uint64_t ns;

	if (read_time(v, text, UNITS_NS_PER_US, &ns, err))
		return -1;
	str_addf(ret, "%" PRIu64 "ns", ns);
	return 0;
}

/* "a-b" (fio also takes a:b); turned round when it is the wrong way round. */
static int
range_part(
    const struct fio_value *v, const char *text, struct str *ret, struct err *err)
{
	const char *dash = strchr(text, '-');
	uint64_t from, to;
	char *first;
	int rc;

	if (!dash)
		dash = strchr(text, ':');
	if (!dash)
		return err_set(err, ERR_USAGE, "'%s' is no range (4k-64k)", text);
	first = mem_strndup(text, (size_t)(dash - text));
	rc = read_bytes(v, first, &from, NULL, err);
	free(first);
	if (rc || read_bytes(v, dash + 1, &to, NULL, err))
		return -1;
	if (from > to)
		vec_push(v->warnings,
		    mem_printf("'%s' is taken the other way round, as fio does", text));
	str_addf(
	    ret, "%" PRIu64 "-%" PRIu64, from < to ? from : to, from < to ? to : from);
	return 0;
}

static int
value_filesize(
    const struct fio_value *v, const char *text, struct str *ret, struct err *err)
{
	if (strchr(text, '-') && !v->calculates && *text != '(')
		return range_part(v, text, ret, err);
	return value_int(v, text, ret, err);
}

static int
value_delay(
    const struct fio_value *v, const char *text, struct str *ret, struct err *err)
{
	const char *dash = strpbrk(text, "-:,");
	char *first = mem_strndup(text, dash ? (size_t)(dash - text) : strlen(text));
	uint64_t from, to = 0;
	int rc = read_time(v, first, UNITS_NS_PER_S, &from, err);

	free(first);
	if (rc || (dash && read_time(v, dash + 1, UNITS_NS_PER_S, &to, err)))
		return -1;
	str_addf(ret, "%" PRIu64 "ns", from);
	if (dash && to >= from)
		str_addf(ret, "-%" PRIu64 "ns", to);
	else if (dash)
		return err_set(err, ERR_USAGE, "'%s' ends before it begins", text);
	return 0;
}

/* "size/rest:size/rest", sizes rewritten, the rest kept; or "rest/size" of zones. */
static int
slashes(const struct fio_value *v, const char *text, bool size_first, struct str *ret,
    struct err *err)
{
	const char *slash = strchr(text, '/');
	size_t len = slash ? (size_t)(slash - text) : strlen(text);
	char *first = mem_strndup(text, len);
	uint64_t n = 0;
	int rc = 0;

	if (size_first && *first)
		rc = read_bytes(v, first, &n, NULL, err);
	else if (slash && slash[1])
		rc = read_bytes(v, slash + 1, &n, NULL, err);
	if (rc == 0 && size_first)
		str_addf(ret, "%" PRIu64 "%s", n, slash ? slash : "");
	else if (rc == 0)
		str_addf(ret, "%s/%" PRIu64, first, n);
	free(first);
	return rc;
}

static int
slash_list(const struct fio_value *v, const char *text, bool size_first,
    struct str *ret, struct err *err)
{
	while (*text) {
		size_t len = strcspn(text, ",:");
		char *piece = mem_strndup(text, len);
		int rc = *piece ? slashes(v, piece, size_first, ret, err) : 0;

		free(piece);
		if (rc)
			return -1;
		text += len;
		if (*text)
			str_addc(ret, *text++);
	}
	return 0;
}

/* fio compares words up to the first ',' and drops the rest; those that have no ':' of
 * their own, up to that, too. */
static int
value_word(const struct fio_value *v, const char *text, struct str *ret)
{
	size_t len = v->as_fio ? strcspn(text, v->listed ? ",:" : ",") : strlen(text);

	str_addn(ret, text, len);
	if (text[len])
		vec_push(v->warnings, mem_printf("'%s' is read as '%s'", text, ret->s));
	return 0;
}

/* fio drops what follows the number. */
static int
value_float(
    const struct fio_value *v, const char *text, struct str *ret, struct err *err)
{
	char *end;

	(void)strtod(text, &end);
	if (end == text)
		return err_set(err, ERR_USAGE, "'%s' is not a number", text);
	str_addn(ret, text, (size_t)(end - text));
	if (!*end)
		return 0;
	if (!v->as_fio)
		return err_set(err, ERR_USAGE,
		    "'%s' is not a number; fio would read '%s'", text, ret->s);
	vec_push(v->warnings, mem_printf("'%s' is read as '%s'", text, ret->s));
	return 0;
}

/* The entries of one direction: what lies beyond 100 % is never drawn. */
static int
clip_shares(const struct fio_value *v, const char *text, size_t len, struct str *ret,
    struct err *err)
{
	unsigned long sum = 0, left = 100;

	for (const char *p = text; p < text + len; p += strcspn(p, ":,")) {
		const char *slash = p += *p == ':';

		slash += strcspn(slash, "/:,");
		sum += *slash == '/' ? strtoul(slash + 1, NULL, 10) : 0;
	}
	if (sum <= left) {
		str_addn(ret, text, len);
		return 0;
	}
	if (!v->as_fio)
		return err_set(err, ERR_USAGE,
		    "the shares of '%.*s' add up to %lu%%; fio would draw none of what "
		    "lies beyond 100%%",
		    (int)len, text, sum);
	vec_push(v->warnings, mem_printf("what lies beyond 100%% of '%.*s' is left out",
				  (int)len, text));
	for (const char *p = text; p < text + len && left; p += strcspn(p, ":,")) {
		const char *slash = p += *p == ':';
		unsigned long share;

		slash += strcspn(slash, "/:,");
		share = *slash == '/' ? strtoul(slash + 1, NULL, 10) : 0;
		share = share < left ? share : left;
		left -= share;
		str_addf(ret, "%s%.*s", p == text ? "" : ":", (int)(slash - p), p);
		if (*slash == '/')
			str_addf(ret, "/%lu", share);
	}
	return 0;
}

static int
value_split(
    const struct fio_value *v, const char *text, struct str *ret, struct err *err)
{
	struct str list = {0};
	int rc = slash_list(v, text, true, &list, err);
	const char *p = rc == 0 && list.s ? list.s : "";

	while (rc == 0 && *p) {
		size_t len = strcspn(p, ",");

		rc = clip_shares(v, p, len, ret, err);
		p += len;
		if (*p)
			str_addc(ret, *p++);
	}
	str_free(&list);
	return rc;
}

static int
value_tail(
    const struct fio_value *v, const char *text, struct str *ret, struct err *err)
{
	const char *colon = strchr(text, ':');
	uint64_t n;

	if (!colon)
		return value_word(v, text, ret);
	str_addn(ret, text, (size_t)(colon - text));
	if (!colon[1] && v->as_fio)
		return 0;
	/* zipf:1.2 of file_service_type is no size. */
	if (strchr(colon, '.')) {
		str_add(ret, colon);
		return 0;
	}
	if (read_bytes(v, colon + 1, &n, NULL, err))
		return -1;
	str_addf(ret, ":%" PRIu64, n);
	return 0;
}

static int
value_zones(
    const struct fio_value *v, const char *text, struct str *ret, struct err *err)
{
	const char *colon = strchr(text, ':');

	if (!colon || !str_starts(text, "zoned")) {
		str_add(ret, text);
		return 0;
	}
	str_addn(ret, text, (size_t)(colon - text) + 1);
	return slash_list(v, colon + 1, false, ret, err);
}

static int
value_time(const struct fio_value *v, const char *text, uint64_t bare_ns,
    struct str *ret, struct err *err)
{
	uint64_t ns;

	if (read_time(v, text, bare_ns, &ns, err))
		return -1;
	str_addf(ret, "%" PRIu64 "ns", ns);
	return 0;
}

static int
value_kind(const struct fio_value *v, const char *text, struct str *ret,
    char **ret_trim, struct err *err)
{
	switch (v->type) {
	case FIO_INT: return value_int(v, text, ret, err);
	case FIO_INTS: return join_parts(v, text, false, value_int, ret, ret_trim, err);
	case FIO_AMOUNT: return value_amount(v, text, ret, err);
	case FIO_SECONDS: return value_time(v, text, UNITS_NS_PER_S, ret, err);
	case FIO_USECONDS: return value_time(v, text, UNITS_NS_PER_US, ret, err);
	case FIO_USECONDS3:
		return join_parts(v, text, false, usec_part, ret, ret_trim, err);
	case FIO_MSECONDS:
		if (value_int(v, text, ret, err))
			return -1;
		str_add(ret, "ms");
		return 0;
	case FIO_DELAY: return value_delay(v, text, ret, err);
	case FIO_RANGES:
		return join_parts(v, text, true, range_part, ret, ret_trim, err);
	case FIO_FILESIZE: return value_filesize(v, text, ret, err);
	case FIO_SPLIT: return value_split(v, text, ret, err);
	case FIO_SIGNED: return value_signed(v, text, ret, err);
	case FIO_FLOAT: return value_float(v, text, ret, err);
	case FIO_WORD: return value_word(v, text, ret);
	case FIO_TAIL: return value_tail(v, text, ret, err);
	case FIO_ZONES: return value_zones(v, text, ret, err);
	default: str_add(ret, text); return 0;
	}
}

int
fio_value(const struct fio_value *v, const char *text, struct str *ret, char **ret_trim,
    struct err *err)
{
	if (ret_trim)
		*ret_trim = NULL;
	if ((!text || !*text) && v->type == FIO_NAME) {
		str_add(ret, v->job);
		return 0;
	}
	if (v->type == FIO_BOOL || v->type == FIO_SWITCH)
		return value_bool(v, text, ret, err);
	if (!text || !*text)
		return err_set(err, ERR_USAGE, "a value is missing");
	if (isblank((unsigned char)*text) && !v->as_fio) {
		uint64_t n;
		bool percent;

		if (v->type >= FIO_INT && v->type <= FIO_AMOUNT &&
		    fio_reads_bytes(text, v->kb_base, &n, &percent))
			return err_set(err, ERR_USAGE,
			    "a blank follows the =, behind which fio looks for no "
			    "suffix: it would read '%s' as %" PRIu64,
			    text, n);
		return err_set(err, ERR_USAGE,
		    "a blank follows the =, which fio would take as part of the value");
	}
	return value_kind(v, text, ret, ret_trim, err);
}
