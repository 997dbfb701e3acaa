/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When has a case been repeated often enough?  Pure: figures in, verdict out.
 */
#ifndef VOLLEY_EXPAND_REPEAT_H
#define VOLLEY_EXPAND_REPEAT_H

#include <stdbool.h>
#include <stddef.h>

#include "controller/plan/plan.h"

struct repeat_verdict {
	bool more;	/* run another repeat */
	double rsd;	/* of the valid values; NAN below two */
	char why[96];	/* "rsd 3.1 % <= 5 % after 5", "max 8 reached, rsd 9 %" */
};

/*
 * `values` are the throughputs of the VALID repeats so far (in bytes/s or IOPS,
 * all of one kind); `attempted` counts every repeat that was run, valid or not,
 * and bounds them: invalid repeats do not go on for ever.
 */
struct repeat_verdict repeat_decide(const struct plan_repeat *rule, const double *values,
				    size_t n_valid, size_t attempted);

/* Sample standard deviation (n − 1) over the mean; NAN below two values or when
 * the mean is 0. */
double repeat_rsd(const double *values, size_t n);

#endif
