/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text buffer, and suggestions for misspelt words (edit distance with
 * adjacent swaps, known as optimal string alignment, upper and lower case alike).
 */
#include "lib/base/str.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"

/* Makes room for `more` characters and the NUL. */
static void
str_room(struct str *str, size_t more)
{
	size_t need = str->len + more + 1;

	if (need <= str->cap)
		return;
	str->cap = need > 2 * str->cap ? need : 2 * str->cap;
	if (str->cap < 32)
		str->cap = 32;
	str->s = mem_grow(str->s, str->cap, 1);
}

void
str_addn(struct str *str, const char *text, size_t len)
{
	str_room(str, len);
	if (len)
		memcpy(str->s + str->len, text, len);
	str->len += len;
	str->s[str->len] = '\0';
}

void
str_add(struct str *str, const char *text)
{
	str_addn(str, text, strlen(text));
}

void
str_addc(struct str *str, char c)
{
	str_addn(str, &c, 1);
}

void
str_vaddf(struct str *str, const char *fmt, va_list ap)
{
	char *text = mem_vprintf(fmt, ap);

	str_add(str, text);
	free(text);
}

void
str_addf(struct str *str, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(str, fmt, ap);
	va_end(ap);
}

void
str_clear(struct str *str)
{
	str->len = 0;
	if (str->s)
		str->s[0] = '\0';
}

void
str_free(struct str *str)
{
	free(str->s);
	*str = (struct str){0};
}

char *
str_take(struct str *str)
{
	char *s = str->s ? str->s : mem_strdup("");

	*str = (struct str){0};
	return s;
}

bool
str_starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

size_t
str_columns(const char *s)
{
	size_t columns = 0;

	for (; *s; s++)
		if (((unsigned char)*s & 0xc0) != 0x80)
			columns++;
	return columns;
}

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool
same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t
edit_distance(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b), width = nb + 1, distance;
	/* The table's last three rows would do; words are short, so all of it. */
	size_t *d = mem_array((na + 1) * width, sizeof *d);

	for (size_t j = 0; j <= nb; j++)
		d[j] = j;
	for (size_t i = 1; i <= na; i++) {
		size_t *row = d + i * width, *up = row - width;

		row[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			row[j] = least(up[j], row[j - 1]) + 1;
			row[j] = least(row[j], up[j - 1] + !same(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
			    same(a[i - 2], b[j - 1]))
				row[j] = least(row[j], (up - width)[j - 2] + 1);
		}
	}
	distance = d[na * width + nb];
	free(d);
	return distance;
}

const char *
str_nearest(const char *word, const char *const *words, size_t n)
{
	size_t len = strlen(word), best = SIZE_MAX;
	const char *nearest = NULL;

	/* Nothing that long is a misspelt keyword; the table would be large. */
	if (len > 256)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		size_t distance = edit_distance(word, words[i]);

		if (distance < best) {
			best = distance;
			nearest = words[i];
		}
	}
	return best * 3 <= len && best != SIZE_MAX ? nearest : NULL;
}

size_t
str_utf8_len(const unsigned char *s)
{
	static const struct {
		unsigned char mask, lead, len;
		uint32_t least;
	} kinds[] = {{0x80, 0x00, 1, 0}, {0xe0, 0xc0, 2, 0x80}, {0xf0, 0xe0, 3, 0x800},
	    {0xf8, 0xf0, 4, 0x10000}};

	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		uint32_t point = s[0] & (uint32_t)~kinds[k].mask & 0xff;

		if ((s[0] & kinds[k].mask) != kinds[k].lead)
			continue;
		for (size_t i = 1; i < kinds[k].len; i++) {
			if ((s[i] & 0xc0) != 0x80)
				return 0;
			point = point << 6 | (s[i] & 0x3f);
		}
		if (point < kinds[k].least || point > 0x10ffff ||
		    (point >= 0xd800 && point < 0xe000))
			return 0;
		return kinds[k].len;
	}
	return 0;
}

bool
str_is_text(const char *s)
{
	const unsigned char *p = (const unsigned char *)s;

	while (*p) {
		size_t len = str_utf8_len(p);

		if (len == 0 || *p < ' ' || *p == 0x7f)
			return false;
		p += len;
	}
	return true;
}
