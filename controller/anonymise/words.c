/* SPDX-License-Identifier: Apache-2.0 */
#include "controller/anonymise/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/str.h"

#define WORD_MAX 48 /* longer ones are nobody's prose */

/* Signs of UTF-8 that stand between words: Latin-1's signs, dashes, arrows, maths. */
static bool
is_sign(const unsigned char *p)
{
	return p[0] == 0xc2 || p[0] == 0xe2 ||
	       (p[0] == 0xc3 && (p[1] == 0x97 || p[1] == 0xb7));
}

size_t
words_letter(const char *p)
{
	const unsigned char *u = (const unsigned char *)p;
	size_t len;

	if (*u < 0x80)
		return isalnum(*u) ? 1 : 0;
	if (is_sign(u))
		return 0;
	len = str_utf8_len(u);
	return len ? len : 1;
}

bool
words_letter_before(const char *text, const char *at)
{
	if (at == text)
		return false;
	do
		at--;
	while (at > text && ((unsigned char)*at & 0xc0) == 0x80);
	return words_letter(at) > 0;
}

const char *
words_next(const char **rest, size_t *ret_len)
{
	const char *p = *rest, *start;
	size_t len;

	while (*p && words_letter(p) == 0) {
		len = str_utf8_len((const unsigned char *)p);
		p += len ? len : 1;
	}
	for (start = p; (len = words_letter(p)) > 0; p += len)
		;
	*rest = p;
	*ret_len = (size_t)(p - start);
	return *ret_len ? start : NULL;
}

static int
compare(const void *key, const void *entry)
{
	return strcmp(key, *(const char *const *)entry);
}

static bool
is_listed(const char *word)
{
	return bsearch(word, words_list, words_list_n, sizeof *words_list, compare);
}

/* "4096", "4k", "10ms", "0x10": up to nine digits, so that no serial number passes. */
static bool
is_quantity(const char *word)
{
	static const char *const units[] = {"", "b", "k", "kb", "kib", "m", "mb", "mib",
	    "g", "gb", "gib", "t", "tb", "tib", "p", "ns", "us", "ms", "s", "h", "d",
	    "x", "th", "st", "nd", "rd"};
	size_t digits = strspn(word, "0123456789");

	if (digits == 0 || digits > 9)
		return false;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(word + digits, units[i]) == 0)
			return true;
	return false;
}

bool
words_is_plain(const char *word, size_t len)
{
	char lower[WORD_MAX + 1];

	if (len > WORD_MAX)
		return false;
	for (size_t i = 0; i < len; i++)
		lower[i] = (char)tolower((unsigned char)word[i]);
	lower[len] = '\0';
	return is_quantity(lower) || is_listed(lower);
}

bool
words_all_plain(const char *text)
{
	const char *word;
	size_t len;

	while ((word = words_next(&text, &len)) != NULL)
		if (!words_is_plain(word, len))
			return false;
	return true;
}
