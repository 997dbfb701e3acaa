/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of an anonymised copy, written anew from what the analysis asks a plan. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "controller/anonymise/cover.h"
#include "controller/plan/plan.h"

static void
add_links(struct str *out, const char *indent, const struct plan_links *links)
{
	if (links->bits_per_s == 0)
		return;
	str_addf(out, "%slinks: {count: %u, speed: %" PRIu64 "M", indent,
	    links->count ? links->count : 1, links->bits_per_s / 1000000);
	if (links->mtu)
		str_addf(out, ", mtu: %u", links->mtu);
	str_add(out, "}\n");
}

static void
add_storage(
    const struct cover *cover, const struct plan_storage *storage, struct str *out)
{
	char *name = cover_name(cover, ALIAS_STORAGE, storage->name);

	str_addf(out, "  - name: %s\n    paths:\n", name);
	for (int i = 0; i < TRANSPORT_COUNT; i++) {
		if (!storage->paths[i].path)
			continue;
		str_addf(out, "      %s:\n        path: /storage\n",
		    transport_name((enum transport)i));
		add_links(out, "        ", &storage->paths[i].links);
	}
	add_links(out, "    ", &storage->links);
	if (storage->has_cache)
		str_addf(
		    out, "    facts: {cache: %" PRIu64 "}\n", storage->cache_bytes);
	free(name);
}

char *
cover_plan(const struct cover *cover, const char *plan_text)
{
	struct plan *plan =
	    plan_text ? plan_parse("plan", plan_text, strlen(plan_text), NULL) : NULL;
	struct str out = {0};

	if (!plan)
		return mem_strdup("");
	str_add(&out, "plan: anonymised\nstorage:\n");
	for (vec_each(const struct plan_storage *, it, &plan->storages))
		add_storage(cover, it, &out);
	if (plan->client_links.bits_per_s || plan->has_client_memory)
		str_add(&out, "client:\n");
	add_links(&out, "  ", &plan->client_links);
	if (plan->has_client_memory)
		str_addf(&out, "  memory: %" PRIu64 "\n", plan->client_memory);
	if (plan->thresholds.n)
		str_add(&out, "thresholds:\n");
	for (vec_each(const struct plan_threshold *, it, &plan->thresholds)) {
		size_t len = strcspn(it->text, "=");

		str_addf(&out, "  %.*s: %s\n", (int)len, it->text, it->text + len + 1);
	}
	str_add(&out, "workloads:\n  - {name: none, rw: read, size: 1M}\n");
	plan_free(plan);
	return str_take(&out);
}
