/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GPUs: PCI devices of a class and vendor that compute, their model, and how far the
 * nearest network card is, in the words of `nvidia-smi topo`: PIX (one PCIe switch
 * between them), PXB (several), PHB (the root complex), NODE (same NUMA node), SYS.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/probe/parts.h"
#include "agent/probe/tree.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"

#define DEVICE "/sys/bus/pci/devices/%s"

/* PCI class (its upper 16 bits) and vendor: a graphics card of a server's management
 * controller is no GPU. */
static const struct {
	unsigned class, vendor;
} kinds[] = {
    {0x0300, 0x10de}, {0x0302, 0x10de},                                     /* NVIDIA */
    {0x0300, 0x1002}, {0x0302, 0x1002}, {0x0380, 0x1002}, {0x1200, 0x1002}, /* AMD */
    {0x0380, 0x8086}, /* Intel Data Center GPU */
    {0x1200, 0x1da3}, /* Habana Gaudi */
};

enum distance { PIX, PXB, PHB, NODE, SYS, FAR };
static const char *const distance_names[FAR] = {"PIX", "PXB", "PHB", "NODE", "SYS"};

static unsigned
hex_of(const char *root, const char *address, const char *file)
{
	char *text = tree_line(root, DEVICE "/%s", address, file);
	unsigned value = text ? (unsigned)strtoul(text, NULL, 16) : 0;

	free(text);
	return value;
}

static bool
is_gpu(const char *root, const char *address)
{
	unsigned class = hex_of(root, address, "class") >> 8;
	unsigned vendor = hex_of(root, address, "vendor");

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (kinds[i].class == class && kinds[i].vendor == vendor)
			return true;
	return false;
}

/* The driver knows its name; else "10de:2330". */
static char *
model_of(const char *root, const char *address)
{
	char *file = mem_printf("/proc/driver/nvidia/gpus/%s/information", address);
	char *model = tree_value(root, file, "Model");

	free(file);
	if (!model)
		model = tree_line(root, DEVICE "/product_name", address);
	if (!model)
		model = mem_printf("%04x:%04x", hex_of(root, address, "vendor"),
		    hex_of(root, address, "device"));
	return model;
}

/* Components of a path, and how many of them both begin with. */
static size_t
components(const char *path)
{
	size_t n = *path != '\0';

	for (; *path; path++)
		n += *path == '/';
	return n;
}

static size_t
common_components(const char *a, const char *b)
{
	size_t n = 0, i = 0;

	for (; a[i] == b[i]; i++) {
		n += a[i] == '/' || !a[i];
		if (!a[i])
			return n;
	}
	return n + ((!a[i] && b[i] == '/') || (a[i] == '/' && !b[i]));
}

/* A place in the tree of buses from its root complex on,
 * "pci0000:16/0000:16:01.0/0000:17:00.0". */
static const char *
below_devices(const char *target)
{
	const char *at = target ? strstr(target, "/pci") : NULL;

	return at ? at + 1 : NULL;
}

static enum distance
distance_between(const char *a, const char *b, int64_t node_a, int64_t node_b)
{
	size_t common = common_components(a, b);

	if (common == 1)
		return PHB;
	/* Behind one switch each has its port of it, and itself. */
	if (common > 1)
		return components(a) - common <= 2 && components(b) - common <= 2 ? PIX
										  : PXB;
	if (node_a < 0 || node_b < 0)
		return FAR;
	return node_a == node_b ? NODE : SYS;
}

static void
find_nic(const char *root, const struct facts *facts, struct facts_thing *gpu)
{
	char *target = tree_target(root, DEVICE, facts_text(gpu, "pci")), *name = NULL;
	const char *place = below_devices(target);
	enum distance best = FAR;

	for (facts_each(nic, facts, "nic")) {
		const char *pci = facts_text(nic, "pci");
		char *other = pci ? tree_target(root, DEVICE, pci) : NULL;

		if (place && below_devices(other)) {
			enum distance far = distance_between(place,
			    below_devices(other), facts_number(gpu, "numa_node"),
			    facts_number(nic, "numa_node"));
			if (far < best) {
				best = far;
				free(name);
				name = mem_strdup(nic->name);
			}
		}
		free(other);
	}
	free(target);
	facts_set_text(gpu, "nic", name);
	facts_set_text(
	    gpu, "nic_distance", best < FAR ? mem_strdup(distance_names[best]) : NULL);
}

void
probe_gpu(const char *root, struct facts *facts)
{
	struct tree_names names;

	tree_list(root, "/sys/bus/pci/devices", &names);
	for (vec_each(char **, address, &names.names)) {
		if (!is_gpu(root, *address) || facts->things.n >= FACTS_THINGS_MAX)
			continue;
		struct facts_thing *gpu = facts_add(facts, "gpu", *address);
		facts_set_text(gpu, "model", model_of(root, *address));
		facts_set_text(
		    gpu, "driver", tree_link(root, DEVICE "/driver", *address));
		probe_pci(root, gpu, mem_strdup(*address));
		find_nic(root, facts, gpu);
	}
	tree_names_free(&names);
}
