/* SPDX-License-Identifier: Apache-2.0 */
/*
 * YAML nodes.  The document is bounded before it gets here: the text by
 * PLAN_TEXT_MAX, nesting by libyaml; and the plan's shape has a fixed depth, so
 * an alias that contains itself ends at a value of the wrong type.
 */
#include "controller/plan/node.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/units.h"

#define NAME_MAX_LEN 64
#define KEYS_MAX 128
#define FEW_KEYS 6   /* so few are listed when none is near */
#define MAP_MAX 1000 /* keys of one mapping; they are compared with each other */
#define LIST_MAX 10000

struct plan_pos
node_pos(const yaml_node_t *node)
{
	return (struct plan_pos){
	    (unsigned)node->start_mark.line + 1, (unsigned)node->start_mark.column + 1};
}

int
node_err(struct reader *r, const yaml_node_t *node, const char *fmt, ...)
{
	char msg[sizeof r->err->msg];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof msg, fmt, ap);
	va_end(ap);
	return plan_err(r->err, r->plan, node_pos(node), "%s", msg);
}

int
node_err_at(struct reader *r, const yaml_node_t *node)
{
	return plan_err_at(r->err, r->plan, node_pos(node));
}

static const char *
node_kind(const yaml_node_t *node)
{
	switch (node->type) {
	case YAML_SCALAR_NODE: return "a single value";
	case YAML_SEQUENCE_NODE: return "a list";
	case YAML_MAPPING_NODE: return "a mapping";
	case YAML_NO_NODE: break;
	}
	return "nothing";
}

static const char *
scalar(const yaml_node_t *node)
{
	return (const char *)node->data.scalar.value;
}

const char *
node_text(struct reader *r, yaml_node_t *node, const char *what)
{
	if (node->type != YAML_SCALAR_NODE) {
		node_err(r, node, "%s must be a single value, not %s", what,
		    node_kind(node));
		return NULL;
	}
	if (strlen(scalar(node)) != node->data.scalar.length) {
		node_err(r, node, "%s holds a NUL character", what);
		return NULL;
	}
	if (node->data.scalar.length == 0) {
		node_err(r, node, "%s has no value", what);
		return NULL;
	}
	return scalar(node);
}

int
node_strdup(struct reader *r, yaml_node_t *node, const char *what, char **ret)
{
	const char *text = node_text(r, node, what);

	if (!text)
		return -1;
	for (const char *c = text; *c; c++)
		if (iscntrl((unsigned char)*c))
			return node_err(r, node, "%s holds control character 0x%02x",
			    what, (unsigned)(unsigned char)*c);
	*ret = mem_strdup(text);
	return 0;
}

int
node_name(struct reader *r, yaml_node_t *node, const char *what, char **ret)
{
	static const char ok[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				 "0123456789._-";
	const char *text = node_text(r, node, what);

	if (!text)
		return -1;
	if (strlen(text) > NAME_MAX_LEN)
		return node_err(
		    r, node, "%s is longer than %d characters", what, NAME_MAX_LEN);
	if (text[strspn(text, ok)] != '\0' || text[0] == '.' || text[0] == '-')
		return node_err(r, node,
		    "%s '%s' may hold letters, digits, '.', '_' and "
		    "'-' only and starts with a letter, digit or '_'",
		    what, text);
	*ret = mem_strdup(text);
	return 0;
}

int
node_u64(struct reader *r, yaml_node_t *node, const char *what, uint64_t min,
    uint64_t max, uint64_t *ret)
{
	const char *text = node_text(r, node, what);

	if (!text)
		return -1;
	if (units_parse_u64(text, min, max, ret, r->err)) {
		err_prefix(r->err, "%s", what);
		return node_err_at(r, node);
	}
	return 0;
}

int
node_bytes(struct reader *r, yaml_node_t *node, const char *what, uint64_t *ret)
{
	const char *text = node_text(r, node, what);

	if (!text)
		return -1;
	if (units_parse_bytes(text, ret, r->err)) {
		err_prefix(r->err, "%s", what);
		return node_err_at(r, node);
	}
	return 0;
}

int
node_time(struct reader *r, yaml_node_t *node, const char *what, uint64_t *ret_ns)
{
	const char *text = node_text(r, node, what);

	if (!text)
		return -1;
	if (units_parse_time(text, UNITS_NS_PER_S, ret_ns, r->err)) {
		err_prefix(r->err, "%s", what);
		return node_err_at(r, node);
	}
	if (*ret_ns == 0)
		return node_err(r, node, "%s must be longer than 0", what);
	return 0;
}

static int
unknown_key(struct reader *r, yaml_node_t *key, yaml_node_t *value, const char *what,
    const struct node_key *keys)
{
	const char *names[KEYS_MAX] = {NULL}, *near;
	struct str list = {0};
	size_t n = 0;

	if (strcmp(scalar(key), "<<") == 0)
		return node_err(r, key,
		    "merge keys (<<) are not supported; "
		    "use defaults: or an alias of a whole value");
	if (value->type == YAML_SCALAR_NODE && value->data.scalar.length == 0 &&
	    isdigit((unsigned char)scalar(key)[0]))
		return node_err(r, key,
		    "'%s' is no key of %s; a value with a comma needs "
		    "quotes here",
		    scalar(key), what);
	for (; n < KEYS_MAX && keys[n].name; n++)
		names[n] = keys[n].name;
	near = str_nearest(scalar(key), names, n);
	if (near)
		return node_err(r, key, "unknown key '%s' in %s; did you mean '%s'?",
		    scalar(key), what, near);
	for (size_t i = 0; i < n && n <= FEW_KEYS; i++)
		str_addf(&list, "%s%s", i ? ", " : " (", names[i]);
	node_err(r, key, "unknown key '%s' in %s%s%s", scalar(key), what,
	    list.s ? list.s : "", list.s ? ")" : "");
	str_free(&list);
	return -1;
}

static const struct node_key *
find_key(const struct node_key *keys, const char *name)
{
	for (; keys->name; keys++)
		if (strcmp(keys->name, name) == 0)
			return keys;
	return NULL;
}

/* The key of an earlier pair that is the same as pair's, or NULL. */
static yaml_node_t *
earlier(
    struct reader *r, yaml_node_t *map, const yaml_node_pair_t *pair, const char *name)
{
	for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < pair; p++) {
		yaml_node_t *key = yaml_document_get_node(&r->doc, p->key);

		if (strcmp(scalar(key), name) == 0)
			return key;
	}
	return NULL;
}

