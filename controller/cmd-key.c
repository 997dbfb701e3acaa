/* SPDX-License-Identifier: Apache-2.0 */
/* volley key: make and show the keys that agents trust. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/cli.h"
#include "controller/commands.h"
#include "lib/base/str.h"
#include "lib/rpc/key.h"

/* The name becomes a file's name and, behind the key, a comment on its line. */
static int
check_name(const char *name, const char *base, struct err *err)
{
	if (!str_is_text(name))
		return err_set(err, ERR_USAGE,
		    "a key's name holds no control characters and is UTF-8");
	if (base[0] == '\0')
		return err_set(err, ERR_USAGE,
		    "'%s' is no name for a key: the files are NAME.key and NAME.pub",
		    name);
	return 0;
}

static int
key_new(struct cli *cli)
{
	const char *name = cli->args.v[0];
	const char *slash = strrchr(name, '/');
	const char *base = slash ? slash + 1 : name;
	struct err err = ERR_INIT;

	if (check_name(name, base, &err) < 0 || key_create(name, base, &err) < 0)
		return cli_fail(&err);
	printf("%s.key  stays here: it commands agents\n"
	       "%s.pub  goes to every agent: volleyd --trust %s.pub\n",
	    name, name, base);
	return EXIT_OK;
}

static int
show_private(const char *path, struct err *err)
{
	struct key *key;
	struct key_public pub;

	if (key_load(&key, path, err) < 0)
		return -1;
	key_public(key, &pub);
	char *print = key_fingerprint(pub.raw);
	puts(print);
	free(print);
	key_free(key);
	return 0;
}

static int
show_public(const char *path, struct err *err)
{
	struct keyring ring = {0};

	if (keyring_read(&ring, path, false, err) < 0)
		return -1;
	for (vec_each(const struct key_entry *, it, &ring.entries)) {
		char *print = key_fingerprint(it->pub.raw);
		printf("%s %s\n", print, it->pub.comment ? it->pub.comment : "");
		free(print);
	}
	keyring_free(&ring);
	return 0;
}

static int
key_show(struct cli *cli)
{
	const char *path = cli->args.v[0], *dot = strrchr(path, '.');
	struct err err = ERR_INIT;
	bool public = dot && strcmp(dot, ".pub") == 0;

	if ((public ? show_public(path, &err) : show_private(path, &err)) < 0) {
		cli_fail(&err);
		return EXIT_FAILED; /* whatever the reason: no agent was asked */
	}
	return EXIT_OK;
}

const struct command cmd_key_new = {
    .name = "key new",
    .synopsis = "NAME",
    .doc = "Make a key pair: NAME.key for the controller, NAME.pub for the agents.",
    .min_args = 1,
    .max_args = 1,
    .exec = key_new,
};

const struct command cmd_key_show = {
    .name = "key show",
    .synopsis = "FILE",
    .doc = "Show the fingerprint of a .key file, or of the keys in a .pub file.",
    .min_args = 1,
    .max_args = 1,
    .exec = key_show,
};
