/* SPDX-License-Identifier: Apache-2.0 */
/* Targets on all agents, and the patterns over them, transport by transport. */
#include "controller/fabric.h"

#include <stdlib.h>
#include <string.h>

#include "controller/expand/fabric.h"
#include "lib/base/mem.h"
#include "lib/base/secret.h"
#include "lib/base/str.h"

struct fabric {
	const struct campaign *campaign;
	const struct plan_fabric *plan;
	struct campaign_result *result;
	size_t *position;
	unsigned agents;
	char *secret;
	/* Of the case at hand: */
	enum fabric_pattern pattern;
};

static void
say(const struct fabric *fabric, const char *text)
{
	live_note(fabric->campaign->live, text);
}

/* Where others reach an agent: as the plan says, or as we do. */
static char *
host_of(const struct fabric *fabric, unsigned agent)
{
	const char *name = fleet_name(fabric->campaign->fleet, agent);

	for (vec_each(const struct plan_fact *, it, &fabric->plan->addresses))
		if (strcmp(it->name, name) == 0)
			return mem_strdup(it->value);
	return fleet_host(fabric->campaign->fleet, agent);
}

/* An address of nobody's and an agent without one: a name is misspelt, and the fabric
 * would be measured over another network than the plan says. */
static int
check_addresses(const struct fabric *fabric, struct err *err)
{
	const struct fleet *fleet = fabric->campaign->fleet;
	const struct plan_fact *strange = NULL;
	const char *without = NULL;

	for (vec_each(const struct plan_fact *, it, &fabric->plan->addresses)) {
		bool known = false;

		for (size_t i = 0; i < fleet_count(fleet); i++)
			known = known || strcmp(it->name, fleet_name(fleet, i)) == 0;
		if (!known && !strange)
			strange = it;
	}
	for (unsigned i = 0; strange && i < fabric->agents; i++) {
		bool named = false;

		for (vec_each(const struct plan_fact *, it, &fabric->plan->addresses))
			named = named || strcmp(it->name, fleet_name(fleet, i)) == 0;
		if (!named && !without)
			without = fleet_name(fleet, i);
	}
	if (!without)
		return 0;
	return err_set(err, ERR_USAGE,
	    "fabric: addresses: no agent is called '%s', and %s has no address",
	    strange->name, without);
}

/* Each client gets the address of its own target. */
static void
point(void *arg, struct shares *shares)
{
	const struct fabric *fabric = arg;

	for (size_t i = 0; i < shares->njobs; i++) {
		struct job_net *net = &shares->jobs[i].job.net;
		unsigned target = fabric_target(
		    fabric->pattern, fabric->agents, shares->jobs[i].client_index);

		free(net->hostname);
		net->hostname = host_of(fabric, target);
		net->port = fleet_target_port(fabric->campaign->fleet, target);
	}
}

static int
run_case(struct fabric *fabric, enum transport transport, enum dir dir, struct err *err)
{
	const struct campaign_aim aim = {point, fabric, fabric->secret};
	struct plan_case c;
	int rc;

	fabric_case(
	    &c, fabric->plan, fabric->pattern, transport, dir, fabric->agents);
	rc = campaign_put_case(fabric->campaign, &c, err);
	for (unsigned repeat = 1; rc == 0 && repeat <= fabric->plan->repeat; repeat++)
		rc = campaign_run_case(fabric->campaign, &c, repeat, &aim,
		    (unsigned)++*fabric->position, fabric->result, err);
	fabric_case_free(&c);
	return rc;
}

static int
run_patterns(struct fabric *fabric, enum transport transport, struct err *err)
{
	int rc = 0;

	for (int p = 0; rc == 0 && p < FABRIC_PATTERNS; p++)
		for (int dir = 0; rc == 0 && dir < DIR_COUNT; dir++) {
			fabric->pattern = (enum fabric_pattern)p;
			if (fabric->plan->patterns[p] && fabric->plan->dirs[dir])
				rc = run_case(fabric, transport, (enum dir)dir, err);
		}
	return rc;
}

static int
run_transport(struct fabric *fabric, enum transport transport, struct err *err)
{
	struct fleet *fleet = fabric->campaign->fleet;
	const struct target_request request = {.export = FABRIC_EXPORT,
	    .key = fabric->secret,
	    .bytes = fabric_bytes(fabric->plan),
	    .rdma = transport == TRANSPORT_RDMA};
	int rc;

	if (fleet_start_targets(fleet, fabric->agents, &request, err) < 0) {
		char *line;

		if (err->code == ERR_CANCELLED)
			return -1;
		line = mem_printf("fabric %s: left out: %s", transport_name(transport),
		    err->msg);
		say(fabric, line);
		free(line);
		*err = ERR_INIT;
		return 0;
	}
	rc = run_patterns(fabric, transport, err);
	fleet_stop_targets(fleet);
	return rc;
}

/* Without a word of the fabric's own: the transports of the storages. */
static bool
wants(const struct plan *plan, enum transport transport)
{
	bool own = false;

	for (int t = 0; t < TRANSPORT_COUNT; t++)
		own = own || plan->fabric.transports[t];
	if (own || transport == TRANSPORT_LOCAL)
		return plan->fabric.transports[transport];
	for (vec_each(const enum transport *, it, &plan->transports))
		if (*it == transport)
			return true;
	return false;
}

int
fabric_run(const struct campaign *campaign, struct campaign_result *result,
    size_t *position, struct err *err)
{
	const struct plan_fabric *plan = &campaign->plan->fabric;
	struct fabric fabric = {.campaign = campaign,
	    .plan = plan,
	    .result = result,
	    .position = position,
	    .agents = (unsigned)fleet_count(campaign->fleet)};
	bool any = false;
	int rc;

	if (!plan->given || campaign->no_fabric)
		return 0;
	if (plan->clients && plan->clients < fabric.agents)
		fabric.agents = plan->clients;
	if (fabric.agents < 2) {
		say(&fabric, "fabric: left out: it takes two agents");
		return 0;
	}
	for (int t = 0; t < TRANSPORT_COUNT; t++)
		any = any || wants(campaign->plan, (enum transport)t);
	if (!any) {
		say(&fabric, "fabric: left out: the plan measures no transport but local, "
			     "and fabric: {transports: ...} names none");
		return 0;
	}
	if (check_addresses(&fabric, err))
		return -1;
	rc = secret_new(&fabric.secret, err);
	for (int t = 0; rc == 0 && t < TRANSPORT_COUNT; t++)
		if (wants(campaign->plan, (enum transport)t))
			rc = run_transport(&fabric, (enum transport)t, err);
	secret_free(fabric.secret);
	return rc;
}
