/* SPDX-License-Identifier: Apache-2.0 */
#include "controller/disguise.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/store/anonymous.h"
#include "lib/base/rng.h"

/* One word or name a line; empty lines and what follows a '#' are none. */
static int
read_redact(const char *path, struct alias_names *ret, struct err *err)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;

	if (!file)
		return err_sys(err, errno, "%s", path);
	while (getline(&line, &size, file) >= 0) {
		char *word = line + strspn(line, " \t");
		size_t len = strcspn(word, "#\r\n");

		while (len > 0 && strchr(" \t", word[len - 1]))
			len--;
		word[len] = '\0';
		alias_names_add(ret, word);
	}
	free(line);
	fclose(file);
	return 0;
}

int
disguise_read(struct disguise *ret, const struct cli *cli, struct err *err)
{
	static const char *const only_with[] = {"level", "map", "redact"};
	const char *level = cli_text(cli, "level", "names");
	const char *redact = cli_text(cli, "redact", NULL);

	*ret = (struct disguise){.wanted = cli_flag(cli, "anonymise"),
	    .of_figures = strcmp(level, "figures") == 0,
	    .map = cli_text(cli, "map", NULL)};
	for (size_t i = 0; i < sizeof only_with / sizeof *only_with; i++)
		if (!ret->wanted && cli_text(cli, only_with[i], NULL))
			return err_set(
			    err, ERR_USAGE, "--%s needs --anonymise", only_with[i]);
	if (!ret->of_figures && strcmp(level, "names") != 0)
		return err_set(
		    err, ERR_USAGE, "--level '%s': there are names, figures", level);
	if (redact && read_redact(redact, &ret->redact, err) != 0)
		return -1;
	ret->aliases.seed = rng_entropy();
	if (ret->map)
		return aliases_read(&ret->aliases, ret->map, ret->aliases.seed, err);
	return 0;
}

static int
take_names(
    struct disguise *disguise, struct store *const *stores, size_t n, struct err *err)
{
	struct alias_names names[ALIAS_COUNT] = {0};
	int result = 0;

	disguise->secrets = secrets_new();
	for (size_t i = 0; result == 0 && i < n; i++) {
		result = store_names(stores[i], &disguise->redact, names, err);
		if (result == 0)
			result = store_secrets(stores[i], disguise->secrets, err);
	}
	for (vec_each(char *const *, it, &disguise->redact.list))
		secrets_add_word(disguise->secrets, *it);
	for (int kind = 0; kind < ALIAS_COUNT; kind++) {
		if (result == 0)
			aliases_assign(
			    &disguise->aliases, (enum alias_kind)kind, &names[kind]);
		alias_names_free(&names[kind]);
	}
	return result;
}

int
disguise_stores(
    struct disguise *disguise, struct store **stores, size_t n, struct err *err)
{
	struct cover cover = {&disguise->aliases, &disguise->redact};
	int result = take_names(disguise, stores, n, err);
	unsigned next_case = 1;

	for (size_t i = 0; result == 0 && i < n; i++) {
		struct store *copy =
		    store_anonymous(stores[i], &cover, &next_case, err);

		if (!copy)
			return -1;
		store_close(stores[i]);
		stores[i] = copy;
	}
	return result;
}

int
disguise_check(
    const struct disguise *disguise, const struct str *document, struct err *err)
{
	struct leak leak;

	if (!secrets_find(disguise->secrets, document->s, document->len, &leak))
		return 0;
	err_set(err, ERR_POLICY,
	    "the report would tell '%s' (line %zu, column %zu, read %s); nothing is "
	    "written. A name that stands in a workload or option can be renamed there",
	    leak.token, leak.line, leak.column, leak.view);
	leak_free(&leak);
	return -1;
}

int
disguise_keep(const struct disguise *disguise, struct err *err)
{
	return disguise->map ? aliases_write(&disguise->aliases, disguise->map, err)
			     : 0;
}

const char *
disguise_sentence(const struct disguise *disguise)
{
	if (!disguise->wanted)
		return NULL;
	if (!disguise->of_figures)
		return "Names of storages and clients are aliases in random order; "
		       "names "
		       "of hosts, paths, products and versions, seeds and times are "
		       "left "
		       "out.";
	return "Names of storages and clients are aliases in random order; names of "
	       "hosts, paths, products and versions, seeds and times are left out. "
	       "Figures are rounded to 2 digits; that cannot hide figures which have "
	       "been published already.";
}

void
disguise_free(struct disguise *disguise)
{
	aliases_free(&disguise->aliases);
	alias_names_free(&disguise->redact);
	secrets_free(disguise->secrets);
	*disguise = (struct disguise){0};
}
