/* SPDX-License-Identifier: Apache-2.0 */
/* The line rate of each node, measured now by the plan's fabric. */
#ifndef VOLLEY_PREFLIGHT_FABRIC_H
#define VOLLEY_PREFLIGHT_FABRIC_H

#include "controller/fleet/fleet.h"
#include "controller/preflight/preflight.h"

/* Fills baseline_bytes_per_s of the nodes (the fleet's members): the most that
 * each reached as a client of the fabric.  NAN stays where it was not measured, and everywhere
 * when the plan has no fabric.  The results are kept nowhere. */
int preflight_fabric(struct fleet *fleet, const struct plan *plan,
    const struct cases *cases, struct preflight_node *nodes, struct err *err);

#endif
