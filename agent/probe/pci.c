/* SPDX-License-Identifier: Apache-2.0 */
/* What all PCI devices have (Documentation/ABI/testing/sysfs-bus-pci). */
#include <stdlib.h>

#include "agent/probe/parts.h"
#include "agent/probe/tree.h"

#define DEVICE "/sys/bus/pci/devices/%s/"

void
probe_pci(const char *root, struct facts_thing *thing, char *address)
{
	const char *at = address ? address : "none";

	facts_set_number(thing, "numa_node", tree_number(root, DEVICE "numa_node", at));
	facts_set_number(
	    thing, "pcie_width", tree_number(root, DEVICE "current_link_width", at));
	facts_set_number(
	    thing, "pcie_width_max", tree_number(root, DEVICE "max_link_width", at));
	facts_set_text(
	    thing, "pcie_speed", tree_line(root, DEVICE "current_link_speed", at));
	facts_set_text(
	    thing, "pcie_speed_max", tree_line(root, DEVICE "max_link_speed", at));
	facts_set_text(thing, "pci", address);
}
