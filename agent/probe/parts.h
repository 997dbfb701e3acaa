/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of a host that probe_host puts together, each from the tree below `root`.
 * What is not there is unknown, or no thing at all.  probe_net comes before probe_gpu,
 * which looks for each GPU's nearest network card.
 */
#ifndef VOLLEY_PROBE_PARTS_H
#define VOLLEY_PROBE_PARTS_H

#include "agent/probe/host.h"

void probe_cpu(const char *root, struct facts *facts);
void probe_net(const char *root, struct facts *facts);
void probe_rdma(const char *root, struct facts *facts);
void probe_gpu(const char *root, struct facts *facts);
void probe_block(const char *root, struct facts *facts);

/* Of a PCI device, by its address: pci, numa_node, pcie_width, pcie_speed and the most
 * that it could have.  Takes `address`; NULL: none of it is known. */
void probe_pci(const char *root, struct facts_thing *thing, char *address);

#endif
