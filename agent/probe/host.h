/* SPDX-License-Identifier: Apache-2.0 */
/* The host itself: system, CPUs, memory, network cards. */
#ifndef VOLLEY_PROBE_HOST_H
#define VOLLEY_PROBE_HOST_H

#include "lib/wire/facts.h"

/* Fills the host part of `facts` from the tree below `root` ("" for the real one). */
void probe_host(const char *root, struct facts *facts);

#endif
