/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gnuplot's SVG, made fit for a page.  Of its output only what a chart needs goes
 * through: no prolog, no version, no fonts of its own.
 */
#include <stdio.h>
#include <string.h>

#include "controller/document/chart.h"
#include "controller/document/plot.h"
#include "controller/report/table.h"

static void
put_text(struct str *out, const char *text)
{
	struct str plain = {0};

	plain_print(text, &plain);
	for (const char *p = plain.s ? plain.s : ""; *p; p++)
		if (*p == '<')
			str_add(out, "&lt;");
		else if (*p == '&')
			str_add(out, "&amp;");
		else if (*p == '"')
			str_add(out, "&quot;");
		else
			str_addc(out, *p);
	str_free(&plain);
}

/* "rgb( 94, 29,  3)" → "var(--s3)"; 0: it is not one of ours. */
static size_t
put_colour(const char *svg, struct str *out)
{
	static const char *const greys[] = {"ink", "soft", "grid", "noise", "paper"};
	int r, g, b, len = 0;

	if (sscanf(svg, "rgb( %d , %d , %d )%n", &r, &g, &b, &len) != 3 || len == 0 ||
	    r != 0x5e)
		return 0;
	if (g == 0x1d)
		str_addf(out, "var(--s%d)", b);
	else if (g == 0x1f)
		str_addf(out, "var(--h%d)", b);
	else if (g == 0x1e && b >= 0 && b < (int)(sizeof greys / sizeof *greys))
		str_addf(out, "var(--%s)", greys[b]);
	else
		return 0;
	return (size_t)len;
}

/* What is replaced wherever it stands; "%u" is the chart's number. */
static const struct {
	const char *from, *to;
} words[] = {
    {"<g fill=\"none\" color=\"black\" stroke=\"currentColor\" stroke-width=\"1.00\" "
     "stroke-linecap=\"butt\" stroke-linejoin=\"miter\">\n</g>\n",
	""}, /* draws nothing, and there are many */
    {" color=\"black\"", ""},
    {" color=\"white\"", ""},
    {" font-family=\"sans-serif\"", ""},
    {" id='", " id='c%u"},
    {" id=\"", " id=\"c%u"},
    {"xlink:href='#", "href='#c%u"},
    {"xlink:href=\"#", "href=\"#c%u"},
    {"url(#", "url(#c%u"},
};

static size_t
put_word(const char *svg, unsigned number, struct str *out)
{
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const char *mark;

		if (strncmp(svg, words[i].from, strlen(words[i].from)) != 0)
			continue;
		mark = strstr(words[i].to, "%u");
		str_addn(out, words[i].to,
		    mark ? (size_t)(mark - words[i].to) : strlen(words[i].to));
		if (mark)
			str_addf(out, "%u-", number);
		return strlen(words[i].from);
	}
	return 0;
}

int
chart_embed(const struct chart *chart, const char *svg, unsigned number, struct str *out)
{
	const char *head = strstr(svg, "<svg"), *body, *end;
	int width, height;

	body = head ? strstr(head, "<g id=\"gnuplot_canvas\">") : NULL;
	end = body ? strstr(body, "</svg>") : NULL;
	head = head ? strstr(head, "viewBox=\"0 0 ") : NULL;
	if (!end || !head ||
	    sscanf(head, "viewBox=\"0 0 %d %d\"", &width, &height) != 2)
		return -1;
	str_addf(out,
	    "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", width, height);
	put_text(out, chart->title);
	str_add(out, "\">\n");
	while (body < end) {
		size_t taken = put_word(body, number, out);

		if (taken == 0)
			taken = put_colour(body, out);
		if (taken == 0)
			str_addc(out, body[taken++]);
		body += taken;
	}
	str_add(out, "</svg>\n");
	return 0;
}
