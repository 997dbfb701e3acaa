/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about a host, and the question for them.  Absent fields stay unknown.
 */
#include "lib/wire/conv-impl.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "proto/control.pb-c.h"

#define PATHS_MAX 1024u
#define TOKEN_MIN 16u
#define TOKEN_MAX 64u

static const Volley__FactsTouch touches[FACTS_TOUCH_COUNT] = {
    [FACTS_LOOK] = VOLLEY__FACTS_TOUCH__FACTS_LOOK,
    [FACTS_WRITE] = VOLLEY__FACTS_TOUCH__FACTS_WRITE,
    [FACTS_READ] = VOLLEY__FACTS_TOUCH__FACTS_READ,
    [FACTS_REMOVE] = VOLLEY__FACTS_TOUCH__FACTS_REMOVE,
};

struct payload
pack_facts_request(const struct facts_question *question)
{
	Volley__FactsRequest msg = VOLLEY__FACTS_REQUEST__INIT;

	msg.n_path = question->n;
	msg.path = (char **)question->paths;
	msg.has_brief = question->brief;
	msg.brief = question->brief;
	msg.has_touch = question->touch != FACTS_LOOK;
	msg.touch = touches[question->touch];
	msg.token = (char *)question->token;
	return conv_pack(&msg.base);
}

/* It becomes part of a file's name, and a word of a command line. */
static bool
is_token(const char *text)
{
	size_t len = text ? strlen(text) : 0;

	return len >= TOKEN_MIN && len <= TOKEN_MAX &&
	       strspn(text, "0123456789abcdef") == len;
}

static int
touch_take(
    struct facts_question_msg *ret, const Volley__FactsRequest *msg, struct err *err)
{
	struct facts_question *question = &ret->question;

	question->brief = msg->brief;
	if (!msg->has_touch)
		return 0;
	while (question->touch < FACTS_TOUCH_COUNT &&
	       touches[question->touch] != msg->touch)
		question->touch++;
	if (question->touch == FACTS_TOUCH_COUNT)
		return err_set(err, ERR_PROTOCOL, "a question for facts of unknown kind");
	if (question->touch != FACTS_LOOK && !is_token(msg->token))
		return err_set(
		    err, ERR_PROTOCOL, "a question for facts with a bad token");
	ret->token = mem_strdup(msg->token);
	question->token = ret->token;
	return 0;
}

static int
paths_take(
    struct facts_question_msg *ret, const Volley__FactsRequest *msg, struct err *err)
{
	if (msg->n_path > PATHS_MAX)
		return err_set(err, ERR_PROTOCOL,
		    "%zu paths are asked for, of %u at most", msg->n_path, PATHS_MAX);
	ret->paths = mem_array(msg->n_path + 1, sizeof *ret->paths);
	for (size_t i = 0; i < msg->n_path; i++) {
		if (!*msg->path[i] || strlen(msg->path[i]) >= PATH_MAX)
			return err_set(err, ERR_PROTOCOL, "a path of %zu bytes",
			    strlen(msg->path[i]));
		ret->paths[i] = mem_strdup(msg->path[i]);
		ret->question.n++;
	}
	ret->question.paths = (const char *const *)ret->paths;
	return 0;
}

int
unpack_facts_request(struct facts_question_msg *ret, const uint8_t *data, size_t len,
    struct err *err)
{
	Volley__FactsRequest *msg = conv_unpack(
	    &volley__facts_request__descriptor, data, len, "a question for facts", err);
	int result = -1;

	*ret = (struct facts_question_msg){0};
	if (msg && touch_take(ret, msg, err) == 0)
		result = paths_take(ret, msg, err);
	proto_free(msg);
	if (result)
		facts_question_msg_free(ret);
	return result;
}

void
facts_question_msg_free(struct facts_question_msg *msg)
{
	for (size_t i = 0; i < msg->question.n; i++)
		free(msg->paths[i]);
	free(msg->paths);
	free(msg->token);
	*msg = (struct facts_question_msg){0};
}

/* −1 (unknown) is absent. */
static void
number_set(protobuf_c_boolean *ret_has, uint64_t *ret, int64_t value)
{
	*ret_has = value >= 0;
	*ret = value >= 0 ? (uint64_t)value : 0;
}

static int64_t
number_get(protobuf_c_boolean has, uint64_t value)
{
	return has && value <= INT64_MAX ? (int64_t)value : -1;
}

