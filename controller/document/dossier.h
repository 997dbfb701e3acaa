/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything that a report is made of: results of any number of files, reduced to
 * their figures, and what the analysis found in them.  Filled in this order:
 *
 *   dossier_add_case() for every case, the model beside it   names as in the files
 *   (names may be replaced here, in all of it)
 *   dossier_analyze()                                         findings, changes, ranking
 *   dossier_add_exhibit() for what exhibits_choose() names    courses of single runs
 *
 * Every text that comes from a file is in here and nowhere else; sentences of findings
 * are made of the model's names.  Plain owned data; unknown is NAN or NULL.
 */
#ifndef VOLLEY_DOCUMENT_DOSSIER_H
#define VOLLEY_DOCUMENT_DOSSIER_H

#include "controller/analyze/changes.h"
#include "controller/analyze/rank.h"
#include "controller/analyze/rules.h"
#include "controller/report/summary.h"
#include "controller/store/results.h"

/* One point of a latency curve: this share of all I/Os took no longer. */
struct dossier_point {
	double percent, ns;
};

/* Of all VALID repeats of one direction, merged. */
struct dossier_curve {
	enum dir dir;
	VEC(struct dossier_point) points; /* ascending; only what is known */
};

struct dossier_case {
	unsigned source; /* which file */
	/* Its attempts keep states, reasons, totals and clients' own rates; histograms
	 * and series are gone. */
	struct results_case c;
	char *axis;
	struct summaries lines;
	VEC(struct dossier_curve) curves;
};

struct dossier_source {
	char *path;
	struct results head;
};

/* The course of one run: of its clients, and of all of them together. */
struct exhibit_client {
	char *name;
	VEC(double) rates; /* bytes/s, one a second */
};

struct exhibit {
	size_t at; /* which case */
	unsigned repeat;
	double from_s, to_s; /* the window, s since T; NAN unknown */
	VEC(struct exhibit_client) clients;
	struct heats heats; /* both directions */
};

struct dossier {
	VEC(struct dossier_source) sources;
	VEC(struct dossier_case) cases; /* in the order of the files */
	struct model model;
	struct thresholds thresholds;
	struct findings findings;
	struct changes changes;
	struct ranking ranking;
	VEC(struct exhibit) exhibits;
	const char *disguise; /* what was hidden, a sentence; NULL: nothing */
};

/* Takes the case over and reduces it. */
void dossier_add_case(
    struct dossier *dossier, unsigned source, struct results_case *c);
/* Closes the model and analyses it. */
void dossier_analyze(struct dossier *dossier);
/* Leaves `digits` significant digits of every figure there is so far: before
 * dossier_analyze(), so that findings are made of rounded figures, and after the last
 * exhibit. */
void dossier_round(struct dossier *dossier, int digits);
void dossier_free(struct dossier *dossier);

/* The cell of the model that a case is a part of, or NULL. */
const struct cell *dossier_cell(
    const struct dossier *dossier, const struct dossier_case *c);

/* The runs whose course is worth showing: those that findings name, worst first, then
 * the largest scale of every storage, workload and transport; at most `max`. */
struct exhibit_choice {
	size_t at;
	unsigned repeat;
};
size_t exhibits_choose(
    const struct dossier *dossier, struct exhibit_choice *ret, size_t max);
/* Of the attempt with its clients' tallies. */
void dossier_add_exhibit(
    struct dossier *dossier, size_t at, const struct attempt *attempt);

#endif
