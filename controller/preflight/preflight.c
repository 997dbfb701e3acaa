/* SPDX-License-Identifier: Apache-2.0 */
/* The table of checks, and what each line says. */
#include "controller/preflight/preflight.h"

#include <stdlib.h>
#include <string.h>

#include "controller/preflight/check.h"
#include "lib/base/mem.h"
#include "lib/work/job-net.h"

/* docs/preflight.md says what each looks at. */
static const struct {
	const char *name;
	check_fn *check;
} checks[] = {
    {"answer", check_answer},
    {"system", check_system},
    {"hardware", check_hardware},
    {"clock", check_clock},
    {"engines", check_engines},
    {"commands", check_commands},
    {"network", check_network},
    {"pcie", check_pcie},
    {"rdma-port", check_rdma_port},
    {"rdma-same", check_rdma_same},
    {"gid", check_gid},
    {"path-mtu", check_path_mtu},
    {"lossless", check_lossless},
    {"mount", check_mount},
    {"mount-same", check_mount_same},
    {"direct", check_direct},
    {"shared", check_shared},
    {"space", check_space},
    {"baseline", check_baseline},
};

#define CHECKS (sizeof checks / sizeof checks[0])

const char *
preflight_verdict_name(enum preflight_verdict verdict)
{
	static const char *const names[] = {
	    [PREFLIGHT_PASS] = "pass",
	    [PREFLIGHT_UNKNOWN] = "unknown",
	    [PREFLIGHT_WARN] = "warn",
	    [PREFLIGHT_FAIL] = "fail",
	};

	return names[verdict];
}

void
line_say(
    struct preflight_line *line, enum preflight_verdict verdict, const char *fmt, ...)
{
	va_list ap;

	if (verdict < line->verdict)
		return;
	va_start(ap, fmt);
	char *text = mem_vprintf(fmt, ap), *all = text;
	va_end(ap);
	/* Said once is enough: tcp and rdma may be one path. */
	if (verdict == line->verdict && line->text && strstr(line->text, text)) {
		free(text);
		return;
	}
	if (verdict == line->verdict && line->text) {
		all = mem_printf("%s; %s", line->text, text);
		free(text);
	}
	free(line->text);
	line->text = all;
	line->verdict = verdict;
}

bool
place_next(const struct plan *plan, struct plan_place *place)
{
	const struct plan_storage *storage =
	    place->storage ? place->storage : plan->storages.v;
	int t = place->storage ? (int)place->transport + 1 : 0;

	for (; storage < plan->storages.v + plan->storages.n; storage++, t = 0)
		for (; t < TRANSPORT_COUNT; t++)
			if (storage->paths[t].path &&
			    !net_url_is(storage->paths[t].path) &&
			    plan_has(plan, (enum transport)t)) {
				*place = (struct plan_place){
				    storage, (enum transport)t, &storage->paths[t]};
				return true;
			}
	return false;
}

bool
place_is_own(const struct plan_path *path, enum transport transport)
{
	return transport == TRANSPORT_LOCAL || strstr(path->path, PLAN_CLIENT);
}

bool
plan_has(const struct plan *plan, enum transport transport)
{
	for (vec_each(const enum transport *, t, &plan->transports))
		if (*t == transport)
			return true;
	return false;
}

/* A node that told nothing is the matter of the first check only. */
static void
run_check(const struct preflight_input *input, size_t check, size_t node,
    struct preflight *ret)
{
	struct preflight_line line = {checks[check].name, node, PREFLIGHT_PASS, NULL};

	if (input->nodes[node].facts || checks[check].check == check_answer)
		checks[check].check(input, node, &line);
	else
		line_say(&line, PREFLIGHT_UNKNOWN, "it did not tell about itself");
	if (!line.text)
		line.text = mem_strdup("nothing to look at");
	if (line.verdict > ret->worst)
		ret->worst = line.verdict;
	vec_push(&ret->lines, line);
}

void
preflight_run(const struct preflight_input *input, struct preflight *ret)
{
	*ret = (struct preflight){0};
	for (size_t i = 0; i < CHECKS; i++)
		for (size_t node = 0; node < input->n; node++)
			run_check(input, i, node, ret);
}

void
preflight_free(struct preflight *preflight)
{
	for (vec_each(struct preflight_line *, line, &preflight->lines))
		free(line->text);
	vec_free(&preflight->lines);
}
