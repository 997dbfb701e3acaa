/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host facts from /etc/os-release, /proc and /sys (proc(5);
 * Documentation/ABI/testing/sysfs-class-net in the kernel's tree).
 */
#include "agent/probe/host.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
memory_bytes(const char *root)
{
	char *text = tree_value(root, "/proc/meminfo", "MemTotal");
	int64_t kib = text ? strtoll(text, NULL, 10) : -1;

	free(text);
	return kib > 0 ? kib * 1024 : -1;
}

static int64_t
count_nodes(const char *root)
{
	struct tree_names names;
	int64_t n = 0;

	tree_list(root, "/sys/devices/system/node", &names);
	for (size_t i = 0; i < names.names.n; i++)
		if (str_starts(names.names.v[i], "node") &&
		    isdigit((unsigned char)names.names.v[i][4]))
			n++;
	tree_names_free(&names);
	return n ? n : -1;
}

static void
probe_nics(const char *root, struct facts *facts)
{
	struct tree_names names;

	tree_list(root, "/sys/class/net", &names);
	for (size_t i = 0; i < names.names.n; i++) {
		const char *name = names.names.v[i];
		struct facts_nic *nic = vec_add(&facts->nics);
		*nic = (struct facts_nic){
		    .name = mem_strdup(name),
		    .driver = tree_link(root, "/sys/class/net/%s/device/driver", name),
		    .speed_mbps = tree_number(root, "/sys/class/net/%s/speed", name),
		    .mtu = tree_number(root, "/sys/class/net/%s/mtu", name),
		    .state = tree_line(root, "/sys/class/net/%s/operstate", name),
		};
	}
	tree_names_free(&names);
}

void
probe_host(const char *root, struct facts *facts)
{
	facts->hostname = tree_line(root, "/proc/sys/kernel/hostname");
	facts->os = tree_value(root, "/etc/os-release", "PRETTY_NAME");
	facts->kernel = tree_line(root, "/proc/sys/kernel/osrelease");
	facts->machine_id = tree_line(root, "/etc/machine-id");
	facts->cpu_model = tree_value(root, "/proc/cpuinfo", "model name");
	facts->cpus = count_list(tree_line(root, "/sys/devices/system/cpu/online"));
	facts->numa_nodes = count_nodes(root);
	facts->memory_bytes = memory_bytes(root);
	probe_nics(root, facts);
}
