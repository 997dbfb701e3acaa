/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the network between the agents, before the storage: each serves memory
 * under a key of this run, and others read and write it.
 */
#ifndef VOLLEY_CONTROLLER_FABRIC_H
#define VOLLEY_CONTROLLER_FABRIC_H

#include "controller/campaign.h"

/* `position`: attempts so far; counted on.  A transport that cannot be had is left out
 * with a note. */
int fabric_run(const struct campaign *campaign, struct campaign_result *result,
    size_t *position, struct err *err);

#endif
