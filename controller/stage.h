/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a case's path needs before the case may start: the storage's setup commands, run
 * once when its transport's turn comes, and the mount that the plan requires.
 */
#ifndef VOLLEY_STAGE_H
#define VOLLEY_STAGE_H

#include <stdbool.h>

#include "controller/expand/cases.h"
#include "controller/fleet/fleet.h"
#include "controller/live.h"
#include "controller/store/store.h"

struct stage {
	struct fleet *fleet;
	struct store *store;
	struct live *live;
	const struct plan *plan;
	/* what is set up now, or was tried; NULL: nothing */
	const struct plan_storage *storage;
	enum transport transport;
	char *failed,
	    *failed_agent; /* why its cases cannot run, and whose fault it is */
};

/* Why a case may not start. */
struct stage_refusal {
	char *text, *agent; /* agent NULL: nobody's alone */
};

/*
 * Makes the case's path ready on the agents, and looks at it on the case's clients (the
 * first `clients`).  1: the case may start; 0: it may not, *ret says why (to be freed);
 * −1: an error, ERR_CANCELLED when interrupted.
 */
int stage_enter(struct stage *stage, const struct plan_case *c, size_t clients,
    struct stage_refusal *ret, struct err *err);
/* Runs the teardown of what is set up, if any; an interrupt does not keep it from that. */
int stage_leave(struct stage *stage, struct err *err);

#endif
