/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of the node itself: does it answer, what runs there, its clock, its engines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "controller/preflight/check.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"

void
check_answer(
    const struct preflight_input *input, size_t node, struct preflight_line *line)
{
	const struct facts *facts = input->nodes[node].facts;

	if (!facts)
		line_say(line, PREFLIGHT_FAIL, "it did not tell about itself");
	else
		line_say(line, PREFLIGHT_PASS, "%s",
		    facts->version ? facts->version : "of an unknown version");
}

/* ---- the same everywhere ---- */

static char *
get_os(const struct facts *facts, const void *arg)
{
	(void)arg;
	return mem_strdup(facts->os);
}

static char *
get_kernel(const struct facts *facts, const void *arg)
{
	(void)arg;
	return mem_strdup(facts->kernel);
}

static char *
get_version(const struct facts *facts, const void *arg)
{
	(void)arg;
	return mem_strdup(facts->version);
}

void
check_system(
    const struct preflight_input *input, size_t node, struct preflight_line *line)
{
	same_check(input, node, line, PREFLIGHT_WARN, "system", get_os, NULL);
	same_check(input, node, line, PREFLIGHT_WARN, "kernel", get_kernel, NULL);
	same_check(input, node, line, PREFLIGHT_WARN, "agent", get_version, NULL);
}

static char *
get_cpu(const struct facts *facts, const void *arg)
{
	(void)arg;
	return facts->cpus > 0 ? mem_printf("%lld × %s", (long long)facts->cpus,
				     facts->cpu_model ? facts->cpu_model : "unknown")
			       : NULL;
}

static char *
get_memory(const struct facts *facts, const void *arg)
{
	char buf[UNITS_BUF];

	(void)arg;
	/* Rounded: firmware takes a little more here and there. */
	return facts->memory_bytes > 0
		   ? mem_strdup(units_bytes(
			 buf, round((double)facts->memory_bytes / 0x1p30) * 0x1p30))
		   : NULL;
}

static char *
get_gpus(const struct facts *facts, const void *arg)
{
	const struct facts_thing *first = facts_next(facts, "gpu", NULL);
	size_t n = 0;

	(void)arg;
	for (facts_each(gpu, facts, "gpu"))
		n += gpu != NULL;
	return n ? mem_printf("%zu × %s", n, facts_text(first, "model"))
		 : mem_strdup("none");
}

void
check_hardware(
    const struct preflight_input *input, size_t node, struct preflight_line *line)
{
	const struct facts_thing *system =
	    facts_find(input->nodes[node].facts, "host", "system");
	const char *governor = facts_text(system, "governor");

	same_check(input, node, line, PREFLIGHT_WARN, "CPUs", get_cpu, NULL);
	same_check(input, node, line, PREFLIGHT_WARN, "memory", get_memory, NULL);
	same_check(input, node, line, PREFLIGHT_WARN, "GPUs", get_gpus, NULL);
	if (governor && strcmp(governor, "performance") != 0)
		line_say(
		    line, PREFLIGHT_WARN, "CPU governor %s, not performance", governor);
}

/* ---- what the plan needs of it ---- */

void
check_clock(
    const struct preflight_input *input, size_t node, struct preflight_line *line)
{
	const struct offset *offset = &input->nodes[node].offset;
	uint64_t least = UINT64_MAX;
	char bound[UNITS_BUF], limit[UNITS_BUF];

	for (vec_each(const struct plan_case *, c, &input->cases->cases)) {
		uint64_t skew = case_max_skew_ns(input->plan, c);
		least = skew < least ? skew : least;
	}
	if (!offset->valid)
		line_say(line, PREFLIGHT_UNKNOWN, "its clock could not be compared");
	else
		line_say(line,
		    offset->bound_ns <= least ? PREFLIGHT_PASS : PREFLIGHT_FAIL,
		    "known to ± %s; starts may be %s apart",
		    units_ns(bound, (double)offset->bound_ns),
		    units_ns(limit, (double)least));
}

