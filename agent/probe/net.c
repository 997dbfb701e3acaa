/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Network cards (Documentation/ABI/testing/sysfs-class-net).  Trust, PFC and ECN of the
 * priorities are files only with MLNX_OFED's drivers.  The driver itself is asked for
 * its firmware and version (ETHTOOL_GDRVINFO), and, where there are no files, for PFC and
 * trust (dcb.h); but only when the tree is the real one.
 */
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/probe/dcb.h"
#include "agent/probe/parts.h"
#include "agent/probe/tree.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"

#define CARD "/sys/class/net/%s/"
#define PRIORITIES 8

static char *
known(const char *text, size_t len)
{
	size_t n = strnlen(text, len);

	return n && strncmp(text, "N/A", n) != 0 ? mem_strndup(text, n) : NULL;
}

static void
ask_driver(struct facts_thing *nic)
{
	struct ethtool_drvinfo info = {.cmd = ETHTOOL_GDRVINFO};
	struct ifreq request = {.ifr_data = (char *)&info};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return;
	snprintf(request.ifr_name, sizeof request.ifr_name, "%s", nic->name);
	if (ioctl(fd, SIOCETHTOOL, &request) == 0) {
		if (!facts_text(nic, "driver"))
			facts_set_text(
			    nic, "driver", known(info.driver, sizeof info.driver));
		facts_set_text(
		    nic, "firmware", known(info.fw_version, sizeof info.fw_version));
		facts_set_text(
		    nic, "driver_version", known(info.version, sizeof info.version));
	}
	close(fd);
}

static void
add_priority(struct str *text, int priority)
{
	str_addf(text, "%s%d", text->len ? "," : "", priority);
}

static char *
priorities_text(struct str *text)
{
	if (!text->len)
		str_add(text, "none");
	return str_take(text);
}

/* The priorities whose file holds 1: "3", "3,4", "none"; NULL when there are no files. */
static char *
enabled_priorities(const char *root, const char *name, const char *point)
{
	struct str text = {0};
	bool any = false;

	for (int p = 0; p < PRIORITIES; p++) {
		int64_t on = tree_number(root, CARD "ecn/%s/enable/%d", name, point, p);
		any = any || on >= 0;
		if (on > 0)
			add_priority(&text, p);
	}
	return any ? priorities_text(&text) : NULL;
}

/* "0 0 0 1 0 0 0 0" → "3" */
static char *
pfc_priorities(char *line)
{
	struct str text = {0};
	char *save = NULL;
	int p = 0;

	if (!line)
		return NULL;
	for (char *word = strtok_r(line, " ,\t", &save); word && p < PRIORITIES;
	     word = strtok_r(NULL, " ,\t", &save), p++)
		if (strcmp(word, "1") == 0)
			add_priority(&text, p);
	free(line);
	return priorities_text(&text);
}

static void
ask_bridging(struct facts_thing *nic)
{
	struct str text = {0};
	struct dcb dcb;

	if (!dcb_ask(&dcb, nic->name))
		return;
	for (int p = 0; p < PRIORITIES; p++)
		if (dcb.pfc & 1u << p)
			add_priority(&text, p);
	if (!facts_text(nic, "pfc") && dcb.has_pfc)
		facts_set_text(nic, "pfc", priorities_text(&text));
	if (!facts_text(nic, "trust") && dcb.by_dscp)
		facts_set_text(nic, "trust", mem_strdup("dscp"));
	str_free(&text);
}

static void
add_nic(const char *root, struct facts *facts, const char *name)
{
	struct facts_thing *nic = facts_add(facts, "nic", name);

	facts_set_text(nic, "state", tree_line(root, CARD "operstate", name));
	facts_set_number(nic, "speed_mbps", tree_number(root, CARD "speed", name));
	facts_set_number(nic, "mtu", tree_number(root, CARD "mtu", name));
	facts_set_text(nic, "driver", tree_link(root, CARD "device/driver", name));
	facts_set_text(nic, "firmware", NULL);
	facts_set_text(nic, "driver_version", NULL);
	if (!*root)
		ask_driver(nic);
	probe_pci(root, nic, tree_link(root, CARD "device", name));
	facts_set_text(nic, "trust", tree_line(root, CARD "qos/trust", name));
	facts_set_text(
	    nic, "pfc", pfc_priorities(tree_line(root, CARD "qos/pfc", name)));
	if (!*root)
		ask_bridging(nic);
	facts_set_text(nic, "ecn_np", enabled_priorities(root, name, "roce_np"));
	facts_set_text(nic, "ecn_rp", enabled_priorities(root, name, "roce_rp"));
}

void
probe_net(const char *root, struct facts *facts)
{
	struct tree_names names;

	tree_list(root, "/sys/class/net", &names);
	for (vec_each(char **, name, &names.names))
		if (facts->things.n < FACTS_THINGS_MAX &&
		    tree_number(root, CARD "mtu", *name) >= 0)
			add_nic(root, facts, *name);
	tree_names_free(&names);
}
