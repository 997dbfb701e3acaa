/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One cell against another: the ratio of their rates or latencies, how sure that is,
 * and the verdict that it allows.
 */
#ifndef VOLLEY_ANALYZE_CONTRAST_H
#define VOLLEY_ANALYZE_CONTRAST_H

#include "controller/analyze/model.h"

enum verdict {
	VERDICT_BETTER,       /* the interval lies beyond +margin */
	VERDICT_WORSE,        /* ... beyond −margin */
	VERDICT_EQUIVALENT,   /* ... between the two */
	VERDICT_INCONCLUSIVE, /* none of these; always with one value on a side */
	VERDICT_SUSPECT,      /* inconclusive, but beyond the anomaly threshold */
	VERDICT_OBSERVED,     /* a plain fact, no comparison */
};

const char *verdict_name(enum verdict verdict);

/* Of two values each the deviation is nearly a guess: its interval rests on one or two
 * degrees of freedom, and among many cells some are narrow by luck. */
#define CONTRAST_FEW 3

struct contrast {
	bool known;  /* both sides have a figure */
	bool paired; /* by block, in the plan's order */
	bool stated; /* the source states the change itself */
	enum metric metric;
	unsigned n, n_base; /* values on each side; pairs: both the same */
	double base, value; /* geometric means; NAN where only the change is stated */
	/* Of good to bad: value / base − 1 of rates; of latencies base / value − 1, so
	 * that less is worse for both. */
	double effect, low,
	    high;             /* fractions; low and high NAN with one value a side */
	double hl;            /* the same by Hodges–Lehmann; NAN with one value */
	double p;             /* of no difference */
	double mann_whitney;  /* exact; NAN unknown */
	double deviation, df; /* of the log values or log ratios; NAN unknown */
	/* With fewer than CONTRAST_FEW values on a side, from the repeats of other cells
	 * of this storage: their deviation, and the least drop that it does not explain.
	 * NAN: unknown, or not needed. */
	double noise, least;
	enum verdict verdict;
};

/* `value` against `base`, at this confidence (0.95). */
void contrast_cells(const struct model *model, const struct cell *base,
    const struct cell *value, enum metric metric, double level, double margin,
    struct contrast *ret);
/* The change that an import states against a cell which it does not give. */
void contrast_stated(const struct model *model, const struct cell *cell, double margin,
    struct contrast *ret);
/* The least drop, as a fraction, that these repeats would have shown at 5 % with a
 * chance of 80 %; NAN with one value on a side. */
double contrast_detectable(const struct contrast *contrast);
/* A 95 % bootstrap interval of the Hodges–Lehmann ratio, as fractions; only of unpaired
 * sets of DIFFERENCE_BOOTSTRAP_MIN values or more, else NAN. */
void contrast_bootstrap(const struct cell *base, const struct cell *value,
    const struct contrast *contrast, double *ret_low, double *ret_high);
/* Fewer than CONTRAST_FEW values on a side? */
bool contrast_is_few(const struct contrast *contrast);
/* Few, and the drop is no more than noise of this storage? */
bool contrast_is_noise(const struct contrast *contrast);

#endif
