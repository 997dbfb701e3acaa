/* SPDX-License-Identifier: Apache-2.0 */
/* From a results file to text on a stream, in the format the user asked for. */
#ifndef VOLLEY_OUTPUT_H
#define VOLLEY_OUTPUT_H

#include <stdio.h>

#include "controller/expand/cases.h"
#include "controller/store/store.h"
#include "lib/base/err.h"

#define OUTPUT_OPTION {"output", "FORMAT", "text, json or csv (also -o FORMAT)", false}

struct output_format;

/* The error lists the formats there are. */
const struct output_format *output_find(const char *name, struct err *err);

struct output_choice {
	const struct output_format *format;
	const struct cases *only; /* these cases; NULL: all that `selector` means */
	const char *selector;	  /* NULL: every case */
	bool all_attempts;	  /* not just the latest of each repeat */
};

int output_results(struct store *store, const struct output_choice *choice, FILE *to,
		   struct err *err);

#endif
