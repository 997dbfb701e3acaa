/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The keys of a path that are about its mount: what it must be (require), and the
 * commands that make and unmake it (setup, teardown, timeout).
 */
#include "controller/plan/node.h"

#include <string.h>

#include "lib/base/units.h"

#define COMMAND_MAX 4096u

static int
require_fstype(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_require *require = into;

	return node_strdup(r, value, "fstype", &require->fstype);
}

static int
one_option(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_require *require = into;
	char *text;

	if (node_strdup(r, value, "options", &text))
		return -1;
	vec_push(&require->options, text);
	if (strchr(text, ','))
		return node_err(r, value,
		    "options: '%s' holds a comma; write each option as an item of its "
		    "own",
		    text);
	return 0;
}

static int
require_options(struct reader *r, yaml_node_t *value, void *into)
{
	return node_list_or_one(r, value, "options", one_option, into);
}

int
read_path_require(struct reader *r, yaml_node_t *value, void *into)
{
	static const struct node_key keys[] = {{"fstype", require_fstype, false},
	    {"options", require_options, false}, {NULL, NULL, false}};
	struct plan_path *path = into;

	if (node_map(r, value, "require", keys, NULL, &path->require))
		return -1;
	if (!path->require.fstype && path->require.options.n == 0)
		return node_err(r, value, "require is empty (fstype, options)");
	return 0;
}

static int
read_command(struct reader *r, yaml_node_t *value, const char *what, char **ret)
{
	if (node_strdup(r, value, what, ret))
		return -1;
	if (strlen(*ret) > COMMAND_MAX)
		return node_err(r, value,
		    "%s is longer than %u bytes; put it in a script", what,
		    COMMAND_MAX);
	return 0;
}

int
read_path_setup(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_path *path = into;

	return read_command(r, value, "setup", &path->setup);
}

int
read_path_teardown(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_path *path = into;

	return read_command(r, value, "teardown", &path->teardown);
}

int
read_path_timeout(struct reader *r, yaml_node_t *value, void *into)
{
	struct plan_path *path = into;

	if (node_time(r, value, "timeout", &path->command_timeout_ns))
		return -1;
	if (path->command_timeout_ns > PLAN_COMMAND_TIMEOUT_MAX_NS)
		return node_err(r, value, "timeout is more than an hour");
	return 0;
}
