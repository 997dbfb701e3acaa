/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collects this host's facts.  The host part is read at once from /proc and /sys;
 * paths are looked at by a helper process with a deadline, because a stat on a
 * dead mount hangs for good.
 */
#ifndef VOLLEY_AGENT_FACTS_H
#define VOLLEY_AGENT_FACTS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/vec.h"
#include "lib/wire/facts.h"

struct agent_settings;
struct event_base;

#define FACTS_PATH_TIMEOUT_NS UINT64_C(5000000000)

typedef void facts_done_fn(void *arg, struct facts *facts);

/*
 * `done` is called once (at once when there are no paths) with facts that it then
 * owns.  `helper` is the
 * volley-io program; the question is copied.  A path that the helper did not answer for
 * in time has `problem` set, and so has one that `settings` do not allow.
 */
void facts_collect(struct event_base *base, const char *helper,
    const struct agent_settings *settings, const struct facts_question *question,
    facts_done_fn *done, void *arg);

/* The arguments of the helper that looks at `path` (and touches it, as `question` says;
 * NULL: it does not), "${client}" in it being this one, if `settings` allow it; the agent itself never touches what a
 * controller names. */
struct facts_argv {
	VEC(char *) v; /* ends with NULL */
};
void facts_probe_argv(struct facts_argv *ret, const struct agent_settings *settings,
    const struct facts_question *question, const char *path);
void facts_argv_free(struct facts_argv *argv);

#endif
