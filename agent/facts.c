/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One answer to "facts": the host from /proc and /sys, the engines of this build,
 * and one helper process per path, so that one dead mount hides no other.
 */
#include "agent/facts.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "agent/engine/engine.h"
#include "agent/helper.h"
#include "agent/probe/host.h"
#include "agent/settings.h"
#include "lib/base/mem.h"

#include "config.h"

struct gathering {
	struct facts *facts;
	size_t waiting;
	facts_done_fn *done;
	void *arg;
};

struct path_query {
	struct gathering *gathering;
	size_t index; /* of its thing: paths come first */
};

/* Whatever the helper told about the path, by its names. */
static void
take_members(struct facts_thing *path, json_t *entry)
{
	const char *key;
	json_t *value;

	json_object_foreach(entry, key, value)
	{
		const char *name = strcmp(key, "error") == 0 ? "problem" : key;

		if (strcmp(key, "path") == 0)
			continue;
		if (json_is_string(value))
			facts_set_text(
			    path, name, mem_strdup(json_string_value(value)));
		else if (json_is_integer(value))
			facts_set_number(path, name, json_integer_value(value));
		else if (json_is_boolean(value))
			facts_set_number(path, name, json_is_true(value));
	}
}

static void
take_path(struct facts_thing *path, const char *output, const struct err *err)
{
	json_error_t json_err;

	if (err->code == ERR_TIMEOUT) {
		facts_set_text(
		    path, "problem", mem_strdup("no answer in 5 s: the mount hangs"));
		return;
	}
	json_t *root = json_loads(output, 0, &json_err);
	json_t *entry = json_array_get(root, 0);
	if (json_is_object(entry))
		take_members(path, entry);
	else
		facts_set_text(
		    path, "problem", mem_strdup(err->code ? err->msg : json_err.text));
	json_decref(root);
}

static void
one_done(struct gathering *gathering)
{
	if (--gathering->waiting > 0)
		return;
	gathering->done(gathering->arg, gathering->facts);
	free(gathering);
}

static void
path_done(void *arg, const char *output, const struct err *err)
{
	struct path_query *query = arg;
	struct gathering *gathering = query->gathering;

	take_path(&gathering->facts->things.v[query->index], output, err);
	free(query);
	one_done(gathering);
}

static void
list_engines(struct facts *facts)
{
	for (const struct engine_entry *it = engine_list(); it->name; it++)
		vec_push(&facts->engines,
		    it->ops ? mem_strdup(it->name)
			    : mem_printf("%s: %s", it->name, it->why_not));
}

static void
add_path(struct facts *facts, const char *name)
{
	static const char *const texts[] = {"fstype", "source", "options"};
	static const char *const numbers[] = {"free_bytes", "total_bytes"};
	struct facts_thing *path = facts_add(facts, "path", name);

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		facts_set_text(path, texts[i], NULL);
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		facts_set_number(path, numbers[i], -1);
}

#define CLIENT "${client}"

/* A path of the plan as this client has it: "/mnt/${client}/x" → "/mnt/gpu01/x". */
static char *
own_path(const struct agent_settings *settings, const char *path)
{
	struct str own = {0};
	const char *at;

	for (; (at = strstr(path, CLIENT)); path = at + strlen(CLIENT)) {
		str_addn(&own, path, (size_t)(at - path));
		str_add(&own, settings->name);
	}
	str_add(&own, path);
	return str_take(&own);
}

void
facts_probe_argv(struct facts_argv *ret, const struct agent_settings *settings,
    const struct facts_question *question, const char *path)
{
	*ret = (struct facts_argv){0};
	vec_push(&ret->v, mem_strdup("volley-io"));
	vec_push(&ret->v, mem_strdup("probe"));
	vec_push(&ret->v, mem_strdup("--guard"));
	for (size_t i = 0; i < settings->allow.n; i++)
		vec_push(&ret->v, mem_printf("--allow=%s", settings->allow.v[i]));
	for (size_t i = 0; i < settings->allow_write.n; i++)
		vec_push(&ret->v, mem_printf("--allow=%s", settings->allow_write.v[i]));
	if (question && question->touch != FACTS_LOOK)
		vec_push(
		    &ret->v, mem_printf("--token=%s:%s",
				 facts_touch_name(question->touch), question->token));
	vec_push(&ret->v, mem_strdup("--"));
	vec_push(&ret->v, own_path(settings, path));
	vec_push(&ret->v, NULL);
}

void
facts_argv_free(struct facts_argv *argv)
{
	for (vec_each(char **, arg, &argv->v))
		free(*arg);
	vec_free(&argv->v);
}

/* Of the agent itself, where the controller needs to know it beforehand. */
static void
add_settings(struct facts *facts, const struct agent_settings *settings)
{
	struct facts_thing *agent = facts_add(facts, "host", "agent");

	facts_set_number(agent, "allow_exec", settings->allow_exec);
}

void
facts_collect(struct event_base *base, const char *helper,
    const struct agent_settings *settings, const struct facts_question *question,
    facts_done_fn *done, void *arg)
{
	struct gathering *gathering = mem_alloc(sizeof *gathering);
	struct facts *facts = mem_alloc(sizeof *facts);

	*gathering = (struct gathering){facts, 1, done, arg};
	*facts = (struct facts){.name = mem_strdup(settings->name),
	    .version = mem_strdup("volley " PACKAGE_VERSION),
	    .cpus = -1,
	    .numa_nodes = -1,
	    .memory_bytes = -1};
	for (size_t i = 0; i < question->n; i++)
		add_path(facts, question->paths[i]);
	add_settings(facts, settings);
	if (question->brief)
		probe_mounts("", facts);
	else
		probe_host("", facts);
	list_engines(facts);
	for (size_t i = 0; i < question->n; i++) {
		struct path_query *query = mem_alloc(sizeof *query);
		struct facts_argv argv;

		facts_probe_argv(&argv, settings, question, question->paths[i]);
		*query = (struct path_query){gathering, i};
		gathering->waiting++;
		helper_run(
		    base, helper, argv.v.v, FACTS_PATH_TIMEOUT_NS, path_done, query);
		facts_argv_free(&argv);
	}
	one_done(gathering);
}
