/* SPDX-License-Identifier: Apache-2.0 */
#include "controller/anonymise/view.h"

#include <ctype.h>
#include <string.h>

void
view_put(struct view *view, char c, size_t at)
{
	str_addc(&view->text, (char)tolower((unsigned char)c));
	vec_push(&view->at, at);
}

void
view_free(struct view *view)
{
	str_free(&view->text);
	vec_free(&view->at);
}

void
view_plain(struct view *ret, const char *document, size_t len)
{
	*ret = (struct view){.name = "as it is"};
	for (size_t i = 0; i < len; i++)
		view_put(ret, document[i] ? document[i] : ' ', i);
}

/* ---- decoded ---- */

/* Up to `max` digits; how many were there. */
static size_t
digits(const char *p, unsigned base, size_t max, unsigned *ret)
{
	size_t n = 0;

	for (*ret = 0; n < max; n++) {
		int c = tolower((unsigned char)p[n]);
		unsigned d = isdigit(c)             ? (unsigned)(c - '0')
			     : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
						    : 99;

		if (d >= base)
			break;
		*ret = *ret * base + d;
	}
	return n;
}

/* Each reads one escape at `p`: its length and its character, or 0. */
static size_t
percent(const char *p, unsigned *ret)
{
	return *p == '%' && digits(p + 1, 16, 2, ret) == 2 ? 3 : 0;
}

static size_t
escape(const char *p, unsigned *ret)
{
	if (p[0] == '\\' && p[1] == 'u' && digits(p + 2, 16, 4, ret) == 4)
		return 6;
	if (p[0] == '\\' && p[1] == 'x' && digits(p + 2, 16, 2, ret) == 2)
		return 4;
	if (p[0] == '\\' && p[1] == '/') {
		*ret = '/';
		return 2;
	}
	return 0;
}

static size_t
entity(const char *p, unsigned *ret)
{
	static const struct {
		const char *name;
		unsigned c;
	} named[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'},
	    {"&apos;", '\''}, {"&nbsp;", ' '}, {"&shy;", 0xad}, {"&hyphen;", '-'},
	    {"&period;", '.'}, {"&sol;", '/'}, {"&colon;", ':'}, {"&lowbar;", '_'}};
	bool hex = p[0] == '&' && p[1] == '#' && p[2] == 'x';
	size_t n;

	if (*p != '&')
		return 0;
	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (strncmp(p, named[i].name, strlen(named[i].name)) == 0) {
			*ret = named[i].c;
			return strlen(named[i].name);
		}
	if (p[1] != '#')
		return 0;
	n = digits(p + (hex ? 3 : 2), hex ? 16 : 10, 7, ret);
	if (n == 0)
		return 0;
	n += hex ? 3 : 2;
	return p[n] == ';' ? n + 1 : n;
}

/* As UTF-8. */
static void
put_character(struct view *view, unsigned c, size_t at)
{
	if (c < 0x80) {
		view_put(view, c ? (char)c : ' ', at);
	} else if (c < 0x800) {
		view_put(view, (char)(0xc0 | c >> 6), at);
		view_put(view, (char)(0x80 | (c & 0x3f)), at);
	} else {
		view_put(view, (char)(0xe0 | (c >> 12 & 0x0f)), at);
		view_put(view, (char)(0x80 | (c >> 6 & 0x3f)), at);
		view_put(view, (char)(0x80 | (c & 0x3f)), at);
	}
}

void
view_decoded(struct view *ret, const struct view *from)
{
	static size_t (*const readers[])(const char *, unsigned *) = {
	    percent, escape, entity};

	*ret = (struct view){.name = "decoded"};
	for (size_t i = 0; i < from->text.len;) {
		const char *p = from->text.s + i;
		size_t len = 0;
		unsigned c = 0;

		for (size_t r = 0; len == 0 && r < sizeof readers / sizeof *readers;
		     r++)
			len = readers[r](p, &c);
		if (len && *p == '%')
			view_put(ret, c ? (char)c : ' ',
			    from->at.v[i]); /* a byte of UTF-8 */
		else if (len)
			put_character(ret, c, from->at.v[i]);
		else
			view_put(ret, *p, from->at.v[i]);
		i += len ? len : 1;
	}
}

/* ---- base64 ---- */

static int
sextet(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

#define BASE64_MIN 8

static void
decode_run(struct view *ret, const char *document, size_t from, size_t to)
{
	unsigned bits = 0, held = 0;

	for (size_t i = from; i < to; i++) {
		bits = bits << 6 | (unsigned)sextet(document[i]);
		held += 6;
		if (held >= 8) {
			char c = (char)(bits >> (held -= 8));

			view_put(ret, c ? c : ' ', i);
		}
	}
	view_put(ret, '\n', to - 1);
}

/* A text may begin within a run ("base64,…" does not, a file name before it does), so
 * all four ways to cut it are read. */
void
view_base64(struct view *ret, const char *document, size_t len)
{
	*ret = (struct view){.name = "base64"};
	for (size_t i = 0; i < len;) {
		size_t end = i;

		while (end < len && sextet(document[end]) >= 0)
			end++;
		for (size_t cut = 0; cut < 4 && end - i >= BASE64_MIN + cut; cut++)
			decode_run(ret, document, i + cut, end);
		i = end + 1;
	}
}

/* ---- squeezed ---- */

bool
view_is_glue(char c)
{
	return c && strchr("-_.:", c) != NULL;
}

void
view_squeezed(struct view *ret, const struct view *from)
{
	*ret = (struct view){.name = from->name};
	for (size_t i = 0; i < from->text.len; i++) {
		const char *p = from->text.s + i;

		if (p[0] == '\xc2' && p[1] == '\xad')
			i++; /* a soft hyphen */
		else if (!view_is_glue(*p))
			view_put(ret, *p, i); /* the place in `from` */
	}
}
