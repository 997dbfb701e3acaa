/* SPDX-License-Identifier: Apache-2.0 */
/* Targets that members serve, for the fabric between them. */
#include "controller/fleet/fleet-impl.h"

#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/units.h"

#define TARGETS_NS (UINT64_C(40) * UNITS_NS_PER_S)

static int
first_failure(const struct fleet *fleet, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		const struct member *member = fleet->members.v[i];

		if (member->target_port)
			continue;
		if (member->target_err.code == ERR_NONE)
			return err_set(err, member->up ? ERR_TIMEOUT : ERR_UNREACHABLE,
			    "%s: no answer", member->label);
		*err = member->target_err;
		return err_prefix(err, "%s", member->label);
	}
	return 0;
}

int
fleet_start_targets(struct fleet *fleet, size_t n, const struct target_request *request,
    struct err *err)
{
	int rc;

	fleet_stop_targets(fleet);
	fleet_open_question(fleet, n);
	for (size_t i = 0; i < n; i++) {
		struct member *member = fleet->members.v[i];

		member->target_err = ERR_INIT;
		agent_link_target(member->link, request);
	}
	fleet_loop(fleet, TARGETS_NS);
	fleet->waiting = 0;
	rc = fleet->interrupted ? err_set(err, ERR_CANCELLED, "interrupted")
				: first_failure(fleet, n, err);
	if (rc < 0)
		fleet_stop_targets(fleet);
	return rc;
}

void
fleet_stop_targets(struct fleet *fleet)
{
	for (vec_each(struct member **, it, &fleet->members)) {
		agent_link_end_target((*it)->link);
		(*it)->target_port = 0;
	}
}

unsigned
fleet_target_port(const struct fleet *fleet, size_t index)
{
	return fleet->members.v[index]->target_port;
}

/* "203.0.113.5:7411", "[2001:db8::1]:7411"; a socketpair has no address. */
char *
fleet_host(const struct fleet *fleet, size_t index)
{
	const char *address = fleet_address(fleet, index);
	const char *colon = strrchr(address, ':');

	if (fleet->config.local || !colon)
		return mem_strdup("127.0.0.1");
	if (*address == '[')
		return mem_strndup(address + 1, strcspn(address + 1, "]"));
	return mem_strndup(address, (size_t)(colon - address));
}
