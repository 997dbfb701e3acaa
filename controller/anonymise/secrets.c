/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tokens hang in chains by their first four bytes; a document is walked once per view
 * and each place looks at one chain.
 */
#include "controller/anonymise/secrets.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "controller/anonymise/view.h"
#include "controller/anonymise/words.h"
#include "lib/base/rng.h"

#include "config.h"

#define CHAINS (1u << 16)
#define KEY 4 /* bytes */

struct token {
	char *text; /* lower case */
	size_t len;
	bool letters;  /* not of digits alone */
	bool inside;   /* found inside of a word too */
	size_t next;   /* of the chain, + 1; 0 ends it */
	size_t origin; /* squeezed: index of the token as it was added */
};

struct token_set {
	VEC(struct token) list;
	size_t chain[CHAINS]; /* index + 1; 0: none */
};

struct secrets {
	struct token_set plain, squeezed;
};

static size_t *
chain_of(struct token_set *set, const char *text)
{
	return &set->chain[hash_fnv1a(text, KEY) % CHAINS];
}

static const struct token *
set_find(const struct token_set *set, const char *text, size_t len)
{
	size_t i = set->chain[hash_fnv1a(text, KEY) % CHAINS];

	for (; i; i = set->list.v[i - 1].next) {
		const struct token *it = &set->list.v[i - 1];

		if (it->len == len && memcmp(it->text, text, len) == 0)
			return it;
	}
	return NULL;
}

static size_t
set_add(struct token_set *set, const char *text, size_t len, bool letters, bool inside,
    size_t origin)
{
	const struct token *known = set_find(set, text, len);
	size_t *chain = chain_of(set, text);
	struct token *fresh;

	if (known)
		return (size_t)(known - set->list.v);
	fresh = vec_add(&set->list);
	*fresh = (struct token){
	    mem_strndup(text, len), len, letters, inside, *chain, origin};
	*chain = set->list.n;
	return set->list.n - 1;
}

static void
set_free(struct token_set *set)
{
	for (vec_each(struct token *, it, &set->list))
		free(it->text);
	vec_free(&set->list);
}

struct secrets *
secrets_new(void)
{
	return mem_alloc(sizeof(struct secrets));
}

void
secrets_free(struct secrets *secrets)
{
	if (!secrets)
		return;
	set_free(&secrets->plain);
	set_free(&secrets->squeezed);
	free(secrets);
}

size_t
secrets_count(const struct secrets *secrets)
{
	return secrets->plain.list.n;
}

bool
secrets_has(const struct secrets *secrets, const char *token)
{
	size_t len = strlen(token);
	char *lower = mem_strdup(token);
	bool has;

	for (char *p = lower; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	has = len >= KEY && set_find(&secrets->plain, lower, len);
	free(lower);
	return has;
}

/* ---- what is a token ---- */

static void
add_token(struct secrets *secrets, const char *text, size_t len)
{
	struct str tight = {0};
	size_t characters = 0, origin;
	bool letters = false;

	for (size_t i = 0; i < len; i++) {
		letters |= isalpha((unsigned char)text[i]) || (text[i] & 0x80);
		if (words_letter(text + i))
			characters++;
		if (!view_is_glue(text[i]))
			str_addc(&tight, text[i]);
	}
	if (!letters) /* the dots of an address tell it from any other number */
		characters = len;
	if (characters >= SECRET_MIN && len >= KEY) {
		bool inside = letters && characters >= SECRET_INSIDE;

		origin = set_add(&secrets->plain, text, len, letters, inside, 0);
		/* digits alone would be found in every other number */
		if (letters && tight.len >= KEY)
			set_add(&secrets->squeezed, tight.s, tight.len, true, inside,
			    origin);
	}
	str_free(&tight);
}

/* Three or more numbers put together: an address, a version, a date. */
static bool
is_number_chain(const char *text)
{
	static const struct {
		char glue;
		unsigned parts;
	} kinds[] = {{'.', 3}, {'-', 3}, {':', 4}};

	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		unsigned parts = 1;
		const char *p = text;

		for (; isdigit((unsigned char)*p) || *p == kinds[k].glue; p++)
			parts += *p == kinds[k].glue;
		if (!*p && parts >= kinds[k].parts)
			return true;
	}
	return false;
}

/* Numbers are sizes and times, but in an ID. */
static bool
is_secret_word(const char *word, size_t len, enum secret_kind kind)
{
	if (strspn(word, "0123456789") >= len)
		return kind == SECRET_ID && len >= SECRET_INSIDE;
	return !words_is_plain(word, len);
}

static void
add_words(struct secrets *secrets, const char *text, enum secret_kind kind)
{
	const char *word;
	size_t len;

	while ((word = words_next(&text, &len)) != NULL)
		if (is_secret_word(word, len, kind))
			add_token(secrets, word, len);
}

