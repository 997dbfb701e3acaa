/* SPDX-License-Identifier: Apache-2.0 */
/* The preflight's shell: asks all agents, tokens included, and judges what they say. */
#ifndef VOLLEY_PREFLIGHT_ASK_H
#define VOLLEY_PREFLIGHT_ASK_H

#include "controller/fleet/fleet.h"
#include "controller/preflight/preflight.h"

/* Adds the report to *ret, and gives the worst verdict.  What could not be measured is
 * told to `problem`. */
enum preflight_verdict preflight_ask(struct fleet *fleet, const struct plan *plan,
    const struct cases *cases, bool json, struct str *ret, fleet_problem_fn *problem,
    void *arg);

#endif
