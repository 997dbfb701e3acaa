/* SPDX-License-Identifier: Apache-2.0 */
/* From a results file to text on a stream, in the format the user asked for. */
#ifndef VOLLEY_OUTPUT_H
#define VOLLEY_OUTPUT_H

#include <stdio.h>

#include "controller/expand/cases.h"
#include "controller/report/report.h"
#include "controller/store/store.h"
#include "lib/base/err.h"

#define OUTPUT_OPTION \
	{ \
		"output", "FORMAT", \
		    "text, json, csv, fio-json or fio-json+; also -o FORMAT", false \
	}

/* The error lists the formats there are. */
const struct report_format *output_format(const char *name, struct err *err);

struct output_choice {
	const struct report_format *format;
	const char *selector;     /* NULL: every case (results_select) */
	const struct cases *only; /* of this plan; NULL: of any */
	uint64_t since_wall_ns;	   /* attempts that began then or later; 0: all */
	enum store_attempts which;
	unsigned repeat; /* only this one; 0: all */
};

/* All that is chosen, in one report. */
int output_results(
    struct store *store, const struct output_choice *choice, FILE *to, struct err *err);
/* Everything known of the chosen cases, as text. */
int output_details(
    struct store *store, const char *selector, FILE *to, struct err *err);

#endif
