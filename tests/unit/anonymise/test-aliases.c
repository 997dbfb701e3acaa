/* SPDX-License-Identifier: Apache-2.0 */
/* Aliases: stable with a map, drawn by the seed, and never another's real name. */
#include "controller/anonymise/aliases.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/suite.h"

static void
assign(struct aliases *aliases, enum alias_kind kind, const char *const *names)
{
	struct alias_names list = {0};

	for (; *names; names++)
		alias_names_add(&list, *names);
	aliases_assign(aliases, kind, &list);
	alias_names_free(&list);
}

static const char *const five[] = {"acme", "blue", "corp", "data", "east", NULL};

START_TEST(every_letter_once)
{
	struct aliases aliases = {.seed = 7};
	unsigned seen = 0;

	assign(&aliases, ALIAS_STORAGE, five);
	for (size_t i = 0; five[i]; i++) {
		const char *alias = aliases_find(&aliases, ALIAS_STORAGE, five[i]);

		ck_assert_uint_eq(strlen(alias), 1);
		seen |= 1u << (alias[0] - 'A');
	}
	ck_assert_uint_eq(seen, 0x1f);
	ck_assert_ptr_null(aliases_find(&aliases, ALIAS_STORAGE, "none"));
	aliases_free(&aliases);
}
END_TEST

/* Whoever knows the names' order must not know the letters: all 5 places occur. */
START_TEST(the_seed_decides_the_order)
{
	unsigned places = 0;

	for (uint64_t seed = 0; seed < 200; seed++) {
		struct aliases aliases = {.seed = seed};

		assign(&aliases, ALIAS_STORAGE, five);
		places |= 1u << (*aliases_find(&aliases, ALIAS_STORAGE, "acme") - 'A');
		aliases_free(&aliases);
	}
	ck_assert_uint_eq(places, 0x1f);
}
END_TEST

START_TEST(names_keep_their_alias_when_others_come)
{
	static const char *const more[] = {"zeta", "acme", "blue", NULL};
	struct aliases aliases = {.seed = 3};
	char before[2];

	assign(&aliases, ALIAS_STORAGE, five);
	strcpy(before, aliases_find(&aliases, ALIAS_STORAGE, "acme"));
	assign(&aliases, ALIAS_STORAGE, more);
	ck_assert_str_eq(aliases_find(&aliases, ALIAS_STORAGE, "acme"), before);
	ck_assert_str_eq(aliases_find(&aliases, ALIAS_STORAGE, "zeta"), "F");
	aliases_free(&aliases);
}
END_TEST

START_TEST(many_storages_have_two_letters)
{
	struct aliases aliases = {0};
	struct alias_names names = {0};
	char name[8];

	for (int i = 0; i < 28; i++) {
		snprintf(name, sizeof name, "s%d", i);
		alias_names_add(&names, name);
	}
	aliases_assign(&aliases, ALIAS_STORAGE, &names);
	ck_assert_str_eq(aliases.of[ALIAS_STORAGE].v[25].alias, "Z");
	ck_assert_str_eq(aliases.of[ALIAS_STORAGE].v[26].alias, "AA");
	ck_assert_str_eq(aliases.of[ALIAS_STORAGE].v[27].alias, "AB");
	alias_names_free(&names);
	aliases_free(&aliases);
}
END_TEST

/* Hosts that are really called node-01: their aliases must look otherwise. */
START_TEST(an_alias_is_nobodys_name)
{
	static const char *const nodes[] = {"Node-07", "node-01", NULL};
	static const char *const gpus[] = {"gpu01", NULL};
	struct aliases aliases = {0}, other = {0};

	assign(&aliases, ALIAS_CLIENT, nodes);
	for (size_t i = 0; i < 2; i++)
		ck_assert(strncmp(aliases_find(&aliases, ALIAS_CLIENT, nodes[i]),
			      "client-0", 8) == 0);
	assign(&aliases, ALIAS_CLIENT, gpus); /* a map stays with its prefix */
	ck_assert_str_eq(aliases_find(&aliases, ALIAS_CLIENT, "gpu01"), "client-03");
	assign(&other, ALIAS_CLIENT, gpus);
	ck_assert_str_eq(aliases_find(&other, ALIAS_CLIENT, "gpu01"), "node-01");
	aliases_free(&aliases);
	aliases_free(&other);
}
END_TEST

