/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPUs, memory and NUMA nodes, and whether this is a virtual machine
 * (Documentation/ABI/stable/sysfs-devices-node, testing/sysfs-devices-system-cpu).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/probe/parts.h"
#include "agent/probe/tree.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"

/* "0-3,8" → 5 */
static int64_t
count_list(char *text)
{
	int64_t n = 0;
	char *save = NULL;

	if (!text)
		return -1;
	for (char *part = strtok_r(text, ",", &save); part;
	     part = strtok_r(NULL, ",", &save)) {
		long from, to;
		int got = sscanf(part, "%ld-%ld", &from, &to);
		if (got == 2 && to >= from)
			n += to - from + 1;
		else if (got == 1)
			n++;
	}
	free(text);
	return n ? n : -1;
}

static int64_t
kib_to_bytes(char *text)
{
	int64_t kib = text ? strtoll(text, NULL, 10) : -1;

	free(text);
	return kib > 0 ? kib * 1024 : -1;
}

static void
add_node(const char *root, struct facts *facts, const char *number)
{
	char *file = mem_printf("/sys/devices/system/node/node%s/meminfo", number);
	char *key = mem_printf("Node %s MemTotal", number);
	struct facts_thing *thing = facts_add(facts, "numa", number);

	facts_set_text(thing, "cpus",
	    tree_line(root, "/sys/devices/system/node/node%s/cpulist", number));
	facts_set_number(
	    thing, "memory_bytes", kib_to_bytes(tree_value(root, file, key)));
	free(file);
	free(key);
}

static void
probe_nodes(const char *root, struct facts *facts)
{
	struct tree_names names;
	int64_t n = 0;

	tree_list(root, "/sys/devices/system/node", &names);
	for (vec_each(char **, name, &names.names)) {
		if (!str_starts(*name, "node") || !isdigit((unsigned char)(*name)[4]))
			continue;
		add_node(root, facts, *name + 4);
		n++;
	}
	tree_names_free(&names);
	facts->numa_nodes = n ? n : -1;
}

/* "none" on bare metal; else what the firmware says it is. */
static char *
hypervisor(const char *root)
{
	char *flags = tree_value(root, "/proc/cpuinfo", "flags");
	char *xen = tree_line(root, "/sys/hypervisor/type");
	bool is_guest = flags && strstr(flags, " hypervisor");
	char *ret = NULL;

	if (xen)
		ret = mem_strdup(xen);
	else if (is_guest)
		ret = tree_line(root, "/sys/class/dmi/id/sys_vendor");
	else if (flags)
		ret = mem_strdup("none");
	if (!ret && is_guest)
		ret = mem_strdup("a hypervisor");
	free(flags);
	free(xen);
	return ret;
}

static int64_t
count_sockets(const char *root)
{
	struct tree_names names;
	int64_t most = -1;

	tree_list(root, "/sys/devices/system/cpu", &names);
	for (vec_each(char **, name, &names.names)) {
		int64_t id = tree_number(root,
		    "/sys/devices/system/cpu/%s/topology/physical_package_id", *name);
		if (id > most)
			most = id;
	}
	tree_names_free(&names);
	return most < 0 ? -1 : most + 1;
}

static int64_t
count_iommus(const char *root)
{
	struct tree_names names;

	tree_list(root, "/sys/class/iommu", &names);
	int64_t n = (int64_t)names.names.n;
	tree_names_free(&names);
	return n ? n : -1;
}

void
probe_cpu(const char *root, struct facts *facts)
{
	struct facts_thing *host = facts_add(facts, "host", "system");

	facts->cpu_model = tree_value(root, "/proc/cpuinfo", "model name");
	facts->cpus = count_list(tree_line(root, "/sys/devices/system/cpu/online"));
	facts->memory_bytes =
	    kib_to_bytes(tree_value(root, "/proc/meminfo", "MemTotal"));
	facts_set_text(
	    host, "machine", tree_line(root, "/sys/class/dmi/id/product_name"));
	facts_set_text(host, "hypervisor", hypervisor(root));
	facts_set_number(host, "sockets", count_sockets(root));
	facts_set_number(
	    host, "smt", tree_number(root, "/sys/devices/system/cpu/smt/active"));
	facts_set_text(host, "governor",
	    tree_line(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
	facts_set_number(host, "iommus", count_iommus(root));
	probe_nodes(root, facts);
}
