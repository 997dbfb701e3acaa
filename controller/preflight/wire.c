/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of the network: cards, PCIe, and RDMA over them.  The intended netdev of a path
 * is the one that the route to its server takes; where that is unknown, any will do.
 */
#include <stdlib.h>
#include <string.h>

#include "controller/preflight/check.h"
#include "controller/preflight/require.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"

/* ---- cards ---- */

/* What is down, or within the host, carries nothing of the plan. */
static bool
is_idle(const struct facts_thing *nic)
{
	const char *state = facts_text(nic, "state");

	return strcmp(nic->name, "lo") == 0 || (state && strcmp(state, "down") == 0);
}

static void
check_declared(const struct plan_links *links, const struct facts_thing *nic,
    struct preflight_line *line)
{
	int64_t mtu = facts_number(nic, "mtu"), speed = facts_number(nic, "speed_mbps");
	int64_t wanted = (int64_t)(links->bits_per_s / 1000000);

	if (links->mtu && mtu >= 0 && mtu != links->mtu)
		line_say(line, PREFLIGHT_FAIL, "mtu of %s is %lld, the plan says %u",
		    nic->name, (long long)mtu, links->mtu);
	if (wanted && speed >= 0 && speed < wanted)
		line_say(line, PREFLIGHT_FAIL,
		    "%s runs at %lld Mb/s, the plan says %lld", nic->name,
		    (long long)speed, (long long)wanted);
}

/* The card that carries a path of the plan, where it is known. */
static const struct facts_thing *
nic_of(const struct facts *facts, const struct plan_place *place)
{
	const char *netdev =
	    facts_text(facts_mount_of(facts, place->path->path), "netdev");

	return netdev ? facts_find(facts, "nic", netdev) : NULL;
}

void
check_network(
    const struct preflight_input *input, size_t node, struct preflight_line *line)
{
	static const struct same_rule rules[] = {{"mtu", PREFLIGHT_FAIL},
	    {"speed_mbps", PREFLIGHT_FAIL}, {"driver", PREFLIGHT_WARN},
	    {"driver_version", PREFLIGHT_WARN}, {"firmware", PREFLIGHT_WARN}, {0}};
	const struct facts *facts = input->nodes[node].facts;
	struct plan_place place = {0};

	same_things(input, node, line, "nic", rules, is_idle);
	while (place_next(input->plan, &place)) {
		const struct facts_thing *nic = nic_of(facts, &place);
		if (nic)
			check_declared(&input->plan->client_links, nic, line);
	}
	if (!line->text)
		line_say(line, PREFLIGHT_UNKNOWN, "no card is up that most nodes have");
}

void
check_pcie(
    const struct preflight_input *input, size_t node, struct preflight_line *line)
{
	for (facts_each(nic, input->nodes[node].facts, "nic")) {
		int64_t width = facts_number(nic, "pcie_width");
		int64_t most = facts_number(nic, "pcie_width_max");
		const char *speed = facts_text(nic, "pcie_speed");
		const char *fastest = facts_text(nic, "pcie_speed_max");

		if (is_idle(nic) || width <= 0 || most <= 0 || !speed || !fastest)
			continue;
		line_say(line,
		    width < most || strcmp(speed, fastest) != 0 ? PREFLIGHT_WARN
								: PREFLIGHT_PASS,
		    "%s: x%lld of x%lld, %s of %s", nic->name, (long long)width,
		    (long long)most, speed, fastest);
	}
	if (!line->text)
		line_say(line, PREFLIGHT_UNKNOWN, "no card tells");
}

/* ---- RDMA ports ---- */

static bool
is_ethernet(const struct facts_thing *port)
{
	const char *layer = facts_text(port, "link_layer");

	return !layer || strcmp(layer, "Ethernet") == 0;
}

static bool
is_active(const struct facts_thing *port)
{
	const char *state = facts_text(port, "state");

	return state && strcmp(state, "ACTIVE") == 0;
}

/* Does the port carry one of the plan's RDMA paths?  Where no route is known: any. */
static bool
is_intended(const struct preflight_input *input, const struct facts *facts,
    const struct facts_thing *port)
{
	struct plan_place place = {0};
	const char *netdev = facts_text(port, "netdev");
	bool known = false;

	while (place_next(input->plan, &place)) {
		const struct facts_thing *nic = nic_of(facts, &place);
		if (place.transport != TRANSPORT_RDMA || !nic)
			continue;
		known = true;
		if (netdev && strcmp(nic->name, netdev) == 0)
			return true;
	}
	return !known;
}

typedef void port_fn(const struct preflight_input *input, const struct facts *facts,
    const struct facts_thing *port, struct preflight_line *line);

