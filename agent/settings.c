/* SPDX-License-Identifier: Apache-2.0 */
/*
 * volleyd's options: one table, read from the command line ("--allow /mnt/one")
 * and from a file ("allow /mnt/one", one a line, '#' comments).
 */
#include "agent/settings.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "lib/base/units.h"

enum option_kind { OPTION_TEXT, OPTION_LIST, OPTION_FD, OPTION_FLAG, OPTION_FILE };

struct option {
	const char *name, *value, *doc; /* value: NULL for a flag */
	enum option_kind kind;
	size_t at;
	bool hidden;
};

#define NAME_MAX_LEN 64

#define AT(member) offsetof(struct agent_settings, member)

static const struct option options[] = {
    {"listen", "ADDR:PORT", "listen here (default: all addresses, port 7411)",
	OPTION_TEXT, AT(listen), false},
    {"controller", "HOST:PORT", "dial this controller instead of listening",
	OPTION_TEXT, AT(controller), false},
    {"trust", "FILE", "public keys (NAME.pub) whose owners may command this agent",
	OPTION_TEXT, AT(trust), false},
    {"key", "FILE", "this agent's own key; made at the first start", OPTION_TEXT,
	AT(key), false},
    {"name", "NAME", "stable name of this agent (default: the host name)", OPTION_TEXT,
	AT(name), false},
    {"allow", "PATH", "directory that jobs may touch; repeat for more", OPTION_LIST,
	AT(allow), false},
    {"allow-write", "DEV", "block device that jobs may overwrite; repeat for more",
	OPTION_LIST, AT(allow_write), false},
    {"allow-exec", NULL, "jobs and plans may run commands (exec_prerun, setup)", OPTION_FLAG,
	AT(allow_exec), false},
    {"config", "FILE", "read options from FILE, one a line, without dashes",
	OPTION_FILE, 0, false},
    {"ready-fd", "N", "write a line to this file descriptor when ready", OPTION_FD,
	AT(ready_fd), false},
    {"fd", "N", "serve one controller over this socket", OPTION_FD, AT(fd), true},
    {"probe-root", "DIR", "for tests: read counters below DIR, not /proc and /sys",
	OPTION_TEXT, AT(probe_root), false},
    {"debug", NULL, "log more", OPTION_FLAG, AT(debug), false},
    {"help", NULL, "show this text and exit", OPTION_FLAG, AT(help), false},
    {"version", NULL, "show the version and exit", OPTION_FLAG, AT(version), false},
};

#define OPTIONS (sizeof options / sizeof options[0])

void
settings_init(struct agent_settings *settings)
{
	*settings = (struct agent_settings){.ready_fd = -1, .fd = -1};
}

static void
free_list(char **v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(v[i]);
}

void
settings_free(struct agent_settings *settings)
{
	free(settings->listen);
	free(settings->controller);
	free(settings->trust);
	free(settings->key);
	free(settings->name);
	free(settings->probe_root);
	free_list(settings->allow.v, settings->allow.n);
	free_list(settings->allow_write.v, settings->allow_write.n);
	vec_free(&settings->allow);
	vec_free(&settings->allow_write);
	settings_init(settings);
}

static const struct option *
find(const char *name, size_t len, struct err *err)
{
	const char *names[OPTIONS];

	for (size_t i = 0; i < OPTIONS; i++) {
		names[i] = options[i].name;
		if (strlen(names[i]) == len && !memcmp(names[i], name, len))
			return &options[i];
	}

	char *word = mem_strndup(name, len);
	const char *near = str_nearest(word, names, OPTIONS);
	if (near)
		err_set(err, ERR_USAGE, "unknown option '%s'; did you mean '%s'?", word,
		    near);
	else
		err_set(err, ERR_USAGE, "unknown option '%s'", word);
	free(word);
	return NULL;
}

/* `weak`: from the file; what the command line set stays. */
static int
apply(struct agent_settings *settings, const struct option *option, const char *value,
    bool weak, struct err *err)
{
	void *at = (char *)settings + option->at;

	switch (option->kind) {
	case OPTION_FLAG: *(bool *)at = true; return 0;
	case OPTION_FD: {
		uint64_t fd;
		if (units_parse_u64(value, 0, 1 << 20, &fd, err) < 0)
			return err_prefix(err, "%s", option->name);
		*(int *)at = (int)fd;
		return 0;
	}
	case OPTION_LIST: {
		VEC(char *) *list = at;
		if (value[0] != '/')
			return err_set(err, ERR_USAGE,
			    "%s: '%s' is not an absolute path", option->name, value);
		vec_push(list, mem_strdup(value));
		return 0;
	}
	case OPTION_TEXT: {
		char **text = at;
		if (weak && *text)
			return 0;
		free(*text);
		*text = mem_strdup(value);
		return 0;
	}
	case OPTION_FILE: break;
	}
	return err_set(err, ERR_USAGE, "%s: not allowed here", option->name);
}

