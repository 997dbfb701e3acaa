/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A workload's options are its own over the defaults; those with several values are
 * axes, and every combination is a variant (the axis that comes first in the file
 * changes slowest).  Inside of expand only.
 */
#ifndef VOLLEY_EXPAND_VARIANT_H
#define VOLLEY_EXPAND_VARIANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/plan/plan.h"

#define OPTIONS_MAX 128 /* more than there are options */

/* The options that one workload ends up with, and the combination at hand. */
struct variant {
	const struct plan_workload *workload;
	const struct plan_option *options[OPTIONS_MAX];
	size_t at[OPTIONS_MAX]; /* index of the value in use */
	size_t n;
};

void variant_first(
    struct variant *v, const struct plan *plan, const struct plan_workload *workload);
/* Counts like an odometer; false when it is back at the start. */
bool variant_next(struct variant *v);
bool variant_sets(const struct variant *v, const char *name);
bool variant_is_axis(const struct variant *v, const char *name);
/* How many combinations there are; anything above `most` is the same. */
uint64_t variant_count(const struct variant *v, uint64_t most);

#endif
