/* SPDX-License-Identifier: Apache-2.0 */
/* The odd one out: what a node has, beside what most nodes have. */
#include <stdlib.h>
#include <string.h>

#include "controller/preflight/check.h"
#include "lib/base/mem.h"

struct votes {
	char **values; /* by node; NULL: unknown */
	size_t n, known;
	const char *most; /* what most have; NULL: there is a draw */
	size_t most_count;
};

static size_t
count_of(const struct votes *votes, const char *value)
{
	size_t n = 0;

	for (size_t i = 0; i < votes->n; i++)
		n += votes->values[i] && strcmp(votes->values[i], value) == 0;
	return n;
}

static void
votes_count(struct votes *votes)
{
	for (size_t i = 0; i < votes->n; i++) {
		const char *value = votes->values[i];
		size_t count = value ? count_of(votes, value) : 0;

		votes->known += value != NULL;
		if (count > votes->most_count) {
			votes->most = value;
			votes->most_count = count;
		} else if (count && count == votes->most_count && votes->most &&
			   strcmp(value, votes->most) != 0) {
			votes->most = NULL;
		}
	}
}

/* Somebody who has another value than this node. */
static size_t
other_than(const struct votes *votes, size_t node)
{
	for (size_t i = 0; i < votes->n; i++)
		if (votes->values[i] &&
		    strcmp(votes->values[i], votes->values[node]) != 0)
			return i;
	return votes->n;
}

static void
votes_judge(const struct votes *votes, const struct preflight_input *input, size_t node,
    struct preflight_line *line, enum preflight_verdict verdict, const char *what)
{
	const char *mine = votes->values[node];

	if (!mine) {
		if (votes->known)
			line_say(line, PREFLIGHT_UNKNOWN, "%s is unknown here", what);
		return;
	}
	if (votes->most && strcmp(mine, votes->most) != 0) {
		line_say(line, verdict, "%s is %s here, %s on %zu other%s", what, mine,
		    votes->most, votes->most_count, votes->most_count == 1 ? "" : "s");
	} else if (!votes->most) {
		size_t other = other_than(votes, node);
		line_say(line, verdict, "%s is %s here, %s on %s", what, mine,
		    votes->values[other], input->nodes[other].name);
	} else {
		line_say(line, PREFLIGHT_PASS, "%s %s", what, mine);
	}
}

void
same_check(const struct preflight_input *input, size_t node,
    struct preflight_line *line, enum preflight_verdict verdict, const char *what,
    same_fn *get, const void *arg)
{
	struct votes votes = {.n = input->n};

	votes.values = mem_array(input->n, sizeof *votes.values);
	for (size_t i = 0; i < input->n; i++)
		if (input->nodes[i].facts)
			votes.values[i] = get(input->nodes[i].facts, arg);
	votes_count(&votes);
	votes_judge(&votes, input, node, line, verdict, what);
	for (size_t i = 0; i < input->n; i++)
		free(votes.values[i]);
	free(votes.values);
}

/* ---- things by their names ---- */

struct attr_of {
	const char *kind, *name, *attr;
};

static char *
get_attr(const struct facts *facts, const void *arg)
{
	const struct attr_of *of = arg;
	const struct facts_thing *thing = facts_find(facts, of->kind, of->name);
	const char *text = facts_text(thing, of->attr);
	int64_t number = facts_number(thing, of->attr);

	if (text)
		return mem_strdup(text);
	return number >= 0 ? mem_printf("%lld", (long long)number) : NULL;
}

static size_t
count_having(const struct preflight_input *input, const char *kind, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < input->n; i++)
		n += input->nodes[i].facts &&
		     facts_find(input->nodes[i].facts, kind, name);
	return n;
}

static void
compare_thing(const struct preflight_input *input, size_t node,
    struct preflight_line *line, const struct facts_thing *thing,
    const struct same_rule *rules)
{
	for (const struct same_rule *rule = rules; rule->attr; rule++) {
		struct attr_of of = {thing->kind, thing->name, rule->attr};
		char *what = mem_printf("%s of %s", rule->attr, thing->name);

		same_check(input, node, line, rule->verdict, what, get_attr, &of);
		free(what);
	}
}

/* Is there one of this name on a node before `node`? */
static bool
seen_before(
    const struct preflight_input *input, size_t node, const struct facts_thing *thing)
{
	for (size_t i = 0; i < node; i++)
		if (input->nodes[i].facts &&
		    facts_find(input->nodes[i].facts, thing->kind, thing->name))
			return true;
	return false;
}

/* What most nodes have and this one has not. */
static void
find_missing(const struct preflight_input *input, size_t node,
    struct preflight_line *line, const char *kind, skip_fn *skip)
{
	for (size_t i = 0; i < input->n; i++) {
		if (!input->nodes[i].facts)
			continue;
		for (facts_each(thing, input->nodes[i].facts, kind)) {
			size_t having = count_having(input, kind, thing->name);
			if ((skip && skip(thing)) || having * 2 <= input->n ||
			    seen_before(input, i, thing) ||
			    facts_find(input->nodes[node].facts, kind, thing->name))
				continue;
			line_say(line, PREFLIGHT_WARN, "no %s here, as %zu others have",
			    thing->name, having);
		}
	}
}

void
same_things(const struct preflight_input *input, size_t node,
    struct preflight_line *line, const char *kind, const struct same_rule *rules,
    skip_fn *skip)
{
	for (facts_each(thing, input->nodes[node].facts, kind))
		if ((!skip || !skip(thing)) &&
		    count_having(input, kind, thing->name) * 2 > input->n)
			compare_thing(input, node, line, thing, rules);
	find_missing(input, node, line, kind, skip);
}
