/* SPDX-License-Identifier: Apache-2.0 */
/* One set of results against another, cell by cell. */
#ifndef VOLLEY_ANALYZE_COMPARE_H
#define VOLLEY_ANALYZE_COMPARE_H

#include "controller/analyze/contrast.h"
#include "lib/base/str.h"
#include "lib/base/vec.h"

struct compare_options {
	bool across_storages, across_transports; /* names need not be the same */
	double margin;                           /* 0.05 */
};

struct comparison {
	const struct cell *base, *fresh;
	bool same_engine;
	struct contrast c;         /* of the rate */
	double p_holm;             /* adjusted over all cells of the list */
	double detectable;         /* least drop these repeats would have shown; NAN */
	double hl_low, hl_high;    /* bootstrap, from 10 repeats a side; NAN */
	struct contrast lat, tail; /* mean and p99.9 latency; maybe not known */
};

struct comparisons {
	VEC(struct comparison) list;  /* in order of names */
	size_t only_base, only_fresh; /* cells without a partner */
	VEC(const struct cell *) lost; /* of those, the base's that have figures */
	size_t twice;    /* cells whose name, without what is ignored, is not unique */
	bool other_plan; /* the files' plans differ: marked, by the caller */
};

/* Both models must outlive *ret. */
void compare_models(const struct model *base, const struct model *fresh,
    const struct compare_options *options, struct comparisons *ret);
void comparisons_free(struct comparisons *comparisons);
/* Some pair of cells ran with different engines. */
bool comparisons_mixed_engines(const struct comparisons *comparisons);

void comparisons_text(const struct comparisons *comparisons, struct str *out);
void comparisons_json(const struct comparisons *comparisons, const char *generator,
    const char *base, const char *fresh, struct str *out);

#endif
