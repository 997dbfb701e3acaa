/* SPDX-License-Identifier: Apache-2.0 */
/* Is a mount what the plan says it must be? */
#ifndef VOLLEY_PREFLIGHT_REQUIRE_H
#define VOLLEY_PREFLIGHT_REQUIRE_H

#include <stdbool.h>

#include "controller/plan/plan.h"
#include "lib/wire/facts.h"

bool require_is_any(const struct plan_require *require); /* nothing is required */
/*
 * NULL: it is; else what is wrong, with what was found, to be freed.  `facts` NULL: the
 * client did not tell.  A required proto= must also be that of the mount's connections,
 * where these are known.
 */
char *require_check(
    const struct plan_require *require, const struct facts *facts, const char *path);

/* The mount that holds the path; NULL: none of a network file system, or unknown. */
const struct facts_thing *facts_mount_of(const struct facts *facts, const char *path);

#endif
