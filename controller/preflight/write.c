/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts for people and for programs. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "controller/preflight/preflight.h"
#include "controller/store/jtext.h"

static size_t
count(const struct preflight *preflight, enum preflight_verdict verdict)
{
	size_t n = 0;

	for (vec_each(const struct preflight_line *, line, &preflight->lines))
		n += line->verdict == verdict;
	return n;
}

static void
add_line(const char *node, const struct preflight_line *line, struct str *ret)
{
	str_addf(ret, "%-8s%-12s%s: %s\n", preflight_verdict_name(line->verdict),
	    line->check, node, line->text);
}

/* Lines come check by check: n of each. */
static bool
all_say_the_same(const struct preflight_line *lines, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (lines[i].verdict != lines[0].verdict ||
		    strcmp(lines[i].text, lines[0].text) != 0)
			return false;
	return n > 1;
}

static bool
all_pass(const struct preflight_line *lines, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (lines[i].verdict != PREFLIGHT_PASS)
			return false;
	return n > 1;
}

void
preflight_text(const struct preflight *preflight, const struct preflight_input *input,
    struct str *ret)
{
	for (size_t at = 0; at < preflight->lines.n; at += input->n) {
		const struct preflight_line *lines = &preflight->lines.v[at];

		if (all_say_the_same(lines, input->n)) {
			add_line("all nodes", lines, ret);
		} else if (all_pass(lines, input->n)) {
			str_addf(ret, "%-8s%-12sall nodes\n", "pass", lines->check);
		} else {
			for (size_t i = 0; i < input->n; i++)
				add_line(
				    input->nodes[lines[i].node].name, &lines[i], ret);
		}
	}
	str_addf(ret, "%zu nodes: %zu pass, %zu warn, %zu fail, %zu unknown: %s\n",
	    input->n, count(preflight, PREFLIGHT_PASS),
	    count(preflight, PREFLIGHT_WARN), count(preflight, PREFLIGHT_FAIL),
	    count(preflight, PREFLIGHT_UNKNOWN),
	    preflight->worst == PREFLIGHT_FAIL ? "do not go on" : "go on");
}

void
preflight_json(const struct preflight *preflight, const struct preflight_input *input,
    struct str *ret)
{
	json_t *root = json_object(), *list = json_array();

	for (vec_each(const struct preflight_line *, line, &preflight->lines)) {
		json_t *one = json_object();

		json_object_set_new(one, "check", json_string(line->check));
		json_object_set_new(one, "agent", jtext(input->nodes[line->node].name));
		json_object_set_new(
		    one, "verdict", json_string(preflight_verdict_name(line->verdict)));
		json_object_set_new(one, "text", jtext(line->text));
		json_array_append_new(list, one);
	}
	json_object_set_new(root, "schema", json_string("volley.preflight"));
	json_object_set_new(root, "schema_version", json_integer(1));
	json_object_set_new(root, "plan", jtext(input->plan->name));
	json_object_set_new(root, "nodes", json_integer((json_int_t)input->n));
	json_object_set_new(
	    root, "verdict", json_string(preflight_verdict_name(preflight->worst)));
	json_object_set_new(
	    root, "go_on", json_boolean(preflight->worst != PREFLIGHT_FAIL));
	json_object_set_new(root, "lines", list);
	char *text = json_dumps(root, JSON_INDENT(1));
	str_addf(ret, "%s\n", text);
	free(text);
	json_decref(root);
}
