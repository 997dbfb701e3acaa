/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A target process (volley-io serve) that a controller wants here: started, told its
 * key over standard input, and ended with the handle.
 */
#ifndef VOLLEY_AGENT_TARGET_LINK_H
#define VOLLEY_AGENT_TARGET_LINK_H

#include "lib/base/err.h"
#include "lib/wire/target.h"

struct event_base;
struct target_link;

/* Once: it listens at `port`, or err says why not. */
typedef void target_ready_fn(void *arg, unsigned port, const struct err *err);

int target_link_start(struct target_link **ret, struct event_base *base,
    const char *program, const struct target_request *request, target_ready_fn *ready,
    void *arg, struct err *err);
/* No more callbacks; the process ends. */
void target_link_end(struct target_link *link);

#endif