static int
apply_line(
    struct agent_settings *settings, const char *line, struct err *err, size_t *ret_col)
{
	const char *p = line + strspn(line, " \t");
	size_t name_len = strcspn(p, " \t\r\n#");

	*ret_col = (size_t)(p - line) + 1;
	if (name_len == 0)
		return 0;
	const struct option *option = find(p, name_len, err);
	if (!option)
		return -1;

	const char *value = p + name_len;
	value += strspn(value, " \t");
	size_t value_len = strcspn(value, "\r\n#");
	while (value_len && isspace((unsigned char)value[value_len - 1]))
		value_len--;
	*ret_col = (size_t)(value - line) + 1;
	if (option->value && value_len == 0)
		return err_set(err, ERR_USAGE, "%s needs a value (%s)", option->name,
		    option->value);
	if (!option->value && value_len)
		return err_set(err, ERR_USAGE, "%s takes no value", option->name);

	char *copy = mem_strndup(value, value_len);
	int r = apply(settings, option, copy, true, err);
	free(copy);
	return r;
}

static int
read_file(struct agent_settings *settings, const char *path, struct err *err)
{
	FILE *file = fopen(path, "re");
	if (!file)
		return err_sys(err, errno, "open %s", path);

	char *line = NULL;
	size_t cap = 0, col = 0;
	int r = 0;
	for (unsigned n = 1; r == 0 && getline(&line, &cap, file) >= 0; n++) {
		r = apply_line(settings, line, err, &col);
		if (r < 0)
			err_prefix(err, "%s:%u:%zu", path, n, col);
	}
	free(line);
	fclose(file);
	return r;
}

/* UTF-8 without control characters, short, and good for a file name. */
static bool
is_name(const char *name)
{
	size_t len = strlen(name);

	if (len < 1 || len > NAME_MAX_LEN || name[0] == '.' || !str_is_text(name))
		return false;
	return strchr(name, '/') == NULL;
}

static int
default_name(struct agent_settings *settings, struct err *err)
{
	char host[256] = "";

	if (settings->name)
		return 0;
	if (gethostname(host, sizeof host - 1) < 0 || !host[0])
		return err_set(err, ERR_USAGE, "this host has no name: give --name");
	settings->name = mem_strdup(host);
	return 0;
}

static int
check(struct agent_settings *settings, struct err *err)
{
	int ways = !!settings->listen + !!settings->controller + (settings->fd >= 0);

	if (ways > 1)
		return err_set(
		    err, ERR_USAGE, "give one of --listen and --controller, not both");
	if (settings->fd < 0 && !settings->trust)
		return err_set(err, ERR_USAGE,
		    "--trust FILE is missing: the public key of the controller "
		    "(make one there with 'volley key new NAME')");
	if (settings->name && !is_name(settings->name))
		return err_set(err, ERR_USAGE,
		    "--name: 1 to %d printable characters, no '/' and no leading '.': it "
		    "becomes part of file names",
		    NAME_MAX_LEN);
	return default_name(settings, err);
}

int
settings_parse(struct agent_settings *settings, int argc, char **argv, struct err *err)
{
	const char *file = NULL;

	for (int i = 1; i < argc; i++) {
		const char *arg = argv[i];
		if (!str_starts(arg, "--") || !arg[2])
			return err_set(err, ERR_USAGE, "unexpected argument '%s'", arg);
		const char *name = arg + 2, *equals = strchr(name, '=');
		size_t len = equals ? (size_t)(equals - name) : strlen(name);
		const struct option *option = find(name, len, err);
		if (!option)
			return -1;
		const char *value = equals ? equals + 1 : NULL;
		if (!option->value && value)
			return err_set(
			    err, ERR_USAGE, "--%s takes no value", option->name);
		if (option->value && !value && ++i < argc)
			value = argv[i];
		if (option->value && !value)
			return err_set(err, ERR_USAGE, "--%s needs a value (%s)",
			    option->name, option->value);
		if (option->kind == OPTION_FILE)
			file = value;
		else if (apply(settings, option, value, false, err) < 0)
			return -1;
	}
	if (settings->help || settings->version)
		return 0;
	if (file && read_file(settings, file, err) < 0)
		return -1;
	return check(settings, err);
}

void
settings_usage(struct str *ret)
{
	str_add(ret,
	    "usage: volleyd [--listen ADDR:PORT | --controller HOST:PORT] --trust "
	    "FILE\n"
	    "               [--allow PATH]... [--allow-write DEV]... [options]\n\n"
	    "The agent of volley: runs jobs on this host for a controller whose key "
	    "it\n"
	    "trusts, and touches nothing outside the allowed paths.\n\n");
	for (size_t i = 0; i < OPTIONS; i++) {
		if (options[i].hidden)
			continue;
		char *left = options[i].value ? mem_printf("--%s %s", options[i].name,
						    options[i].value)
					      : mem_printf("--%s", options[i].name);
		str_addf(ret, "  %-24s %s\n", left, options[i].doc);
		free(left);
	}
}
