/* SPDX-License-Identifier: Apache-2.0 */
/* What the checks of controller/preflight share. */
#ifndef VOLLEY_PREFLIGHT_CHECK_H
#define VOLLEY_PREFLIGHT_CHECK_H

#include "controller/preflight/preflight.h"

/* Looks at one node and writes into its line, which begins as PASS without text. */
typedef void check_fn(
    const struct preflight_input *input, size_t node, struct preflight_line *line);

check_fn check_answer, check_system, check_hardware, check_clock, check_engines,
    check_commands, check_baseline, check_network, check_pcie, check_rdma_port,
    check_gid, check_path_mtu, check_lossless, check_rdma_same, check_mount,
    check_mount_same, check_direct, check_shared, check_space;

/* A worse verdict replaces what was said, an equal one adds to it, a better one is not
 * worth saying. */
void line_say(struct preflight_line *line, enum preflight_verdict verdict,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* ---- the plan's paths ---- */

struct plan_place {
	const struct plan_storage *storage;
	enum transport transport;
	const struct plan_path *path;
};
/* The next path that the plan measures over; false: there are no more. */
bool place_next(const struct plan *plan, struct plan_place *place);
/* struct plan_place place = {0}; while (place_next(plan, &place)) … */

bool plan_has(const struct plan *plan, enum transport transport);

/* ---- one node beside the others ---- */

/* What a node has, as text to be freed; NULL: unknown. */
typedef char *same_fn(const struct facts *facts, const void *arg);
/* Compares it with what most nodes have; `what` names it: "mtu of eth0". */
void same_check(const struct preflight_input *input, size_t node,
    struct preflight_line *line, enum preflight_verdict verdict, const char *what,
    same_fn *get, const void *arg);

struct same_rule {
	const char *attr;
	enum preflight_verdict verdict; /* of a node that differs */
};
/* All things of a kind, by name, except those that `skip` (may be NULL) is true of. */
typedef bool skip_fn(const struct facts_thing *thing);
void same_things(const struct preflight_input *input, size_t node,
    struct preflight_line *line, const char *kind, const struct same_rule *rules,
    skip_fn *skip);

#endif
