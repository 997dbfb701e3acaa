/* SPDX-License-Identifier: Apache-2.0 */
/* Things and their attributes: built by probes, read by whoever asks. */
#include "lib/wire/facts.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"

void
facts_thing_free(struct facts_thing *thing)
{
	for (vec_each(struct facts_attr *, it, &thing->attrs)) {
		free(it->key);
		free(it->text);
	}
	vec_free(&thing->attrs);
	free(thing->kind);
	free(thing->name);
}

void
facts_free(struct facts *facts)
{
	if (!facts)
		return;
	free(facts->name);
	free(facts->version);
	free(facts->hostname);
	free(facts->os);
	free(facts->kernel);
	free(facts->cpu_model);
	free(facts->machine_id);
	for (vec_each(char **, engine, &facts->engines))
		free(*engine);
	for (vec_each(struct facts_thing *, thing, &facts->things))
		facts_thing_free(thing);
	vec_free(&facts->engines);
	vec_free(&facts->things);
	free(facts);
}

const char *
facts_touch_name(enum facts_touch touch)
{
	static const char *const names[FACTS_TOUCH_COUNT] = {
	    "look", "write", "read", "remove"};

	return names[touch];
}

struct facts_thing *
facts_add(struct facts *facts, const char *kind, const char *name)
{
	struct facts_thing *thing = vec_add(&facts->things);

	thing->kind = mem_strdup(kind);
	thing->name = mem_strdup(name);
	return thing;
}

static struct facts_attr *
find_attr(const struct facts_thing *thing, const char *key)
{
	if (!thing)
		return NULL;
	for (vec_each(struct facts_attr *, it, &thing->attrs))
		if (strcmp(it->key, key) == 0)
			return it;
	return NULL;
}

/* The later value stands. */
static void
set(struct facts_thing *thing, const char *key, char *text, int64_t number)
{
	struct facts_attr *attr = find_attr(thing, key);

	if (!attr) {
		attr = vec_add(&thing->attrs);
		attr->key = mem_strdup(key);
	}
	free(attr->text);
	attr->text = text;
	attr->number = number;
}

void
facts_set_text(struct facts_thing *thing, const char *key, char *text)
{
	set(thing, key, text, -1);
}

void
facts_set_number(struct facts_thing *thing, const char *key, int64_t number)
{
	set(thing, key, NULL, number);
}

const struct facts_thing *
facts_next(const struct facts *facts, const char *kind, const struct facts_thing *after)
{
	const struct facts_thing *end = facts->things.v + facts->things.n;

	for (const struct facts_thing *it = after ? after + 1 : facts->things.v;
	     it && it < end; it++)
		if (strcmp(it->kind, kind) == 0)
			return it;
	return NULL;
}

const struct facts_thing *
facts_find(const struct facts *facts, const char *kind, const char *name)
{
	for (facts_each(thing, facts, kind))
		if (strcmp(thing->name, name) == 0)
			return thing;
	return NULL;
}

const char *
facts_text(const struct facts_thing *thing, const char *key)
{
	const struct facts_attr *attr = find_attr(thing, key);

	return attr ? attr->text : NULL;
}

int64_t
facts_number(const struct facts_thing *thing, const char *key)
{
	const struct facts_attr *attr = find_attr(thing, key);

	return attr && !attr->text ? attr->number : -1;
}
