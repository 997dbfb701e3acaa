/* SPDX-License-Identifier: Apache-2.0 */
/* The map as JSON, and its file. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "controller/anonymise/aliases.h"

static const char *const lists[ALIAS_COUNT] = {"storages", "clients", "workloads"};

void
aliases_format(const struct aliases *aliases, struct str *ret)
{
	char *seed = mem_printf("%016" PRIx64, aliases->seed);
	json_t *root = json_pack("{s:s, s:i, s:s}", "schema", ALIASES_SCHEMA,
	    "schema_version", ALIASES_SCHEMA_VERSION, "seed", seed);
	char *text;

	for (int kind = 0; kind < ALIAS_COUNT; kind++) {
		json_t *list = json_array();

		for (vec_each(const struct alias *, it, &aliases->of[kind]))
			json_array_append_new(list, json_pack("{s:s, s:s}", "alias",
							it->alias, "name", it->name));
		json_object_set_new(root, lists[kind], list);
	}
	text = json_dumps(root, JSON_INDENT(2));
	str_add(ret, text);
	str_addc(ret, '\n');
	free(text);
	json_decref(root);
	free(seed);
}

static int
parse_list(struct aliases *ret, enum alias_kind kind, json_t *root, struct err *err)
{
	json_t *list = json_object_get(root, lists[kind]), *item;
	size_t i;

	if (list && !json_is_array(list))
		return err_set(err, ERR_USAGE, "'%s' is no list", lists[kind]);
	json_array_foreach(list, i, item)
	{
		const char *name, *alias;

		if (json_unpack(item, "{s:s, s:s}", "alias", &alias, "name", &name) !=
		    0)
			return err_set(err, ERR_USAGE,
			    "%s %zu: needs 'name' and 'alias'", lists[kind], i + 1);
		if (aliases_find(ret, kind, name))
			return err_set(err, ERR_USAGE, "%s: '%s' is there twice",
			    lists[kind], name);
		for (vec_each(const struct alias *, it, &ret->of[kind]))
			if (strcmp(it->alias, alias) == 0)
				return err_set(err, ERR_USAGE,
				    "%s: two have the alias '%s'", lists[kind], alias);
		*vec_add(&ret->of[kind]) =
		    (struct alias){mem_strdup(name), mem_strdup(alias)};
	}
	return 0;
}

int
aliases_parse(
    struct aliases *ret, const char *source, const char *text, struct err *err)
{
	json_error_t why;
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &why);
	const char *schema = NULL, *seed = NULL;
	int version = 0, result = 0;

	*ret = (struct aliases){0};
	if (!root)
		return err_set(err, ERR_USAGE, "%s:%d:%d: %s", source, why.line,
		    why.column, why.text);
	if (json_unpack(root, "{s:s, s:i, s:s}", "schema", &schema, "schema_version",
		&version, "seed", &seed) != 0 ||
	    strcmp(schema, ALIASES_SCHEMA) != 0)
		result = err_set(
		    err, ERR_USAGE, "%s: not a map of an anonymised report", source);
	else if (version != ALIASES_SCHEMA_VERSION)
		result = err_set(err, ERR_UNSUPPORTED,
		    "%s: has map version %d, this volley knows version %d", source,
		    version, ALIASES_SCHEMA_VERSION);
	for (int kind = 0; result == 0 && kind < ALIAS_COUNT; kind++)
		if (parse_list(ret, (enum alias_kind)kind, root, err) != 0)
			result = err_prefix(err, "%s", source);
	if (result == 0)
		ret->seed = strtoull(seed, NULL, 16);
	else
		aliases_free(ret);
	json_decref(root);
	return result;
}

#define MAP_MAX (8u << 20)

/* NULL with errno when it cannot be read. */
static char *
read_all(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text = fd < 0 ? NULL : mem_alloc(MAP_MAX + 1);
	size_t len = 0;
	ssize_t got = 0;

	while (
	    fd >= 0 && len < MAP_MAX && (got = read(fd, text + len, MAP_MAX - len)) > 0)
		len += (size_t)got;
	if (fd >= 0) {
		int saved = errno;

		close(fd);
		errno = saved;
	}
	if (got < 0) {
		free(text);
		return NULL;
	}
	return text;
}

int
aliases_read(struct aliases *ret, const char *path, uint64_t seed, struct err *err)
{
	char *text = read_all(path);
	int result;

	if (!text && errno == ENOENT) {
		*ret = (struct aliases){.seed = seed};
		return 0;
	}
	if (!text)
		return err_sys(err, errno, "%s", path);
	result = aliases_parse(ret, path, text, err);
	free(text);
	return result;
}

static int
write_all(int fd, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t put = write(fd, text, len);

		if (put < 0)
			return -1;
		text += put;
		len -= (size_t)put;
	}
	return fsync(fd);
}

int
aliases_write(const struct aliases *aliases, const char *path, struct err *err)
{
	char *fresh = mem_printf("%s.XXXXXX", path);
	struct str text = {0};
	int fd = mkstemp(fresh); /* 0600 */
	int result = 0;

	aliases_format(aliases, &text);
	if (fd < 0 || fchmod(fd, 0600) != 0 || write_all(fd, text.s, text.len) != 0 ||
	    rename(fresh, path) != 0)
		result = err_sys(err, errno, "%s", path);
	if (fd >= 0) {
		close(fd);
		if (result != 0)
			unlink(fresh);
	}
	str_free(&text);
	free(fresh);
	return result;
}