/* Names of several parts: what none of `apart` divides.  Our own version tells nothing. */
static void
add_compounds(
    struct secrets *secrets, const char *text, enum secret_kind kind, const char *apart)
{
	for (const char *p = text; *p;) {
		size_t len = strcspn(p, apart);
		char *name = mem_strndup(p, len), *from = name;
		size_t end;

		while (*from && words_letter(from) == 0)
			from++;
		for (end = strlen(from);
		     end > 0 && !words_letter_before(from, from + end);)
			end--;
		from[end] = '\0';
		if (strpbrk(from, "-_.:/@+~%") && strcmp(from, PACKAGE_VERSION) != 0 &&
		    (kind == SECRET_ID || !words_all_plain(from) ||
			is_number_chain(from)))
			add_token(secrets, from, end);
		free(name);
		p += len;
		p += strspn(p, apart);
	}
}

#define APART " \t\r\n\"'`,;=|()[]{}<>\\"

void
secrets_add(struct secrets *secrets, const char *text, enum secret_kind kind)
{
	char *lower;

	if (!text)
		return;
	lower = mem_strdup(text);
	for (char *p = lower; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	add_words(secrets, lower, kind);
	add_compounds(secrets, lower, kind, APART);
	add_compounds(secrets, lower, kind, APART "/@");
	free(lower);
}

void
secrets_add_word(struct secrets *secrets, const char *word)
{
	char *lower = mem_strdup(word);

	for (char *p = lower; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	add_token(secrets, lower, strlen(lower));
	free(lower);
}

/* ---- the scan ---- */

/* The word of `view` around [from, to): is it everybody's? */
static bool
is_known_word(const struct view *view, size_t from, size_t to)
{
	const char *text = view->text.s;

	while (from > 0 && words_letter_before(text, text + from))
		from--;
	while (words_letter(text + to))
		to += words_letter(text + to);
	return words_is_plain(text + from, to - from);
}

/* Nothing of a word goes on before and behind; of a number: no digit. */
static bool
is_whole(const struct token *token, const struct view *view, size_t from, size_t to)
{
	const char *text = view->text.s;

	if (!token->letters)
		return (from == 0 || !isdigit((unsigned char)text[from - 1])) &&
		       !isdigit((unsigned char)text[to]);
	return !words_letter_before(text, text + from) && words_letter(text + to) == 0;
}

/* A token of the chain at text[i]; `base` is the view that still has its glue. */
static const struct token *
token_at(const struct token_set *set, const struct view *view, size_t i,
    const struct view *base)
{
	const char *text = view->text.s + i;
	size_t left = view->text.len - i;
	size_t next = set->chain[hash_fnv1a(text, KEY) % CHAINS];

	for (; next; next = set->list.v[next - 1].next) {
		const struct token *it = &set->list.v[next - 1];
		size_t from, to;

		if (it->len > left || memcmp(it->text, text, it->len) != 0)
			continue;
		from = view == base ? i : view->at.v[i];
		to = 1 + (view == base ? i + it->len - 1 : view->at.v[i + it->len - 1]);
		if (is_whole(it, base, from, to) ||
		    (it->inside && !is_known_word(base, from, to)))
			return it;
	}
	return NULL;
}

static void
set_place(struct leak *ret, const char *document, size_t at)
{
	ret->line = ret->column = 1;
	for (size_t i = 0; i < at; i++) {
		ret->column = document[i] == '\n' ? 1 : ret->column + 1;
		ret->line += document[i] == '\n';
	}
}

static bool
find_in(const struct secrets *secrets, const struct view *base, const char *document,
    struct leak *ret)
{
	struct view tight;
	bool found = false;

	view_squeezed(&tight, base);
	for (size_t i = 0; !found && i + KEY <= base->text.len; i++) {
		const struct token *it = token_at(&secrets->plain, base, i, base);

		if (it) {
			ret->token = mem_strdup(it->text);
			set_place(ret, document, base->at.v[i]);
			found = true;
		}
	}
	for (size_t i = 0; !found && i + KEY <= tight.text.len; i++) {
		const struct token *it = token_at(&secrets->squeezed, &tight, i, base);

		if (it) {
			ret->token = mem_strdup(secrets->plain.list.v[it->origin].text);
			set_place(ret, document, base->at.v[tight.at.v[i]]);
			found = true;
		}
	}
	ret->view = base->name;
	view_free(&tight);
	return found;
}

bool
secrets_find(
    const struct secrets *secrets, const char *document, size_t len, struct leak *ret)
{
	struct view views[4];
	bool found = false;

	*ret = (struct leak){0};
	view_plain(&views[0], document, len);
	view_decoded(&views[1], &views[0]);
	view_decoded(&views[2], &views[1]);
	view_base64(&views[3], document, len);
	for (size_t i = 0; i < 4; i++) {
		if (!found && views[i].text.len)
			found = find_in(secrets, &views[i], document, ret);
		view_free(&views[i]);
	}
	return found;
}

void
leak_free(struct leak *leak)
{
	free(leak->token);
	*leak = (struct leak){0};
}
