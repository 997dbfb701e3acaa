/* SPDX-License-Identifier: Apache-2.0 */
/* The two sets of results that compare and gate are given. */
#ifndef VOLLEY_TWO_SIDES_H
#define VOLLEY_TWO_SIDES_H

#include "controller/analyze/compare.h"
#include "controller/cli.h"

/* Two files, or twice the same one with a storage or transport chosen on each side. */
#define TWO_SIDES_OPTIONS \
	{"cells", "CASE", \
	    "only these: an id, or storage/transport/workload/clients with * for any", \
	    false}, \
	    {"base-storage", "NAME", "of the base only this storage", false}, \
	    {"new-storage", "NAME", "of the new only this storage", false}, \
	    {"base-transport", "NAME", "of the base only this transport", false}, \
	    {"new-transport", "NAME", "of the new only this transport", false}, \
	{ \
		"anyway", NULL, "though plans or engines differ; the output says so", \
		    false \
	}

struct two_sides {
	struct model base, fresh;
	struct comparisons comparisons;
};

/* Loads and compares the first two arguments.  Not comparable (another plan or engine,
 * or nothing in common): ERR_POLICY. */
int two_sides_load(
    struct two_sides *ret, const struct cli *cli, double margin, struct err *err);
void two_sides_free(struct two_sides *sides);
/* cli_fail, but "cannot be compared" is doubt and not failure. */
int two_sides_fail(const struct err *err);
/* --NAME 5%; a share of a whole: 100 % at most */
int two_sides_percent(const struct cli *cli, const char *name, double fallback,
    double *ret, struct err *err);
/* --NAME 150%: what may double and more */
int two_sides_rise(const struct cli *cli, const char *name, double fallback,
    double *ret, struct err *err);

#endif
