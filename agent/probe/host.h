/* SPDX-License-Identifier: Apache-2.0 */
/* The host: system, CPUs, memory, NUMA nodes, network cards, RDMA ports with their GIDs,
 * GPUs, block devices, and mounts of network file systems. */
#ifndef VOLLEY_PROBE_HOST_H
#define VOLLEY_PROBE_HOST_H

#include "lib/wire/facts.h"

/* Fills the host part of `facts` from the tree below `root` ("" for the real one). */
void probe_host(const char *root, struct facts *facts);
/* The mounts alone: of what may change between two cases. */
void probe_mounts(const char *root, struct facts *facts);

#endif
