/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tokens go round in four steps: the first agent writes them (each agent its own where a
 * path is local), all others look for them, the first one looks too and removes them, and
 * so do the others with the local ones.  What was made is removed even after Ctrl-C.
 */
#include "controller/preflight-ask.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/preflight-fabric.h"
#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "lib/work/job-net.h"

struct places {
	VEC(const char *) all, local;
	char token[33];
};

static void
add_once(struct places *places, const char *path, bool local)
{
	bool known = false;

	for (size_t i = 0; i < places->all.n; i++)
		known = known || strcmp(places->all.v[i], path) == 0;
	if (known)
		return;
	vec_push(&places->all, path);
	if (local)
		vec_push(&places->local, path);
}

/* A path that a plan's own commands mount is not there yet. */
static void
find_places(struct places *places, const struct plan *plan)
{
	for (vec_each(const struct plan_storage *, storage, &plan->storages))
		for (vec_each(const enum transport *, t, &plan->transports))
			if (storage->paths[*t].path &&
			    !plan_storage_is_staged(storage) &&
			    !net_url_is(storage->paths[*t].path))
				add_once(places, storage->paths[*t].path,
				    place_is_own(&storage->paths[*t], *t));
	snprintf(places->token, sizeof places->token, "%016" PRIx64 "%016" PRIx64,
	    rng_entropy(), rng_entropy());
}

static void
ask(struct fleet *fleet, bool first, const struct places *places, bool only_local,
    enum facts_touch touch)
{
	const struct facts_question question = {
	    .paths = only_local ? places->local.v : places->all.v,
	    .n = only_local ? places->local.n : places->all.n,
	    .touch = touch,
	    .token = places->token};
	size_t from = first ? 0 : 1, n = first ? 1 : fleet_count(fleet) - 1;

	if (n && question.n)
		fleet_ask(fleet, from, n, &question);
}

/* What the nodes said in the step that counts for each. */
static void
ask_all(struct fleet *fleet, const struct places *places, struct facts **ret)
{
	ask(fleet, true, places, false, FACTS_WRITE);
	ask(fleet, false, places, true, FACTS_WRITE);
	ask(fleet, false, places, false, FACTS_READ);
	for (size_t i = 1; i < fleet_count(fleet); i++)
		ret[i] = fleet_take_facts(fleet, i);
	ask(fleet, true, places, false, FACTS_REMOVE);
	ret[0] = fleet_take_facts(fleet, 0);
	ask(fleet, false, places, true, FACTS_REMOVE);
}

/* Who they are, before anything is known of them. */
static void
name_nodes(const struct fleet *fleet, struct preflight_node *ret)
{
	for (size_t i = 0; i < fleet_count(fleet); i++) {
		ret[i].name = fleet_name(fleet, i);
		for (int t = 0; t < TRANSPORT_COUNT; t++)
			ret[i].baseline_bytes_per_s[t] = NAN;
	}
}

enum preflight_verdict
preflight_ask(struct fleet *fleet, const struct plan *plan, const struct cases *cases,
    bool json, struct str *ret, fleet_problem_fn *problem, void *arg)
{
	size_t n = fleet_count(fleet);
	struct facts **facts = mem_array(n, sizeof *facts);
	struct preflight_node *nodes = mem_array(n, sizeof *nodes);
	struct preflight_input input = {plan, cases, nodes, n};
	struct places places = {0};
	struct preflight preflight;
	struct err err = ERR_INIT;

	find_places(&places, plan);
	name_nodes(fleet, nodes);
	fleet_ask_facts(fleet, places.all.v, places.all.n);
	if (preflight_fabric(fleet, plan, cases, nodes, &err) < 0)
		problem(arg, "fabric", &err);
	ask_all(fleet, &places, facts);
	fleet_ask_offsets(fleet);
	for (size_t i = 0; i < n; i++) {
		nodes[i].facts = facts[i];
		nodes[i].offset = fleet_offset(fleet, i);
	}
	preflight_run(&input, &preflight);
	(json ? preflight_json : preflight_text)(&preflight, &input, ret);
	enum preflight_verdict worst = preflight.worst;
	preflight_free(&preflight);
	for (size_t i = 0; i < n; i++)
		facts_free(facts[i]);
	vec_free(&places.all);
	vec_free(&places.local);
	free(facts);
	free(nodes);
	return worst;
}
