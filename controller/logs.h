/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The logs that clients made (write_*_log) as files beside the results: for each attempt
 * a new folder, in it one file for each client and log, NAME.AGENT as `fio --client`
 * calls them.  So nothing is ever written over.
 */
#ifndef VOLLEY_LOGS_H
#define VOLLEY_LOGS_H

#include "controller/attempt/attempt.h"
#include "controller/expand/cases.h"
#include "controller/fleet/fleet.h"

/* Fetches them into a folder below `beside` and notes in the attempt where they are
 * (reason "logs"), and whose are missing ("logs-missing").  */
void logs_fetch(struct fleet *fleet, const char *beside, const struct plan_case *c,
		struct attempt *attempt);

#endif
