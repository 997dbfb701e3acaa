/* SPDX-License-Identifier: Apache-2.0 */
/* A gate's checks as text, JSON, JUnit XML and GitHub annotations. */
#include <jansson.h>
#include <string.h>

#include "controller/analyze/finding.h"
#include "controller/analyze/gate.h"
#include "controller/report/report.h"
#include "controller/report/table.h"
#include "controller/store/jtext.h"

static void
count(const struct gate *gate, size_t ret[GATE_REGRESSION + 1])
{
	for (vec_each(const struct gate_check *, it, &gate->checks))
		ret[it->result]++;
}

static void
summary(const struct gate *gate, struct str *out)
{
	size_t n[GATE_REGRESSION + 1] = {0};

	count(gate, n);
	str_addf(out,
	    "%s: %zu passed, %zu regressed, %zu inconclusive, %zu not evaluated\n",
	    gate_result_name(gate_verdict(gate)), n[GATE_PASS], n[GATE_REGRESSION],
	    n[GATE_INCONCLUSIVE], n[GATE_SKIPPED]);
	if (n[GATE_PASS] + n[GATE_REGRESSION] + n[GATE_INCONCLUSIVE] == 0)
		str_add(out,
		    "nothing could be evaluated, and nothing can never pass: two or "
		    "more VALID repeats on both sides are needed\n");
}

static void
print_plain(const char *text, struct str *out)
{
	struct str plain = {0};

	plain_print(text, &plain);
	wrap_print(plain.s ? plain.s : "", 0, 4, REPORT_COLUMNS, out);
	str_free(&plain);
}

void
gate_text(const struct gate *gate, struct str *out)
{
	for (int result = GATE_REGRESSION; result > GATE_PASS; result--)
		for (vec_each(const struct gate_check *, it, &gate->checks)) {
			char *label, *line;

			if ((int)it->result != result)
				continue;
			label = cell_label(it->cell);
			line = mem_printf("%-13s %s: %s: %s",
			    gate_result_name(it->result), label, it->what, it->text);
			print_plain(line, out);
			free(line);
			free(label);
		}
	summary(gate, out);
}

void
gate_json(const struct gate *gate, const char *generator, struct str *out)
{
	json_t *checks = json_array(), *root;
	char *text;

	for (vec_each(const struct gate_check *, it, &gate->checks))
		json_array_append_new(checks,
		    json_pack("{s:o, s:o, s:o, s:o, s:i, s:s, s:s, s:o}", "storage",
			jtext(it->cell->storage), "workload", jtext(it->cell->workload),
			"axis", jtext(it->cell->axis[0] ? it->cell->axis : NULL),
			"transport", jtext(it->cell->transport), "clients",
			(int)it->cell->clients, "check", it->what, "result",
			gate_result_name(it->result), "text", jtext(it->text)));
	root = json_pack("{s:s, s:i, s:o, s:s, s:o}", "schema", "volley.gate",
	    "schema_version", 1, "generator", jtext(generator), "result",
	    gate_result_name(gate_verdict(gate)), "checks", checks);
	text = json_dumps(root, JSON_INDENT(1));
	str_addf(out, "%s\n", text);
	free(text);
	json_decref(root);
}

/* ---- JUnit ---- */

/* XML 1.0 has no control characters at all; plain_print takes them away. */
static void
xml(const char *text, struct str *out)
{
	static const struct {
		char c;
		const char *entity;
	} entities[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"},
	    {'\'', "&apos;"}};
	struct str plain = {0};

	plain_print(text, &plain);
	for (const char *p = plain.s ? plain.s : ""; *p; p++) {
		const char *entity = NULL;

		for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
			if (entities[i].c == *p)
				entity = entities[i].entity;
		if (entity)
			str_add(out, entity);
		else
			str_addc(out, *p);
	}
	str_free(&plain);
}

static void
junit_case(const struct gate_check *it, struct str *out)
{
	static const char *const elements[] = {[GATE_PASS] = NULL,
	    [GATE_SKIPPED] = "skipped",
	    [GATE_INCONCLUSIVE] = "error",
	    [GATE_REGRESSION] = "failure"};
	const char *element = elements[it->result];
	char *label = cell_label(it->cell);

	str_add(out, "  <testcase classname=\"");
	xml(label, out);
	str_add(out, "\" name=\"");
	xml(it->what, out);
	str_add(out, "\">\n");
	if (element) {
		str_addf(out, "    <%s message=\"", element);
		xml(it->text, out);
		str_add(out, "\"/>\n");
	} else {
		str_add(out, "    <system-out>");
		xml(it->text, out);
		str_add(out, "</system-out>\n");
	}
	str_add(out, "  </testcase>\n");
	free(label);
}

void
gate_junit(const struct gate *gate, struct str *out)
{
	size_t n[GATE_REGRESSION + 1] = {0};
	bool empty;

	count(gate, n);
	empty = n[GATE_PASS] + n[GATE_REGRESSION] + n[GATE_INCONCLUSIVE] == 0;
	str_addf(out,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<testsuite name=\"volley gate\" tests=\"%zu\" failures=\"%zu\" "
	    "errors=\"%zu\" "
	    "skipped=\"%zu\">\n",
	    gate->checks.n + empty, n[GATE_REGRESSION], n[GATE_INCONCLUSIVE] + empty,
	    n[GATE_SKIPPED]);
	for (vec_each(const struct gate_check *, it, &gate->checks))
		junit_case(it, out);
	if (empty)
		str_add(out,
		    "  <testcase classname=\"gate\" name=\"evaluated\">\n    <error "
		    "message=\"nothing could be evaluated\"/>\n  </testcase>\n");
	str_add(out, "</testsuite>\n");
}

/* ---- GitHub ---- */

static void
github(const char *text, bool property, struct str *out)
{
	const char *special = property ? "%\r\n:," : "%\r\n";

	for (; *text; text++)
		if (strchr(special, *text))
			str_addf(out, "%%%02X", (unsigned char)*text);
		else
			str_addc(out, *text);
}

void
gate_github(const struct gate *gate, struct str *out)
{
	static const char *const levels[] = {[GATE_PASS] = NULL,
	    [GATE_SKIPPED] = "notice",
	    [GATE_INCONCLUSIVE] = "warning",
	    [GATE_REGRESSION] = "error"};
	struct str all = {0};

	for (vec_each(const struct gate_check *, it, &gate->checks)) {
		char *label = cell_label(it->cell), *title;

		title = mem_printf(
		    "%s: %s %s", gate_result_name(it->result), label, it->what);
		if (levels[it->result]) {
			str_addf(out, "::%s title=", levels[it->result]);
			github(title, true, out);
			str_add(out, "::");
			github(it->text, false, out);
			str_addc(out, '\n');
		}
		free(title);
		free(label);
	}
	summary(gate, &all);
	str_addf(out, "::%s title=volley gate::",
	    gate_verdict(gate) == GATE_PASS ? "notice" : "error");
	all.s[all.len - 1] = '\0'; /* its last line break */
	github(all.s, false, out);
	str_addc(out, '\n');
	str_free(&all);
}
