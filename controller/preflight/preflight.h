/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is the cluster fit for the plan?  From the facts of all nodes and the plan to one
 * verdict per check and node.  Pure: who asks the nodes is cmd-hosts.c.
 */
#ifndef VOLLEY_PREFLIGHT_PREFLIGHT_H
#define VOLLEY_PREFLIGHT_PREFLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/expand/cases.h"
#include "controller/plan/plan.h"
#include "lib/base/str.h"
#include "lib/base/vec.h"
#include "lib/stats/offset.h"
#include "lib/wire/facts.h"

/* The worse, the higher. */
enum preflight_verdict {
	PREFLIGHT_PASS,
	PREFLIGHT_UNKNOWN,
	PREFLIGHT_WARN,
	PREFLIGHT_FAIL
};

struct preflight_node {
	const char *name;
	const struct facts *facts; /* NULL: it did not tell about itself */
	struct offset offset;
	double baseline_bytes_per_s[TRANSPORT_COUNT]; /* measured; NAN: not */
};

struct preflight_input {
	const struct plan *plan;
	const struct cases *cases; /* of the plan */
	/* The first one wrote the tokens of shared paths. */
	const struct preflight_node *nodes;
	size_t n;
};

struct preflight_line {
	const char *check; /* static */
	size_t node;
	enum preflight_verdict verdict;
	char *text; /* why; what was seen when it passed */
};

struct preflight {
	VEC(struct preflight_line) lines; /* check by check, node by node */
	enum preflight_verdict worst;
};

void preflight_run(const struct preflight_input *input, struct preflight *ret);
void preflight_free(struct preflight *preflight);
const char *preflight_verdict_name(enum preflight_verdict verdict); /* "pass" */

/* A folder or a device of each client: nobody shares it. */
bool place_is_own(const struct plan_path *path, enum transport transport);

/* A line for each verdict; one for all nodes where a check has passed on all. */
void preflight_text(const struct preflight *preflight,
    const struct preflight_input *input, struct str *ret);
void preflight_json(const struct preflight *preflight,
    const struct preflight_input *input, struct str *ret);

#endif
