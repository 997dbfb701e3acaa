/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sentences beneath a table: why something is not VALID, what is worth knowing
 * of what is.  The same thing in several repeats of a case is said once; what is
 * only worth knowing is said once for all cases of a table.
 */
#ifndef VOLLEY_REPORT_NOTES_H
#define VOLLEY_REPORT_NOTES_H

#include "controller/store/results.h"
#include "lib/base/str.h"
#include "lib/base/vec.h"

/* Something worth knowing of figures that stand. */
struct note {
	char *code, *line;
	size_t more; /* cases it holds for besides the one it names */
};

struct notes {
	VEC(char *) lines;
	VEC(struct note) worth_knowing;
	size_t proofs[PROOF_VERDICTS]; /* runs by what is known of their transport */
};

/* Of the last attempt of every repeat. */
void notes_of_case(struct notes *notes, const struct results_case *c);
void notes_print(const struct notes *notes, size_t width, struct str *out);
void notes_free(struct notes *notes);

#endif