static Volley__FactsAttribute *
attr_msg_new(const struct facts_attr *attr)
{
	Volley__FactsAttribute *msg = mem_alloc(sizeof *msg);

	volley__facts_attribute__init(msg);
	msg->key = attr->key;
	msg->text = attr->text;
	if (!attr->text)
		number_set(&msg->has_number, &msg->number, attr->number);
	return msg;
}

static Volley__FactsThing *
thing_msg_new(const struct facts_thing *thing)
{
	Volley__FactsThing *msg = mem_alloc(sizeof *msg);

	volley__facts_thing__init(msg);
	msg->kind = thing->kind;
	msg->name = thing->name;
	msg->n_attribute = thing->attrs.n;
	msg->attribute = mem_array(thing->attrs.n + 1, sizeof *msg->attribute);
	for (size_t i = 0; i < thing->attrs.n; i++)
		msg->attribute[i] = attr_msg_new(&thing->attrs.v[i]);
	return msg;
}

static void
thing_msg_free(Volley__FactsThing *msg)
{
	for (size_t i = 0; i < msg->n_attribute; i++)
		free(msg->attribute[i]);
	free(msg->attribute);
	free(msg);
}

/* The messages borrow the facts' text. */
struct payload
pack_facts(const struct facts *facts)
{
	Volley__Facts msg = VOLLEY__FACTS__INIT;
	struct payload payload;

	msg.name = facts->name;
	msg.version = facts->version;
	msg.hostname = facts->hostname;
	msg.os = facts->os;
	msg.kernel = facts->kernel;
	msg.cpu_model = facts->cpu_model;
	msg.machine_id = facts->machine_id;
	number_set(&msg.has_cpus, &msg.cpus, facts->cpus);
	number_set(&msg.has_numa_nodes, &msg.numa_nodes, facts->numa_nodes);
	number_set(&msg.has_memory_bytes, &msg.memory_bytes, facts->memory_bytes);
	msg.n_engine = facts->engines.n;
	msg.engine = facts->engines.v;
	msg.n_thing = facts->things.n;
	msg.thing = mem_array(facts->things.n + 1, sizeof *msg.thing);
	for (size_t i = 0; i < facts->things.n; i++)
		msg.thing[i] = thing_msg_new(&facts->things.v[i]);
	payload = conv_pack(&msg.base);
	for (size_t i = 0; i < msg.n_thing; i++)
		thing_msg_free(msg.thing[i]);
	free(msg.thing);
	return payload;
}

static void
thing_take(struct facts *ret, const Volley__FactsThing *msg)
{
	struct facts_thing *thing = vec_add(&ret->things);

	thing->kind = conv_text(msg->kind);
	thing->name = conv_text(msg->name);
	for (size_t i = 0; i < msg->n_attribute; i++) {
		const Volley__FactsAttribute *attr = msg->attribute[i];

		vec_push(&thing->attrs,
		    ((struct facts_attr){
			.key = conv_text(attr->key),
			.text = conv_text(attr->text),
			.number = attr->text
				      ? -1
				      : number_get(attr->has_number, attr->number),
		    }));
	}
}

static void
lists_take(struct facts *ret, const Volley__Facts *msg)
{
	for (size_t i = 0; i < msg->n_engine; i++)
		vec_push(&ret->engines, conv_text(msg->engine[i]));
	for (size_t i = 0; i < msg->n_thing; i++)
		thing_take(ret, msg->thing[i]);
}

int
unpack_facts(struct facts **ret, const uint8_t *data, size_t len, struct err *err)
{
	Volley__Facts *msg =
	    conv_unpack(&volley__facts__descriptor, data, len, "facts", err);
	struct facts *facts;

	*ret = NULL;
	if (!msg)
		return -1;
	facts = mem_alloc(sizeof *facts);
	facts->name = conv_text(msg->name);
	facts->version = conv_text(msg->version);
	facts->hostname = conv_text(msg->hostname);
	facts->os = conv_text(msg->os);
	facts->kernel = conv_text(msg->kernel);
	facts->cpu_model = conv_text(msg->cpu_model);
	facts->machine_id = conv_text(msg->machine_id);
	facts->cpus = number_get(msg->has_cpus, msg->cpus);
	facts->numa_nodes = number_get(msg->has_numa_nodes, msg->numa_nodes);
	facts->memory_bytes = number_get(msg->has_memory_bytes, msg->memory_bytes);
	lists_take(facts, msg);
	proto_free(msg);
	*ret = facts;
	return 0;
}
