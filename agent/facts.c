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
	size_t index;
};

static char *
json_text(const json_t *object, const char *key)
{
	const char *s = json_string_value(json_object_get(object, key));

	return s && *s ? mem_strdup(s) : NULL;
}

static int64_t
json_number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_integer(value) ? json_integer_value(value) : -1;
}

static void
take_path(struct facts_path *path, const char *output, const struct err *err)
{
	json_error_t json_err;

	if (err->code == ERR_TIMEOUT) {
		path->problem = mem_strdup("no answer in 5 s: the mount hangs");
		return;
	}
	json_t *root = json_loads(output, 0, &json_err);
	const json_t *entry = json_array_get(root, 0);
	if (!json_is_object(entry)) {
		path->problem = mem_strdup(err->code ? err->msg : json_err.text);
	} else {
		path->problem = json_text(entry, "error");
		path->fstype = json_text(entry, "fstype");
		path->source = json_text(entry, "source");
		path->options = json_text(entry, "options");
		path->free_bytes = json_number(entry, "free_bytes");
		path->total_bytes = json_number(entry, "total_bytes");
	}
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

	take_path(&gathering->facts->paths.v[query->index], output, err);
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

void
facts_probe_argv(
    struct facts_argv *ret, const struct agent_settings *settings, const char *path)
{
	*ret = (struct facts_argv){0};
	vec_push(&ret->v, mem_strdup("volley-io"));
	vec_push(&ret->v, mem_strdup("probe"));
	vec_push(&ret->v, mem_strdup("--guard"));
	for (size_t i = 0; i < settings->allow.n; i++)
		vec_push(&ret->v, mem_printf("--allow=%s", settings->allow.v[i]));
	for (size_t i = 0; i < settings->allow_write.n; i++)
		vec_push(&ret->v, mem_printf("--allow=%s", settings->allow_write.v[i]));
	vec_push(&ret->v, mem_strdup("--"));
	vec_push(&ret->v, mem_strdup(path));
	vec_push(&ret->v, NULL);
}

void
facts_argv_free(struct facts_argv *argv)
{
	for (vec_each(char **, arg, &argv->v))
		free(*arg);
	vec_free(&argv->v);
}

void
facts_collect(struct event_base *base, const char *helper,
    const struct agent_settings *settings, char *const *paths, size_t npaths,
    facts_done_fn *done, void *arg)
{
	struct gathering *gathering = mem_alloc(sizeof *gathering);
	struct facts *facts = mem_alloc(sizeof *facts);

	*gathering = (struct gathering){facts, 1, done, arg};
	facts->name = mem_strdup(settings->name);
	facts->version = mem_strdup("volley " PACKAGE_VERSION);
	probe_host("", facts);
	list_engines(facts);
	for (size_t i = 0; i < npaths; i++)
		*vec_add(&facts->paths) = (struct facts_path){
		    .path = mem_strdup(paths[i]), .free_bytes = -1, .total_bytes = -1};
	for (size_t i = 0; i < npaths; i++) {
		struct path_query *query = mem_alloc(sizeof *query);
		struct facts_argv argv;

		facts_probe_argv(&argv, settings, paths[i]);
		*query = (struct path_query){gathering, i};
		gathering->waiting++;
		helper_run(
		    base, helper, argv.v.v, FACTS_PATH_TIMEOUT_NS, path_done, query);
		facts_argv_free(&argv);
	}
	one_done(gathering);
}
