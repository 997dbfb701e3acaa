/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan being run: cases in their order, repeats until the spread rule is
 * content, every finished attempt into the store before the next begins.
 */
#ifndef VOLLEY_CAMPAIGN_H
#define VOLLEY_CAMPAIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "controller/expand/cases.h"
#include "controller/fleet/fleet.h"
#include "controller/live.h"
#include "controller/shares.h"
#include "controller/store/store.h"

struct campaign {
	const struct plan *plan;
	const struct cases *cases;
	struct fleet *fleet;
	struct store *store;
	struct live *live;
	uint64_t seed;
	uint64_t max_skew_ns; /* 0: the plan's, or the default rule */
	uint64_t lease_ns;    /* how long agents and we wait for a lost connection */
	const char *logs;     /* folder for what clients log */
	bool no_fabric;       /* leave the plan's fabric: out */
	bool resume;          /* keep VALID repeats of the store, run the rest */
};

struct campaign_result {
	size_t valid, partial, invalid; /* attempts of this run */
	size_t kept;                    /* repeats that --resume found VALID */
	bool interrupted;
};

/* What a case needs beside the plan: each client's job changed once more, and the key
 * of its target. */
struct campaign_aim {
	void (*point)(void *arg, struct shares *shares);
	void *arg;
	const char *key;
};
int campaign_put_case(
    const struct campaign *campaign, const struct plan_case *c, struct err *err);
/* One attempt of a case that is none of the plan's storages, stored and counted. */
int campaign_run_case(const struct campaign *campaign, const struct plan_case *c,
    unsigned repeat, const struct campaign_aim *aim, unsigned position,
    struct campaign_result *result, struct err *err);

/* −1 when the store or the fleet failed; what was finished is stored. */
int campaign_run(
    const struct campaign *campaign, struct campaign_result *ret, struct err *err);

#endif
