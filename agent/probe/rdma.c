/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RDMA ports and their GIDs (Documentation/ABI/stable/sysfs-class-infiniband).  The MTU
 * that a port uses is no file; libibverbs tells it, where volley was built with it and
 * the tree is the real one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/probe/parts.h"
#include "agent/probe/tree.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"

#include "config.h"
#ifdef HAVE_RDMA
#include <infiniband/verbs.h>
#endif

#define CLASS "/sys/class/infiniband/"
#define PORT CLASS "%s/ports/%s/"
#define GIDS_MAX 64 /* of a port; more are addresses upon addresses */
#define NO_GID "0000:0000:0000:0000:0000:0000:0000:0000"

/* "4: ACTIVE" → "ACTIVE" */
static char *
after_colon(char *line)
{
	char *colon = line ? strstr(line, ": ") : NULL;
	char *ret = colon ? mem_strdup(colon + 2) : NULL;

	free(line);
	return ret;
}

/* "400 Gb/sec (4X NDR)", "2.5 Gb/sec (1X SDR)" */
static int64_t
rate_mbps(char *line)
{
	char *end = NULL;
	double gbps = line ? strtod(line, &end) : 0;
	bool good = line && end != line && strstr(end, "Gb/sec") && gbps > 0;

	free(line);
	return good ? (int64_t)(gbps * 1000 + 0.5) : -1;
}

#ifdef HAVE_RDMA
static int64_t
mtu_bytes(enum ibv_mtu mtu)
{
	return mtu >= IBV_MTU_256 && mtu <= IBV_MTU_4096 ? INT64_C(128) << mtu : -1;
}

static void
ask_port(struct facts_thing *port, struct ibv_device *device, int number)
{
	struct ibv_context *context = ibv_open_device(device);
	struct ibv_port_attr attr;

	if (!context)
		return;
	if (ibv_query_port(context, (uint8_t)number, &attr) == 0) {
		facts_set_number(port, "active_mtu", mtu_bytes(attr.active_mtu));
		facts_set_number(port, "max_mtu", mtu_bytes(attr.max_mtu));
	}
	ibv_close_device(context);
}

static void
ask_verbs(struct facts_thing *port, const char *name, int number)
{
	struct ibv_device **list = ibv_get_device_list(NULL);

	for (struct ibv_device **it = list; it && *it; it++)
		if (strcmp(ibv_get_device_name(*it), name) == 0)
			ask_port(port, *it, number);
	if (list)
		ibv_free_device_list(list);
}
#else
static void
ask_verbs(struct facts_thing *port, const char *name, int number)
{
	(void)port;
	(void)name;
	(void)number;
}
#endif

static void
add_gids(const char *root, struct facts *facts, const char *device, const char *port)
{
	char *folder = mem_printf(PORT "gids", device, port);
	struct tree_names names;
	size_t n = 0;

	tree_list(root, folder, &names);
	for (vec_each(char **, index, &names.names)) {
		char *gid = tree_line(root, PORT "gids/%s", device, port, *index);
		if (gid && strcmp(gid, NO_GID) != 0 && n++ < GIDS_MAX) {
			char *name = mem_printf("%s/%s/%s", device, port, *index);
			struct facts_thing *thing = facts_add(facts, "gid", name);
			facts_set_text(thing, "gid", mem_strdup(gid));
			facts_set_text(thing, "type",
			    tree_line(
				root, PORT "gid_attrs/types/%s", device, port, *index));
			facts_set_text(thing, "netdev",
			    tree_line(
				root, PORT "gid_attrs/ndevs/%s", device, port, *index));
			free(name);
		}
		free(gid);
	}
	tree_names_free(&names);
	free(folder);
}

/* The netdev of the port's first GID; else the only one of the device. */
static char *
netdev_of(const char *root, const char *device, const char *port)
{
	char *name = tree_line(root, PORT "gid_attrs/ndevs/0", device, port);
	char *folder = mem_printf(CLASS "%s/device/net", device);
	struct tree_names names;

	tree_list(root, folder, &names);
	if (!name && names.names.n == 1)
		name = mem_strdup(names.names.v[0]);
	tree_names_free(&names);
	free(folder);
	if (!name)
		name = tree_line(root, CLASS "%s/parent", device); /* rdma_rxe */
	return name;
}

/* rdma_rxe is no driver of a device; only it names a parent. */
static char *
driver_of(const char *root, const char *device)
{
	char *driver = tree_link(root, CLASS "%s/device/driver", device);
	char *parent = tree_line(root, CLASS "%s/parent", device);

	if (!driver && parent)
		driver = mem_strdup("rdma_rxe");
	free(parent);
	return driver;
}

static void
add_port(const char *root, struct facts *facts, const char *device, const char *port)
{
	char *name = mem_printf("%s/%s", device, port);
	struct facts_thing *thing = facts_add(facts, "rdma", name);

	free(name);
	facts_set_text(thing, "driver", driver_of(root, device));
	facts_set_text(thing, "firmware", tree_line(root, CLASS "%s/fw_ver", device));
	facts_set_text(thing, "board", tree_line(root, CLASS "%s/board_id", device));
	facts_set_text(thing, "model", tree_line(root, CLASS "%s/hca_type", device));
	facts_set_text(
	    thing, "state", after_colon(tree_line(root, PORT "state", device, port)));
	facts_set_text(thing, "phys_state",
	    after_colon(tree_line(root, PORT "phys_state", device, port)));
	facts_set_text(
	    thing, "link_layer", tree_line(root, PORT "link_layer", device, port));
	facts_set_number(
	    thing, "rate_mbps", rate_mbps(tree_line(root, PORT "rate", device, port)));
	facts_set_text(thing, "netdev", netdev_of(root, device, port));
	facts_set_number(thing, "active_mtu", -1);
	facts_set_number(thing, "max_mtu", -1);
	if (!*root)
		ask_verbs(thing, device, atoi(port));
	probe_pci(root, thing, tree_link(root, CLASS "%s/device", device));
	add_gids(root, facts, device, port);
}

void
probe_rdma(const char *root, struct facts *facts)
{
	struct tree_names devices, ports;

	tree_list(root, "/sys/class/infiniband", &devices);
	for (vec_each(char **, device, &devices.names)) {
		char *folder = mem_printf(CLASS "%s/ports", *device);

		tree_list(root, folder, &ports);
		for (vec_each(char **, port, &ports.names))
			if (facts->things.n + GIDS_MAX < FACTS_THINGS_MAX)
				add_port(root, facts, *device, *port);
		tree_names_free(&ports);
		free(folder);
	}
	tree_names_free(&devices);
}
