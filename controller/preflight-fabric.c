/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the fabric into a file of results that is read once and removed. */
#include "controller/preflight-fabric.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "controller/campaign.h"
#include "controller/expand/fabric.h"
#include "controller/fabric.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "lib/base/units.h"

#define LEASE_NS (UINT64_C(60) * UNITS_NS_PER_S)

/* The most that a client reached so far. */
static void
take_client(double *best, const struct tally *tally)
{
	for (int dir = 0; dir < DIR_COUNT; dir++) {
		double rate, iops;

		if (!tally_has(tally, dir))
			continue;
		results_client_rate(tally, dir, &rate, &iops);
		if (!isnan(rate) && (isnan(*best) || rate > *best))
			*best = rate;
	}
}

static void
take_case(const struct results_case *c, struct preflight_node *nodes, size_t n)
{
	enum transport transport;

	if (strcmp(c->storage, FABRIC_STORAGE) != 0 ||
	    !transport_parse(c->transport, &transport))
		return;
	for (vec_each(struct results_attempt *const *, it, &c->attempts)) {
		const struct attempt *attempt = &(*it)->attempt;

		if (attempt->state != ATTEMPT_VALID)
			continue;
		for (vec_each(const struct attempt_client *, client, &attempt->clients))
			for (size_t i = 0; i < n; i++)
				if (client->tally &&
				    strcmp(client->agent, nodes[i].name) == 0)
					take_client(
					    &nodes[i].baseline_bytes_per_s[transport],
					    client->tally);
	}
}

static int
take_results(
    struct store *store, struct preflight_node *nodes, size_t n, struct err *err)
{
	struct results_list list = {0};
	int rc = store_list(store, &list, err);

	for (size_t i = 0; rc == 0 && i < list.items.n; i++) {
		struct results_case c = {0};

		rc = store_load_case(
		    store, list.items.v[i].id, STORE_LATEST, true, &c, err);
		if (rc == 0)
			take_case(&c, nodes, n);
		results_case_free(&c);
	}
	results_list_free(&list);
	return rc;
}

static int
run_into(struct store *store, struct fleet *fleet, const struct plan *plan,
    const struct cases *cases, struct err *err)
{
	const struct store_run head = {.plan = plan->name,
	    .plan_text = plan->text,
	    .generator = "preflight",
	    .started_wall_ns = clock_wall_ns()};
	struct campaign_result result = {0};
	struct live *live = live_new(false, 1);
	const struct campaign campaign = {.plan = plan,
	    .cases = cases,
	    .fleet = fleet,
	    .store = store,
	    .live = live,
	    .seed = rng_entropy() >> 12,
	    .lease_ns = LEASE_NS};
	size_t position = 0;
	int rc = store_begin_run(store, &head, err);

	if (rc == 0)
		rc = fabric_run(&campaign, &result, &position, err);
	live_free(live);
	return rc;
}

int
preflight_fabric(struct fleet *fleet, const struct plan *plan,
    const struct cases *cases, struct preflight_node *nodes, struct err *err)
{
	const char *tmp = getenv("TMPDIR");
	int rc = -1;

	if (!plan->fabric.given)
		return 0;
	char *folder = mem_printf("%s/volley-preflight-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(folder)) {
		err_sys(err, errno, "a folder for the fabric's results in %s", folder);
		free(folder);
		return -1;
	}
	char *file = mem_printf("%s/results.db", folder);
	struct store *store = store_open(file, STORE_WRITE, err);
	if (store && run_into(store, fleet, plan, cases, err) == 0)
		rc = take_results(store, nodes, fleet_count(fleet), err);
	store_close(store);
	unlink(file);
	rmdir(folder);
	free(file);
	free(folder);
	return rc;
}