START_TEST(names_in_a_text_are_whole_words)
{
	static const char *const storages[] = {"acme", "acme-two", NULL};
	static const char *const clients[] = {"gpu1", NULL};
	struct aliases aliases = {.seed = 1};
	char *text, *expected;

	assign(&aliases, ALIAS_STORAGE, storages);
	assign(&aliases, ALIAS_CLIENT, clients);
	text = aliases_replace(&aliases,
	    "gpu1: /mnt/acme-two, gpu10, acme; acmeish, xacme \xc3\xbc"
	    "acme");
	expected = mem_printf("node-01: /mnt/%s, gpu10, %s; acmeish, xacme \xc3\xbc"
			      "acme",
	    aliases_find(&aliases, ALIAS_STORAGE, "acme-two"),
	    aliases_find(&aliases, ALIAS_STORAGE, "acme"));
	ck_assert_str_eq(text, expected);
	free(text);
	free(expected);
	aliases_free(&aliases);
}
END_TEST

START_TEST(the_map_comes_back)
{
	static const char *const clients[] = {"gpu \"1\"", "gpu2", NULL};
	char dir[] = "/tmp/volley-map-XXXXXX", path[64];
	struct aliases aliases = {.seed = UINT64_MAX - 5}, back;
	struct err err = ERR_INIT;
	struct stat st;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/map.json", dir);
	ck_assert_int_eq(aliases_read(&back, path, 42, &err), 0);
	ck_assert_uint_eq(back.seed, 42);
	ck_assert_uint_eq(back.of[ALIAS_STORAGE].n, 0);
	assign(&aliases, ALIAS_STORAGE, five);
	assign(&aliases, ALIAS_CLIENT, clients);
	ck_assert_int_eq(aliases_write(&aliases, path, &err), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0600);
	ck_assert_int_eq(aliases_read(&back, path, 42, &err), 0);
	ck_assert_uint_eq(back.seed, UINT64_MAX - 5);
	for (size_t i = 0; five[i]; i++)
		ck_assert_str_eq(aliases_find(&back, ALIAS_STORAGE, five[i]),
		    aliases_find(&aliases, ALIAS_STORAGE, five[i]));
	ck_assert_str_eq(aliases_find(&back, ALIAS_CLIENT, clients[0]),
	    aliases_find(&aliases, ALIAS_CLIENT, clients[0]));
	unlink(path);
	rmdir(dir);
	aliases_free(&aliases);
	aliases_free(&back);
}
END_TEST

START_TEST(a_bad_map_is_refused)
{
	static const struct {
		const char *text, *message;
	} bad[] = {
	    {"{", "m:1:1: string or '}' expected near end of file"},
	    {"[]", "m: not a map of an anonymised report"},
	    {"{\"schema\": \"volley.anonymise-map\", \"schema_version\": 2,"
	     " \"seed\": \"1\"}",
		"m: has map version 2, this volley knows version 1"},
	    {"{\"schema\": \"volley.anonymise-map\", \"schema_version\": 1,"
	     " \"seed\": \"1\", \"storages\": [{\"name\": \"x\"}]}",
		"m: storages 1: needs 'name' and 'alias'"},
	    {"{\"schema\": \"volley.anonymise-map\", \"schema_version\": 1,"
	     " \"seed\": \"1\", \"storages\": [{\"name\": \"x\", \"alias\": \"A\"},"
	     " {\"name\": \"y\", \"alias\": \"A\"}]}",
		"m: storages: two have the alias 'A'"},
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct aliases aliases;
		struct err err = ERR_INIT;

		ck_assert_int_eq(aliases_parse(&aliases, "m", bad[i].text, &err), -1);
		ck_assert_str_eq(err.msg, bad[i].message);
	}
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("aliases", every_letter_once, the_seed_decides_the_order,
	    names_keep_their_alias_when_others_come, many_storages_have_two_letters,
	    an_alias_is_nobodys_name, names_in_a_text_are_whole_words,
	    the_map_comes_back, a_bad_map_is_refused);
}
