/* SPDX-License-Identifier: Apache-2.0 */
/* One helper for each command; it prints what came of it as JSON. */
#include "agent/command.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "agent/helper.h"
#include "agent/settings.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"

/* For the helper to kill the command, and to say so. */
#define GRACE_NS (UINT64_C(5) * UNITS_NS_PER_S)

struct running_command {
	command_done_fn *done;
	void *arg;
};

static char *
member(const json_t *object, const char *key)
{
	return mem_strdup(json_string_value(json_object_get(object, key)));
}

static void
ended(void *arg, const char *output, const struct err *err)
{
	struct running_command *running = arg;
	json_t *root = json_loads(output, 0, NULL);
	struct shell_answer answer = {member(root, "problem"), member(root, "output")};

	if (!json_is_object(root))
		answer.problem =
		    mem_strdup(err->code ? err->msg : "the helper said nothing of it");
	running->done(running->arg, &answer);
	shell_answer_free(&answer);
	json_decref(root);
	free(running);
}

static void
refuse(const struct shell_command *command, command_done_fn *done, void *arg)
{
	struct shell_answer answer = {
	    mem_printf("%s: commands are not allowed here (volleyd --allow-exec)",
		command->name),
	    NULL};

	done(arg, &answer);
	shell_answer_free(&answer);
}

void
command_run(struct event_base *base, const char *helper,
    const struct agent_settings *settings, const struct shell_command *command,
    command_done_fn *done, void *arg)
{
	if (!settings->allow_exec) {
		refuse(command, done, arg);
		return;
	}
	struct running_command *running = mem_alloc(sizeof *running);
	char *limit = mem_printf("%" PRIu64, command->timeout_ns);
	char *const argv[] = {
	    "volley-io", "exec", limit, command->name, command->text, NULL};

	*running = (struct running_command){done, arg};
	helper_run(base, helper, argv, command->timeout_ns + GRACE_NS, ended, running);
	free(limit);
}
