/* SPDX-License-Identifier: Apache-2.0 */
/* Is a contrast a drop worth a finding?  The one place where that is decided. */
#ifndef VOLLEY_ANALYZE_DROP_H
#define VOLLEY_ANALYZE_DROP_H

#include "controller/analyze/rules.h"

struct drop {
	bool found;
	enum severity severity;
	enum verdict verdict;
};

/*
 * With an interval of CONTRAST_FEW or more values a side: critical when all of it lies
 * beyond the margin and the estimate beyond `anomaly`; a suspect (warning) when it excludes
 * no difference at least; else inconclusive (info).  With fewer: a suspect beyond the
 * threshold, unless repeats of other cells of this storage differ as much or its own
 * interval holds no difference; never more.
 */
struct drop drop_judge(const struct contrast *contrast, double anomaly);
/* Keeps the worse of two in *into; names of drops of one finding. */
void drop_merge(struct drop *into, const struct drop *other);
/* What one value on a side allows to say, as evidence and next check. */
void drop_explain(
    struct finding *finding, const struct cell *cell, const struct contrast *contrast);

/* The cells of a family over one transport whose rate is known, by clients. */
struct line {
	const char *transport;
	VEC(const struct cell *) cells;
};

struct lines {
	VEC(struct line) list;
};

void lines_find(const struct family *family, struct lines *ret);
void lines_free(struct lines *lines);

#endif