/* Calls `look` for each intended port; says why there is none. */
static void
each_port(const struct preflight_input *input, size_t node, struct preflight_line *line,
    bool only_active, port_fn *look)
{
	const struct facts *facts = input->nodes[node].facts;
	size_t n = 0;

	if (!plan_has(input->plan, TRANSPORT_RDMA)) {
		line_say(line, PREFLIGHT_PASS, "the plan uses no RDMA");
		return;
	}
	for (facts_each(port, facts, "rdma")) {
		if (!is_intended(input, facts, port) ||
		    (only_active && !is_active(port)))
			continue;
		look(input, facts, port, line);
		n++;
	}
	if (n)
		return;
	if (!facts_next(facts, "rdma", NULL))
		line_say(line, PREFLIGHT_FAIL, "it has no RDMA device");
	else
		line_say(line, PREFLIGHT_FAIL,
		    "no RDMA port%s is on the way to the storage",
		    only_active ? " that is ACTIVE" : "");
}

static const char *
known(const char *text)
{
	return text ? text : "unknown";
}

static void
look_at_port(const struct preflight_input *input, const struct facts *facts,
    const struct facts_thing *port, struct preflight_line *line)
{
	int64_t rate = facts_number(port, "rate_mbps");
	int64_t wanted = (int64_t)(input->plan->client_links.bits_per_s / 1000000);
	const char *netdev = known(facts_text(port, "netdev"));

	(void)facts;
	if (!facts_text(port, "state"))
		line_say(line, PREFLIGHT_UNKNOWN, "state of %s is unknown", port->name);
	else if (!is_active(port))
		line_say(line, PREFLIGHT_WARN, "%s on %s is %s", port->name, netdev,
		    facts_text(port, "state"));
	else if (wanted && rate > 0 && rate < wanted)
		line_say(line, PREFLIGHT_FAIL,
		    "%s on %s runs at %lld Mb/s, the plan says %lld", port->name,
		    netdev, (long long)rate, (long long)wanted);
	else
		line_say(line, PREFLIGHT_PASS, "%s on %s ACTIVE", port->name, netdev);
}

void
check_rdma_port(
    const struct preflight_input *input, size_t node, struct preflight_line *line)
{
	struct preflight_line active = {0};

	each_port(input, node, &active, true, look_at_port);
	if (active.verdict == PREFLIGHT_FAIL) {
		*line = (struct preflight_line){
		    line->check, node, active.verdict, active.text};
		return;
	}
	free(active.text);
	each_port(input, node, line, false, look_at_port);
}

/* ---- GIDs ---- */

/* fe80: of the link only; it may not reach the storage. */
static bool
is_local(const char *gid)
{
	return str_starts(gid, "fe80:");
}

static void
look_at_gids(const struct preflight_input *input, const struct facts *facts,
    const struct facts_thing *port, struct preflight_line *line)
{
	const char *netdev = facts_text(port, "netdev");
	char *prefix = mem_printf("%s/", port->name);
	const char *index = NULL;
	bool typed = false, local = false;

	(void)input;
	for (facts_each(gid, facts, "gid")) {
		const char *type = facts_text(gid, "type");
		const char *on = facts_text(gid, "netdev");

		if (!str_starts(gid->name, prefix) || !type)
			continue;
		typed = true;
		if (strcmp(type, "RoCE v2") != 0 ||
		    (netdev && on && strcmp(netdev, on) != 0))
			continue;
		if (is_local(facts_text(gid, "gid")))
			local = true;
		else if (!index)
			index = gid->name + strlen(prefix);
	}
	free(prefix);
	if (!is_ethernet(port))
		line_say(line, PREFLIGHT_PASS, "%s is %s", port->name,
		    facts_text(port, "link_layer"));
	else if (index)
		line_say(
		    line, PREFLIGHT_PASS, "%s: RoCE v2 at index %s", port->name, index);
	else if (local)
		line_say(line, PREFLIGHT_WARN,
		    "%s has RoCE v2 with link-local addresses only: it does not route",
		    port->name);
	else
		line_say(line, typed ? PREFLIGHT_FAIL : PREFLIGHT_UNKNOWN,
		    typed ? "%s has no RoCE v2 GID on %s"
			  : "GIDs of %s on %s are unknown",
		    port->name, known(netdev));
}

void
check_gid(const struct preflight_input *input, size_t node, struct preflight_line *line)
{
	each_port(input, node, line, true, look_at_gids);
}

/* ---- MTU ---- */

#define MTU_FOR_4096 4200
/* Headers of RoCE v2 that the kernel leaves room for (iboe_get_mtu, ib_addr.h). */
#define ROCE_HEADERS 96

static int64_t
path_mtu(int64_t netdev_mtu)
{
	for (int64_t mtu = 4096; mtu >= 256; mtu /= 2)
		if (netdev_mtu >= (mtu == 4096 ? MTU_FOR_4096 : mtu + ROCE_HEADERS))
			return mtu;
	return 0;
}

