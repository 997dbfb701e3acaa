/* SPDX-License-Identifier: Apache-2.0 */
#include "controller/anonymise/aliases.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/anonymise/words.h"
#include "lib/base/rng.h"

void
alias_names_add(struct alias_names *names, const char *name)
{
	if (!name || !*name)
		return;
	for (vec_each(char **, it, &names->list))
		if (strcmp(*it, name) == 0)
			return;
	vec_push(&names->list, mem_strdup(name));
}

void
alias_names_free(struct alias_names *names)
{
	for (vec_each(char **, it, &names->list))
		free(*it);
	vec_free(&names->list);
}

const char *
aliases_find(const struct aliases *aliases, enum alias_kind kind, const char *name)
{
	for (vec_each(const struct alias *, it, &aliases->of[kind]))
		if (strcmp(it->name, name) == 0)
			return it->alias;
	return NULL;
}

/* ---- making them ---- */

/* 0 → "A", 25 → "Z", 26 → "AA". */
static char *
letters(size_t i)
{
	char *rest = i >= 26 ? letters(i / 26 - 1) : mem_strdup("");
	char *text = mem_printf("%s%c", rest, (char)('A' + i % 26));

	free(rest);
	return text;
}

/* Does the name begin like an alias of ours, with a number behind it? */
static bool
is_numbered(const char *name, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncasecmp(name, prefix, len) == 0 && isdigit((unsigned char)name[len]);
}

/* The first prefix that no real name has: "node-01" must not name another node. */
static const char *
free_prefix(const struct aliases *aliases, enum alias_kind kind,
    const struct alias_names *names)
{
	static const char *const prefixes[ALIAS_COUNT][3] = {
	    [ALIAS_CLIENT] = {"node-", "client-", "host-"},
	    [ALIAS_WORKLOAD] = {"workload-", "load-", "job-"}};
	size_t best = 0;

	if (aliases->of[kind].n) /* stay with what the map uses */
		for (size_t i = 0; i < 3; i++)
			if (is_numbered(
				aliases->of[kind].v[0].alias, prefixes[kind][i]))
				return prefixes[kind][i];
	for (vec_each(char *const *, it, &names->list))
		while (best < 2 && is_numbered(*it, prefixes[kind][best]))
			best++;
	return prefixes[kind][best];
}

static void
shuffle(char **names, size_t n, uint64_t seed)
{
	struct rng rng;

	rng_seed(&rng, seed);
	for (size_t i = n; i > 1; i--) {
		size_t k = rng_below(&rng, i);
		char *swap = names[i - 1];

		names[i - 1] = names[k];
		names[k] = swap;
	}
}

void
aliases_assign(
    struct aliases *aliases, enum alias_kind kind, const struct alias_names *names)
{
	static const char *const labels[ALIAS_COUNT] = {
	    "storage", "client", "workload"};
	const char *prefix =
	    kind == ALIAS_STORAGE ? NULL : free_prefix(aliases, kind, names);
	struct alias_names fresh = {0};

	for (vec_each(char *const *, it, &names->list))
		if (!aliases_find(aliases, kind, *it))
			alias_names_add(&fresh, *it);
	if (kind != ALIAS_WORKLOAD)
		shuffle(fresh.list.v, fresh.list.n,
		    rng_derive(aliases->seed, labels[kind], aliases->of[kind].n));
	for (vec_each(char **, it, &fresh.list)) {
		size_t i = aliases->of[kind].n;

		*vec_add(&aliases->of[kind]) = (struct alias){mem_strdup(*it),
		    prefix ? mem_printf("%s%02zu", prefix, i + 1) : letters(i)};
	}
	alias_names_free(&fresh);
}

void
aliases_free(struct aliases *aliases)
{
	for (int kind = 0; kind < ALIAS_COUNT; kind++) {
		for (vec_each(struct alias *, it, &aliases->of[kind])) {
			free(it->name);
			free(it->alias);
		}
		vec_free(&aliases->of[kind]);
	}
}

/* ---- in a text ---- */

/* The longest name of a storage or client that begins here as a word of its own. */
static const struct alias *
name_at(const struct aliases *aliases, const char *text, const char *at)
{
	static const enum alias_kind kinds[] = {ALIAS_STORAGE, ALIAS_CLIENT};
	const struct alias *best = NULL;

	if (words_letter_before(text, at))
		return NULL;
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		for (vec_each(const struct alias *, it, &aliases->of[kinds[k]])) {
			size_t len = strlen(it->name);

			if (strncmp(at, it->name, len) == 0 &&
			    words_letter(at + len) == 0 &&
			    (!best || len > strlen(best->name)))
				best = it;
		}
	return best;
}

char *
aliases_replace(const struct aliases *aliases, const char *text)
{
	struct str out = {0};

	for (const char *p = text; *p;) {
		const struct alias *found = name_at(aliases, text, p);

		if (found) {
			str_add(&out, found->alias);
			p += strlen(found->name);
		} else {
			str_addc(&out, *p++);
		}
	}
	return str_take(&out);
}
