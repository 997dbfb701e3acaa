/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sentences beneath a table: why something is not VALID, what is worth knowing
 * of what is.  The same thing in several repeats of a case is said once.
 */
#ifndef VOLLEY_REPORT_NOTES_H
#define VOLLEY_REPORT_NOTES_H

#include "controller/store/results.h"
#include "lib/base/str.h"
#include "lib/base/vec.h"

struct notes {
	VEC(char *) lines;
};

/* Of the last attempt of every repeat. */
void notes_of_case(struct notes *notes, const struct results_case *c);
void notes_print(const struct notes *notes, size_t width, struct str *out);
void notes_free(struct notes *notes);

#endif