static void
look_at_mtu(const struct preflight_input *input, const struct facts *facts,
    const struct facts_thing *port, struct preflight_line *line)
{
	const char *netdev = facts_text(port, "netdev");
	const struct facts_thing *nic =
	    netdev ? facts_find(facts, "nic", netdev) : NULL;
	int64_t mtu = facts_number(nic, "mtu"),
		active = facts_number(port, "active_mtu");

	(void)input;
	if (!is_ethernet(port))
		line_say(line, PREFLIGHT_PASS, "%s is %s", port->name,
		    facts_text(port, "link_layer"));
	else if (mtu < 0)
		line_say(line, PREFLIGHT_UNKNOWN, "the MTU beneath %s is unknown",
		    port->name);
	else if (mtu < MTU_FOR_4096)
		line_say(line, PREFLIGHT_WARN,
		    "%s has MTU %lld: RDMA packets of %lld bytes at most; 4096 needs "
		    "%d",
		    netdev, (long long)mtu, (long long)path_mtu(mtu), MTU_FOR_4096);
	else if (active > 0 && active < 4096)
		line_say(line, PREFLIGHT_WARN,
		    "%s uses packets of %lld bytes, though MTU %lld of %s allows 4096",
		    port->name, (long long)active, (long long)mtu, netdev);
	else
		line_say(line, PREFLIGHT_PASS, "%s: MTU %lld", netdev, (long long)mtu);
}

void
check_path_mtu(
    const struct preflight_input *input, size_t node, struct preflight_line *line)
{
	each_port(input, node, line, true, look_at_mtu);
}

/* ---- PFC, ECN, trust ---- */

static void
judge_priorities(const struct facts_thing *nic, struct preflight_line *line)
{
	const char *trust = facts_text(nic, "trust"), *pfc = facts_text(nic, "pfc");
	const char *points[] = {"ecn_np", "ecn_rp"};

	if (trust && strcmp(trust, "dscp") != 0)
		line_say(line, PREFLIGHT_FAIL,
		    "%s trusts %s, not dscp: everything is in one priority", nic->name,
		    trust);
	if (pfc && strcmp(pfc, "none") == 0)
		line_say(line, PREFLIGHT_WARN, "%s has no PFC: RoCE may lose packets",
		    nic->name);
	else if (pfc && strchr(pfc, ','))
		line_say(line, PREFLIGHT_WARN,
		    "%s has PFC on the priorities %s; RoCE wants it on its own only",
		    nic->name, pfc);
	for (int i = 0; i < 2; i++) {
		const char *on = facts_text(nic, points[i]);
		if (on && pfc && strlen(pfc) == 1 && !strchr(on, *pfc))
			line_say(line, PREFLIGHT_WARN,
			    "%s: %s is off for priority %s, which has PFC", nic->name,
			    points[i], pfc);
	}
}

static void
look_at_priorities(const struct preflight_input *input, const struct facts *facts,
    const struct facts_thing *port, struct preflight_line *line)
{
	const char *netdev = facts_text(port, "netdev");
	const struct facts_thing *nic =
	    netdev ? facts_find(facts, "nic", netdev) : NULL;
	static const char *const attrs[] = {"trust", "pfc", "ecn_np", "ecn_rp"};
	struct str missing = {0};

	(void)input;
	if (!is_ethernet(port))
		return;
	judge_priorities(nic, line);
	for (size_t i = 0; nic && i < sizeof attrs / sizeof attrs[0]; i++)
		if (!facts_text(nic, attrs[i]))
			str_addf(&missing, "%s%s", missing.len ? ", " : "", attrs[i]);
	if (!nic || missing.len)
		line_say(line, PREFLIGHT_UNKNOWN, "%s of %s cannot be read",
		    missing.len ? missing.s : "nothing", known(netdev));
	else
		line_say(line, PREFLIGHT_PASS, "%s: trust %s, PFC %s, ECN %s",
		    nic->name, facts_text(nic, "trust"), facts_text(nic, "pfc"),
		    facts_text(nic, "ecn_np"));
	str_free(&missing);
}

void
check_lossless(
    const struct preflight_input *input, size_t node, struct preflight_line *line)
{
	static const struct same_rule rules[] = {{"trust", PREFLIGHT_FAIL},
	    {"pfc", PREFLIGHT_FAIL}, {"ecn_np", PREFLIGHT_FAIL},
	    {"ecn_rp", PREFLIGHT_FAIL}, {0}};

	each_port(input, node, line, true, look_at_priorities);
	if (plan_has(input->plan, TRANSPORT_RDMA))
		same_things(input, node, line, "nic", rules, is_idle);
}

void
check_rdma_same(
    const struct preflight_input *input, size_t node, struct preflight_line *line)
{
	static const struct same_rule rules[] = {{"rate_mbps", PREFLIGHT_FAIL},
	    {"link_layer", PREFLIGHT_FAIL}, {"active_mtu", PREFLIGHT_FAIL},
	    {"driver", PREFLIGHT_WARN}, {"firmware", PREFLIGHT_WARN}, {0}};

	if (plan_has(input->plan, TRANSPORT_RDMA))
		same_things(input, node, line, "rdma", rules, NULL);
	else
		line_say(line, PREFLIGHT_PASS, "the plan uses no RDMA");
	if (!line->text)
		line_say(line, PREFLIGHT_UNKNOWN, "no RDMA port that most nodes have");
}