static int
read_pair(struct reader *r, yaml_node_t *map, const yaml_node_pair_t *pair,
    const char *what, const struct node_key *keys, node_other_fn other, void *into)
{
	yaml_node_t *key = yaml_document_get_node(&r->doc, pair->key);
	yaml_node_t *value = yaml_document_get_node(&r->doc, pair->value), *before;
	const struct node_key *known;

	if (!node_text(r, key, "a key"))
		return -1;
	before = earlier(r, map, pair, scalar(key));
	if (before)
		return node_err(r, key, "key '%s' is already set at line %u, column %u",
		    scalar(key), node_pos(before).line, node_pos(before).col);
	known = find_key(keys, scalar(key));
	if (known)
		return known->fn(r, value, into);
	if (other && strcmp(scalar(key), "<<") != 0)
		return other(r, key, value, into);
	return unknown_key(r, key, value, what, keys);
}

int
node_map(struct reader *r, yaml_node_t *node, const char *what,
    const struct node_key *keys, node_other_fn other, void *into)
{
	yaml_node_pair_t *end;

	if (node->type != YAML_MAPPING_NODE)
		return node_err(r, node, "%s must be a mapping (key: value), not %s",
		    what, node_kind(node));
	end = node->data.mapping.pairs.top;
	if (end - node->data.mapping.pairs.start > MAP_MAX)
		return node_err(r, node, "%s has more than %d keys", what, MAP_MAX);
	for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < end; p++)
		if (read_pair(r, node, p, what, keys, other, into))
			return -1;
	for (const struct node_key *k = keys; k->name; k++)
		if (k->required && !earlier(r, node, end, k->name))
			return node_err(
			    r, node, "%s needs the key '%s'", what, k->name);
	return 0;
}

int
node_list(struct reader *r, yaml_node_t *node, const char *what, node_fn fn, void *into)
{
	if (node->type != YAML_SEQUENCE_NODE)
		return node_err(
		    r, node, "%s must be a list, not %s", what, node_kind(node));
	if (node->data.sequence.items.start == node->data.sequence.items.top)
		return node_err(r, node, "%s is an empty list", what);
	if (node->data.sequence.items.top - node->data.sequence.items.start > LIST_MAX)
		return node_err(r, node, "%s has more than %d items", what, LIST_MAX);
	for (yaml_node_item_t *i = node->data.sequence.items.start;
	     i < node->data.sequence.items.top; i++)
		if (fn(r, yaml_document_get_node(&r->doc, *i), into))
			return -1;
	return 0;
}

int
node_list_or_one(
    struct reader *r, yaml_node_t *node, const char *what, node_fn fn, void *into)
{
	if (node->type == YAML_SCALAR_NODE)
		return fn(r, node, into);
	if (node->type == YAML_MAPPING_NODE)
		return node_err(
		    r, node, "%s must be a value or a list, not a mapping", what);
	return node_list(r, node, what, fn, into);
}

int
node_bool(struct reader *r, yaml_node_t *node, const char *what, bool *ret)
{
	const char *text = node_text(r, node, what);

	if (!text)
		return -1;
	*ret = strcmp(text, "1") == 0 || strcmp(text, "true") == 0;
	if (*ret || strcmp(text, "0") == 0 || strcmp(text, "false") == 0)
		return 0;
	return node_err(
	    r, node, "%s: '%s' is not one of 1, 0, true, false", what, text);
}