/* "io_uring: not built (…)" → "not built (…)"; "" when it is there, NULL when not. */
static const char *
engine_state(const struct facts *facts, const char *name)
{
	size_t len = strlen(name);

	for (vec_each(char *const *, it, &facts->engines))
		if (strncmp(*it, name, len) == 0 && (!(*it)[len] || (*it)[len] == ':'))
			return (*it)[len] ? *it + len + 2 : "";
	return NULL;
}

static void
need_engine(const struct facts *facts, const char *name, struct preflight_line *line)
{
	const char *state = engine_state(facts, name);

	if (!state)
		line_say(line, PREFLIGHT_FAIL, "it has no engine %s", name);
	else if (*state)
		line_say(line, PREFLIGHT_FAIL, "%s: %s", name, state);
}

void
check_engines(
    const struct preflight_input *input, size_t node, struct preflight_line *line)
{
	VEC(const char *) names = {0};

	for (vec_each(const struct plan_case *, c, &input->cases->cases))
		for (vec_each(const struct case_part *, part, &c->parts)) {
			size_t i = 0;
			while (
			    i < names.n && strcmp(names.v[i], part->job.ioengine) != 0)
				i++;
			if (i == names.n)
				vec_push(&names, part->job.ioengine);
		}
	for (size_t i = 0; i < names.n; i++)
		need_engine(input->nodes[node].facts, names.v[i], line);
	for (size_t i = 0; i < names.n && line->verdict == PREFLIGHT_PASS; i++)
		line_say(line, PREFLIGHT_PASS, "%s", names.v[i]);
	vec_free(&names);
}

void
check_commands(
    const struct preflight_input *input, size_t node, struct preflight_line *line)
{
	const struct facts_thing *agent =
	    facts_find(input->nodes[node].facts, "host", "agent");
	bool wanted = false;

	for (vec_each(const struct plan_storage *, storage, &input->plan->storages))
		wanted = wanted || plan_storage_is_staged(storage);
	if (!wanted)
		line_say(line, PREFLIGHT_PASS, "the plan has no commands");
	else if (facts_number(agent, "allow_exec") == 1)
		line_say(line, PREFLIGHT_PASS, "allowed");
	else
		line_say(line, PREFLIGHT_FAIL,
		    "the plan has setup or teardown commands, and this agent was "
		    "started without --allow-exec");
}

static int
by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Of all nodes that were measured. */
static double
median_baseline(const struct preflight_input *input, enum transport transport)
{
	VEC(double) rates = {0};
	double median = NAN;

	for (size_t i = 0; i < input->n; i++)
		if (!isnan(input->nodes[i].baseline_bytes_per_s[transport]))
			vec_push(
			    &rates, input->nodes[i].baseline_bytes_per_s[transport]);
	if (rates.n) {
		qsort(rates.v, rates.n, sizeof *rates.v, by_value);
		median = (rates.v[(rates.n - 1) / 2] + rates.v[rates.n / 2]) / 2;
	}
	vec_free(&rates);
	return median;
}

/* A node this far below its peers has a bad cable, the wrong NUMA node, half its lanes. */
#define LEAST_SHARE 0.8

void
check_baseline(
    const struct preflight_input *input, size_t node, struct preflight_line *line)
{
	char rate[UNITS_BUF], of_all[UNITS_BUF];

	for (vec_each(const enum transport *, t, &input->plan->transports)) {
		double measured = input->nodes[node].baseline_bytes_per_s[*t];
		double median = median_baseline(input, *t);

		if (*t == TRANSPORT_LOCAL)
			continue;
		if (isnan(measured))
			line_say(line, PREFLIGHT_UNKNOWN, "%s was not measured",
			    transport_name(*t));
		else
			line_say(line,
			    measured < LEAST_SHARE * median ? PREFLIGHT_WARN
							    : PREFLIGHT_PASS,
			    "%s %s, median of the nodes %s", transport_name(*t),
			    units_bytes_per_s(rate, measured),
			    units_bytes_per_s(of_all, median));
	}
	if (!line->text)
		line_say(line, PREFLIGHT_PASS, "the plan uses no network");
}
